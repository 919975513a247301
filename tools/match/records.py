"""Games on record, read and written: SGF, with our reasons as comments, or the JSON of `littlego play`."""

from __future__ import annotations

import json
import re
from bisect import bisect
from dataclasses import dataclass
from typing import Any, TypedDict

from rules.geometry import LARGEST, SMALLEST
from rules.position import BLACK, PASS, RESIGN, WHITE, Position, from_boards
from rules.ruleset import LITTLE_GO, Ruleset
from rules.turn import least_moves_made
from tools.draw.boards import move_text
from tools.games.clock import Times
from tools.games.game import little_go_of, margin2, opening, ruleset_named, why_illegal
from tools.match.referee import COLOURS, GameRecord, Move, count_out, cut_off
from tools.match.shapes import find_misfit
from tools.printable import printable

_SGF_COLOURS = {"b": BLACK, "w": WHITE}
# A value, which may be broken off where the text ends; a bracket; a move.
_SGF_TOKEN = re.compile(r"\[(?:\\.|[^\\\]])*(?:\]|\\?\Z)|[()]|(?<![A-Za-z])[BW](?=\s*\[)", re.DOTALL)
_POINT = re.compile(r"(\d{1,3}),(\d{1,3})")


class RecordError(ValueError):
    """A record that cannot be followed; the message continues the file's name: `:LINE: ...` or `: ...`."""


@dataclass(frozen=True)
class Played:
    """A move of a record: a point, PASS or RESIGN; who made it, None where it goes without saying; its line or 0."""

    move: int
    colour: int | None = None
    line: int = 0


@dataclass(frozen=True)
class Record:
    """A game: the position that it starts from, and its moves."""

    start: Position
    moves: list[Played]

    def positions(self) -> list[Position]:
        """Return the position before each move, and the one after the last unless the game is over.

        Raise RecordError at a move that the rules do not allow.
        """
        positions, over = [self.start], ""
        for number, played in enumerate(self.moves, 1):
            position = positions[-1]
            if wrong := over or _fault_of(position, played):
                where = f":{played.line}" if played.line else ""
                move = move_text(played.move, position.ruleset.size)
                raise RecordError(f"{where}: move {number}, {move}: {wrong}")
            if position.ends_with(played.move):
                over = f"the game is over with move {number}"
            else:
                positions.append(position.play(played.move))
        return positions


def _fault_of(position: Position, played: Played) -> str:
    if played.colour not in (None, position.colour):
        return f"{COLOURS[played.colour]} moves, but it is {COLOURS[position.colour]}'s turn"
    return why_illegal(position, played.move)


def game_json(text: str) -> Record:
    """Read a game as `littlego play --json` writes it; raise RecordError."""
    try:
        game = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f":{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise RecordError(": not the JSON of a game: nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise RecordError(f": not the JSON of a game: {str(error)[:100]}") from None
    if "games" in game:
        raise RecordError(": a series of games; expected one, as `littlego play --json FILE` writes it")
    moves = game.get("moves")
    if not isinstance(moves, list):
        raise RecordError(": no list `moves`; expected a game, as `littlego play --json FILE` writes it")
    start = opening(_ruleset_named(game.get("ruleset", LITTLE_GO.name)))
    return Record(start, [Played(_json_move(entry, number, start)) for number, entry in enumerate(moves, 1)])


class _GameValues(TypedDict, total=False):
    """A game as record_json has it, but for what is read by a function of its own."""

    black: str
    white: str
    seed: int
    opening: int
    winner: int
    why: str
    lead: float
    fault: int
    note: str
    budgets: Times


class _MoveValues(TypedDict, total=False):
    """A move as record_json has it, but for the move itself."""

    cpu: float
    left: float
    reason: str
    warning: str
    note: str


