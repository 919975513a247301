"""Tests of facts that read ahead: ladders, rescues, and snapbacks.

X is to move, x and o mark the fact's chain, and * is the move.
"""

from __future__ import annotations

from boards import ask

LADDER = """
    . . X . . . .
    . X o * . . .
    . X . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


def test_ladder_drives_the_chain_to_the_edge():
    assert ask("ladder", LADDER) == 1


def test_ladder_from_the_wrong_side_fails():
    wrong = LADDER.replace("o *", "o .").replace("X . . . . .", "X * . . . .", 1)
    assert ask("ladder", wrong.replace(". . X * . . .", ". . X . . . .")) == 0


def test_ladder_needs_an_atari_with_the_move():
    assert ask("ladder", LADDER.replace("*", ".").replace("    . . . . . . .\n", "    . . . . . . *\n", 1)) == 0


def test_ladder_stops_at_a_breaker_and_not_at_a_stone_of_the_attacker():
    path = LADDER.split("\n")
    path[5] = "    . . . . O . ."
    assert ask("ladder", "\n".join(path)) == 0
    path[5] = "    . . . . X . ."
    assert ask("ladder", "\n".join(path)) == 1
    path[5] = "    . . O . . . ."
    assert ask("ladder", "\n".join(path)) == 0
    path[5] = "    O . . . . . ."
    assert ask("ladder", "\n".join(path)) == 1


def test_ladder_ends_where_the_prey_captures_an_attacker():
    board = """
        . O X . . . .
        O X o * . . .
        O X . . . . .
        . O . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    """
    assert ask("ladder", board) == 0
    assert ask("ladder", board.replace("O", ".")) == 1


def test_ladder_along_the_edge_needs_no_stones_in_front():
    assert (
        ask(
            "ladder",
            """
        . . . . .
        . . . . .
        . . . . .
        . X X * .
        X o o . .
    """,
        )
        == 1
    )


def test_ladder_on_the_edge_fails_with_friends_in_the_way():
    assert (
        ask(
            "ladder",
            """
        . . . . .
        . . . . .
        . . . O O
        . X X * O
        X o o . O
    """,
        )
        == 0
    )


def test_ladder_that_is_bent_twice_and_ends_on_the_far_edge():
    """The stone on the right turns the ladder, which later passes a stone of O that does not help."""
    board = """
        . . X . . . . . .
        . X o * . . . . .
        . X . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . X
        . . . . . . . . .
        . . . . . . . . .
        . . . . . O . . .
    """
    assert ask("ladder", board) == 1
    assert ask("ladder", board.replace(". . . . . O . . .", ". . . . O O . . .")) == 1


def test_ladder_says_1_for_a_chain_that_the_move_takes():
    assert ask("ladder", "o * .\nX . .\n. . .") == 1


def test_ladder_of_several_chains_asks_that_each_is_caught():
    taken_and_free = ["o X . . .", "* . . . .", ". . . . .", ". . . . .", ". . . . o"]
    assert ask("ladder", "\n".join(taken_and_free)) == 0
    assert ask("ladder", "\n".join(row[::-1] for row in reversed(taken_and_free))) == 0
    both_caught = ["o X . X o", "* . . X .", ". . . . X", ". . . . .", ". . . . ."]
    assert ask("ladder", "\n".join(both_caught)) == 1


def test_ladder_says_0_for_an_illegal_move_and_for_an_empty_label():
    assert ask("ladder", "* O .\nO . .\n. . o") == 0
    assert ask("ladder", "* . .\n. . .\n. . .") == 0


def test_ladder_on_own_chain_asks_whether_they_catch_it():
    board = """
        . . O . .
        . O x a .
        . O . . .
        . . . . .
        b . . . .
    """
    assert ask("ladder", board.replace("b", "*").replace("a", ".")) == 1
    assert ask("ladder", board.replace("b", ".").replace("a", "*")) == 0


def test_ladder_after_a_pass():
    assert ask("ladder", "x O .\n. . .\n. . .") == 1
    assert ask("ladder", "o X .\n. X .\nX . .") == 1
    assert (
        ask(
            "ladder",
            """
        . . X . .
        . X o X .
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 0
    )


