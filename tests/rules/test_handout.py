"""Tests of the rules in the course handout, on drawn boards."""

from __future__ import annotations

import pytest
from boards import drawn, position, stones

from littlego.rules.geometry import count
from littlego.rules.position import BLACK, PASS, WHITE, from_boards, margin2, opening, winner_of
from littlego.rules.ruleset import LITTLE_GO, little_go


def test_figure_2_coordinates_run_down_then_right_from_the_top_left():
    rows = ("00110", "00210", "00200", "02000", "00000")
    board = drawn("""
        . . X X .
        . . O X .
        . . O . .
        . O . . .
        . . . . .
    """)
    for i, row in enumerate(rows):
        for j, digit in enumerate(row):
            bit = 1 << 5 * i + j
            assert (board.own & bit != 0, board.theirs & bit != 0) == (digit == "1", digit == "2")
    corners = drawn("""
        * . . . a
        . . . . .
        . . . . .
        . . . . .
        b . . . k
    """).marks
    assert (corners["*"], corners["a"], corners["b"], corners["k"]) == (1, 1 << 4, 1 << 20, 1 << 24)


def test_input_of_the_handout_reads_as_a_position_without_ko():
    before = stones("""
        . . X X .
        . . O X .
        . . O . .
        . O . . .
        . . . . .
    """)
    now = stones("""
        . . X X .
        . . O X .
        . . O . .
        . O . X .
        . . . . .
    """)
    read = from_boards(LITTLE_GO, before, now, WHITE, 17)
    assert (read.colour, read.ko, read.passed, read.left) == (WHITE, 0, False, 17)
    assert count(read.legal()) == 18


CAPTURES = {
    "example 1: a white stone with black on all four sides": (
        """
        . . . . .
        . . X . .
        . X O * .
        . . X . .
        . . . . .
        """,
        """
        . . . . .
        . . X . .
        . X . X .
        . . X . .
        . . . . .
        """,
    ),
    "example 2: three white stones fall as one group": (
        """
        . . X . .
        . X O X .
        . X O O X
        . . X * .
        . . . . .
        """,
        """
        . . X . .
        . X . X .
        . X . . X
        . . X X .
        . . . . .
        """,
    ),
    "example 3: one move takes two groups": (
        """
        . X X . .
        X O O X .
        . X * O X
        . . X X .
        . . . . .
        """,
        """
        . X X . .
        X . . X .
        . X X . X
        . . X X .
        . . . . .
        """,
    ),
    "example 4: the capturing stone has no liberty until the captured ones are gone": (
        """
        * O X . .
        O O X . .
        X X . . .
        . . . . .
        . . . . .
        """,
        """
        X . X . .
        . . X . .
        X X . . .
        . . . . .
        . . . . .
        """,
    ),
}


@pytest.mark.parametrize("before, after", CAPTURES.values(), ids=CAPTURES)
def test_captures(before, after):
    move = drawn(before).marks["*"]
    start = position(before)
    assert start.legal() & move
    end = start.play(move.bit_length() - 1)
    assert (end.black, end.white) == stones(after)


def test_no_suicide_of_a_stone_or_of_a_group():
    start = position("""
        * O . . .
        O . . O O
        . . O X X
        . . O X a
        . . . O O
    """)
    assert start.legal() & 1 == 0
    assert not start.legal() & 1 << 19
    assert position("* X\nO .").legal() & 1


KO_SHAPES = {
    "in the middle": """
        . . . . .
        . X O . .
        X o a O .
        . X O . .
        . . . . .
        """,
    "on the side": """
        X o a O .
        . X O . .
        . . . . .
        . . . . .
        . . . . .
        """,
    "in the corner": """
        o a O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
}


@pytest.mark.parametrize("shape", KO_SHAPES.values(), ids=KO_SHAPES)
def test_ko_may_not_be_retaken_at_once_but_one_turn_later(shape):
    """Black's move at a captures the stone at o; an immediate recapture would repeat the previous board."""
    marks = drawn(shape).marks
    a, o = marks["a"].bit_length() - 1, marks["o"].bit_length() - 1
    start = position(shape)
    taken = start.play(a)
    assert start.white >> o & 1 and not taken.white >> o & 1
    assert taken.ko == 1 << o and not taken.legal() >> o & 1
    elsewhere = taken.play(24).play(23)
    assert elsewhere.ko == 0 and elsewhere.legal() >> o & 1
    assert taken.play(PASS).play(PASS).legal() >> o & 1
    retaken = elsewhere.play(o)
    assert not retaken.black >> a & 1 and retaken.ko == 1 << a


def test_ten_white_stones_beat_twelve_black_ones():
    end = position("""
        X X X X X
        X X X X X
        X X . . .
        O O O O O
        O O O O O
    """)
    assert (count(end.black), count(end.white), margin2(end), winner_of(end)) == (12, 10, -1, WHITE)
    assert count(end.white) + end.ruleset.komi2 / 2 == 12.5
    ahead = position("""
        X X X X X
        X X X X X
        X X X . .
        O O O O O
        O O O O O
    """)
    assert (margin2(ahead), winner_of(ahead)) == (1, BLACK)


def test_black_plays_first_on_an_empty_board_of_25_points():
    start = opening(LITTLE_GO)
    assert (start.colour, start.black, start.white, start.ko, start.left, start.number) == (BLACK, 0, 0, 0, 24, 1)
    assert count(start.legal()) == 25


@pytest.mark.parametrize("size", range(2, 20))
def test_komi_is_half_the_size_and_a_game_has_one_move_less_than_points(size):
    rules = little_go(size)
    assert (rules.komi2 / 2, rules.length) == (size / 2, size * size - 1)


def test_even_sizes_can_be_drawn_and_odd_ones_cannot():
    tie = position("""
        X X X .
        . . . O
        . . . .
        . . . .
    """)
    assert margin2(tie) == 0 and winner_of(tie) == 0
    for size in range(3, 20, 2):
        assert little_go(size).komi2 % 2 == 1


def test_two_passes_end_the_game_and_so_does_the_last_move():
    start = opening(LITTLE_GO).play(12)
    assert not start.ends_with(PASS)
    assert start.play(PASS).ends_with(PASS)
    assert not start.play(PASS).ends_with(0)
    assert not start.play(PASS).play(0).ends_with(PASS)
    last = position(". X\nO .", left=1)
    assert last.ends_with(0) and last.ends_with(PASS)


def test_a_pass_as_the_very_first_move_ends_the_game_and_loses():
    start = opening(LITTLE_GO)
    assert start.ends_with(PASS)
    assert winner_of(start.play(PASS)) == WHITE
