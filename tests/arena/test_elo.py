"""Tests of Elo estimates from pairs: published figures, and no estimate where none is possible."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.arena.elo import elo_of, estimate, estimate_text, share_of

COUNTS = st.lists(st.integers(0, 500), min_size=5, max_size=5)

# Counts of pairs with 0, 1/2, 1, 3/2 and 2 points, and the published Elo with its error.
PUBLISHED = [
    # github.com/Disservin/fastchess, app/tests/elo_test.cpp, "EloPentanomial 1" to "3"
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95),
]


@pytest.mark.parametrize("counts, elo, error", PUBLISHED)
def test_published_figures_are_reproduced(counts, elo, error):
    found = estimate(counts)
    assert found.elo == pytest.approx(elo, abs=0.005)
    assert (found.high - found.low) / 2 == pytest.approx(error, abs=0.005)


@given(st.floats(-900, 900))
def test_elo_and_share_are_inverse(elo):
    assert elo_of(share_of(elo)) == pytest.approx(elo, abs=1e-6)


def test_four_hundred_elo_are_odds_of_ten_to_one():
    assert share_of(400) == pytest.approx(10 / 11)
    assert share_of(0) == 0.5


@given(COUNTS)
def test_what_is_shown_is_finite_and_in_order_or_not_enough(counts):
    found, text = estimate(counts), estimate_text(counts)
    assert not re.search("nan|inf", text)
    if found is None:
        assert text.startswith("not enough games")
    else:
        assert -2000 < found.low < found.elo < found.high < 2000


@given(COUNTS)
def test_the_other_player_is_weaker_by_as_much(counts):
    found, other = estimate(counts), estimate(counts[::-1])
    if found is None:
        assert other is None
    else:
        assert (found.elo, found.low, found.high) == pytest.approx((-other.elo, -other.high, -other.low))


@pytest.mark.parametrize(
    "counts, text",
    [
        ((0, 0, 0, 0, 0), "not enough games"),
        ((0, 0, 1, 0, 0), "not enough games"),
        ((0, 0, 0, 0, 200), "not enough games with different results (all 200 pairs ended 2-0)"),
        ((0, 0, 30, 0, 0), "not enough games with different results (all 30 pairs ended 1-1)"),
        ((0, 12, 0, 0, 0), "not enough games with different results (all 12 pairs ended 0.5-1.5)"),
        ((0, 0, 4, 0, 5), "not enough games"),
        ((0, 0, 1, 0, 9), "not enough games"),
        ((0, 0, 20, 0, 20), "+190.8 (+125.0 to +272.4)"),
        ((1, 0, 8, 0, 1), "+0.0 (-98.9 to +98.9)"),
    ],
)
def test_what_people_read(counts, text):
    assert estimate_text(counts) == text


def test_more_pairs_narrow_the_error_with_their_root():
    few, many = estimate((10, 0, 30, 0, 20)), estimate((1000, 0, 3000, 0, 2000))
    assert many.elo == pytest.approx(few.elo)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(10, rel=0.05)
