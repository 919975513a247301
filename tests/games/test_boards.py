"""Tests of drawn and parsed boards, and of a diagram's images with rotated edges and labels."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from littlego.games.boards import (
    BoardError,
    board_rows,
    board_text,
    diagram_images,
    mark_points,
    move_text_both,
    parse_board,
    turn_rows,
)
from littlego.rules.matching import parse_shape, placements
from littlego.rules.position import PASS, RESIGN


@st.composite
def boards(draw):
    """Draw a board of any size as (size, black, white)."""
    size, rng = draw(st.integers(2, 19)), draw(st.randoms())
    cells = [rng.choice(".XO") for _ in range(size * size)]
    black = sum(1 << point for point, cell in enumerate(cells) if cell == "X")
    white = sum(1 << point for point, cell in enumerate(cells) if cell == "O")
    return size, black, white


@given(boards())
@settings(deadline=None)
def test_a_board_in_rows_reads_back(board):
    rows = board_rows(*board)
    assert parse_board("\n".join(rows)) == board
    assert parse_board("\n".join(" ".join(row) for row in rows)) == board


@given(boards(), st.data())
@settings(deadline=None)
def test_a_drawn_board_reads_back_with_and_without_its_move(board, data):
    assert parse_board(board_text(*board)) == board
    move = data.draw(st.integers(0, board[0] ** 2 - 1))
    assert parse_board(board_text(*board, move)) == board


@given(boards(), st.data())
@settings(deadline=None)
def test_marks_stand_on_their_points_and_nowhere_else(board, data):
    size = board[0]
    points = data.draw(st.sets(st.integers(0, size * size - 1), max_size=5))
    move = data.draw(st.none() | st.integers(0, size * size - 1))
    drawn = board_text(*board, move)
    marked = mark_points(drawn, points, "#")
    changed = [at for at, (one, other) in enumerate(zip(drawn, marked, strict=True)) if one != other]
    assert len(changed) == len(points) == marked.count("#")
    rows = parse_board(marked.replace("#", "X"))[1]
    assert rows == board[1] | sum(1 << point for point in points)


LETTERED = """\
                       1 1
   0 1 2 3 4 5 6 7 8 9 0 1
   A B C D E F G H J K L M
 0 . . . . . . . . . . . . 12
 1 . . . . . . . . . . . . 11
 2 . . . . . . . . . . . . 10
 3 . . . X . . . . O . . .  9
 4 . . . . . . . . . . . .  8
 5 . . . . . . . . . . . .  7
 6 . . . . . . . . . . . .  6
 7 . . . . . . . . . . . .  5
 8 . . . . . . . . . . . .  4
 9 . . . . . . . . . . . .  3
