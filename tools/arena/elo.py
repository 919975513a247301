"""How much stronger one player is, in logistic Elo, with error bars that know that games come in pairs.

The two games of a pair share an opening, which may favour a colour: their results are no two independent draws. The
five counts of pairs with 0, 1/2, 1, 3/2 and 2 points are, so the error is taken from them (`results.pentanomial`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

from tools.arena.intervals import CONFIDENCE

SCALE = 400  # Elo for odds of 10 to 1
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the two points of a pair, in the order of the counts
FEWEST = 10  # pairs from which a standard error says anything
NOT_ENOUGH = "not enough games"


class Estimate(NamedTuple):
    """A difference in Elo, above 0 if the first player is stronger, and the limits of its interval."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.elo:+z.1f} ({self.low:+z.1f} to {self.high:+z.1f})"


def share_of(elo: float) -> float:
    """Return the share of the points, 0 to 1, that a player so much stronger takes."""
    return 1 / (1 + 10 ** (-elo / SCALE))


def elo_of(share: float) -> float:
    """Return the difference in Elo at which a player takes that share of the points; between 0 and 1, both excluded."""
    return SCALE * log10(share / (1 - share))


def estimate(counts: Sequence[int], confidence: float = CONFIDENCE) -> Estimate | None:
    """Return the difference that five counts of pairs show; None where they are too few for finite error bars.

    The limits are those of the mean share by its standard error, put on the Elo scale. There are none for fewer than
    FEWEST pairs, for pairs that all ended alike, and where a limit leaves the shares that have an Elo.
    """
    pairs = sum(counts)
    if pairs < FEWEST or max(counts) == pairs:
        return None
    share = fsum(count * points for count, points in zip(counts, SHARES, strict=True)) / pairs
    variance = fsum(count * (points - share) ** 2 for count, points in zip(counts, SHARES, strict=True)) / pairs
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(variance / pairs)
    if not 0 < share - reach < share + reach < 1:
        return None
    return Estimate(elo_of(share), elo_of(share - reach), elo_of(share + reach))


def estimate_text(counts: Sequence[int]) -> str:
    """Return the estimate in words, or why there is none."""
    found, pairs = estimate(counts), sum(counts)
    if found:
        return str(found)
    if pairs >= FEWEST and max(counts) == pairs:
        points = 2 * SHARES[list(counts).index(pairs)]
        return f"{NOT_ENOUGH} that differ (all {pairs} pairs ended {points:g}-{2 - points:g})"
    return NOT_ENOUGH
