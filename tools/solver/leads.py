"""The exact final lead under best play: a few questions of win or loss, each with another goal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rules.positionkey import POINTS, unpack
from tools.compiled.states import after, ends
from tools.solver.solver import Solver


class Leads:
    """By how much the game ends: Black's stones less White's, komi not counted, when each side wants the most.

    solver: answers for its own goal. Each other goal gets a table of its own when it is first asked for: results for
    one goal say nothing exact about another. bits: the size of these tables.
    """

    def __init__(self, solver: Solver, bits: int = 18):
        self.bits = bits
        self.solvers = {solver.goal: solver}
        self.first = solver.goal

    def lead(self, code: int) -> int:
        """Return Black's lead at the end of the game under best play."""
        return most(lambda goal: self.solver(goal).black_wins(code), self.first)

    def lead_after(self, code: int, move: int) -> int:
        """Return Black's lead at the end after a legal move (25 passes)."""
        code = np.int64(code)
        return lead_now(after(code, move)) if ends(code, move) else self.lead(int(after(code, move)))

    def solver(self, goal: int) -> Solver:
        """Return the solver that knows who reaches this lead."""
        if goal not in self.solvers:
            first = self.solvers[self.first]
            self.solvers[goal] = Solver(self.bits, goal, first.jobs, first.watch)
        return self.solvers[goal]


def most(reaches: Callable[[int], bool], first: int) -> int:
    """Return the largest lead that Black reaches: reaches(lead) is true up to it, and false above.

    The search begins at `first` and strides away from it, since questions near the answer are the dearest.
    """
    low, high = -POINTS, POINTS + 1  # reached, and not reached
    goal, stride = first, 1
    while high - low > 1:
        if reaches(goal):
            low = goal
        else:
            high = goal
        if low > -POINTS and high <= POINTS:
            goal = (low + high) // 2
        elif low > -POINTS:
            goal = min(low + stride, POINTS)
        else:
            goal = max(high - stride, -POINTS + 1)
        stride *= 2
    return low


def lead_now(code: int) -> int:
    """Return Black's stones less White's."""
    position = unpack(code)
    return position.black.bit_count() - position.white.bit_count()