10 . . . . . . . . . . . .  2
11 . . . . . . . . . . .(X) 1
   A B C D E F G H J K L M"""


def test_a_board_above_9_has_the_letters_and_numbers_of_go_diagrams_too():
    black, white = 1 << 3 * 12 + 3 | 1 << 143, 1 << 3 * 12 + 8
    assert board_text(12, black, white, 143) == LETTERED
    assert parse_board(LETTERED) == parse_board("\n" + LETTERED.replace("\n", " \r\n")) == (12, black, white)
    for size in range(10, 20):
        assert max(map(len, board_text(size, 0, 0).splitlines())) <= 45


def test_a_board_above_9_that_was_drawn_without_letters_reads_back():
    """Older versions drew boards without letters."""
    rows = ["   0 1 2 3 4 5 6 7 8 9 0"] + [f"{row:2} " + " ".join("." * 10 + "O") for row in range(11)]
    assert parse_board("\n".join(rows)) == (11, 0, sum(1 << 11 * row + 10 for row in range(11)))


def test_a_move_on_a_board_with_letters_is_spelled_both_ways():
    assert move_text_both(3 * 19 + 15, 19) == "3,15 (Q16)" and move_text_both(13, 10) == "1,3 (D9)"
    assert move_text_both(13, 9) == "1,4" and move_text_both(PASS, 19) == "PASS"
    assert move_text_both(RESIGN, 19) == "resigns"


def test_coordinates_and_the_marked_move():
    assert board_text(3, 0b10, 0b100, 1) == "   0 1 2\n 0 .(X)O\n 1 . . .\n 2 . . ."


def test_marking_a_move_changes_nothing_else():
    plain, marked = board_text(5, 1 << 24, 1, None), board_text(5, 1 << 24, 1, 24)
    assert marked.replace("(", " ").replace(")", "") == plain


BAD = [
    (". .\n. . .", 1, None, "row 1 has 3 points, expected 2"),
    (". .\n. Q", 1, 1, "unknown symbol 'Q', expected X, O or ."),
    ("", None, None, "a board has 2 to 19 rows, found 0"),
    ("X", None, None, "a board has 2 to 19 rows, found 1"),
    ("X . . . .", None, None, "1 row of 5 points, expected 5 rows: a board is square"),
    ("X . . . .\n. . . . .", None, None, "2 rows of 5 points, expected 5 rows: a board is square"),
    (". .\n" * 5, None, None, "5 rows of 2 points, expected 2 rows: a board is square"),
    ("hello", 0, 0, "unknown symbol 'h', expected X, O or ."),
    (". О\n. .", 0, 1, r"unknown symbol 'О' \(U\+041E CYRILLIC CAPITAL LETTER O instead of `O`\), expected X, O or ."),
    (". ●\n. .", 0, 1, r"unknown symbol '●' \(U\+25CF BLACK CIRCLE\), expected X, O or ."),
]


@pytest.mark.parametrize(("drawn", "row", "column", "message"), BAD)
def test_a_bad_board_says_where(drawn, row, column, message):
    with pytest.raises(BoardError, match=message) as error:
        parse_board(drawn)
    assert (error.value.row, error.value.column) == (row, column)


@pytest.mark.parametrize(
    ("drawn", "count"),
    [("*", 1), ("X*", 4), ("*X*", 2), ("XX/X*", 4), ("XO/.*", 8), ("+-/|*", 4), ("--/X*", 8), ("XO/O*", 4)],
)
def test_symmetric_diagrams_have_fewer_images(drawn, count):
    found = diagram_images(drawn.split("/"))
    assert len(found) == count
    assert found[0] == (tuple(drawn.split("/")), ())


def test_the_eight_images_of_a_drawing_with_edges():
    rows = ["+--", "|XO", "|.*"]
    assert [list(turn_rows(rows, symmetry)) for symmetry in range(8)] == [
        ["+--", "|XO", "|.*"],
        ["--+", "OX|", "*.|"],
        ["|.*", "|XO", "+--"],
        ["*.|", "OX|", "--+"],
        ["+--", "|X.", "|O*"],
        ["--+", ".X|", "*O|"],
        ["|O*", "|X.", "+--"],
        ["*O|", ".X|", "--+"],
    ]
    assert turn_rows([], 3) == ()


def test_edges_and_labels_turn_with_the_stones():
    found = diagram_images(["+--", "|O*"], ["...", ".A."])
    assert (("--+", "*O|"), ("...", ".A.")) in found
    assert (("|*", "|O", "+-"), ("..", ".A", "..")) in found
    assert len(found) == 8


def test_labels_alone_tell_images_apart():
    assert len(diagram_images(["X*X"])) == 2
    assert len(diagram_images(["X*X"], ["A.."])) == 4


def test_no_diagram_has_one_image():
    assert diagram_images([]) == [((), ())]


@given(st.lists(st.text("XO.xo?", min_size=3, max_size=3), min_size=1, max_size=4))
def test_images_fit_exactly_where_the_player_finds_the_pattern(rows):
    """The player's placements, which use symmetries, equal the placements of all drawn images."""
    expected = {placed[:2] for placed in placements(parse_shape(rows), 5)}
    found = {
        placed[:2]
        for image, _ in diagram_images(rows)
        for placed in placements(parse_shape(image), 5)
        if not placed[2] & 7
    }
    assert found == expected
