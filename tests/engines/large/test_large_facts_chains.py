"""Tests of large-board facts about chains on drawn boards: a positive and a negative case of each."""

from __future__ import annotations

import pytest
from large_states import ask_large

DIAGONAL = """
. . . . . . .
. . x . . . .
. . . y . . .
. . . . . . .
. . . . . O .
. . . . . . .
. . . . . . .
"""
BAMBOO = (
    DIAGONAL.replace(". . x . . . .", ". . x X . . .")
    .replace(". . . y . . .", ". . . . . . .")
    .replace(". . . . . . .\n. . . . . O .", ". . y X . . .\n. . . . . O .")
)
MOUTH = """
. . . . . . .
. . x . . . .
. X . y . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""
JUMP = """
. . . . . . .
. . . . . . .
. . x . y . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


@pytest.mark.parametrize(("text", "linked"), [(DIAGONAL, 1), (BAMBOO, 1), (MOUTH, 1), (JUMP, 0)])
def test_same_group_is_linked_so_that_it_cannot_be_cut(text, linked):
    assert ask_large("same_group", text) == linked


def test_same_group_of_two_colours_or_none():
    assert ask_large("same_group", DIAGONAL.replace("y", "q")) == 0
    assert ask_large("same_group", DIAGONAL.replace("y", ".")) == 0


def test_same_group_is_broken_by_a_cut():
    cut = DIAGONAL.replace(". . x . . . .", ". . x O . . .")
    assert ask_large("same_group", cut) == 0
    both_sides = """
    . . . . . . .
    . . x . y . .
    . . X a X . .
    . . . O . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """
    assert ask_large("same_group", both_sides) == 1  # two common liberties
    assert (
        ask_large("same_group", both_sides.replace(". . x . y", ". . x O y")) == 0
    )  # the cutting stone would have only one liberty
    assert (
        ask_large("same_group", both_sides.replace(". . . . . . .\n    . . x . y", ". . X X X . .\n    . . x O y")) == 1
    )


def test_group_stones_and_group_liberties_count_all_of_it():
    assert ask_large("group_stones", DIAGONAL) == 2
    assert ask_large("group_liberties", DIAGONAL) == 6
    assert ask_large("group_stones", JUMP) == 1
    assert ask_large("group_stones", JUMP.replace("x", ".")) == 0
    assert ask_large("group_stones", DIAGONAL.replace("x", "X").replace("O", "o")) == 1


CORNER = """
. . . . X O . . .
x X X X X O . . .
O O O O O O . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_eye_space_is_what_the_group_encloses():
    assert ask_large("eye_space", CORNER) == 4
    assert ask_large("eye_space", CORNER.replace(". . . . X O", ". X . . X O")) == 3
    assert ask_large("eye_space", LADDER) == 0


def test_running_room_is_where_the_other_side_is_not():
    assert ask_large("running_room", CORNER) == 4
    open_side = ". . . . . . . . .\n" * 4 + ". . . . x . . . .\n" + ". . . . . . . . .\n" * 4
    assert ask_large("running_room", open_side) == 24
    walled = open_side.replace(". . . . . . . . .", "O O O O O O O O O")
    assert ask_large("running_room", walled.replace(". . . . x", "O O O . x").replace("x . . . .", "x . O O O")) < 6


def test_strong_and_weak():
    assert ask_large("strong", CORNER) == 1
    assert ask_large("weak", CORNER) == 0
    one_eye = CORNER.replace(". . . . X O", "X . . . X O")
    assert ask_large("strong", one_eye) == 0
    assert ask_large("weak", one_eye) == 1
    assert ask_large("weak", JUMP) == 0  # not weak, since the chain has room to run
    assert ask_large("strong", JUMP) == 0


# Corners, each with its first three lines, and whether the group surely makes two eyes after White moves.
SHAPES = {
    "four in a row": (". . . . X O", "x X X X X O", "O O O O O O", 1),
    "three in a row": ("X . . . X O", "x X X X X O", "O O O O O O", 0),
    "two": (". . X X X O", "x X X X X O", "O O O O O O", 0),
    "two of one": (". X . X X O", "x X X X X O", "O O O O O O", 1),
    "four, bent": (". . . X O O", ". X X x O O", "X X O O O O", 1),
    "four in a square": (". . X O O O", ". . x O O O", "X X X O O O", 0),
    "the bulky five": (". . . X O O", ". . X x O O", "X X X O O O", 0),
    "five, an L": (". . . . X O", ". X X X x O", "X X O O O O", 1),
    "six, two by three": (". . . X O O", ". . . X O O", "x X X X O O", 1),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_strong_by_the_shape_of_its_eyes(shape):
    *rows, eyes = SHAPES[shape]
    text = "\n".join(f"{row} . . ." for row in rows) + "\nO O O O O . . . .\n" + ". . . . . . . . .\n" * 5
    assert ask_large("strong", text) == eyes


def test_strong_is_unconditional_life_too():
    alive = ". . . . . . . . .\n" * 6 + "X X X X X X . . .\nx . X . X X . . .\nX X X X X . . . .\n"
    assert ask_large("strong", alive) == 1
    assert ask_large("strong", alive.replace("X . X . X", "X . X X X").replace("x . X . X", "x . X X X")) == 0


def test_dead_inside_is_theirs_in_own_area():
    text = ". o . X O . . . .\n" * 1 + ". . . X O . . . .\n" * 7 + ". . . X O . . o .\n"
    assert ask_large("dead_inside", text.replace(". . o .", ". . . .")) == 1
    assert ask_large("dead_inside", text.replace(". o . X", ". . . X")) == 0  # the other O stone is outside X's area
    assert ask_large("dead_left", text) == 1
    assert ask_large("dead_inside", text.replace(". . o .", ". . . .").replace("o", "x")) == 0


def test_dead_left_counts_what_can_be_taken_at_once_in_an_area_too_full_to_be_safe():
    full = "X X X X X X X\n" + "O O O O O O X\n" * 4 + "O O O O O . X\nX X X X X X .\n"
    assert ask_large("dead_left", full) == 29
    assert (
        ask_large("dead_left", full.replace("O O O O O . X", "O O O O . . X").replace("X X X X X X .", ". X X X X X ."))
        == 0
    )


def test_dead_inside_not_where_they_live():
    lives = """
    . O . O . O X . .
    O O O O O O X . .
    X X X X X X X . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    assert ask_large("dead_inside", lives.replace(". O . O . O", ". o . O . O")) == 0
    # an open three and a single point at the end do not make the group safe
    assert ask_large("dead_inside", lives.replace(". O . O . O", ". o . . O .")) == 0


