"""Tests that Wilson's interval agrees with SciPy, with the textbook formula, and with its definition."""

from __future__ import annotations

from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from littlego.shares import rate_text, wilson, wilson_of_wins

Z95 = 1.959963984540054


@given(st.integers(1, 5000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))), st.floats(0.5, 0.99))
def test_it_is_that_of_scipy(counts, confidence):
    found, of = counts
    known = binomtest(found, of).proportion_ci(confidence, method="wilson")
    assert wilson(found / of, of, confidence) == pytest.approx((known.low, known.high), abs=1e-9)


def by_formula(wins: int, games: int) -> tuple[float, float]:
    share, z2 = wins / games, Z95 * Z95
    middle, reach = share + z2 / (2 * games), Z95 * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return (middle - reach) / (1 + z2 / games), (middle + reach) / (1 + z2 / games)


@pytest.mark.parametrize("wins, games", [(0, 1), (1, 1), (10, 20), (18, 20), (0, 400), (399, 400), (400, 400)])
def test_the_limits_are_those_of_the_formula(wins, games):
    assert wilson_of_wins(wins, games) == pytest.approx(by_formula(wins, games), abs=1e-12)


def test_no_games_no_interval():
    assert wilson_of_wins(0, 0) is None
    assert rate_text(0, 0) == "no games"


def test_the_interval_holds_the_true_rate_about_as_often_as_it_says():
    games, true = 40, 0.7
    held = sum(
        comb(games, wins) * true**wins * (1 - true) ** (games - wins)
        for wins in range(games + 1)
        if wilson_of_wins(wins, games)[0] <= true <= wilson_of_wins(wins, games)[1]
    )
    assert 0.93 < held < 0.97


def test_the_text_names_rate_and_limits_in_percent():
    assert rate_text(18, 20) == "90.0% (69.9 to 97.2)"
    assert rate_text(20, 20) == "100.0% (83.9 to 100.0)"
