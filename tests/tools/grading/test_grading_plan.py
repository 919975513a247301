"""The games of a grading are those of the handout."""

from collections import Counter

from rules.position import BLACK, WHITE
from tools.grading.games import MOST_GAMES, Graded, planned, submitted


def test_the_course_plays_80_and_40_games_ten_each_colour():
    plan = planned(1, (1, 2), 20, 0)
    assert Counter(game.stage for game in plan) == {1: 80, 2: 40}
    of_each = Counter((game.role, game.colour) for game in plan)
    assert len(of_each) == 12 and set(of_each.values()) == {10}


def test_submit_plays_60_and_20_of_them():
    played = [game for game in planned(1, (1, 2), 20, 0) if submitted(game, 20)]
    of_each = Counter((game.role, game.colour) for game in played)
    assert of_each == {
        (role, colour): games
        for colour in (BLACK, WHITE)
        for role, games in (
            ("random", 10),
            ("greedy", 10),
            ("aggressive", 10),
            ("qlearning", 5),
            ("championship", 5),
        )
    }


def test_no_two_games_have_the_same_seed():
    games = planned(5, (1, 2), MOST_GAMES, 3) + planned(5, (1, 2), MOST_GAMES, 4)
    assert len({game.seed for game in games}) == len(games)


def test_a_seed_tells_which_game_it_is():
    assert Graded(2, 1, "alphabeta", 7, WHITE, 4_002_307) in planned(3, (1, 2), 20, 4)


def test_one_stage_alone_has_the_games_that_it_has_with_the_other():
    plan = planned(2, (1, 2), 20, 0)
    assert planned(2, (2,), 20, 0) == [game for game in plan if game.stage == 2]