def game_record(game: dict[str, Any]) -> GameRecord:
    """Return the GameRecord that record_json turned into this value; raise RecordError, KeyError or TypeError.

    Winner, lead, fault and reason of the end must be those that the moves come to by the rules.
    """
    start = opening(_ruleset_named(game["ruleset"]))
    _refuse_misfit("", _GameValues, game)
    moves, last, over = [], start, False
    for number, entry in enumerate(game["moves"], 1):
        move = _json_move(entry, number, start)
        if why := "the game is over already" if over else why_illegal(last, move):
            raise RecordError(f": move {number}, {entry['move']}: {why}")
        _refuse_misfit(f"move {number}: ", _MoveValues, entry)
        reason, warning, note = (entry.get(key, "") for key in ("reason", "warning", "note"))
        moves.append(Move(number, last.colour, move, entry["cpu"], reason, warning, note, entry.get("left")))
        over = last.ends_with(move)
        last = last if move == RESIGN else last.play(move)
    record = GameRecord(
        start.ruleset,
        (game["black"], game["white"]),
        game["seed"],
        game["opening"],
        tuple(moves),
        game["winner"],
        game["why"],
        round(2 * game["lead"]),
        game["fault"],
        game["note"],
        last.black,
        last.white,
        _held_of(game.get("held", ("", ""))),
        Times(*game["budgets"]) if "budgets" in game else None,
    )
    _refuse_other_end(record, last, over)
    return record


def _refuse_misfit(where: str, kind: type, values: dict[str, Any]) -> None:
    if wrong := find_misfit(kind, values):
        raise RecordError(f": {where}{wrong}")


def _refuse_other_end(record: GameRecord, last: Position, over: bool) -> None:
    """Raise RecordError where a record says another end than its moves come to. over: whether they end the game."""
    mover, number = last.colour, len(record.moves)
    if not number and record.fault:  # either can forfeit a game that was not begun
        mover = record.fault
    is_cut = record.is_cut_off and not over and not last.ruleset.length  # a game with a length needs no other end
    if is_cut:
        winner, why = cut_off(last, number)
    elif not over:  # then only a fault can have ended it, and that of the mover
        winner, why = BLACK + WHITE - mover, f"{COLOURS[mover]} lost: "
        if not record.fault:
            raise RecordError(f": its {number} moves do not end the game, and it names no fault that did")
    elif record.moves[-1].move == RESIGN:
        winner, why = BLACK + WHITE - mover, f"{COLOURS[mover]} resigned"
    else:
        winner, why = count_out(last, number)
    said = [
        ("winner", record.winner, winner),
        ("fault", record.fault, 0 if over or is_cut else mover),
        ("lead", record.lead2 / 2, margin2(last) / 2),
        ("why", record.why if over else record.why[: len(why)], why),
    ]
    for name, found, expected in said:
        if found != expected:
            raise RecordError(f": its {name} is {found!r}, but its {number} moves come to {expected!r}")


