"""Tests of the point names of Go programs: a column letter, never I, and the row from the bottom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.games.vertices import LETTERS, parse_vertex, vertex_text, vertices_text, with_vertices
from littlego.rules.position import PASS, RESIGN

BOARDS = st.integers(2, 19)
ON_BOARDS = BOARDS.flatmap(lambda size: st.tuples(st.integers(0, size * size - 1), st.just(size)))

KNOWN = [
    (0, 5, "A5"),
    (4, 5, "E5"),
    (20, 5, "A1"),
    (12, 5, "C3"),
    (8, 9, "J9"),
    (0, 19, "A19"),
    (18, 19, "T19"),
    (8, 19, "J19"),
    (360, 19, "T1"),
    (60, 19, "D16"),
]


@pytest.mark.parametrize(("point", "size", "vertex"), KNOWN, ids=[f"{size}-{vertex}" for _, size, vertex in KNOWN])
def test_known_vertices(point, size, vertex):
    assert vertex_text(point, size) == vertex
    assert parse_vertex(vertex, size) == parse_vertex(vertex.lower(), size) == point


@given(ON_BOARDS)
def test_every_point_is_read_as_it_is_written(named):
    point, size = named
    assert parse_vertex(vertex_text(point, size), size) == point


@given(st.text(max_size=4), BOARDS)
def test_what_is_read_is_written_the_same_but_for_its_case(text, size):
    point = parse_vertex(text, size)
    if point is not None:
        written = vertex_text(point, size)
        assert written.lower() == text.lower()
        assert point == PASS or 0 <= point < size * size


def test_columns_are_letters_without_i():
    assert len(LETTERS) == 25 and "I" not in LETTERS
    assert [vertex_text(18 * 19 + column, 19)[0] for column in range(19)] == list(LETTERS[:19])


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_a_pass_is_a_move(text):
    assert parse_vertex(text, 9) == PASS and vertex_text(PASS, 9) == "pass"


def test_resignation_is_written_alone():
    assert vertex_text(RESIGN, 9) == "resign" and parse_vertex("resign", 9) is None


NO_POINTS = ["", "A", "5", "I5", "A0", "A6", "F1", "AA1", "A1 ", " A1", "A1\n", "A01", "A-1", "A\u0663", "PA\u017fS"]


@pytest.mark.parametrize("text", NO_POINTS, ids=ascii)
def test_no_point_of_a_board_of_5(text):
    assert parse_vertex(text, 5) is None


@pytest.mark.parametrize("text", ["\u017f1", "\u212a1", "A1\u0663"], ids=ascii)
def test_letters_and_digits_that_only_look_or_fold_alike_are_none(text):
    assert parse_vertex(text, 19) is None  # a long s, a Kelvin sign, an Arabic digit 3


def test_a_list_of_moves():
    assert vertices_text([12, PASS, 0], 5) == "C3 pass A5" and vertices_text([], 5) == ""


TEXTS = [
    ("2,2 saves the stone at 1,1.", 5, "C3 saves the stone at B4."),
    ("(0,4), 4,0: both", 5, "(E5), A1: both"),
    ("10,18", 19, "T9"),
    ("5,1 is off the board, 4,1 is not", 5, "5,1 is off the board, B1 is not"),
    ("1,2,3 and 1.5,2 and 2,300 and 12,345", 19, "1,2,3 and 1.5,2 and 2,300 and 12,345"),
    ("1,1  a\n12,3  b", 19, "B18  a\nD7    b"),
    ("komi 2.5, 24 moves", 5, "komi 2.5, 24 moves"),
    ("\u0661,1", 5, "\u0661,1"),
]


@pytest.mark.parametrize(
    ("text", "size", "expected"), TEXTS, ids=[expected.encode("unicode_escape").decode() for *_, expected in TEXTS]
)
def test_points_in_a_text(text, size, expected):
    assert with_vertices(text, size) == expected


@given(ON_BOARDS)
def test_every_point_in_a_text(named):
    point, size = named
    row, column = divmod(point, size)
    assert with_vertices(f"at {row},{column}.", size) == f"at {vertex_text(point, size)}."
