"""Tests of facts about eyes and life.

X is to move. x and o mark the fact's chain, a marks its point, and * is the move.
"""

from __future__ import annotations

import pytest
from boards import ask, swap_colours

TWO_EYES = """
    . x . X .
    X X X X X
    . . . . .
    . . . . .
    . . . . .
"""


def test_eye_in_the_corner_on_the_side_and_inside():
    assert ask("eye", "a X . .\nX X . .\n. . . .\n. . . .") == 1
    assert ask("eye", "X a X .\nX X X .\n. . . .\n. . . .") == 1
    assert ask("eye", "X X X .\nX a X .\nX X X .\n. . . .") == 1


def test_eye_on_the_edge_allows_no_lost_diagonal():
    assert ask("eye", "a X . .\nX O . .\n. . . .\n. . . .") == 0
    assert ask("eye", "X a X .\nO X . .\n. . . .\n. . . .") == 0
    assert ask("eye", "a X . .\nX . . .\n. . . .\n. . . .") == 1


def test_eye_inside_allows_one_lost_diagonal():
    one_lost = """
        . . . . .
        . O X . .
        . X a X .
        . . X . .
        . . . . .
    """
    assert ask("eye", one_lost) == 1
    assert ask("eye", one_lost.replace(". O X . .", ". O X O .")) == 0
    assert ask("eye", ". O X O .\n. X a X .\n. . X . .\n. . . . .\n. . . . .") == 0


def test_eye_is_none_with_a_gap_a_foreign_stone_or_on_a_stone():
    assert ask("eye", "a X . .\n. X . .\n. . . .\n. . . .") == 0
    assert ask("eye", "a X . .\nO X . .\n. . . .\n. . . .") == 0
    assert ask("eye", "a O . .\nO O . .\n. . . .\n. . . .") == 0
    assert ask("eye", "x X . .\nX X . .\n. . . .\n. . . .") == 0


def test_eye_that_looks_false_is_real_if_one_chain_goes_round():
    """O has both inner diagonal points, but the neighbours of a are one chain, which O cannot cut."""
    ring = """
        X X a X X
        X O X O X
        X . X . X
        X X X X X
        . . . . .
    """
    assert ask("eye", ring) == 1
    assert ask("false_eye", ring) == 0
    cut = ring.replace("X X X X X", "X . X . X")
    assert ask("eye", cut) == 0
    assert ask("false_eye", cut) == 1


def test_false_eye_needs_closed_sides():
    assert ask("false_eye", "a X . .\nX O . .\n. . . .\n. . . .") == 1
    assert ask("false_eye", "a X . .\n. O . .\n. . . .\n. . . .") == 0
    assert ask("false_eye", "a X . .\nX X . .\n. . . .\n. . . .") == 0
    assert ask("false_eye", "x X . .\nX O . .\n. . . .\n. . . .") == 0
    assert ask("false_eye", "a O . .\nO X . .\n. . . .\n. . . .") == 0


def test_their_eye_is_eye_with_colours_changed():
    assert ask("their_eye", "a O . .\nO O . .\n. . . .\n. . . .") == 1
    assert ask("their_eye", "a O . .\nO X . .\n. . . .\n. . . .") == 0
    assert ask("their_eye", "a X . .\nX X . .\n. . . .\n. . . .") == 0


def test_eyes_counts_those_next_to_the_chain():
    assert ask("eyes", TWO_EYES) == 3
    assert ask("eyes", swap_colours(TWO_EYES)) == 3
    assert ask("eyes", "x . .\n. . .\n. . .") == 0
    assert ask("eyes", "x . X .\n. O X .\n. . . .\n. . . .") == 0


def test_eyes_of_an_empty_label_are_none():
    assert ask("eyes", ". X . .\nX X . .\n. . . .\n. . . .") == 0


ALIVE = {
    "two corner eyes": TWO_EYES,
    "an eye that holds a prisoner, and a small one": """
        . O . X .
        x X X X X
        O O O O O
        . . . . .
        . . . . .
    """,
    "two chains that share both eyes": """
        . X . X X
        x X X O X
        X O . O X
        X O X X X
        X X . X X
    """,
    "many chains, no chain with two eyes of its own": """
        O . X . O
        X X . X O
        . . X x O
        X X . X .
        X . X O O
    """,
    "one chain with two far corners": """
        . X O . .
        x X O . .
        X O O . .
        X X O . .
        . X O . .
    """,
}


