"""Boards as text, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.draw.boards import BadBoard, board_rows, board_text, parse_board


@given(st.integers(2, 19), st.randoms())
def test_a_drawn_board_reads_back(size, rng):
    cells = [rng.choice(".XO") for _ in range(size * size)]
    black = sum(1 << point for point, cell in enumerate(cells) if cell == "X")
    white = sum(1 << point for point, cell in enumerate(cells) if cell == "O")
    rows = board_rows(size, black, white)
    assert parse_board("\n".join(rows)) == (size, black, white)
    assert parse_board("\n".join(" ".join(row) for row in rows)) == (size, black, white)


def test_coordinates_and_the_marked_move():
    assert board_text(3, 0b10, 0b100, 1) == "   0 1 2\n 0 .(X)O\n 1 . . .\n 2 . . ."


def test_marking_a_move_changes_nothing_else():
    plain, marked = board_text(5, 1 << 24, 1, None), board_text(5, 1 << 24, 1, 24)
    assert marked.replace("(", " ").replace(")", "") == plain


BAD = [
    (". .\n. . .", 1, None, "row 1 has 3 points, expected 2"),
    (". .\n. Q", 1, 1, "unknown symbol 'Q', expected X, O or ."),
    ("", None, None, "a board has 2 to 19 rows, this one has 0"),
]


@pytest.mark.parametrize(("drawn", "row", "column", "message"), BAD)
def test_a_bad_board_says_where(drawn, row, column, message):
    with pytest.raises(BadBoard, match=message) as error:
        parse_board(drawn)
    assert (error.value.row, error.value.column) == (row, column)
