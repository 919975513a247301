"""How sure a count makes one of a share: exact lower bounds, alone or many at a time."""

from __future__ import annotations

import numpy as np

CONFIDENCE = 0.95
_HALVINGS = 50


def lower_bound(right: int, of: int, confidence: float = CONFIDENCE) -> float:
    """Return Clopper and Pearson's one-sided lower bound of a share of which `right` out of `of` were seen."""
    if not right:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):  # the share under which so many right ones have the probability 1 - confidence
        middle = (low + high) / 2
        if _at_least(right, of, middle) < 1 - confidence:
            low = middle
        else:
            high = middle
    return low


def together(tests: int, confidence: float = CONFIDENCE) -> float:
    """Return the confidence that each of so many bounds needs for all to hold at once (Bonferroni)."""
    return 1 - (1 - confidence) / max(tests, 1)


def _at_least(right: int, of: int, share: float) -> float:
    """Return the probability of at least `right` successes in `of` trials, 0 < share < 1."""
    wrong = np.arange(of - right + 1)
    steps = np.log((of - wrong[:-1]) / (wrong[:-1] + 1))
    ways = np.concatenate([[0.0], np.cumsum(steps)])
    return float(np.exp(ways + wrong * np.log1p(-share) + (of - wrong) * np.log(share)).sum())
