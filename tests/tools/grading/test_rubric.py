"""The points of the handout: its example, its tables, and every boundary."""

from fractions import Fraction

import pytest
from graded_games import STAGE_1

from tools.grading.games import ROLES
from tools.grading.marks import points
from tools.opponents.roles import is_role

# What the handout's tables give for wins out of 20: 18 are 90%, 17 are 85%, 14 are 70%, 13 are 65%.
TABLE = {
    "random": {20: 25, 18: 25, 17: 12.75, 14: 10.5, 13: 0, 0: 0},
    "greedy": {20: 25, 18: 25, 17: 12.75, 14: 10.5, 13: 0, 0: 0},
    "aggressive": {20: 25, 18: 25, 17: 17, 14: 14, 13: 6.5, 1: 0.5, 0: 0},
    "alphabeta": {20: 15, 18: 15, 17: 8.5, 14: 7, 13: 3.25, 1: 0.25, 0: 0},
    "qlearning": {20: 5, 18: 5, 17: 4.25, 14: 3.5, 13: 0, 0: 0},
    "championship": {20: 5, 18: 5, 17: 4.25, 14: 3.5, 13: 1.3, 1: 0.1, 0: 0},
}


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
    """0.7 is no binary fraction: 7 of 10 must still be 70%, and 9 of 10 must be 90%."""
    assert points("random", 7, 10) == Fraction("10.5") and points("random", 9, 10) == 25
    assert points("championship", 69, 100) == 2 * Fraction(69, 100)


def test_the_roles_are_players():
    assert len(ROLES) == 6 and all(map(is_role, ROLES))


def test_without_games_there_are_no_points():
    assert points("random", 0, 0) == 0
