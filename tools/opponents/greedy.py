"""Greedy: `places the stone that captures the maximum number of enemy stones`."""

from __future__ import annotations

import random

from rules.geometry import count, points_of
from rules.position import PASS, Position, captured_by


def captures(position: Position, point: int) -> int:
    """Return how many stones the mover captures at a legal point."""
    return count(captured_by(1 << point, position.own, position.theirs, position.grid))


def most_captures(position: Position) -> int:
    """Return the most stones that the mover can capture with one move."""
    return max((captures(position, point) for point in points_of(position.legal())), default=0)


def choices(position: Position) -> list:
    """Return the points that capture the most, or the pass where nothing is legal."""
    return best({point: captures(position, point) for point in points_of(position.legal())})


def centre(position: Position) -> int:
    """Return the middle point of the board."""
    return position.ruleset.size**2 // 2


def best(values: dict) -> list:
    """Return the points with the highest value, or the pass where there is none."""
    highest = max(values.values(), default=None)
    return [point for point, value in values.items() if value == highest] or [PASS]


def choose(position: Position, rng: random.Random) -> int:
    """Return one of the choices, each as likely."""
    return rng.choice(choices(position))
