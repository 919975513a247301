"""Wilson's confidence intervals of win rates, computed by the textbook formula.

Only the standard library is used, because importing SciPy takes a second; the tests compare the results with SciPy's.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95  # confidence level of every displayed interval


def wilson(share: float, number: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the limits, 0 to 1, of the confidence interval of a share.

    `share` is the observed share, 0 to 1; the mean of several shares is also accepted. `number` is the number of cases,
    at least 1. Unlike the normal approximation, this interval stays within 0 to 1 and has a positive width at 0 and at
    1. Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrunk = 1 + z * z / number
    middle = (share + z * z / (2 * number)) / shrunk
    spread = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number)) / shrunk
    return max(0.0, middle - spread) if share else 0.0, min(1.0, middle + spread) if share < 1 else 1.0


def wilson_of_wins(wins: int, games: int, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Return the limits, 0 to 1, of a win rate's confidence interval, or None if there are no games."""
    return wilson(wins / games, games, confidence) if games else None


def rate_text(wins: int, games: int) -> str:
    """Return a win rate and its limits as percentages, such as `62.5% (45.8 to 76.8)`, or `no games`."""
    limits = wilson_of_wins(wins, games)
    if limits is None:
        return "no games"
    low, high = limits
    return f"{100 * wins / games:.1f}% ({100 * low:.1f} to {100 * high:.1f})"
