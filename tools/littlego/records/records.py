"""A reader of game records: SGF by `littlego` and by other programs, and the JSON of `littlego play`.

The writers are sgf_writing and referee.record_json.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, TypedDict

from littlego.games.boards import move_text
from littlego.games.clock import Times
from littlego.games.game import (
    all_have_liberties,
    game_named,
    margin2,
    name_for_board,
    opening,
    ruleset_named,
    why_illegal,
)
from littlego.games.kinds import BoardSizeError, UnknownRulesetError
from littlego.games.little_go import game_of
from littlego.games.sizes import LITTLE_GO_SIZES, SGF_SIZE
from littlego.match.referee import COLOURS, GameRecord, Move, count_out, cut_off, prisoners_of
from littlego.match.shapes import find_misfit
from littlego.printable import printable
from littlego.records.sgf import Node, SgfError, move_of, points_in, read_games
from littlego.rules.geometry import make_grid
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO, Ruleset

MOST_MOVES = 10_000  # moves of a record; the longest games have a few hundred
_COLOURS = {"B": BLACK, "W": WHITE}
_SETUP = ("AB", "AW", "AE")
_POINT = re.compile(r"(\d{1,3}),(\d{1,3})")


class RecordError(ValueError):
    """Raised for an invalid record; the message continues the file's name: `:LINE: ...` or `: ...`.

    The message may quote the file but is always one line.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


@dataclass(frozen=True)
class Played:
    """A recorded move: a point, PASS or RESIGN; its colour, None for the mover; its line, 0 if unknown."""

    move: int
    colour: int | None = None
    line: int = 0


@dataclass(frozen=True)
class Record:
    """A game: its initial position and its moves."""

    start: Position
    moves: list[Played]

    def positions(self) -> list[Position]:
        """Return the position before each move and, unless the game is over, the final position.

        Raise RecordError for an illegal move.
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
    """Return the Record of a game written by `littlego play --json`; raise RecordError."""
    try:
        game = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f":{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise RecordError(": not the JSON of a game: nested too deeply") from None
    except ValueError as error:  # raised for a number with thousands of digits
        raise RecordError(f": not the JSON of a game: {str(error)[:100]}") from None
    if "games" in game:
        raise RecordError(": a series of games; expected one, as `littlego play --json FILE` writes it")
    moves = game.get("moves")
    if not isinstance(moves, list):
        raise RecordError(": no list `moves`; expected a game, as `littlego play --json FILE` writes it")
    start = opening(_ruleset_named(game.get("ruleset", LITTLE_GO.name)))
    return Record(start, [Played(_json_move(entry, number, start)) for number, entry in enumerate(moves, 1)])


class _GameValues(TypedDict, total=False):
    """The types of the values of a game in record_json's form, except values that other functions check."""

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
    """The types of the values of a move in record_json's form, except the move itself."""

    cpu: float
    left: float
    reason: str
    warning: str
    note: str


def game_record(game: dict[str, Any]) -> GameRecord:
    """Return the GameRecord for the JSON of record_json; raise RecordError, KeyError or TypeError.

    The winner, the lead, the fault and the reason of the end must agree with the moves.
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
    """Raise RecordError if a record's recorded end contradicts its moves. over: whether the moves end the game."""
    mover, number = last.colour, len(record.moves)
    if not number and record.fault:  # before the first move, either colour can forfeit
        mover = record.fault
    is_cut = record.is_cut_off and not over and not last.ruleset.length  # only games without a move limit are cut off
    if is_cut:
        winner, why = cut_off(last, number)
    elif not over:  # only a fault of the mover can have ended the game
        winner, why = BLACK + WHITE - mover, f"{COLOURS[mover]} lost: "
        if not record.fault:
            raise RecordError(f": its {number} moves do not end the game, and it names no fault that did")
    elif record.moves[-1].move == RESIGN:
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
    """Return the confinement of both players from the JSON value `held`; raise RecordError."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(text, str) for text in value):
        return value[0], value[1]
    raise RecordError(": `held` is not a list of two texts")


def _refuse_other_counts(record: GameRecord, game: dict[str, Any]) -> None:
    """Raise RecordError if the prisoners or the remaining times contradict the moves."""
    claimed, expected = game.get("prisoners"), record.prisoners
    if claimed is not None and (expected is None or claimed != list(expected)):
        raise RecordError(f": its prisoners are {str(claimed)[:40]}, but its moves give {expected}")
    left = list(record.budgets or ())
    for move in record.moves:
        if (move.left is None) != (record.budgets is None):
            raise RecordError(f": move {move.number}: expected `left` in a game with `budgets`, and only there")
        if move.left is not None:
            if not move.left <= left[move.colour - 1]:
                raise RecordError(f": move {move.number}: {move.left:g} seconds left, more than before it")
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
    """Return the move for JSON "row,column", [row, column] or "PASS"; None for anything else."""
    text = ",".join(map(str, found)) if isinstance(found, list) else str(found)
    return PASS if text == "PASS" else parse_point(text, size)


def parse_point(text: str, size: int) -> int | None:
    """Return the point for "row,column"; None for anything else."""
    point = _POINT.fullmatch(text)
    if not point or max(int(point[1]), int(point[2])) >= size:
        return None
    return size * int(point[1]) + int(point[2])


def game_sgf(text: str, ruleset: str | None = None, refuse_other: bool = True) -> Record:
    """Return the Record of the first SGF game's main line in a text, including initial setup stones.

    ruleset, refuse_other: see ruleset_of_sgf. Raise RecordError.
    """
    try:
        return main_line_of(read_games(text)[0], ruleset, refuse_other)
    except SgfError as error:
        raise RecordError(str(error)) from None


def main_line_of(root: Node, ruleset: str | None = None, refuse_other: bool = True) -> Record:
    """Return the Record of an SGF game's main line; for the arguments see game_sgf."""
    rules = ruleset_of_sgf(root, ruleset, refuse_other)
    setups: list[Node] = []
    moves: list[Played] = []
    for node in root.main_line():
        if any(name in node.properties for name in (*_SETUP, "PL")):
            if moves:
                raise RecordError(f":{node.line}: stones are set up after move {len(moves)}; expected only moves there")
            setups.append(node)
        moves += (_sgf_move(node, name, len(moves) + 1, rules.size) for name in _COLOURS if name in node.properties)
        if len(moves) > MOST_MOVES:
            raise RecordError(f": more than {MOST_MOVES:,} moves, the limit")
    return Record(_start_of(root, setups, moves, rules), moves)


