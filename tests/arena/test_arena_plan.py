"""Tests of a tournament's plan: stable pair numbers, the same games as `littlego match`, and JSON."""

from __future__ import annotations

import json

import pytest
from arena_plans import small_plan
from hypothesis import given
from hypothesis import strategies as st

from littlego.arena.elo import Hypothesis
from littlego.arena.plan import GAUNTLET, ROUND_ROBIN, SPRT, Entrant, Plan
from littlego.arena.play import play_pair
from littlego.arena.results import pentanomial
from littlego.match.series import pairings, play_game
from littlego.players.registry import player_for

PLAYERS = tuple(Entrant(name, name, f"digest of {name}") for name in "abcd")


def who(plan: Plan) -> list[str]:
    return [pair.first.name + pair.second.name for pair in plan.all_pairs()]


def test_everybody_meets_everybody_once_before_anybody_meets_again():
    plan = Plan(ROUND_ROBIN, PLAYERS, 2)
    assert who(plan) == ["ab", "ac", "ad", "bc", "bd", "cd"] * 2 and plan.total == 12
    assert who(Plan(GAUNTLET, PLAYERS, 2)) == ["ab", "ac", "ad"] * 2
    assert who(Plan(SPRT, PLAYERS[:2], 3, hypothesis=Hypothesis())) == ["ab"] * 3


@given(st.sampled_from([ROUND_ROBIN, GAUNTLET]), st.integers(1, 9), st.integers(1, 9), st.integers(-5, 5))
def test_more_pairs_change_no_number(form, fewer, more, seed):
    small, large = Plan(form, PLAYERS, fewer, seed), Plan(form, PLAYERS, fewer + more, seed)
    assert list(large.all_pairs())[: small.total] == list(small.all_pairs())
    assert [pair.number for pair in large.all_pairs()] == list(range(large.total))
    assert len({pair.seed for pair in large.all_pairs()}) == large.total


def test_a_plan_survives_json():
    for hypothesis in (None, Hypothesis(-5, 5, 0.1, 0.2)):
        plan = Plan(SPRT, PLAYERS[:2], 9, 3, 4, 2.5, hypothesis)
        assert Plan.from_json(json.loads(json.dumps(plan.as_json())), plan.players) == plan


@pytest.mark.parametrize("openings", [0, 5])
def test_the_games_are_those_of_a_match_with_the_same_seed(openings):
    plan = small_plan(("random", "aggressive"), pairs=2, openings=openings)
    games = [game for pair in plan.all_pairs() for game in play_pair(pair).games]
    match = [play_game(game, player_for) for game in pairings("random", "aggressive", 4, 7, openings)]
    assert [game.record.key for game in games] == [record.key for record in match]
    assert [game.result.winner for game in games] == [record.winner for record in match]


def test_a_result_says_who_was_who_and_what_each_spent():
    plan = small_plan(("greedy", "ours"), pairs=1, openings=3)
    first, second = (game.result for game in play_pair(plan.pair(0)).games)
    assert (first.black, first.white, second.black, second.white) == ("greedy", "ours", "ours", "greedy")
    assert (first.number, second.number, first.seed, first.opening) == (0, 1, 7_000_000, 3)
    assert sum(side.chosen for side in first.sides) == first.plies - 3
    assert first.sides[1].cpu > first.sides[0].cpu > 0 and first.sides[1].slowest <= first.sides[1].cpu
    assert {first.loser, second.loser} == {"greedy"} and sum(pentanomial([first, second])) == 1
    assert (first.text[:2], second.text[:2]) == ("W+", "B+")


def test_our_program_s_moves_have_the_engine_s_reasons():
    plan = small_plan(("my_player3", "ours"), pairs=1, openings=2)
    record = play_pair(plan.pair(0)).games[0].record
    assert record.fault == 0 and record.players == ("my_player3", "ours")
    assert [move.reason for move in record.moves[:2]] == ["given opening move"] * 2
    assert all(" rather than " in move.reason for move in record.moves[2:])
