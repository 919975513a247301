"""Boards as text, both ways, and a diagram's images: as many as its symmetry leaves, edges and labels turned too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.matching import parse_shape, placements
from tools.draw.boards import BoardError, board_rows, board_text, diagram_images, parse_board, turn_rows


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
    ("X", None, None, "a board has 2 to 19 rows, this one has 1"),
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
    """The player's placements, made from the symmetries, are those of the images, each placed unturned."""
    expected = {placed[:2] for placed in placements(parse_shape(rows), 5)}
    found = {
        placed[:2]
        for image, _ in diagram_images(rows)
        for placed in placements(parse_shape(image), 5)
        if not placed[2] & 7
    }
    assert found == expected