def _sgf_move(node: Node, name: str, number: int, size: int) -> Played:
    value = node.properties[name][0]
    move = move_of(value, size)
    if move is None:
        raise RecordError(f":{node.line}: move {number} is {value[:20]!r}, not a point of a board of size {size}")
    return Played(move, _COLOURS[name], node.line)


def ruleset_of_sgf(root: Node, named: str | None = None, refuse_other: bool = True) -> Ruleset:
    """Return the rules of an SGF game; raise RecordError.

    If the property RU names one of our rulesets, this ruleset applies; otherwise the ruleset `named` (`little-go` or
    `match`) applies on the game's board, and a match has the komi in KM. Without either name, a game on a board up to
    5x5 is Little-Go. A game on a larger board is taken to follow the rules of most Go programs; the closest ruleset is
    a match without pass stones. refuse_other: raise RecordError if RU contradicts `named`.
    """
    size, named_rules = _size_of(root), root.text("RU").strip()
    try:
        ours = ruleset_named(named_rules)
    except BoardSizeError as error:
        raise RecordError(f": its rules, RU[{named_rules}], are for no board: {error}") from None
    except UnknownRulesetError:
        return _ruleset_by(root, size, named)
    if ours.size != size:
        raise RecordError(f": its rules, RU[{named_rules}], are for a board of {ours.size}; its board has {size}")
    if refuse_other and named is not None and named_rules != named and not named_rules.startswith(f"{named}-"):
        raise RecordError(f": its RU property names the rules {named_rules}; leave --ruleset out")
    return ours


def _ruleset_by(root: Node, size: int, named: str | None) -> Ruleset:
    """Return the rules of an SGF game whose RU names none of our rulesets."""
    try:
        game = game_named(named or name_for_board(size))
        return game.of_record(size, root.text("KM").strip(), pass_stones=named is not None)
    except ValueError as error:
        raise RecordError(f": {error}") from None


def _size_of(root: Node) -> int:
    """Return the board size; raise RecordError."""
    text = root.text("SZ").strip() or str(SGF_SIZE)
    sides = [int(side) if re.fullmatch(r"\d{1,3}", side) else 0 for side in text.split(":")]
    if len(sides) > 2 or 0 in sides:
        raise RecordError(f": its size, SZ[{text[:20]}], is not a board size")
    if sides[0] != sides[-1]:
        raise RecordError(f": a board of {sides[0]} by {sides[-1]}; expected a square one")
    if not LITTLE_GO_SIZES.allow(sides[0]):
        raise RecordError(f": a board of {sides[0]}; expected {LITTLE_GO_SIZES.text}")
    return sides[0]


def _start_of(root: Node, setups: list[Node], moves: list[Played], rules: Ruleset) -> Position:
    black, white, mover = 0, 0, None
    for node in setups:
        black, white = _set_up(node, black, white, rules.size)
        if "PL" in node.properties:
            mover = _COLOURS.get(node.text("PL").strip().upper()[:1])
            if mover is None:
                raise RecordError(f":{node.line}: PL[{node.text('PL')[:20]}] is not a colour; expected B or W")
    if mover is None and not moves:
        mover = WHITE if black and not white else BLACK  # White moves first after a handicap
    colour = mover or moves[0].colour or BLACK
    if not all_have_liberties(black, white, make_grid(rules.size)):
        raise RecordError(": not a position of Go: a chain that is set up has no liberty")
    game = game_of(rules)
    try:
        return game.set_up_from((black, white), colour, root.text(game.setup_property).strip())
    except ValueError as error:
        raise RecordError(f": {error}") from None


def _set_up(node: Node, black: int, white: int, size: int) -> tuple[int, int]:
    """Return (black, white) after a node's setup stones; raise RecordError."""
    black_added, white_added, emptied = (_points_of(node, name, size) for name in _SETUP)
    if black_added & white_added | (black_added | white_added) & emptied:
        raise RecordError(f":{node.line}: a point is set up twice; expected it in one of AB, AW and AE")
    kept = ~(black_added | white_added | emptied)
    return black & kept | black_added, white & kept | white_added


def _points_of(node: Node, name: str, size: int) -> int:
    points = points_in(node.properties.get(name, ()), size)
    if points is None:
        raise RecordError(f":{node.line}: {name} has a value that is not a point of a board of size {size}")
    return points
