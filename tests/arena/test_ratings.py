"""Tests of ratings with made-up fields: estimates, their errors, and fields that cannot be rated."""

from __future__ import annotations

from math import log10

import pytest
from made_results import field, game, pairs

from littlego.arena.ratings import Rating, ratings
from littlego.rules.position import BLACK, WHITE

STRENGTHS = {"strong": 150, "good": 50, "fair": 0, "weak": -200}


def by_name(results, **options) -> dict[str, Rating]:
    return {one.name: one for one in ratings(results, **options)}


def test_strengths_are_found_again():
    found = by_name(field(STRENGTHS, 400), samples=50)
    assert list(found) == ["strong", "good", "fair", "weak"]
    assert {name: one.rating for name, one in found.items()} == pytest.approx(STRENGTHS, abs=35)
    assert all(one.low < one.rating < one.high and one.games == 2400 for one in found.values())


def test_two_players_differ_by_the_elo_of_their_shares():
    # 60 of 80 points, and half a point for each player from the virtual game that the prior adds
    found = by_name(pairs("one", "other", [2] * 20 + [1] * 20))
    assert found["one"].rating - found["other"].rating == pytest.approx(400 * log10(60.5 / 20.5))


def test_about_95_in_100_intervals_hold_the_truth():
    held = [
        STRENGTHS[one.name] >= one.low and STRENGTHS[one.name] <= one.high
        for seed in range(25)
        for one in ratings(field(STRENGTHS, 30, seed), samples=100)
    ]
    assert 0.85 < sum(held) / len(held) <= 1


def test_pairs_are_drawn_not_games():
    """Pairs that all end 1-1 are stronger evidence of equality than the same number of independent games."""
    even, wild = (by_name(pairs("one", "other", points))["one"] for points in ([1] * 60, [0, 2] * 30))
    assert even.rating == pytest.approx(wild.rating)
    assert even.high - even.low < (wild.high - wild.low) / 3


def test_the_undefeated_stay_finite_and_their_limit_is_open():
    found = by_name(pairs("best", "worst", [2] * 200))
    assert 800 < found["best"].rating - found["worst"].rating < 1500
    assert found["best"].high is None and found["best"].low < found["best"].rating
    assert found["worst"].low is None and found["worst"].high > found["worst"].rating


def test_zero_is_the_mean_of_those_with_both_limits():
    results = field({"a": 100, "b": 0, "c": -50}, 40)
    best = [one for number, name in enumerate("abc") for one in pairs("best", name, [2] * 40, 1000 + 40 * number)]
    found = by_name(results + best)
    assert found["a"].rating + found["b"].rating + found["c"].rating == pytest.approx(0, abs=1e-6)


def test_an_anchor_is_zero_and_fixed():
    found = by_name(field(STRENGTHS, 50), anchor="fair", samples=20)
    assert found["fair"][1:4] == (0, 0, 0)
    assert found["strong"].rating > 100


def test_the_same_seed_gives_the_same_intervals():
    results = field(STRENGTHS, 20)
    found = [ratings(results, seed=seed, samples=100) for seed in (3, 3, 4)]
    assert found[0] == found[1] != found[2]


def test_a_field_in_two_parts_is_rated_in_groups():
    results = field({"a": 0, "b": 0, "c": 0}, 5) + pairs("x", "y", [2, 1, 1], 100)
    found = by_name(results, samples=20)
    assert [one.group for one in found.values()] == [0, 0, 0, 1, 1]
    assert found["x"].rating == pytest.approx(-found["y"].rating)
    assert by_name(results, anchor="x", samples=20)["x"].rating == 0


def test_no_games_no_ratings_and_one_game_two():
    assert ratings([]) == []
    won, lost = ratings([game(0, "one", "other", won=True)])
    assert (won.name, won.high, lost.low) == ("one", None, None) and won.rating > 0


def test_ties_are_half_a_point_each():
    tied = [one._replace(winner=0) for one in pairs("one", "other", [1] * 10)]
    assert by_name(tied)["one"].rating == pytest.approx(0, abs=1e-9)


def test_who_is_first_makes_no_difference():
    results = pairs("one", "other", [2, 1, 0, 2, 2])
    turned = [one._replace(first="other", second="one", half=1 - one.half, number=one.number ^ 1) for one in results]
    assert all(
        one.black == other.black and other.winner in (BLACK, WHITE) for one, other in zip(results, turned, strict=True)
    )
    there, here = by_name(turned, samples=2), by_name(results, samples=2)
    assert there["one"].rating == pytest.approx(here["one"].rating)
