"""Where lost games were lost: the last move that gave a won position away, found once and kept.

With few moves left the solver answers at once; each move more takes it longer. A game is therefore searched backwards
from its end, as far as the caller asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from littlego.arena.results import Result
from littlego.cache import Cache, digest
from littlego.engines.draw import svg
from littlego.games.boards import move_text
from littlego.games.game import opening, ruleset_named
from littlego.games.little_go import game_of
from littlego.match.referee import COLOURS, GameRecord, Move
from littlego.meaning import meaning_of
from littlego.parallel import cached_results
from littlego.records.records import Played, Record
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE, Position
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    from littlego.truth.solver.solver import Solver

CACHE = "arena-turning"
BITS = 22  # of the solver's table, in each process: 32 MiB
BOARD = 150  # pixels


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


def turning_point(record: GameRecord, solver: Solver, most_left: int) -> Lost:
    """Return the last move of the loser that gave a won position away, or why there is none.

    most_left: moves left, that move included, up to which the solver is asked.
    """
    if not record.winner:
        return Lost(None, "a tie")
    if why := game_of(record.ruleset).unsolved:
        return Lost(None, why)
    lost_since = 0  # the number of the earliest move before which the loser is known to have lost
    for position, played in reversed(turns(record)):
        if position.left > most_left or played and played.number <= record.opening:
            break
        if lost := _judge_turn(position, played, solver):
            return lost
        lost_since = position.number
    return Lost(None, _too_early(record, lost_since))


def turns(record: GameRecord) -> list[tuple[Position, Move | None]]:
    """Return the positions in which the loser had to move, and what it played: None for a fault, which is no move."""
    # The ruleset of a game from another process is equal, not the same.
    start = opening(ruleset_named(record.ruleset.name))
    positions = Record(start, [Played(move.move) for move in record.moves]).positions()
    moves = [*record.moves, None] if record.fault else record.moves
    loser = BLACK + WHITE - record.winner
    turns = zip(positions, moves, strict=False)  # an unfinished game has a position more than moves
    return [(position, played) for position, played in turns if position.colour == loser]


def _judge_turn(position: Position, played: Move | None, solver: Solver) -> Lost | None:
    """Return how this turn lost the game, or None if it was lost already."""
    from littlego.rules.positionkey import pack, pack_move, unpack_move
    from littlego.truth.solver.solver import moves_of

    code = pack(position)
    if not solver.wins(code):
        return None
    if played is None:
        return Lost(None, "the fault lost a won position")
    if played.move == RESIGN:
        return Lost(None, "a won position was resigned")
    assert not solver.keeps(code, pack_move(played.move)), "the loser has kept a win to the end"
    winning = tuple(unpack_move(move) for move in moves_of(code) if solver.keeps(code, move))
    return Lost(Turning(position, played.move, winning, played.reason))


def _too_early(record: GameRecord, lost_since: int) -> str:
    if not lost_since:
        return "it ended before the solver's reach"
    if lost_since <= record.opening + 2:
        return "lost before its own first move"
    return f"lost before move {lost_since}"


class Task(NamedTuple):
    """A game that was lost, and up to how many moves left the solver is asked."""

    record: GameRecord
    most_left: int

    def key(self, code: str) -> str:
        """Return what the cache calls it."""
        record = self.record
        result = str((record.winner, record.fault, record.opening))
        return digest(record.ruleset.name, " ".join(map(str, record.key)), result, str(self.most_left), code)


def why_lost(records: Sequence[GameRecord], most_left: int, jobs: int, cache: Cache | None = None) -> list[Lost]:
    """Return for each lost game what `turning_point` says; nothing where `most_left` is 0.

    Shows progress. Earlier answers are read from the cache, so a run that was stopped goes on where it was.
    """
    if not most_left:
        return [Lost(None)] * len(records)
    code = meaning_of(__name__)
    tasks = [Task(record, most_left) for record in records]
    different = {task.key(code): task for task in tasks}
    known = cached_results(_explain_loss, list(different.values()), code, jobs, cache or Cache(CACHE), "loss")
    return [_read_loss(known[different[task.key(code)]], task.record) for task in tasks]


def _explain_loss(task: Task) -> list[Any]:
    """Return what the cache keeps: the number of the move, what would have won, or why there is no such move."""
    turning, why_none = turning_point(task.record, _solver(), task.most_left)
    return [turning.position.number, turning.winning, ""] if turning else [0, [], why_none]


@lru_cache(maxsize=1)
def _solver() -> Solver:
    """Return this process's solver."""
    from littlego.truth.solver.solver import Solver

    return Solver(BITS)


def _read_loss(value: list[Any], record: GameRecord) -> Lost:
    """Return what `_explain_loss` found for an equal game."""
    number, winning, why_none = value
    for position, played in turns(record):
        if number and played and position.number == number:
            return Lost(Turning(position, played.move, tuple(winning), played.reason))
    return Lost(None, why_none)


class LostGame(NamedTuple):
    """A lost game, and what is known about why it was lost."""

    result: Result
    lost: Lost

    @property
    def colour(self) -> str:
        """The loser's colour."""
        return COLOURS[BLACK + WHITE - self.result.winner]

    @property
    def winner(self) -> str:
        """The winner's name."""
        return self.result.black if self.result.winner == BLACK else self.result.white

    @property
    def text(self) -> str:
        """How it was lost, in two sentences."""
        return " ".join(filter(None, [f"Against {self.winner}, {self._by}.", self.why]))

    @property
    def _by(self) -> str:
        result = self.result
        ahead = BLACK if result.lead2 > 0 else WHITE  # not the winner where somebody resigned
        return result.why if result.fault or result.winner != ahead else f"by {abs(result.lead2) / 2:g}"

    @property
    def why(self) -> str:
        """The move that lost it and those that would have won, or why there is none; '' if nobody asked."""
        turning = self.lost.turning
        if not turning:
            return f"{self.lost.why_none.capitalize()}." if self.lost.why_none else ""
        winning = " or ".join(map(_format_move, turning.winning))
        return f"Move {turning.position.number}, {_format_move(turning.move)}, lost it; {winning} would have won."

    @property
    def reason(self) -> str:
        """Why the loser played that move, if it said so."""
        return self.lost.turning.reason if self.lost.turning else ""

    @property
    def board(self) -> Markup:
        """A picture of the board before that move, the move a star, rings around those that would have won; or ''."""
        turning = self.lost.turning
        if not turning:
            return Markup()
        position, rings = turning.position, {move: "ring" for move in turning.winning if move != PASS}
        return Markup(
            svg.draw_board(
                LITTLE_GO.size,
                position.black,
                position.white,
                move=turning.move,
                marks=rings,
                title=f"before move {position.number}: {self.why}",
                size_px=BOARD,
            )
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values; `move` and `winning` are null where no move is known to have lost it."""
        turning = self.lost.turning
        return {
            "game": self.result.number,
            "loser": self.result.loser,
            "colour": self.colour,
            "winner": self.winner,
            "result": self.result.text,
            "number": turning and turning.position.number,
            "move": turning and _format_move(turning.move),
            "winning": turning and list(map(_format_move, turning.winning)),
            "reason": self.reason,
            "why_none": self.lost.why_none,
        }


def _format_move(move: int) -> str:
    return move_text(move, LITTLE_GO.size)
