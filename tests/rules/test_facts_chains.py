"""Tests of facts about chains and moves that do not read ahead.

X is to move, x and o mark the fact's chain, and * is the move.
"""

from __future__ import annotations

import pytest
from boards import ask

SNAKE = """
    . x X . .
    . . X O .
    . O X . .
    . . O . X
    . . . X X
"""


def test_size_counts_the_whole_chain_and_only_it():
    assert ask("size", SNAKE) == 4
    assert ask("size", SNAKE.replace("x", "X").replace("O X .", "o X .")) == 1


def test_size_of_an_empty_label_is_0():
    assert ask("size", SNAKE.replace("x", "X")) == 0


def test_liberties_counts_each_point_once():
    assert ask("liberties", SNAKE) == 4
    assert ask("liberties", "x . X\nX X X\n. . .") == 4


def test_liberties_of_several_chains_count_shared_points_once():
    assert ask("liberties", "x . x\n. . .\n. . .") == 3


def test_liberties_does_not_wrap_round_the_edge():
    assert ask("liberties", ". . x\n. . .\n. . .") == 2
    assert ask("liberties", ". . .\nx . .\n. . .") == 3


def test_in_atari_with_one_liberty_only():
    assert ask("in_atari", ". O .\nO x .\n. O .") == 1
    assert ask("in_atari", ". O .\n. x .\n. O .") == 0
    assert ask("in_atari", ". X .\nX o .\n. X .") == 1
    assert ask("in_atari", ". X .\nX . .\n. X .") == 0


def test_shared_liberties_counts_the_common_ones():
    assert ask("shared_liberties", "x . q\n. X O\n. . O") == 1
    assert ask("shared_liberties", "x X .\n. . q\n. . O") == 2
    assert ask("shared_liberties", "x . .\n. . .\n. . q") == 0
    assert ask("shared_liberties", "x . y\n. . .\n. . .") == 1


def test_liberties_after_extending_merging_and_being_pressed():
    assert ask("liberties_after", "x * . .\n. . . .\n. . . .\n. . . .") == 3
    assert ask("liberties_after", "x * X .\n. . . .\n. . . .\n. . . .") == 4
    assert ask("liberties_after", "o * . .\n. . . .\n. . . .\n. . . .") == 1
    assert ask("liberties_after", "x . . .\n. . . .\n. . . *\n. . . .") == 2


def test_liberties_after_counts_points_that_a_capture_frees():
    assert ask("liberties_after", "x O *\n. X .\n. . .") == 2
    assert (
        ask(
            "liberties_after",
            """
        O . X .
        O x O *
        X O X .
        . . . .
    """,
        )
        == 2
    )


def test_liberties_after_of_a_captured_chain_or_an_illegal_move_is_0():
    assert ask("liberties_after", "o * .\nX . .\n. . .") == 0
    assert ask("liberties_after", "* O .\nO . .\n. . x") == 0


def test_legal_says_what_the_rules_say():
    assert ask("legal", "* O .\n. . .\n. . .") == 1
    assert ask("legal", "* O .\nO . .\n. . .") == 0
    assert ask("legal", "* O X\nO X .\nX . .") == 1
    assert ask("legal", "x . .\n. . .\n. . .") == 0
    assert ask("legal", "o . .\n. . .\n. . .") == 0


def test_legal_respects_the_ko_point():
    ko = """
        . O X .
        O X k X
        . O X .
        . . . .
    """
    assert ask("legal", ko) == 0
    assert ask("legal", ko.replace("k", "*")) == 1


def test_captures_counts_all_chains_taken():
    assert ask("captures", "* O .\nX . .\n. . .") == 0
    assert ask("captures", "O * O\nX . X\n. . .") == 2
    assert ask("captures", "* O O\nO X X\nO X .") == 4


def test_captures_is_0_where_the_move_is_illegal():
    assert ask("captures", "* O .\nO . .\n. . .") == 0


def test_own_liberties_counts_after_captures_and_merging():
    assert ask("own_liberties", ". * .\n. X .\n. . .") == 5
    assert ask("own_liberties", "O * O\nX . X\n. . .") == 3
    assert ask("own_liberties", "* O .\nO . .\n. . .") == 0
    assert ask("own_liberties", "X * O\nX O .\nO . .") == 0
    assert ask("own_liberties", "X * .\nX O .\nO . .") == 1


