"""Game records with moves and positions, and the reader of the JSON that `littlego play` writes.

The reader of SGF is main_line; the writers are sgf_writing and referee.record_json.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypedDict

from littlego.games.boards import move_text
from littlego.games.clock import Times
from littlego.games.game import margin2, opening, ruleset_named, why_illegal
from littlego.games.kinds import UnknownRulesetError
from littlego.games.little_go import game_of
from littlego.match.referee import COLOURS, GameRecord, Move, count_out, cut_off, prisoners_of
from littlego.match.shapes import find_misfit
from littlego.printable import printable
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO, Ruleset

MOST_MOVES = 10_000  # maximum number of moves in a record: the longest games have a few hundred
Boards = tuple[int, int]  # (Black's stones, White's)
_POINT = re.compile(r"(\d{1,3}),(\d{1,3})")


class RecordError(ValueError):
    """Raised for an invalid record.

    The message begins with `: `, or with the place as `:LINE: ` or `:LINE:COLUMN: `, so that callers can prepend the
    file's name.

    The message may quote the file, but is always a single line.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


@dataclass(frozen=True)
class Played:
    """A recorded move. move: a point, PASS or RESIGN. colour: the player's colour, or None for the side to move.

    line, column: the move's place in the file, 0 if unknown. setup: the board (Black's stones, White's stones) that
    results from a setup just before the move, or None if there is no such setup.
    """

    move: int
    colour: int | None = None
    line: int = 0
    column: int = 0
    setup: Boards | None = None


class Remark(NamedTuple):
    """A warning about a record, with its line and column (0 if unknown).

    number: the number of the first move after the warning's place.
    """

    text: str
    line: int = 0
    column: int = 0
    number: int = 1

    def __str__(self) -> str:
        """Return the text with its place; callers append the result to the file's name."""
        return printable((f":{self.line}:{self.column}" if self.line else "") + f": {self.text}")


@dataclass(frozen=True)
class Record:
    """A game: its initial position and its moves.

    final: (the board, the colour to move) if the file sets up stones or changes the player to move after the last move,
    else None. remarks: warnings about the file. broken: the message of a RecordError that explains why later moves
    cannot be read, or '' if all moves were read.
    """

    start: Position
    moves: list[Played]
    final: tuple[Boards, int] | None = None
    remarks: tuple[Remark, ...] = ()
    broken: str = ""

    def positions(self) -> list[Position]:
        """Return the position before each move and, unless the game is over, the final position.

        Raise RecordError for an illegal move.
        """
        positions, over = [self.start], ""
        for number, played in enumerate(self.moves, 1):
            if played.setup is not None:
                over = ""
            position = positions[-1] = before_move(positions[-1], played)
            if wrong := over or why_illegal(position, played.move):
                where = f":{played.line}:{played.column}" if played.line else ""
                move = move_text(played.move, position.ruleset.size)
                raise RecordError(f"{where}: move {number}, {move}: {wrong}")
            if position.ends_with(played.move):
                over = f"the game ended with move {number}"
                positions.append(position if played.move == RESIGN else position.play(played.move))
            else:
                positions.append(position.play(played.move))
        if self.final is not None:
            positions[-1] = game_of(self.start.ruleset).set_up(*self.final, positions[-1])
        elif over:
            positions.pop()
        return positions

    def check_whole(self) -> None:
        """Raise RecordError if the file has unreadable moves after the moves of this record."""
        if self.broken:
            raise RecordError(self.broken)

    def remarks_up_to(self, number: int | None) -> list[Remark]:
        """Return the warnings that concern the position before move `number`; None means all warnings."""
        return [remark for remark in self.remarks if number is None or remark.number <= number]

    def since_setup(self, upto: int | None = None) -> Record:
        """Return the game from its last set-up position to move `upto` (None: to the end).

        A position in which the file changes the player to move also counts as set up. In the returned game, the players
        alternate and no stones are set up.
        """
        upto = len(self.moves) if upto is None else min(upto, len(self.moves))
        positions = self.positions()
        if upto == len(self.moves) and self.final is not None:
            return Record(positions[-1], [], None, self.remarks, self.broken)
        first = max(
            (at for at, played in enumerate(self.moves[: upto + 1]) if _is_set_up(played, positions, at)), default=0
        )
        moves = [replace(played, setup=None) for played in self.moves[first:upto]]
        return Record(positions[first], moves, None, self.remarks, self.broken)


def _is_set_up(played: Played, positions: list[Position], at: int) -> bool:
    """Return whether the file sets up the position before the move at index `at`.

    A position in which the file changes the player to move also counts as set up.
    """
    if played.setup is not None:
        return True
    return at > 0 and positions[at].colour == positions[at - 1].colour


def before_move(position: Position, played: Played) -> Position:
    """Return the position before a move, after the move's setup and with the move's colour to play."""
    colour = played.colour or position.colour
    if played.setup is None and colour == position.colour:
        return position
    boards = (position.black, position.white) if played.setup is None else played.setup
    return game_of(position.ruleset).set_up(boards, colour, position)


