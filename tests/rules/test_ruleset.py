"""Tests of a game's constants."""

from __future__ import annotations

from littlego.rules.ruleset import LITTLE_GO, SIMPLE_KO, SUPERKO, Ruleset, little_go


def test_little_go_is_the_game_of_the_course():
    game = LITTLE_GO
    assert (game.name, game.size, game.komi2, game.length, game.ko) == ("little-go", 5, 5, 24, SIMPLE_KO)
    assert game.opening_pass_ends


def test_other_sizes_have_names_of_their_own():
    assert little_go(7).name == "little-go-7" != little_go(9).name
    assert little_go(5).name == LITTLE_GO.name


def test_another_game_can_stand_beside_it():
    game = Ruleset("chinese-19", 19, 15, 0, ko=SUPERKO, opening_pass_ends=False)
    assert (game.komi2, game.length, game.ko, game.opening_pass_ends) == (15, 0, SUPERKO, False)