def test_joins_counts_different_own_chains():
    assert ask("joins", "X * X\n. . .\n. . .") == 2
    assert ask("joins", "X * X\nX X X\n. . .") == 1
    assert ask("joins", ". X .\nX * X\n. X .") == 4
    assert ask("joins", ". O .\nO * .\n. O X") == 0


def test_cuts_counts_different_chains_of_theirs():
    assert ask("cuts", "O * O\n. . .\n. . .") == 2
    assert ask("cuts", "O * O\nO O O\n. . .") == 1
    assert ask("cuts", ". X . .\nX * X .\n. X O .\n. . . .") == 0


def test_atari_counts_the_stones_of_chains_next_to_the_move():
    assert ask("atari", "O * .\n. . .\n. . .") == 1
    assert ask("atari", "O O *\n. X .\n. . .") == 2
    assert ask("atari", "* O .\n. X .\n. . .") == 1
    assert ask("atari", "O O .\nO * .\n. . .") == 0


def test_atari_double():
    assert (
        ask(
            "atari",
            """
        . X . . .
        X O * . .
        . . O X .
        . . X . .
        . . . . .
    """,
        )
        == 2
    )


def test_atari_ignores_captured_chains_and_chains_elsewhere():
    assert ask("atari", "O * .\nX . .\n. . .") == 0
    assert ask("atari", "O X . .\n. . . .\n. . . *\n. . . .") == 0
    assert ask("atari", "* O .\nO . .\n. . .") == 0


def test_threatens_the_most_that_one_more_move_takes():
    assert ask("threatens", "O O * .\n. X . .\n. . . .\n. . . .") == 2
    assert ask("threatens", ". . * .\n. . . .\n. . . .\n. . . .") == 0


def test_threatens_counts_two_chains_that_fall_together():
    assert (
        ask(
            "threatens",
            """
        X O . O X
        . X . X .
        . . . . .
        . . . . .
        . . . . *
    """,
        )
        == 2
    )


def test_threatens_takes_the_larger_of_two():
    assert (
        ask(
            "threatens",
            """
        . X . . .
        X O X X .
        . . * O X
        . X O O X
        . . X . .
    """,
        )
        == 3
    )
    assert ask("threatens", "* O .\nO . .\n. . .") == 0


def test_ko_when_one_stone_takes_one():
    assert ask("ko", ". X O .\nX O * O\n. X O .\n. . . .") == 1
    assert ask("ko", "O * O .\nX O . .\n. . . .\n. . . .") == 1


def test_ko_is_not_a_larger_capture_or_retake():
    assert ask("ko", ". X X O .\nX O O * O\n. X X O .\n. . . . .\n. . . . .") == 0
    assert ask("ko", ". X O O .\nX O * X O\n. X O O .\n. . . . .\n. . . . .") == 0
    assert ask("ko", "O * .\nX . .\n. . .") == 0
    assert ask("ko", "* . .\n. . .\n. . .") == 0


def test_their_legal_looks_through_their_eyes_without_ko():
    assert ask("their_legal", "* X .\nX . .\n. . .") == 0
    assert ask("their_legal", "* O .\nO . .\n. . .") == 1
    assert ask("their_legal", "* X O\nX O .\nO . .") == 1


def test_their_captures_counts_own_stones_that_would_fall():
    assert ask("their_captures", "X * X\nO . O\n. . .") == 2
    assert ask("their_captures", "X * .\n. . .\n. . .") == 0
    assert ask("their_captures", "* X .\nX . .\n. . .") == 0


def test_their_liberties_after_their_move():
    assert ask("their_liberties", ". * .\n. O .\n. . .") == 5
    assert ask("their_liberties", "* X .\nX . .\n. . .") == 0
    assert ask("their_liberties", "X * X\nO . O\n. . .") == 3


@pytest.mark.parametrize("fact", ["captures", "own_liberties", "atari", "ko", "their_captures", "their_liberties"])
@pytest.mark.parametrize("stone", "xo")
def test_a_move_on_a_stone_answers_0(fact, stone):
    assert ask(fact, f"{stone} O .\n. . .\n. . .") == 0
