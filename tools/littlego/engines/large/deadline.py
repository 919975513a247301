"""Deadlines for decisions, and the division of a game's time among the moves. This module runs on Python 3.7."""

from __future__ import annotations

import time
from copy import copy
from typing import Callable

from littlego.rules.geometry import Grid, count
from littlego.rules.position import Position

GAME = 5 / 6  # assumed moves of a player per board point in a game without a move limit: 300 on 19x19
AT_LEAST = 0.25  # smallest share of these moves that is assumed to be left
DECIDING = 0.75  # share of a move's seconds for the decision; the search for the reason may use the rest
RESERVE = 2.0  # seconds kept for unmeasured delays; at most a tenth of the time left


class Cut(Exception):
    """Raised when a decision's deadline has passed."""


class Deadline:
    """A deadline for a decision, given in seconds from the creation of the object.

    now: a function that returns the time in seconds.
    """

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.now = now
        self.start = now()
        self.end = self.start + seconds

    def part(self, share: float) -> Deadline:
        """Return a deadline with the same start, but only a share of this deadline's seconds. share: 0 to 1."""
        earlier = copy(self)
        earlier.seconds = share * self.seconds
        earlier.end = self.start + earlier.seconds
        return earlier

    def rest(self, share: float) -> Deadline:
        """Return a deadline that starts now and lasts for a share (0 to 1) of this deadline's seconds.

        The new deadline is never later than this deadline.
        """
        later = Deadline(share * self.seconds, self.now)
        later.end = min(later.end, self.end)
        return later

    def spent(self) -> str:
        """Return the time since the deadline's start as text, such as `1.5 s`."""
        return f"{self.now() - self.start:.1f} s"

    def check(self) -> None:
        """Raise Cut if the deadline has passed."""
        if self.now() >= self.end:
            raise Cut


def seconds_for(position: Position, left: float) -> float:
    """Return the number of seconds for a move. left: all of the player's remaining seconds, including RESERVE."""
    return (left - min(RESERVE, left / 10)) / moves_to_come(position)


def moves_to_come(position: Position) -> float:
    """Return the number of the mover's remaining moves, including this move.

    Without a move limit, the number is an estimate.
    """
    ruleset = position.ruleset
    if ruleset.length:
        return (position.left + 1) // 2
    whole = max(1.0, GAME * ruleset.size**2)
    made = (position.number - 1) // 2 if position.number else count(position.own)
    return max(whole - made, AT_LEAST * whole)


class _AllPoints(int):
    """The mask of all points of a grid; the operation `mask & other` also checks the deadline.

    No other deadline checks are necessary, because all slow code in rules/ uses this operation at each reply and at
    each step of a ladder, to compute the empty points. The results of the operation are plain ints.
    """

    deadline: Deadline

    def __and__(self, other: int) -> int:
        self.deadline.check()
        return int.__and__(self, other)


def ticking(grid: Grid, deadline: Deadline) -> Grid:
    """Return a copy of a grid; using the copy raises Cut once the deadline has passed."""
    size, full, not_first, not_last = grid
    points = _AllPoints(full)
    points.deadline = deadline
    return size, points, not_first, not_last
