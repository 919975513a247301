"""Games on record, read: SGF of ours and of other programs, and the JSON of `littlego play`.

They are written by sgf_writing and by referee.record_json.
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

MOST_MOVES = 10_000  # of a record: the longest games have some hundreds
_COLOURS = {"B": BLACK, "W": WHITE}
_SETUP = ("AB", "AW", "AE")
_POINT = re.compile(r"(\d{1,3}),(\d{1,3})")


class RecordError(ValueError):
    """A record that cannot be followed; the message continues the file's name: `:LINE: ...` or `: ...`.

    It may quote what the file says, which can be anything: it is one line all the same.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


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


def _refuse_other_counts(record: GameRecord, game: dict[str, Any]) -> None:
    """Raise RecordError where prisoners are others than the moves come to, or times are those of no clock."""
    found, expected = game.get("prisoners"), record.prisoners
    if found is not None and (expected is None or found != list(expected)):
        raise RecordError(f": its prisoners are {str(found)[:40]}, but its moves come to {expected}")
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
    """Return a move that JSON spells "row,column", [row, column] or "PASS"; None for anything else."""
    text = ",".join(map(str, found)) if isinstance(found, list) else str(found)
    return PASS if text == "PASS" else parse_point(text, size)


def parse_point(text: str, size: int) -> int | None:
    """Return the point of the board that "row,column" names; None for anything else."""
    point = _POINT.fullmatch(text)
    if not point or max(int(point[1]), int(point[2])) >= size:
        return None
    return size * int(point[1]) + int(point[2])


def game_sgf(text: str, ruleset: str | None = None, refuse_other: bool = True) -> Record:
    """Read the main line of the first SGF game in a text, stones set up before its first move included.

    ruleset, refuse_other: as ruleset_of_sgf has them. Raise RecordError.
    """
    try:
        return main_line_of(read_games(text)[0], ruleset, refuse_other)
    except SgfError as error:
        raise RecordError(str(error)) from None


def main_line_of(root: Node, ruleset: str | None = None, refuse_other: bool = True) -> Record:
    """Return the main line of an SGF game, as game_sgf does."""
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
            raise RecordError(f": more than {MOST_MOVES:,} moves, the most that are read")
    return Record(_start_of(root, setups, moves, rules), moves)


def _sgf_move(node: Node, name: str, number: int, size: int) -> Played:
    value = node.properties[name][0]
    move = move_of(value, size)
    if move is None:
        raise RecordError(f":{node.line}: move {number} is {value[:20]!r}, no point of a board of {size}")
    return Played(move, _COLOURS[name], node.line)


def ruleset_of_sgf(root: Node, named: str | None = None, refuse_other: bool = True) -> Ruleset:
    """Return the rules of an SGF game; raise RecordError.

    They are those that RU names where it is a name of ours, else those `named`: `little-go` or `match`, on the game's
    board, a match with the komi of KM. Without either a board of up to 5x5 is Little-Go's; on a larger one it is a game
    of Go by the rules of most programs, to which a match in which a pass hands over no stone comes nearest.
    refuse_other: whether RU may not say another game than `named`.
    """
    size, said = _size_of(root), root.text("RU").strip()
    try:
        ours = ruleset_named(said)
    except BoardSizeError as error:
        raise RecordError(f": its rules, RU[{said}], are for no board: {error}") from None
    except UnknownRulesetError:
        return _ruleset_by(root, size, named)
    if ours.size != size:
        raise RecordError(f": its rules, RU[{said}], are for a board of {ours.size}; its board has {size}")
    if refuse_other and named is not None and said != named and not said.startswith(f"{named}-"):
        raise RecordError(f": its rules are {said}, as it says itself; expected --ruleset only where it does not")
    return ours


def _ruleset_by(root: Node, size: int, named: str | None) -> Ruleset:
    """Return the rules of an SGF game whose RU is not one of our names."""
    try:
        game = game_named(named or name_for_board(size))
        return game.of_record(size, root.text("KM").strip(), pass_stones=named is not None)
    except ValueError as error:
        raise RecordError(f": {error}") from None


def _size_of(root: Node) -> int:
    """Return the points to a side; raise RecordError."""
    said = root.text("SZ").strip() or str(SGF_SIZE)
    sides = [int(side) if re.fullmatch(r"\d{1,3}", side) else 0 for side in said.split(":")]
    if len(sides) > 2 or 0 in sides:
        raise RecordError(f": its size, SZ[{said[:20]}], is no number of points")
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
                raise RecordError(f":{node.line}: PL[{node.text('PL')[:20]}] is no colour; expected B or W")
    if mover is None and not moves:
        mover = WHITE if black and not white else BLACK  # after a handicap White begins
    colour = mover or moves[0].colour or BLACK
    if not all_have_liberties(black, white, make_grid(rules.size)):
        raise RecordError(": not a position of Go: a chain that is set up has no liberty")
    game = game_of(rules)
    try:
        return game.set_up_from((black, white), colour, root.text(game.setup_property).strip())
    except ValueError as error:
        raise RecordError(f": {error}") from None


def _set_up(node: Node, black: int, white: int, size: int) -> tuple[int, int]:
    """Return the boards with the stones of a node set up; raise RecordError."""
    black_added, white_added, emptied = (_points_of(node, name, size) for name in _SETUP)
    if black_added & white_added | (black_added | white_added) & emptied:
        raise RecordError(f":{node.line}: a point is set up twice; expected it in one of AB, AW and AE")
    kept = ~(black_added | white_added | emptied)
    return black & kept | black_added, white & kept | white_added


def _points_of(node: Node, name: str, size: int) -> int:
    points = points_in(node.properties.get(name, ()), size)
    if points is None:
        raise RecordError(f":{node.line}: {name} names what is no point of a board of {size}")
    return points
