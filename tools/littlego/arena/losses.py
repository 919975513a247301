"""Analysis of lost games: the last move that turned a won position into a lost position. Results are cached.

The analysis goes backwards from the last move. It never solves a position with more than a given number of moves left,
because solving earlier positions takes longer.
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
BITS = 22  # size of the solver's table in each process: 32 MiB
BOARD = 150  # pixels


class Turning(NamedTuple):
    """The loser's last move that turned a won position into a lost position."""

    position: Position  # before the move
    move: int  # a point or PASS
    winning: tuple[int, ...]  # the moves that would have kept the win
    reason: str  # the player's reason for the move, '' if the player gave none


class Lost(NamedTuple):
    """The analysis of a lost game: the turning point, or the reason why no turning point is known."""

    turning: Turning | None
    why_none: str = ""


def turning_point(record: GameRecord, solver: Solver, most_left: int) -> Lost:
    """Return the turning point of a lost game, or the reason why no turning point is known.

    The solver runs only in positions with at most `most_left` moves left.
    """
    if not record.winner:
        return Lost(None, "a tie")
    if why := game_of(record.ruleset).unsolved:
        return Lost(None, why)
    lost_since = 0  # number of the earliest move before which the loser's position is known to be lost
    for position, played in reversed(turns(record)):
        if position.left > most_left or played and played.number <= record.opening:
            break
        if lost := _judge_turn(position, played, solver):
            return lost
        lost_since = position.number
    return Lost(None, _too_early(record, lost_since))


def turns(record: GameRecord) -> list[tuple[Position, Move | None]]:
    """Return (position before the move, move) for each of the loser's turns.

    The last move is None if a fault ended the game.
    """
    # An unpickled record has a copy of the ruleset; look up the original.
    start = opening(ruleset_named(record.ruleset.name))
    positions = Record(start, [Played(move.move) for move in record.moves]).positions()
    moves = [*record.moves, None] if record.fault else record.moves
    loser = BLACK + WHITE - record.winner
    turns = zip(positions, moves, strict=False)  # an unfinished game has one more position than moves
    return [(position, played) for position, played in turns if position.colour == loser]


def _judge_turn(position: Position, played: Move | None, solver: Solver) -> Lost | None:
    """Return a `Lost` if this turn gave away a won position, or None if the position was already lost."""
    from littlego.rules.positionkey import pack, pack_move, unpack_move
    from littlego.truth.solver.solver import moves_of

    code = pack(position)
    if not solver.wins(code):
        return None
    if played is None:
        return Lost(None, "the fault gave away a won position")
    if played.move == RESIGN:
        return Lost(None, "the loser resigned a won position")
    assert not solver.keeps(code, pack_move(played.move)), "the played move keeps the win"
    winning = tuple(unpack_move(move) for move in moves_of(code) if solver.keeps(code, move))
    return Lost(Turning(position, played.move, winning, played.reason))


def _too_early(record: GameRecord, lost_since: int) -> str:
    if not lost_since:
        return "the game ended with too many moves left to solve"
    if lost_since <= record.opening + 2:
        return "lost before the loser's first move"
    return f"lost before move {lost_since}"


class Task(NamedTuple):
    """A lost game to analyse. most_left: see turning_point."""

    record: GameRecord
    most_left: int

    def key(self, code: str) -> str:
        """Return the cache key of the analysis. code: a digest of the code that computes the analysis."""
        record = self.record
        result = str((record.winner, record.fault, record.opening))
        return digest(record.ruleset.name, " ".join(map(str, record.key)), result, str(self.most_left), code)


def why_lost(records: Sequence[GameRecord], most_left: int, jobs: int, cache: Cache | None = None) -> list[Lost]:
    """Return the analysis of each lost game; see turning_point.

    If `most_left` is 0, each analysis is `Lost(None)`. The function shows a progress bar. The results are cached, so a
    new run resumes an interrupted run.
    """
    if not most_left:
        return [Lost(None)] * len(records)
    code = meaning_of(__name__)
    tasks = [Task(record, most_left) for record in records]
    different = {task.key(code): task for task in tasks}
    known = cached_results(_explain_loss, list(different.values()), code, jobs, cache or Cache(CACHE), "loss")
    return [_read_loss(known[different[task.key(code)]], task.record) for task in tasks]


def _explain_loss(task: Task) -> list[Any]:
    """Return the cache entry of a lost game: [losing move's number, winning moves, reason].

    If the losing move is known, the reason is ''. Otherwise the reason explains why the move is unknown, the number is
    0, and the list of winning moves is empty.
    """
    turning, why_none = turning_point(task.record, _solver(), task.most_left)
    return [turning.position.number, turning.winning, ""] if turning else [0, [], why_none]


@lru_cache(maxsize=1)
def _solver() -> Solver:
    """Return this process's solver."""
    from littlego.truth.solver.solver import Solver

    return Solver(BITS)


def _read_loss(value: list[Any], record: GameRecord) -> Lost:
    """Return the `Lost` that a cache entry of `_explain_loss` describes. record: the lost game."""
    number, winning, why_none = value
    for position, played in turns(record):
        if number and played and position.number == number:
            return Lost(Turning(position, played.move, tuple(winning), played.reason))
    return Lost(None, why_none)


class LostGame(NamedTuple):
    """A lost game and the analysis of its loss."""

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
        """A description of the loss in one or two sentences."""
        return " ".join(filter(None, [f"Against {self.winner}, {self._by}.", self.why]))

    @property
    def _by(self) -> str:
        result = self.result
        ahead = BLACK if result.lead2 > 0 else WHITE  # after a resignation, the winner may be behind
        return result.why if result.fault or result.winner != ahead else f"by {abs(result.lead2) / 2:g}"

    @property
    def why(self) -> str:
        """The losing move and the winning moves, as a sentence.

        If the losing move is unknown, the sentence says why. The text is '' if the game was not analysed.
        """
        turning = self.lost.turning
        if not turning:
            return f"{self.lost.why_none.capitalize()}." if self.lost.why_none else ""
        winning = " or ".join(map(_format_move, turning.winning))
        return f"Move {turning.position.number}, {_format_move(turning.move)}, lost the game; {winning} would have won."

    @property
    def reason(self) -> str:
        """The loser's reason for the losing move, or '' if the losing move or the reason is unknown."""
        return self.lost.turning.reason if self.lost.turning else ""

    @property
    def board(self) -> Markup:
        """An SVG image of the board before the losing move, or '' if no losing move is known.

        A star marks the losing move, and rings mark the winning moves.
        """
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
        """Return the game as a JSON value.

        `number`, `move` and `winning` are null if no losing move is known.
        """
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
