"""The moves that lost many games: found on several processes, once, and kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from tools.arena.turning import Lost, Turning, turning_point, turns
from tools.cache import Cache, code_digest, digest
from tools.match.referee import GameRecord
from tools.parallel import each, with_progress

if TYPE_CHECKING:
    from tools.solver.solver import Solver

CACHE = "arena-turning"
BITS = 22  # of the solver's table, in each process: 32 MiB


class Asked(NamedTuple):
    """A game that was lost, what the cache calls it, and up to how many moves left the solver is asked."""

    key: str
    record: GameRecord
    most_left: int


def why_lost(records: Sequence[GameRecord], most_left: int, jobs: int, cache: Cache | None = None) -> list[Lost]:
    """Return for each lost game what `turning_point` says; nothing where there is no solver, or it is not to be asked.

    Shows progress. What was found before is read back, so that a run that was stopped goes on where it was.
    """
    if not most_left or not has_solver():
        return [Lost(None)] * len(records)
    kept = cache or Cache(CACHE)
    code = code_digest("tools/solver", "tools/compiled", "tools/arena/turning.py", "rules")
    games = {_key(record, most_left, code): record for record in records}
    found = {key: _read(kept.get(key), record) for key, record in games.items()}
    asked = [Asked(key, games[key], most_left) for key, lost in found.items() if lost is None]
    for one, lost in with_progress(each(_explained, asked, min(jobs, len(asked) or 1)), len(asked), "loss"):
        found[one.key] = lost
        kept.put(one.key, _written(lost))
    return [found[_key(record, most_left, code)] for record in records]


def has_solver() -> bool:
    """Return whether the extra that the solver needs is installed."""
    return find_spec("numba") is not None


def _explained(asked: Asked) -> Lost:
    return turning_point(asked.record, _solver(), asked.most_left)


@lru_cache(maxsize=1)
def _solver() -> Solver:
    """Return this process's solver."""
    from tools.solver.solver import Solver

    return Solver(BITS)


def _key(record: GameRecord, most_left: int, code: str) -> str:
    moves = " ".join(str(move) for move in record.key)
    return digest(record.ruleset.name, moves, str((record.winner, record.fault, record.opening)), str(most_left), code)


def _written(lost: Lost) -> list:
    """Return what the cache keeps: the number of the move, what would have won, or why there is no such move."""
    turning = lost.turning
    return [turning.position.number, turning.winning, ""] if turning else [0, [], lost.why_none]


def _read(value: list | None, record: GameRecord) -> Lost | None:
    if value is None:
        return None
    number, winning, why_none = value
    for position, played in turns(record):
        if number and position.number == number:
            return Lost(Turning(position, played.move, tuple(winning), played.reason))
    return Lost(None, why_none)