def test_doomed_chain_in_the_corner_and_one_that_can_run():
    assert ask("doomed", "x O .\n. O .\nO . .") == 1
    assert (
        ask(
            "doomed",
            """
        . . O . .
        . O x O .
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 0
    )


def test_doomed_is_0_without_atari():
    assert ask("doomed", "x . .\n. . .\n. . .") == 0
    assert ask("doomed", ". . .\n. . .\n. . .") == 0


def test_doomed_chain_that_is_laddered_unless_a_friend_waits():
    board = """
        . . O O . .
        . O x . O .
        . O . . . .
        . . . . . .
        . . . . . .
        . . . . . .
    """
    assert ask("doomed", board) == 0
    atari = board.replace("O x . O", "O x O .")
    assert ask("doomed", atari) == 1
    assert (
        ask(
            "doomed",
            atari.replace(
                "    . . . . . .\n        . . . . . .\n        . . . . . .",
                """\
    . . . . . .
        . . . . X .
        . . . . . .""",
            ),
        )
        == 0
    )


def test_doomed_is_0_where_capturing_an_attacker_saves():
    board = """
        x O X . .
        . O X . .
        O X . . .
        . . . . .
        . . . . .
    """
    assert ask("doomed", board) == 0
    assert ask("doomed", board.replace("O X . . .", "O . . . .")) == 1


def test_doomed_is_0_where_the_pursuer_runs_out_of_liberties_himself():
    """If O plays on the right, its two stones there have one liberty, on the left, and X captures them."""
    assert ask("doomed", ". O .\nO x .\n. O .") == 0


def test_doomed_looks_at_their_chains_as_if_they_were_to_move():
    assert ask("doomed", "o X .\n. X .\nX . .") == 1
    assert (
        ask(
            "doomed",
            """
        . . X . .
        . X o X .
        . . . . .
        . . . . .
        . . . . .
    """,
        )
        == 0
    )


def test_doomed_respects_the_ko_ban():
    """x cannot extend, and the ko forbids the capture at k, which alone would save x."""
    board = """
        . O x X O
        O k O X O
        X O X X O
        . . O . O
        . . . O .
    """
    assert ask("doomed", board.replace("k", ".")) == 0
    assert ask("doomed", board) == 1


def test_saves_by_extending_and_not_when_still_caught():
    assert (
        ask(
            "saves",
            """
        . . O . .
        . O X O .
        . . * . .
        . . . . .
        . . . . .
    """,
        )
        == 1
    )
    assert ask("saves", "X O .\n* O .\nO . .") == 0


def test_saves_by_capturing_the_attackers():
    assert (
        ask(
            "saves",
            """
        X O X . .
        * O X . .
        . X . . .
        . . . . .
        . . . . .
    """,
        )
        == 1
    )


def test_saves_counts_every_chain_that_is_saved():
    board = """
        . O . O .
        O X * X O
        . O X O .
        . . X . .
        . . . . .
    """
    assert ask("saves", board) == 2
    assert ask("saves", board.replace(". . X . .", ". . O . .")) == 0


def test_saves_counts_only_what_was_in_atari():
    assert ask("saves", "X X *\n. . .\n. . .") == 0
    assert ask("saves", "* O .\nO . .\n. . X") == 0


SNAPBACK = """
    X O * . X
    X O O O X
    . X X X .
    . . . . .
    . . . . .
"""


def test_snapback_counts_stones_taken_less_the_bait():
    assert ask("snapback", SNAPBACK) == 4
    assert (
        ask(
            "snapback",
            """
        . X X X . .
        X O O * . X
        X X X O X .
        . . . X . .
        . . . . . .
        . . . . . .
    """,
        )
        == 0
    )


def test_snapback_on_two_chains_that_the_capturing_stone_joins():
    assert (
        ask(
            "snapback",
            """
        X O * O X
        X O . O X
        . X X X .
        . . . . .
        . . . . .
    """,
        )
        == 4
    )


def test_snapback_is_none_if_the_capture_gains_a_liberty():
    assert ask("snapback", SNAPBACK.replace(". X\n    X O O O X", ". .\n    X O O O X")) == 0


def test_snapback_is_none_if_the_answer_is_a_ko():
    assert (
        ask(
            "snapback",
            """
        . O X .
        O * . X
        . O X .
        . . . .
    """,
        )
        == 0
    )


def test_snapback_is_none_for_illegal_moves_and_for_stones_that_cannot_be_taken():
    assert ask("snapback", "* O .\nO . .\n. . .") == 0
    assert ask("snapback", "* . .\n. . .\n. . .") == 0


CONFINED = """
    X X . X .
    O X X . .
    . . O . .
    O * . O .
    . . . O .
"""


def test_takes_in_3_counts_stones_that_cannot_escape_after_the_move():
    assert ask("takes_in_3", CONFINED) == 2
    assert ask("takes_in_3", CONFINED.replace("*", ".").replace(". . . O .", ". * . O .", 1)) == 0


def test_takes_in_3_counts_stones_captured_at_once_that_could_have_run():
    board = """
        . X O X .
        . . * . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert ask("takes_in_3", board) == 1
    assert ask("takes_in_3", board.replace("*", "k", 1)) == 0


def test_takes_in_3_does_not_confuse_boards_of_different_sizes():
    """On both boards, X has the points 0 and 2, O has the point 1, and the move is 3."""
    assert ask("takes_in_3", "X O X\n* . .\n. . .") == 0
    assert ask("takes_in_3", "X O\nX *") == 0


def test_takes_in_3_is_0_for_stones_that_fall_anyway():
    board = """
        O O X . .
        O X X . .
        * X . . .
        X . . . .
        . . . . .
    """
    assert ask("captures", board) == 3 and ask("takes_in_3", board) == 0


def test_guards_in_3_counts_own_stones_that_the_move_saves_or_gives_away():
    board = """
        . O X O .
        . . * . .
        . . . . .
        . . . . .
        . . . . .
    """
    assert ask("guards_in_3", board) == 1
    assert ask("guards_in_3", board.replace("*", ".").replace(". . . . .", ". . . . *", 1)) == 0
    thrown_in = """
        . * O . .
        X O . . .
        O . . . .
        . . . . .
        . . . . .
    """
    assert ask("guards_in_3", thrown_in) == -1


def test_played_out_counts_the_lead_after_the_last_move():
    board = """
        . X X X O
        X X X O O
        X X X O .
        X X O O O
        * X O O .
    """
    assert ask("played_out", board, left=1) == 2 * (13 - 9) - 5
    assert ask("played_out", board, left=2) == 2 * (0 - 10) - 5  # the corner takes all X


def test_played_out_is_0_in_a_game_without_a_limit():
    assert ask("played_out", CONFINED, left=1 << 20) == 0
