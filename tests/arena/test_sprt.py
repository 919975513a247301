"""Tests of the sequential test: published figures, independently computed likelihoods, error rates."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from littlego.arena.elo import H0, H1, SHARES, Hypothesis, find_fault, likelihood_ratio, share_of, verdict, verdict_text
from littlego.shares import wilson_of_wins

COUNTS = st.lists(st.integers(0, 300), min_size=5, max_size=5)

# Counts of pairs with 0, 1/2, 1, 3/2, 2 points; elo0, elo1 (logistic); the log likelihood ratio as published.
PUBLISHED = [
    # github.com/Disservin/fastchess, app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2"
    ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
    # fishtest's verdicts, as quoted in pull requests of github.com/official-stockfish/Stockfish: #3209
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),
    # #3098
    ((491, 7345, 29693, 7670, 465), -0.25, 1.25, 2.96),
    ((53, 2220, 21459, 2445, 47), 0.25, 1.25, 2.97),
    # #2971
    ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),
    # #3331
    ((115, 2196, 11328, 2317, 136), -0.25, 1.25, 2.94),
    ((14, 1030, 14318, 1163, 19), 0.25, 1.25, 2.93),
    # #2950
    ((133, 1751, 5094, 1849, 165), -0.5, 1.5, 2.94),
    ((149, 4748, 32785, 5063, 159), 0.25, 1.75, 2.95),
]
# Weights of a pair's five outcomes between equal players: "even" if most pairs end 1-1, "wild" if the opening mostly
# decides both games for one player, and "with ties".
SPREADS = {"even": (1, 0, 6, 0, 1), "wild": (2, 0, 1, 0, 2), "with ties": (1, 2, 4, 2, 1)}
WIDE = Hypothesis(0, 50)


@pytest.mark.parametrize("counts, elo0, elo1, llr", PUBLISHED)
def test_published_figures_are_reproduced(counts, elo0, elo1, llr):
    found = verdict(counts, Hypothesis(elo0, elo1))
    assert found.llr == pytest.approx(llr, abs=0.0051)
    assert (found.lower, found.upper) == pytest.approx((-2.94, 2.94), abs=0.005)


def likeliest(seen: list[float], share: float) -> float:
    """Return the maximum log likelihood of distributions with the mean `share`, by numerical optimisation."""
    whole = sum(seen)

    def unlikelihood(outcomes):
        return -sum(count / whole * log(outcome) for count, outcome in zip(seen, outcomes, strict=True))

    rules = [
        {"type": "eq", "fun": lambda outcomes: sum(outcomes) - 1},
        {"type": "eq", "fun": lambda outcomes: np.dot(outcomes, SHARES) - share},
    ]
    found = minimize(unlikelihood, [0.2] * 5, bounds=[(1e-9, 1)] * 5, constraints=rules, options={"ftol": 1e-14})
    assert found.success
    return -whole * found.fun


@pytest.mark.parametrize("counts", [(3, 5, 20, 9, 6), (40, 10, 30, 10, 60), (1, 1, 30, 1, 4)])
def test_the_likelihood_ratio_is_that_of_the_likeliest_outcomes(counts):
    expected = likeliest(counts, share_of(60)) - likeliest(counts, share_of(-10))
    assert likelihood_ratio(counts, share_of(-10), share_of(60)) == pytest.approx(expected, abs=1e-4)


@given(COUNTS, st.floats(-300, 250), st.floats(1, 300))
def test_the_ratio_is_finite_and_turns_with_the_players(counts, elo0, more):
    here, there = Hypothesis(elo0, elo0 + more), Hypothesis(-elo0 - more, -elo0)
    found = verdict(counts, here)
    assert isfinite(found.llr)
    assert verdict(counts[::-1], there).llr == pytest.approx(-found.llr, abs=1e-6)


@given(st.integers(0, 4), st.integers(1, 10**7), st.floats(-1000, 999), st.floats(0.5, 100))
def test_even_counts_in_one_place_only_have_a_ratio(place, pairs, elo0, more):
    counts = [0] * 5
    counts[place] = pairs
    assert isfinite(likelihood_ratio(counts, share_of(elo0), share_of(elo0 + more)))


def test_a_player_against_itself_accepts_no_difference_in_time_but_not_at_once():
    found = [verdict((0, 0, pairs, 0, 0), Hypothesis()).accepted for pairs in range(150)]
    assert set(found) == {"", H0}
    assert 50 < found.index(H0) < 150 and set(found[found.index(H0) :]) == {H0}


def test_no_three_pairs_decide():
    for counts in [(3, 0, 0, 0, 0), (0, 0, 3, 0, 0), (0, 0, 0, 0, 3)]:
        assert not verdict(counts, WIDE).accepted


def test_winning_more_pairs_makes_h1_likelier():
    ratios = [verdict((40 - won, 0, 40, 0, won), WIDE).llr for won in range(41)]
    assert all(one < next_one for one, next_one in pairwise(ratios))


@pytest.mark.parametrize(
    "counts, text",
    [
        ((0, 0, 0, 0, 0), "not enough games to decide"),
        ((0, 0, 3, 0, 0), "not enough games to decide"),
        ((0, 0, 900, 0, 0), "H0 accepted: less than 50 Elo stronger"),
        ((0, 0, 100, 0, 300), "H1 accepted: stronger"),
    ],
)
def test_what_people_read(counts, text):
    assert verdict_text(counts, WIDE) == text


def test_what_a_test_of_more_than_a_little_says():
    assert verdict_text((0, 0, 100, 0, 300), Hypothesis(5, 50)) == "H1 accepted: over 5 Elo stronger"


def test_a_figure_of_nothing_is_no_minus_zero():
    assert str(verdict((0, 0, 0, 0, 0), WIDE)) == "+0.00 (-2.94 to 2.94)"
    assert str(verdict((1, 0, 0, 0, 1), Hypothesis(-10, 10))).startswith("+0.00 ")


def test_hypotheses_that_are_none_are_named():
    assert find_fault(Hypothesis()) == ""
    assert "elo0 below elo1" in find_fault(Hypothesis(5, 5))
    assert "between -1000 and 1000" in find_fault(Hypothesis(0, 5000))
    assert "below 0.5" in find_fault(Hypothesis(alpha=0.5))
    assert "above 0" in find_fault(Hypothesis(beta=0))


def outcomes_of(spread: tuple, elo: float) -> list[float]:
    """Return the weights of a pair's outcomes: `spread`, changed so that the mean is the share for `elo`."""
    low, high = -50.0, 50.0
    for _ in range(100):
        tilt = (low + high) / 2
        weights = [part * np.exp(tilt * points) for part, points in zip(spread, SHARES, strict=True)]
        low, high = (tilt, high) if np.dot(weights, SHARES) / sum(weights) < share_of(elo) else (low, tilt)
    return weights


