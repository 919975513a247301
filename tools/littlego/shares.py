"""How well a share is known: Wilson's interval for games won out of games played, by the textbook formula.

It needs the standard library alone, so that a command that shows one interval does not wait a second for SciPy; the
tests hold it to SciPy's.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95  # of every interval that is shown


def wilson(share: float, number: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the limits, 0 to 1, between which the true share lies with that confidence.

    share: 0 to 1, seen in `number` cases, more than none; a mean of shares serves too. Unlike the plain normal
    interval, this one never leaves 0 to 1 and has a width at 0 and at 1. E. B. Wilson, "Probable inference, the law
    of succession, and statistical inference", JASA 22 (1927).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrunk = 1 + z * z / number
    middle = (share + z * z / (2 * number)) / shrunk
    spread = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / shrunk
    return max(0.0, middle - spread) if share else 0.0, min(1.0, middle + spread) if share < 1 else 1.0


def wilson_of_wins(wins: int, games: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Return the limits of a win rate, 0 to 1; None without games."""
    return wilson(wins / games, games, confidence) if games else None


def rate_text(wins: int, games: int) -> str:
    """Return `62.5% (45.8 to 76.8)`: the rate and Wilson's limits, in percent; without games, that there are none."""
    limits = wilson_of_wins(wins, games)
    if limits is None:
        return "no games"
    low, high = limits
    return f"{100 * wins / games:.1f}% ({100 * low:.1f} to {100 * high:.1f})"
