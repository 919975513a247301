"""Tests of the handout's points and their sums over graded games."""

from __future__ import annotations

from fractions import Fraction

import pytest
from graded_games import FLAWLESS, STAGE_1, outcome, outcomes

from littlego.grading.games import ROLES, plan_games
from littlego.grading.marks import best, marks, points
from littlego.players.roles.table import ROLES as OPPONENTS

# Points by the handout's tables for wins out of 20: 18 wins are 90%, 17 are 85%, 14 are 70%, 13 are 65%.
TABLE = {
    "random": {20: 25, 18: 25, 17: 12.75, 14: 10.5, 13: 0, 0: 0},
    "greedy": {20: 25, 18: 25, 17: 12.75, 14: 10.5, 13: 0, 0: 0},
    "aggressive": {20: 25, 18: 25, 17: 17, 14: 14, 13: 6.5, 1: 0.5, 0: 0},
    "alphabeta": {20: 15, 18: 15, 17: 8.5, 14: 7, 13: 3.25, 1: 0.25, 0: 0},
    "qlearning": {20: 5, 18: 5, 17: 4.25, 14: 3.5, 13: 0, 0: 0},
    "championship": {20: 5, 18: 5, 17: 4.25, 14: 3.5, 13: 1.3, 1: 0.1, 0: 0},
}
PLAN = plan_games(3, (1, 2), 20, 0)


@pytest.mark.parametrize("role", ROLES)
def test_points_at_every_boundary(role):
    assert {wins: float(points(role, wins, 20)) for wins in TABLE[role]} == TABLE[role]


def test_the_example_of_the_handout():
    assert [float(points(role, wins, 20)) for role, wins in STAGE_1.items()] == [25, 12, 14, 2.75]
    assert sum(points(role, wins, 20) for role, wins in STAGE_1.items()) == Fraction("53.75")


@pytest.mark.parametrize("role", ROLES)
def test_more_wins_never_give_fewer_points(role):
    for games in (6, 10, 20):
        given = [points(role, wins, games) for wins in range(games + 1)]
        assert given == sorted(given) and given[-1] == TABLE[role][20]


def test_a_rate_is_exact():
    """0.7 has no exact binary form: 7 of 10 must still be 70%, and 9 of 10 must be 90%."""
    assert points("random", 7, 10) == Fraction("10.5") and points("random", 9, 10) == 25
    assert points("championship", 69, 100) == 2 * Fraction(69, 100)


def test_the_roles_are_players():
    assert len(ROLES) == 6 and set(ROLES) <= set(OPPONENTS)


def test_without_games_there_are_no_points():
    assert points("random", 0, 0) == 0


def mark(played, repetition=1):
    return marks(PLAN, played)[repetition - 1]


def test_the_example_of_the_handout_game_by_game():
    found = marks(plan_games(1, (1,), 20, 0), outcomes(STAGE_1))[0]
    assert [float(role.points) for role in found.stages[0].roles] == [25, 12, 14, 2.75]
    assert (float(found.points), found.most, found.complete) == (53.75, 90, True)


def test_a_flawless_repetition_makes_100():
    found = mark(outcomes(FLAWLESS))
    assert [(stage.points, stage.most) for stage in found.stages] == [(90, 90), (10, 10)]
    assert [(stage.points, stage.most) for stage in found.submit] == [(75, 75), (10, 10)]


def test_the_clocks_are_those_of_the_handout():
    found = mark([])
    assert [stage.limit for stage in found.stages] == [7200, 3600]
    assert [stage.limit for stage in found.submit] == [5400, 1800]


@pytest.mark.parametrize(("seconds", "late"), [(90.0, False), (90.01, True)])
def test_a_stage_out_of_time_loses_all_its_points(seconds, late):
    """At 90 s a game, 80 games take 7,200 s, which is exactly the limit and still in time."""
    played = outcomes(dict.fromkeys(STAGE_1, 20), seconds=seconds) + outcomes({"qlearning": 20, "championship": 20})
    found = mark(played)
    assert [stage.late for stage in found.stages + found.submit] == [late, False, late, False]
    assert [float(stage.points) for stage in found.stages] == [0 if late else 90, 10]
    assert float(found.points) == (10 if late else 100)


def test_submit_may_be_in_time_where_grading_is_not():
    """Only games that `submit` does not play take long: against alphabeta, and stage 2's second half."""
    played = [
        outcome(game, seconds=[4000.0 if game.role == "alphabeta" or game.stage == 2 and game.index > 9 else 1.0])
        for game in PLAN
    ]
    found = mark(played)
    assert [stage.late for stage in found.stages] == [True, True] and found.points == 0
    assert [(stage.late, stage.points) for stage in found.submit] == [(False, 75), (False, 10)]


def test_submit_counts_its_own_games_only():
    wins = {**FLAWLESS, "qlearning": 10}  # the first ten games, which `submit` plays
    found = mark(outcomes(wins))
    assert [role.rate for role in found.submit[1].roles] == [1, 1]
    assert found.stages[1].roles[0].rate == 0.5 and found.stages[1].points == 5


def test_the_best_repetition_counts():
    played = outcomes(STAGE_1, 1) + outcomes({**STAGE_1, "greedy": 18}, 2) + outcomes(STAGE_1, 3)
    counted = best(marks(plan_games(3, (1,), 20, 0), played))
    assert (counted.repetition, float(counted.points)) == (2, 66.75)


def test_of_equal_repetitions_the_first_complete_one_counts():
    some = [game for game in outcomes(FLAWLESS, 1) if game.game.role != "championship" or game.game.index < 9]
    played = some + outcomes(FLAWLESS, 2) + outcomes(FLAWLESS, 3)
    assert [found.complete for found in marks(PLAN, played)] == [False, True, True]
    assert best(marks(PLAN, played)).repetition == 2


def test_a_part_of_a_repetition_does_not_count_before_a_whole_one():
    some = [game for game in outcomes(FLAWLESS, 1) if game.game.role != "championship" or game.game.index < 2]
    played = some + outcomes({**FLAWLESS, "championship": 10}, 2)
    found = marks(PLAN, played)
    assert found[0].points == 100 and not found[0].complete
    assert best(found).repetition == 2


def test_a_stage_that_is_late_misses_no_games():
    played = [outcome(game, seconds=[10_000.0]) for game in PLAN[:1]] + outcomes({"qlearning": 20, "championship": 20})
    assert mark(played).complete and mark(played).points == 10


def test_time_and_ties_are_added_up():
    games = PLAN[:2]
    played = [outcome(games[0], seconds=[1.0, 2.5]), outcome(games[1], won=False, tie=True, seconds=[0.25])]
    role = mark(played).stages[0].roles[0]
    assert (role.seconds, role.slowest, role.ties, role.played, float(role.rate)) == (3.75, 2.5, 1, 2, 0.5)
    assert mark([]).stages[0].roles[0].rate is None
