"""The solver, which computes the winners and winning moves of positions by search with a shared table.

A position is given as its code, which is the key of rules/positionkey.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from littlego.engines.compiled.states import after, ends, moves_mask, parts
from littlego.rules.geometry import points_of
from littlego.rules.positionkey import LEFT_AT
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver.kernel import STOPPED, ended_won, make_table, prepare, search_slice

if TYPE_CHECKING:
    import numpy as np

    from littlego.truth.solver.kernel import Prepared

GOAL = LITTLE_GO.komi2 // 2 + 1  # the lead in stones with which Black wins
SLICE = 4_000_000  # nodes of the first slice of a search, two or three seconds; later slices are larger
PROVING = 16  # bits of the table for proving a sample of a checkpoint again
FAR = 20  # minimum moves left for solving shorter games first; with 15 to 18 this costs more than it saves


class Solver:
    """A solver of positions, given as codes. Several threads may use one solver concurrently and share its table.

    bits: the table takes 8 * 2**bits bytes. goal: the smallest final lead, in stones without komi, with which Black
    wins. jobs: the number of threads that search a position far from the end. watch: a function that is called after
    each unfinished slice of a search, with the number of moves until the searched game ends (see `wins`).
    """

    def __init__(self, bits: int = 22, goal: int = GOAL, jobs: int = 1, watch: Callable[[int], None] | None = None):
        self.goal = goal
        self.table = make_table(bits)
        self.jobs = jobs
        self.watch = watch
        self.nodes = 0

    def wins(self, code: int) -> bool:
        """Return whether the side to move wins.

        The search runs in slices, on `jobs` threads if the position is far from the end. The threads use different move
        orders and share the table. A position with at least FAR moves left is first solved as if the game ended four
        moves earlier, then two moves earlier. The best moves of these shorter games are tried first in the real game.
        """
        own, theirs, ko, passed, left = (int(part) for part in parts(code))
        prepared = prepare(self.jobs, left)
        for horizon in [left - 4, left - 2, left] if left >= FAR else [left]:
            nodes = SLICE
            while (answer := self._search_slice((own, theirs, ko, passed, horizon), prepared, nodes)) == STOPPED:
                if self.watch:
                    self.watch(horizon)
                nodes += SLICE // 32  # so that the next slice does not overwrite all results, even in a small table
        return bool(answer)

    def black_wins(self, code: int) -> bool:
        """Return whether Black wins."""
        return self.wins(code) == (int(code) >> LEFT_AT & 1 == 0)

    def winning(self, code: int) -> int:
        """Return a mask of the winning moves of the side to move, or 0 in a lost position.

        Bit 25 is the pass.
        """
        return sum(1 << move for move in moves_of(code) if self.keeps(code, move))

    def keeps(self, code: int, move: int) -> bool:
        """Return whether the side to move wins with this legal move (25 is a pass)."""
        if ends(code, move):
            return bool(ended_won(code, move, self.goal))
        return not self.wins(int(after(code, move)))

    def winning_many(self, codes: np.ndarray) -> np.ndarray:
        """Return the masks of `winning` for many codes, as int32. The search cannot be interrupted."""
        from littlego.truth.solver.kernel import winning_many

        return winning_many(codes, self.goal, self.table)

    def _search_slice(self, position: tuple[int, ...], prepared: Prepared, nodes: int) -> int:
        answer, searched = search_slice(position, self.goal, self.table, prepared, nodes)
        self.nodes += searched
        return answer

    def save(self, path: Path) -> int:
        """Write a checkpoint file, and return the number of results.

        The file contains the results for positions far from the end. Raise ArgumentError if the file cannot be written.
        """
        from littlego.truth.solver.checkpoint import save_checkpoint

        return save_checkpoint(path, self.table, self.goal)

    def resume(self, path: Path) -> int:
        """Load the results in a checkpoint and return their number.

        Raise ArgumentError for an unreadable, damaged or untrusted file.
        """
        from littlego.truth.solver.checkpoint import load_checkpoint

        return load_checkpoint(path, self.table, self.goal, Solver(PROVING, self.goal).wins)


def moves_of(code: int) -> list[int]:
    """Return the legal moves of a position: points, and 25 for the pass."""
    return points_of(int(moves_mask(code)))
