"""Where a lost game was lost: the last move that gave a won position away.

The solver knows who wins with few moves left at once, and takes the longer the more there are: a game is looked at
from its end backwards, as far as one asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rules.position import BLACK, RESIGN, WHITE, Position, opening
from rules.ruleset import LITTLE_GO
from tools.match.records import Played, Record, ruleset_of
from tools.match.referee import GameRecord, Move

if TYPE_CHECKING:
    from tools.solver.solver import Solver

MOST_LEFT = 16  # moves left up to which the solver is asked: a second or two for a game


class Turning(NamedTuple):
    """The move with which the loser gave the game away.

    position: before it. move: a point or PASS. winning: the moves that would have kept the win. reason: why it was
    played, if the player said so.
    """

    position: Position
    move: int
    winning: tuple[int, ...]
    reason: str


class Lost(NamedTuple):
    """What is known of a lost game: its turning point, or in words why there is none."""

    turning: Turning | None
    why_none: str = ""


def turning_point(record: GameRecord, solver: Solver, most_left: int = MOST_LEFT) -> Lost:
    """Return the last move of the loser that gave a won position away, or why there is none.

    most_left: moves left, that move included, up to which the solver is asked.
    """
    if not record.winner:
        return Lost(None, "a tie")
    if record.ruleset.name != LITTLE_GO.name:
        return Lost(None, f"the solver knows {LITTLE_GO.name} only")
    lost_since = 0  # the number of the earliest move before which the loser is known to have lost
    for position, played in reversed(turns(record)):
        if position.left > most_left or played and played.number <= record.opening:
            break
        found = _judged(position, played, solver)
        if found:
            return found
        lost_since = position.number
    return Lost(None, _too_early(record, lost_since))


def turns(record: GameRecord) -> list[tuple[Position, Move | None]]:
    """Return the positions in which the loser had to move, and what it played: None for a fault, which is no move."""
    start = opening(ruleset_of(record.ruleset.size))  # that of a game from another process is equal, not the same
    positions = Record(start, [Played(move.move) for move in record.moves]).positions()
    moves = [*record.moves, None] if record.fault else record.moves
    loser = BLACK + WHITE - record.winner
    turns = zip(positions, moves, strict=False)  # an unfinished game has a position more than moves
    return [(position, played) for position, played in turns if position.colour == loser]


def _judged(position: Position, played: Move | None, solver: Solver) -> Lost | None:
    """Return how this turn lost the game, or None if it was lost already."""
    from tools.compiled.states import pack, pack_move, unpack_move
    from tools.solver.solver import moves_of

    code = pack(position)
    if not solver.wins(code):
        return None
    if played is None:
        return Lost(None, "the fault lost a won position")
    if played.move == RESIGN:
        return Lost(None, "a won position was resigned")
    assert not solver.keeps(code, pack_move(played.move)), "who keeps a win to the end has not lost"
    winning = tuple(unpack_move(move) for move in moves_of(code) if solver.keeps(code, move))
    return Lost(Turning(position, played.move, winning, played.reason))


def _too_early(record: GameRecord, lost_since: int) -> str:
    if not lost_since:
        return "it ended before the solver's reach"
    if lost_since <= record.opening + 2:
        return "lost before its own first move"
    return f"lost before move {lost_since}"
