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


def choose(position: Position, rng: random.Random) -> int:
    """Return a point that captures the most, any of them as likely; pass only where nothing is legal."""
    values = {point: captures(position, point) for point in points_of(position.legal())}
    if not values:
        return PASS
    best = max(values.values())
    return rng.choice([point for point, value in values.items() if value == best])
