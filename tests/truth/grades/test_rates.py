"""Tests of confidence intervals of shares and of means of shares, compared with published intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.truth.grades.grades import mean_rate, rate


@pytest.mark.parametrize(  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    "found, of, low, high",
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_as_published(found, of, low, high):
    assert rate(found, of)[1:] == pytest.approx((low, high), abs=5e-5)
    assert rate(of - found, of)[1:] == pytest.approx((1 - high, 1 - low), abs=5e-5)


@given(st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_the_share_lies_within_and_more_confidence_is_wider(counts):
    narrow, wide = rate(*counts, confidence=0.9), rate(*counts, confidence=0.99)
    assert 0 <= wide.low <= narrow.low <= narrow.share <= narrow.high <= wide.high <= 1


def test_the_mean_is_unweighted_and_narrower_than_its_parts():
    rare, often = rate(1, 1000), rate(3, 10)
    both = mean_rate([rare, often])
    assert both.share == pytest.approx((0.001 + 0.3) / 2)
    assert both.low < both.share < both.high and both.high - both.low < often.high - often.low
    assert mean_rate([often]) == pytest.approx(often)
    assert mean_rate([rate(0, 500)] * 12).high == pytest.approx(rate(0, 500).high / 12**0.5)


def test_of_nothing_nothing_is_known():
    assert rate(0, 0) == mean_rate([]) == (0.0, 0.0, 1.0)
    assert str(rate(1, 200)) == "0.50% (0.09 to 2.78)"
