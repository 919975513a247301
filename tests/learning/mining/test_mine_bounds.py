"""Tests of lower confidence bounds.

The bounds agree with closed forms, exact tail probabilities, and simulation.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from littlego.learning.mining.rules import confidence_of_each, lower_bound


def test_nothing_seen_bounds_nothing():
    assert lower_bound(0, 0) == 0.0
    assert lower_bound(0, 30) == 0.0


@pytest.mark.parametrize("of", [1, 5, 59, 3000])
def test_without_a_failure_it_is_a_root(of):
    assert lower_bound(of, of) == pytest.approx(0.05 ** (1 / of), abs=1e-9)
    assert lower_bound(of, of, 0.999) == pytest.approx(0.001 ** (1 / of), abs=1e-9)


@pytest.mark.parametrize(("right", "of"), [(1, 7), (18, 20), (55, 60), (70, 130)])
def test_the_tail_at_the_bound_is_what_is_left_of_the_confidence(right, of):
    share = Fraction(lower_bound(right, of, 0.9))
    tail = sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(right, of + 1))
    assert float(tail) == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize(("share", "of"), [(0.7, 25), (0.9, 80), (0.97, 200)])
def test_it_is_below_the_truth_as_often_as_it_says(share, of):
    drawn = np.random.default_rng(1).binomial(of, share, size=4000)
    seen, times = np.unique(drawn, return_counts=True)
    below = sum(count for right, count in zip(seen.tolist(), times, strict=True) if lower_bound(right, of) <= share)
    assert below / drawn.size >= 0.945


def test_many_at_once_hold_confidence_of_each():
    assert confidence_of_each(1) == pytest.approx(0.95)
    assert confidence_of_each(20) == pytest.approx(0.9975)
    drawn = np.random.default_rng(2).binomial(60, 0.8, size=(2000, 10))
    too_high = [right for right in range(61) if lower_bound(right, 60, confidence_of_each(10)) > 0.8]
    assert 0 < np.isin(drawn, too_high).any(axis=1).mean() <= 0.06
    assert lower_bound(50, 60, confidence_of_each(10)) < lower_bound(50, 60)
