"""Tests of facts about points and about the game. X is to move, and a is the fact's point."""

from __future__ import annotations

import pytest
from boards import ask

from littlego.rules.position import BLACK, WHITE

CENTRE = """
    . X . . .
    X a O . .
    . . . . .
    . . . . .
    . . . . .
"""

REGIONS = """
    a . X . .
    . X O . .
    X . X O .
    . . . X O
    . . . . .
"""


def test_region_counts_connected_empty_points():
    assert ask("region", REGIONS) == 3
    assert ask("region", "a . X\n. X O\nX O .") == 3
    assert ask("region", "a . . . .\n" + ". . . . .\n" * 4) == 25
    assert ask("region", "X . .\n. . .\n. . a") == 8


def test_region_is_0_on_a_stone():
    assert ask("region", "x . .\n. . .\n. . .") == 0
    assert ask("region", "o . .\n. . .\n. . .") == 0


def test_enclosed_by_own_stones_only():
    assert ask("enclosed", REGIONS) == 3
    assert ask("enclosed", REGIONS.replace("X . X O .", "O . X O .")) == 0
    assert ask("enclosed", "a O X\n. X .\nX . .") == 0


def test_enclosed_is_0_on_stones_on_the_empty_board_and_in_their_area():
    assert ask("enclosed", "x X .\nX . .\n. . .") == 0
    assert ask("enclosed", "a . .\n. . .\n. . .") == 0
    assert ask("enclosed", "a O .\nO . .\n. . .") == 0


def test_their_enclosed_by_their_stones_only():
    assert ask("their_enclosed", "a . O\n. O .\nO . .") == 3
    assert ask("their_enclosed", "a . O\n. O .\nX . .") == 0
    assert ask("their_enclosed", "a X .\nX . .\n. . .") == 0
    assert ask("their_enclosed", "a . .\n. . .\n. . .") == 0


def test_line_counts_from_the_nearest_edge():
    assert ask("line", CENTRE) == 2
    assert ask("line", "a . . . .\n" + ". . . . .\n" * 4) == 1
    assert ask("line", ". . . . .\n" * 2 + ". . a . .\n" + ". . . . .\n" * 2) == 3
    assert ask("line", ". . . . .\n" * 3 + ". . . a .\n" + ". . . . .\n") == 2
    assert ask("line", ". .\n. a") == 1


def test_edge_is_2_in_corners_1_on_sides_0_inside():
    assert ask("edge", "a . .\n. . .\n. . .") == 2
    assert ask("edge", ". . .\n. . .\n. . a") == 2
    assert ask("edge", ". . .\na . .\n. . .") == 1
    assert ask("edge", ". . .\n. . .\n. a .") == 1
    assert ask("edge", ". . .\n. a .\n. . .") == 0


def test_own_near_counts_own_neighbours():
    assert ask("own_near", CENTRE) == 2
    assert ask("own_near", "a . X\n. . .\nX . .") == 0


def test_their_near_counts_their_neighbours():
    assert ask("their_near", CENTRE) == 1
    assert ask("their_near", ". . O\na . .\nO . .") == 1
    assert ask("their_near", ". . O\n. . .\na . .") == 0


def test_empty_near_counts_empty_neighbours():
    assert ask("empty_near", CENTRE) == 1
    assert ask("empty_near", "a . .\n. . .\n. . .") == 2
    assert ask("empty_near", "a X .\nO . .\n. . .") == 0


def test_moves_left_counts_the_next_move_too():
    assert ask("moves_left", CENTRE, left=3) == 3
    assert ask("moves_left", CENTRE, left=1) == 1


def test_move_number_counts_from_1():
    assert ask("move_number", CENTRE, number=22) == 22
    assert ask("move_number", CENTRE, number=1) == 1


def test_colour_is_1_for_black_and_2_for_white():
    assert ask("colour", CENTRE, colour=BLACK) == 1
    assert ask("colour", CENTRE, colour=WHITE) == 2


def test_lead_is_the_movers_stones_less_theirs():
    assert ask("lead", CENTRE) == 1
    assert ask("lead", "O O .\n. . .\n. . X") == -1


@pytest.mark.parametrize("bonus2, margin", [(-5, -3), (5, 7), (0, 2)])
def test_margin2_adds_komi_in_half_points(bonus2, margin):
    assert ask("margin2", CENTRE, bonus2=bonus2) == margin


def test_passed_says_whether_a_pass_ends_the_game():
    assert ask("passed", CENTRE, passed=True) == 1
    assert ask("passed", CENTRE, passed=False) == 0


def test_ko_ban_only_while_a_point_is_forbidden():
    ko = """
        . O X .
        O X k X
        . O X .
        . . . .
    """
    assert ask("ko_ban", ko) == 1
    assert ask("ko_ban", ko.replace("k", ".")) == 0