def test_dead_inside_of_a_larger_area():
    wide = ". . . . . X O . .\n" * 9
    stone = wide.split("\n")
    stone[0] = ". . . . o X O . ."
    assert ask_large("dead_inside", "\n".join(stone)) == 1
    for row in (2, 3, 5, 6):
        stone[row] = ". O O . . X O . ."
    assert ask_large("dead_inside", "\n".join(stone)) == 0  # these stones have room


LADDER = """
. . . . . . . . .
. . X . . . . . .
. X o . . . . . .
. X . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_catchable_in_a_ladder_or_at_once():
    assert ask_large("catchable", LADDER) == 1
    assert ask_large("catchable", LADDER.replace(". X . . . . . . .", ". . . . . . . . .")) == 0
    rows = LADDER.strip().split("\n")
    rows[6] = ". . . . . . O . ."
    assert ask_large("catchable", "\n".join(rows)) == 0  # a ladder breaker far away
    own = LADDER.replace("X", "O").replace("o", "x")
    assert ask_large("catchable", own) == 1
    assert ask_large("catchable", JUMP) == 0


RACE = """
. x O . . . .
. X q . . . .
. X O . . . .
. X O . . . .
O O X X . . .
. . . . . . .
. . . . . . .
"""


def test_wins_race_by_liberties():
    assert ask_large("wins_race", RACE) == 1  # both chains have four liberties, and X moves first
    assert ask_large("wins_race", RACE.replace(". x O", "O x O")) == 0
    assert ask_large("wins_race", RACE.replace("q . . . .", "q X . . .").replace(". x O", "O x O")) == 1
    assert ask_large("wins_race", RACE.replace("x", "X").replace("q", "x").replace("O . . . .", "O . . . .")) == 0


SHUT_IN = """
. . . . . . . . .
. . . . . . . . .
. . . . . . X . .
. . X . O . . . .
. . . O x . O . .
. . . O . . O . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


@pytest.mark.parametrize("text", [SHUT_IN, SHUT_IN.translate(str.maketrans("XxOo", "OoXx"))])
def test_capturable_and_lost(text):
    assert ask_large("capturable", text) == ask_large("lost", text) == 1
    rows = text.strip().splitlines()
    rows[5] = ". . . . . . . . ."
    assert ask_large("lost", "\n".join(rows)) == 0  # two stones of the net are missing, so the chain may escape
    rows[4] = rows[4][:-5] + ". . ."
    assert ask_large("capturable", "\n".join(rows)) == 0