def _held_of(value: object) -> tuple[str, str]:
    """Return what held both players, which records of before do not say; raise RecordError for anything else."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(one, str) for one in value):
        return value[0], value[1]
    raise RecordError(": `held` is no list of two texts")


def _ruleset_named(name: object) -> Ruleset:
    ruleset = ruleset_named(str(name))
    if ruleset is None:
        raise RecordError(f": unknown ruleset {str(name)[:40]!r}; expected {LITTLE_GO.name}")
    return ruleset


def _json_move(entry: object, number: int, start: Position) -> int:
    found, size = entry.get("move") if isinstance(entry, dict) else "", start.ruleset.size
    move = RESIGN if found == "resigns" else parse_move(found, size)
    if move is None:
        raise RecordError(f": move {number} is {str(found)[:40]!r}; expected row,column, 0 to {size - 1} each, or PASS")
    return move


def parse_move(found: object, size: int = LITTLE_GO.size) -> int | None:
    """Return a move that JSON spells "row,column", [row, column] or "PASS"; None for anything else."""
    text = ",".join(map(str, found)) if isinstance(found, list) else str(found)
    return PASS if text == "PASS" else parse_point(text, size)


def parse_point(text: str, size: int) -> int | None:
    """Return the point of the board that "row,column" names; None for anything else."""
    point = _POINT.fullmatch(text)
    if not point or max(int(point[1]), int(point[2])) >= size:
        return None
    return size * int(point[1]) + int(point[2])


def game_sgf(text: str) -> Record:
    """Read the main line of an SGF game, stones set up before its first move included; raise RecordError."""
    from sgfmill.sgf import Sgf_game
    from sgfmill.sgf_moves import get_setup_and_moves

    try:
        main = _main_line(text)
        game = Sgf_game.from_string(main)
        size = game.get_size()
        if not SMALLEST <= size <= LARGEST:
            raise RecordError(f": a board of {size}; expected {SMALLEST} to {LARGEST}")
        board, plays = get_setup_and_moves(game)
        mover = game.get_root().get("PL") if game.get_root().has_property("PL") else None
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError(f": not an SGF that can be followed: {str(error)[:100]}") from None
    stones = {"b": 0, "w": 0}
    for colour, place in board.list_occupied_points():
        stones[colour] |= 1 << _sgf_point(place, size)
    first = mover or (plays[0][0] if plays else "b")
    start = _start_position(size, stones["b"], stones["w"], _SGF_COLOURS[first])
    moves = [
        Played(PASS if place is None else _sgf_point(place, size), _SGF_COLOURS[colour], line)
        for (colour, place), line in zip(plays, _move_lines(main), strict=False)
    ]
    return Record(start, moves)


def _sgf_point(place: tuple[int, int], size: int) -> int:
    return size * (size - 1 - place[0]) + place[1]  # sgfmill counts rows from below


def _start_position(size: int, black: int, white: int, colour: int) -> Position:
    ruleset = little_go_of(size)
    left = ruleset.length - least_moves_made(black, white, colour)
    if left < 1:
        raise RecordError(f": more stones set up than {ruleset.length - 1} moves can set")
    return from_boards(ruleset, None, (black, white), colour, left)


def _main_line(text: str) -> str:
    """Return an SGF text without variations: the main line is all before the first `)`, whatever is opened there."""
    end = next((token.start() for token in _SGF_TOKEN.finditer(text) if token[0] == ")"), None)
    if end is None:
        return text  # broken off, as the parser will say
    return "(" + _SGF_TOKEN.sub(lambda token: "" if token[0] == "(" else token[0], text[:end]) + ")"


def _move_lines(text: str) -> list[int]:
    """Return the line of each move of an SGF text without variations."""
    breaks = [token.start() for token in re.finditer("\n", text)]
    return [bisect(breaks, token.start()) + 1 for token in _SGF_TOKEN.finditer(text) if token[0] in ("B", "W")]


def record_sgf(record: GameRecord, about: str = "") -> str:
    """Return a game as SGF text; about: what else is to be said of the whole game.

    The comment of a move holds its reason, warning and note; a fault, which is no move, stands in the last comment.
    The given moves of an opening are moves like all others: `littlego explain FILE:N` counts them too. Names and
    comments are text as printable has it: strangers have written them.
    """
    from sgfmill.sgf import Sgf_game

    size = record.ruleset.size
    game = Sgf_game(size=size, encoding="UTF-8")
    root = game.get_root()
    for name, value in (
        ("AP", ("littlego", "0.1")),
        ("RU", record.ruleset.name),
        ("KM", record.ruleset.komi2 / 2),
        ("PB", printable(record.players[0])),
        ("PW", printable(record.players[1])),
        ("RE", _sgf_result(record)),
    ):
        root.set(name, value)
    if about:
        root.set("GC", printable(about, lines=True))
    for move in record.moves:
        if move.move != RESIGN:  # SGF has no such move: the result says it
            _add_move(game.extend_main_sequence(), move, size)
    last = game.get_last_node()
    if record.fault:
        comment = last.get("C") if last.has_property("C") else ""
        last.set("C", printable("\n".join(filter(None, [comment, record.why, record.note])), lines=True))
    return str(game.serialise().decode("utf-8"))


def _add_move(node: Any, move: Move, size: int) -> None:
    point = None if move.move == PASS else (size - 1 - move.move // size, move.move % size)  # sgfmill counts from below
    node.set_move("b" if move.colour == BLACK else "w", point)
    if comment := "\n".join(filter(None, [move.reason, move.warning, move.note])):
        node.set("C", printable(comment, lines=True))


def _sgf_result(record: GameRecord) -> str:
    """Return the result as SGF spells it: `B+2.5`, `W+R` for a resignation, `W+F` for a fault, `0` for a tie."""
    if record.winner == 0:
        return "0"
    winner = "B" if record.winner == BLACK else "W"
    if record.fault:
        return f"{winner}+F"
    resigned = bool(record.moves) and record.moves[-1].move == RESIGN
    return f"{winner}+{'R' if resigned else f'{abs(record.lead2) / 2:g}'}"
