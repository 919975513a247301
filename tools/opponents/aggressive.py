"""Aggressive: `looks at the next two possible moves and tries to capture the maximum number of enemy stones`.

The two moves are its own two in a row: what it captures now comes first, then the most that a second move could
capture if the opponent did nothing in between. Of equal moves it plays off the edge, and of these next to the most
enemy stones. It begins in the centre. All this was read off recorded games of the course's own player;
docs/opponents.md says how well it fits. What is still equal is left to chance, as that player does.
"""

from __future__ import annotations

import random

from rules.geometry import around, count, edges_at, points_of
from rules.position import PASS, Position
from tools.opponents.greedy import best, captures, centre, most_captures


def value(position: Position, point: int) -> tuple:
    """Return (stones captured now, most stones that a second move in a row could capture, off the edge, contact)."""
    then = most_captures(position.play(point).play(PASS))
    off_edge = not edges_at(point, position.grid[0])
    return captures(position, point), then, off_edge, count(around(1 << point, position.grid) & position.theirs)


def choices(position: Position) -> list:
    """Return the points with the highest value, or the pass where nothing is legal; on the empty board the centre."""
    if not position.black | position.white:
        return [centre(position)]
    return best({point: value(position, point) for point in points_of(position.legal())})


def choose(position: Position, rng: random.Random) -> int:
    """Return one of the choices, each as likely."""
    return rng.choice(choices(position))
