"""Random: `moves randomly`."""

from __future__ import annotations

import random

from rules.geometry import points_of
from rules.position import PASS, Position


def choose(position: Position, rng: random.Random) -> int:
    """Return any legal point, each as likely; pass only where there is none."""
    legal = points_of(position.legal())
    return rng.choice(legal) if legal else PASS
