"""How well a share is known, for whoever has the standard library alone; the arena asks scipy."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def wilson(share: float, number: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the limits of Wilson's two-sided interval for a share, 0 to 1, of `number` cases, at least one."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrunk = 1 + z * z / number
    middle = (share + z * z / (2 * number)) / shrunk
    spread = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / shrunk
    return max(0.0, middle - spread) if share else 0.0, min(1.0, middle + spread) if share < 1 else 1.0
