"""Shares of wrong moves with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from tools.shares import wilson

CONFIDENCE = 0.95


class Rate(NamedTuple):
    """A share, 0 to 1, and the limits between which the true one lies with the stated confidence."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.share:.2f}% ({100 * self.low:.2f} to {100 * self.high:.2f})"


def rate(found: int, of: int, confidence: float = CONFIDENCE) -> Rate:
    """Return found / of with Wilson's two-sided interval; of nothing, 0 between 0 and 1."""
    if not of:
        return Rate(0.0, 0.0, 1.0)
    return Rate(found / of, *wilson(found / of, of, confidence))


def mean_rate(rates: Sequence[Rate]) -> Rate:
    """Return the unweighted mean of independent rates.

    Its limits are the rates' own distances to theirs, added as squares (Zou and Donner's method of variance estimates
    recovery), so that rates without any error still widen it.
    """
    if not rates:
        return Rate(0.0, 0.0, 1.0)
    share = sum(one.share for one in rates) / len(rates)
    down = sqrt(sum((one.share - one.low) ** 2 for one in rates)) / len(rates)
    up = sqrt(sum((one.high - one.share) ** 2 for one in rates)) / len(rates)
    return Rate(share, max(0.0, share - down), min(1.0, share + up))