def game_json(text: str) -> Record:
    """Return the Record of a game written by `littlego play --json`.

    Raise RecordError for an invalid text.
    """
    try:
        game = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f":{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise RecordError(": not the JSON of a game: nested too deeply") from None
    except ValueError as error:  # raised for a number with thousands of digits
        raise RecordError(f": not the JSON of a game: {str(error)[:100]}") from None
    if "games" in game:
        raise RecordError(": a series of games; expected a single game, as `littlego play --json FILE` writes it")
    moves = game.get("moves")
    if not isinstance(moves, list):
        raise RecordError(": no list `moves`; expected a game, as `littlego play --json FILE` writes it")
    start = opening(_ruleset_named(game.get("ruleset", LITTLE_GO.name)))
    return Record(start, [Played(_json_move(entry, number, start)) for number, entry in enumerate(moves, 1)])


class _GameValues(TypedDict, total=False):
    """The types of a game's JSON values, except the values that other functions check."""

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
    """The types of the values in a move's JSON, except the move itself."""

    cpu: float
    left: float
    reason: str
    warning: str
    note: str


def game_record(game: dict[str, Any]) -> GameRecord:
    """Return the GameRecord for a JSON object in the format of record_json.

    Raise RecordError, KeyError or TypeError if the JSON is invalid. The winner, the lead, the fault, the reason for the
    end, the prisoners and the remaining times must agree with the moves.
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
        prisoners_of(last),
        Times(*game["budgets"]) if "budgets" in game else None,
    )
    _refuse_other_end(record, last, over)
    _refuse_other_counts(record, game)
    return record


def _refuse_misfit(where: str, kind: type, values: dict[str, Any]) -> None:
    if wrong := find_misfit(kind, values):
        raise RecordError(f": {where}{wrong}")


def _refuse_other_end(record: GameRecord, last: Position, over: bool) -> None:
    """Raise RecordError if the end stated in a record contradicts its moves. over: whether the moves end the game."""
    mover, number = last.colour, len(record.moves)
    if not number and record.fault:  # before the first move, either colour can forfeit
        mover = record.fault
    is_cut = record.is_cut_off and not over and not last.ruleset.length  # only games without a move limit are cut off
    if is_cut:
        winner, why = cut_off(last, number)
    elif not over:  # only a fault of the mover can have ended the game
        winner, why = BLACK + WHITE - mover, f"{COLOURS[mover]} lost: "
        if not record.fault:
            raise RecordError(f": its {number} moves do not end the game, and it names no fault that ended the game")
    elif record.resigned:
        winner, why = BLACK + WHITE - mover, f"{COLOURS[mover]} resigned"
    else:
        winner, why = count_out(last, number)
    claims = [
        ("winner", record.winner, winner),
        ("fault", record.fault, 0 if over or is_cut else mover),
        ("lead", record.lead2 / 2, margin2(last) / 2),
        ("why", record.why if over else record.why[: len(why)], why),
    ]
    for name, claimed, expected in claims:
        if claimed != expected:
            raise RecordError(f": its {name} is {claimed!r}, but its {number} moves give {expected!r}")


def _held_of(value: object) -> tuple[str, str]:
    """Return the descriptions of how both programs were confined, Black's first.

    value: the JSON value `held`. Raise RecordError if the value is invalid.
    """
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(text, str) for text in value):
        return value[0], value[1]
    raise RecordError(": `held` is not a list of two strings")


def _refuse_other_counts(record: GameRecord, game: dict[str, Any]) -> None:
    """Raise RecordError if the prisoners or the remaining times contradict the moves."""
    claimed, expected = game.get("prisoners"), record.prisoners
    if claimed is not None and (expected is None or claimed != list(expected)):
        raise RecordError(f": its prisoners are {str(claimed)[:40]}, but its moves give {expected}")
    left = list(record.budgets or ())
    for move in record.moves:
        if (move.left is None) != (record.budgets is None):
            raise RecordError(f": move {move.number}: expected `left` if and only if the game has `budgets`")
        if move.left is not None:
            if not move.left <= left[move.colour - 1]:
                raise RecordError(f": move {move.number}: {move.left:g} seconds left, more than before the move")
            left[move.colour - 1] = move.left


def _ruleset_named(name: object) -> Ruleset:
    try:
        return ruleset_named(str(name))
    except UnknownRulesetError as error:
        raise RecordError(f": {error}") from None


def _json_move(entry: object, number: int, start: Position) -> int:
    found, size = entry.get("move") if isinstance(entry, dict) else "", start.ruleset.size
    move = RESIGN if found == "resigns" else parse_move(found, size)
    if move is None:
        raise RecordError(f": move {number} is {str(found)[:40]!r}; expected row,column, 0 to {size - 1} each, or PASS")
    return move


def parse_move(found: object, size: int = LITTLE_GO.size) -> int | None:
    """Return the move for JSON "PASS", or for "row,column" or [row, column] on the board; else None."""
    text = ",".join(map(str, found)) if isinstance(found, list) else str(found)
    return PASS if text == "PASS" else parse_point(text, size)


def parse_point(text: str, size: int) -> int | None:
    """Return the point on the board that a text "row,column" names, or None for any other text."""
    point = _POINT.fullmatch(text)
    if not point or max(int(point[1]), int(point[2])) >= size:
        return None
    return size * int(point[1]) + int(point[2])