@pytest.mark.parametrize("text", ALIVE.values(), ids=ALIVE)
def test_alive_for_either_colour(text):
    assert ask("alive", text) == 1
    assert ask("alive", swap_colours(text)) == 1


def test_alive_two_headed_dragon_has_only_false_eyes():
    """Each eye between the chains would be false by its diagonals, but together the chains live."""
    dragon = """
        X X a X X
        x X X O X
        X O . O X
        X O X X X
        X X . X X
    """
    assert ask("eye", dragon) == 0
    assert ask("false_eye", dragon) == 1
    assert ask("alive", dragon) == 1
    assert ask("eyes", dragon) == 0
    assert ask("alive", dragon.replace("X X . X X", "X . . X X")) == 0


def test_alive_falls_with_the_chain_it_leans_on():
    """The right chain needs the middle eye, but the chain on the eye's left side can be captured."""
    assert (
        ask(
            "alive",
            """
        . X . x .
        X O X X X
        O O O O O
        . . . . .
        . . . . .
    """,
        )
        == 0
    )


NOT_ALIVE = {
    "one eye of four points": """
        . . . . X
        x X X X X
        O O O O O
        . . . . .
        . . . . .
    """,
    "an eye with a point that is no liberty": """
        . . X . X
        . . X X X
        x X X O O
        O O O . .
        . . . . .
    """,
    "a second eye that is false": """
        . X . O .
        x X X O .
        O O O . .
        . . . . .
        . . . . .
    """,
    "seki: two liberties shared with the enemy": """
        x X . O O
        X X . O O
        X X X O O
        O O O O .
        . O . O O
    """,
    "a stone on an empty board": """
        x . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
    """,
}


@pytest.mark.parametrize("text", NOT_ALIVE.values(), ids=NOT_ALIVE)
def test_alive_is_0_for(text):
    assert ask("alive", text) == 0
    assert ask("alive", swap_colours(text)) == 0


def test_alive_needs_every_labelled_chain_alive_and_a_chain_at_all():
    assert ask("alive", TWO_EYES[:-14] + "    . x . . .\n") == 0
    assert ask("alive", TWO_EYES.replace("x", "X")) == 0


def test_makes_life_counts_stones_that_were_not_alive_before():
    assert (
        ask(
            "makes_life",
            """
        . . * . .
        X X X X X
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 6
    )
    new_stone_joins = TWO_EYES.replace("    . . . . .\n", "    . . . . *\n", 1)
    assert ask("makes_life", new_stone_joins) == 1


def test_makes_life_is_0_for_a_move_that_does_not_and_where_it_is_illegal():
    assert (
        ask(
            "makes_life",
            """
        * . . . .
        X X X X X
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 0
    )
    assert ask("makes_life", TWO_EYES.replace("    . . . . .\n    . . . . .", "    . . . . .\n    . . * . .", 1)) == 0
    assert ask("makes_life", "* O . .\nO . . .\n. . . .\n. . . .") == 0


def test_makes_life_by_capturing():
    board = """
        . X . X X
        X X X O *
        O O O X X
        . . . O O
        . . . . .
    """
    assert ask("makes_life", board) == 9
    assert ask("makes_life", board.replace("X X X O *", "X X X . *")) == 9


def test_their_life_is_makes_life_for_the_other_side():
    assert (
        ask(
            "their_life",
            """
        . . * . .
        O O O O O
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 6
    )
    assert (
        ask(
            "their_life",
            """
        . . * . .
        X X X X X
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 0
    )


def test_their_atari_is_atari_for_the_other_side():
    board = """
        . . . . .
        . O X . .
        . . * . .
        . . . . .
        . . . . .
    """
    assert ask("their_atari", board) == 0
    assert ask("their_atari", board.replace(". O X . .", ". O X O .")) == 1
    assert ask("their_atari", board.replace(". O X . .", ". X O X .")) == 0


def test_their_saves_is_saves_for_the_other_side():
    board = """
        . . X . .
        . X O X .
        . . * . .
        . . . . .
        . . . . .
    """
    assert ask("their_saves", board) == 1
    assert ask("their_saves", board.replace(". . * . .", ". X * X .")) == 0
