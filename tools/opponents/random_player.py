"""Random: `moves randomly`."""

from __future__ import annotations

import random

from rules.geometry import points_of
from rules.position import PASS, Position


def choices(position: Position) -> list:
    """Return the legal points, or the pass where there is none."""
    return points_of(position.legal()) or [PASS]


def choose(position: Position, rng: random.Random) -> int:
    """Return one of the choices, each as likely."""
    return rng.choice(choices(position))