def simulated(spread: tuple, elo: float, hypothesis: Hypothesis, rng: Random) -> tuple[str, int, float]:
    """Draw random pairs until the sequential test stops; return (accepted hypothesis, pairs, overshoot)."""
    weights, counts = outcomes_of(spread, elo), [0] * 5
    while True:
        for outcome in rng.choices(range(5), weights, k=100):
            counts[outcome] += 1
            found = verdict(counts, hypothesis)
            if found.accepted:
                return found.accepted, sum(counts), max(found.llr - found.upper, found.lower - found.llr)


@pytest.mark.parametrize("true, right, wrong", [(WIDE.elo0, H0, H1), (WIDE.elo1, H1, H0)])
def test_it_errs_no_more_often_than_agreed_in_80_matches(true, right, wrong):
    rng = Random(f"sprt {true}")
    played = [simulated(SPREADS["even"], true, WIDE, rng) for _ in range(80)]
    answers = [answer for answer, _, _ in played]
    assert answers.count(right) + answers.count(wrong) == 80
    low, _ = wilson_of_wins(answers.count(wrong), 80)
    assert low <= 0.05, f"{answers.count(wrong)} of 80 wrong"
    # One pair changes the ratio only a little, so the test stops close to its bounds and its error rates are accurate.
    assert sum(overshoot for _, _, overshoot in played) / 80 < 0.3
    assert 40 < sum(pairs for _, pairs, _ in played) / 80 < 120


def test_a_player_weaker_than_agreed_is_hardly_ever_taken_for_stronger():
    rng = Random("weaker")
    assert [simulated(SPREADS["even"], -50, WIDE, rng)[0] for _ in range(100)].count(H1) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("true, wrong", [(WIDE.elo0, H1), (WIDE.elo1, H0)])
def test_the_rates_of_errors_over_2000_matches(spread, true, wrong):
    """Test the error rates that docs/results.md quotes.

    With `-s`, the test prints error rates, lengths and overshoots.
    """
    rng = Random(f"{spread} {true}")
    played = [simulated(SPREADS[spread], true, WIDE, rng) for _ in range(2000)]
    errors = sum(answer == wrong for answer, _, _ in played)
    pairs, overshoot = (sum(one[column] for one in played) / 2000 for column in (1, 2))
    print(f"{spread}, {true} Elo: {errors} of 2000 wrong, {pairs:.0f} pairs a test, overshoot {overshoot:.2f}")
    low, high = wilson_of_wins(errors, 2000)
    assert low <= 0.05 and high < 0.08
