"""The moment by which an answer is due, and how a game's time is shared out among its moves. Runs on Python 3.7."""

from __future__ import annotations

import time
from copy import copy
from typing import Callable

from littlego.rules.geometry import Grid, count
from littlego.rules.position import Position

GAME = 5 / 6  # own moves of a game without a length, to a point of the board: 300 on 19x19
AT_LEAST = 0.25  # of these, those that may always be still to come
DECIDING = 0.75  # of the seconds of a move, those for the decision; its reason may take as much as the rest
RESERVE = 2.0  # seconds that are never shared out, for what neither side measures; at most a tenth of what is left


class Cut(Exception):
    """The deadline has passed."""


class Deadline:
    """The moment by which an answer is due, some seconds from now. now: seconds of a clock."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.now = now
        self.start = now()
        self.end = self.start + seconds

    def part(self, share: float) -> Deadline:
        """Return a deadline that begins with this one and ends after a share of its seconds."""
        earlier = copy(self)
        earlier.seconds = share * self.seconds
        earlier.end = self.start + earlier.seconds
        return earlier

    def rest(self, share: float) -> Deadline:
        """Return a deadline that begins now and ends after a share of its seconds, or with this one."""
        later = Deadline(share * self.seconds, self.now)
        later.end = min(later.end, self.end)
        return later

    def spent(self) -> str:
        """Return the seconds since its beginning, in words."""
        return f"{self.now() - self.start:.1f} s"

    def check(self) -> None:
        """Raise Cut if it has passed."""
        if self.now() >= self.end:
            raise Cut


def seconds_for(position: Position, left: float) -> float:
    """Return the seconds that a move may cost, of those that its player has left: what no reserve keeps, shared out."""
    return (left - min(RESERVE, left / 10)) / moves_to_come(position)


def moves_to_come(position: Position) -> float:
    """Return how many moves the mover may still have to make, this one included: known, or a cautious guess."""
    ruleset = position.ruleset
    if ruleset.length:
        return (position.left + 1) // 2
    whole = max(1.0, GAME * ruleset.size**2)
    made = (position.number - 1) // 2 if position.number else count(position.own)
    return max(whole - made, AT_LEAST * whole)


class _AllPoints(int):
    """The mask of all points of a grid, which looks at a clock whenever it is asked for the empty ones.

    All that takes long in rules/ asks that again and again: each reply, each step of a ladder. Nothing there has to
    know of it, and the masks that come of it are plain ones.
    """

    deadline: Deadline

    def __and__(self, other: int) -> int:
        self.deadline.check()
        return int.__and__(self, other)


def ticking(grid: Grid, deadline: Deadline) -> Grid:
    """Return a grid that raises Cut once the deadline has passed."""
    size, full, not_first, not_last = grid
    points = _AllPoints(full)
    points.deadline = deadline
    return size, points, not_first, not_last
