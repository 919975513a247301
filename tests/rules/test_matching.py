"""Tests of a drawn shape's placements, on drawn boards and compared with a slow matcher."""

from __future__ import annotations

import struct
from random import Random

import pytest
from boards import drawn, state_of
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, boards
from slow_matching import Match, slow_matches

from littlego.games.boards import board_rows, turn_rows
from littlego.rules.facts import FACTS
from littlego.rules.geometry import SYMMETRIES
from littlego.rules.matching import (
    FITS,
    PACKED,
    Lanes,
    pack_placements,
    parse_shape,
    placements,
    point_bits,
    turned_sides,
)
from littlego.rules.position import PASS
from littlego.rules.programs import Reading, parse_program, run


def move_of(cells, bits):
    """Return the move's point in the packed `cells` of a placement, or -1 for a pass."""
    point = cells >> 3 + bits & (1 << bits) - 1
    return -1 if point == (1 << bits) - 1 else point


def matches(rows, label_rows, own, theirs, size) -> list[Match]:
    bits, word = point_bits(size), own | theirs << size * size
    field, found = (1 << bits) - 1, []
    letters = sum(letter.isupper() for row in label_rows for letter in row)
    placed = placements(parse_shape(rows, label_rows), size)
    fits = Lanes(size, *[[placement[column] for placement in placed] for column in (0, 1)]).fits(word)
    for (_, _, cells), fit in zip(placed, fits, strict=True):
        if fit == FITS:
            labels = tuple(cells >> 3 + bits * (2 + index) & field for index in range(letters))
            found.append(Match(cells & 7, cells >> 3 & field, move_of(cells, bits), labels))
    return found


@st.composite
def diagrams(draw):
    """Draw (rows, label rows) with up to 3x3 cells, at most one move, labels, and any of the four edges."""
    seed = Random(draw(SEEDS))
    height, width = seed.randint(1, 3), seed.randint(1, 3)
    cells = [[seed.choice("XXOO..xo???") for _ in range(width)] for _ in range(height)]
    if seed.random() < 0.9:
        cells[seed.randrange(height)][seed.randrange(width)] = "*"
    letters = [[seed.choice("ABC.....") for _ in range(width)] for _ in range(height)]
    left, right = seed.random() < 0.3, seed.random() < 0.15
    rows, labels = framed_rows(cells, left, right, "|"), framed_rows(letters, left, right, ".")
    if seed.random() < 0.3:
        rows.insert(0, framed_rows([["-"] * width], left, right, "+")[0])
        labels.insert(0, "." * len(rows[0]))
    if seed.random() < 0.15:
        rows.append(framed_rows([["-"] * width], left, right, "+")[0])
        labels.append("." * len(rows[0]))
    return rows, labels


def framed_rows(cells, left, right, mark):
    return [mark * left + "".join(row) + mark * right for row in cells]


@settings(max_examples=150, deadline=None)
@given(diagrams(), boards(3, 9))
def test_a_shape_is_found_wherever_it_lies_on_the_drawn_board(diagram, board):
    (rows, labels), (grid, own, theirs) = diagram, board
    size = grid[0]
    expected = slow_matches(rows, labels, board_rows(size, own, theirs), size)
    found = matches(rows, labels, own, theirs, size)
    assert set(found) <= expected  # the shape lies at each reported place
    assert {match[2:] for match in found} == {match[2:] for match in expected}  # conversely, no match is missing


@settings(max_examples=80, deadline=None)
@given(diagrams(), st.sampled_from([5, 7, 9]))
def test_images_that_mean_the_same_are_placed_once(diagram, size):
    rows, labels = diagram
    shape, field = parse_shape(rows, labels), point_bits(size)
    found = placements(shape, size)
    meanings = [(care, value, cells >> 3 + field) for care, value, cells in found]
    assert len(set(meanings)) == len(meanings)


@pytest.mark.parametrize("size", [5, 7, 9, 19])
def test_how_many_placements_there_are(size):
    corner, side, inside = 4, 4, size - 2
    assert len(placements(parse_shape(["*"]), size)) == size * size
    assert len(placements(parse_shape(["*X"]), size)) == 4 * size * (size - 1)
    assert len(placements(parse_shape(["X*X"]), size)) == 2 * size * inside
    assert len(placements(parse_shape(["X*O"]), size)) == 4 * size * inside
    assert len(placements(parse_shape(["?X.", "O*?", "??x"]), size)) == 8 * inside * inside
    assert len(placements(parse_shape(["+-", "|*"]), size)) == corner
    assert len(placements(parse_shape(["+--", "|*X"]), size)) == 2 * corner
    assert len(placements(parse_shape(["-", "*"]), size)) == side * (size - 1)
    assert len(placements(parse_shape(["--", "*X"]), size)) == 2 * side * (size - 1)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_shape_larger_than_the_board_has_no_place(size):
    assert placements(parse_shape(["?????", "??*??"]), size) == []
    assert placements(parse_shape(["+-----+", "|*    |".replace(" ", "?"), "+-----+"]), size) == []


def test_every_symmetry_of_a_crooked_shape_is_found_once():
    rows = ["X..", "O*."]
    found = placements(parse_shape(rows), 9)
    assert {cells & 7 for _, _, cells in found} == set(range(SYMMETRIES))
    assert all(sum(cells & 7 == symmetry for _, _, cells in found) == 7 * 8 for symmetry in range(SYMMETRIES))


def test_a_symmetric_shape_lies_once_in_each_place():
    board = drawn("""
        . . . . .
        . . X . .
        . X . X .
        . . X . .
        . . . . .""")
    found = matches(["?X?", "X*X", "?X?"], [], board.own, board.theirs, 5)
    assert found == [Match(0, 6, 12, ())]


def test_labels_tell_the_images_of_a_symmetric_shape_apart():
    board = drawn("""
        . . . . .
        . . . . .
        O . O . .
        . . . . .
        . . . . .""")
    found = matches(["O*O"], ["A.B"], board.own, board.theirs, 5)
    assert sorted(match.labels for match in found) == [(10, 12), (12, 10)]
    assert [match.labels for match in matches(["O*O"], ["A.."], board.own, board.theirs, 5)] == [(10,), (12,)]


def test_labels_keep_the_order_in_which_they_are_drawn():
    board = drawn("""
        . . . . .
        . . . . .
        . . . O .
        . . . X .
        . . . . O""")
    (found,) = matches(["O?", "X*", "?O"], ["A.", "B.", ".C"], board.own, board.theirs, 5)
    assert found.labels == (13, 18, 24)
    (mirrored,) = matches(["?O", "*X", "O?"], [".A", ".B", "C."], board.own, board.theirs, 5)
    assert mirrored.labels == (13, 18, 24) and mirrored.symmetry != 0


@pytest.mark.parametrize(
    "rows, moves",
    [
        (["--", "X*"], {1, 3}),
        (["+-", "|*"], {0, 4, 20, 24}),
        (["+-", "|.", "|X"], set()),
        (["|*"], {0, 1, 3, 4, 5, 9, 10, 14, 15, 19, 20, 21, 22, 23, 24}),
    ],
)
def test_edges_and_corners(rows, moves):
    board = drawn("""
        . . X . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .""")
    assert {match.move for match in matches(rows, [], board.own, board.theirs, 5)} - {PASS} == moves


def test_a_pass_without_a_diagram_applies_everywhere_once():
    assert placements(parse_shape([]), 5) == [(0, 0, (1 << 10) - 1 << 3 & ~0b11111000)]
    assert matches([], [], 0b1011, 0b10100, 5) == [Match(0, 0, PASS, ())]


def test_a_pass_may_have_a_diagram():
    board = drawn("""
        . X . . .
        X X . . .
        . . . . .
        . . . . .
        . . . . .""")
    found = matches(["+--", "|.X", "|XX"], ["...", ".E.", "..."], board.own, board.theirs, 5)
    assert {match[2:] for match in found} == {(PASS, (0,))}


@given(st.data(), st.sampled_from([3, 5, 7]))
def test_all_are_compared_at_once_as_they_are_one_by_one(data, size):
    """The words are random and may be invalid; each value differs from the masked word in at most one bit."""
    words = st.integers(0, (1 << 2 * size * size) - 1)
    word, cares = data.draw(words), data.draw(st.lists(words, max_size=9))
    bits = st.integers(0, 2 * size * size - 1)
    values = [word & care ^ data.draw(st.sampled_from([0, 1 << data.draw(bits)])) for care in cares]
    fits = Lanes(size, cares, values).fits(word)
    assert [fit == FITS for fit in fits] == [word & care == value for care, value in zip(cares, values, strict=True)]


def test_packed_placements_are_three_words_each():
    found = placements(parse_shape(["X*", "?O"], ["A.", ".."]), 5)
    data = pack_placements(found)
    assert len(data) == PACKED * len(found)
    assert [struct.unpack_from("<QQQ", data, PACKED * index) for index in range(len(found))] == found


# -- programs -------------------------------------------------------------------------------------------------

LADDERED = """
    . . . . .
    . x O . .
    . O . . .
    . X X . .
    . . . . ."""


def value(text, board=LADDERED, letters="", points=(), move=None):
    """Return a program's value with its labels on these points of a drawn board, and with this move."""
    board = drawn(board)
    bits = point_bits(board.size)
    nowhere = (1 << bits) - 1
    cells = 0
    for index, point in enumerate([0, nowhere if move is None else move, *points]):
        cells |= point << 3 + bits * index
    return run(parse_program(text, letters, bits), Reading(state_of(board), bits), cells)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("7", 7),
        ("-3", -3),
        ("3 neg", -3),
        ("0 neg", 0),
        ("2 3 +", 5),
        ("2 3 -", -1),
        ("2 3 *", 6),
        ("2 3 4 * +", 14),
        ("2 3 <", 1),
        ("3 3 <", 0),
        ("3 3 <=", 1),
        ("4 3 <=", 0),
        ("3 3 ==", 1),
        ("3 4 ==", 0),
        ("3 4 !=", 1),
        ("3 3 !=", 0),
        ("3 3 >=", 1),
        ("2 3 >=", 0),
        ("4 3 >", 1),
        ("3 3 >", 0),
        ("5 -2 and", 1),
        ("5 0 and", 0),
        ("0 0 or", 0),
        ("0 -2 or", 1),
        ("5 not", 0),
        ("0 not", 1),
        ("moves_left", 10),
        ("move_number 15 == lead 0 > and", 1),
    ],
)
def test_arithmetic(text, expected):
    found = value(text)
    assert found == expected and type(found) is int


def test_a_chain_label_means_the_whole_chain_and_a_point_label_the_point():
    assert value("~A size", letters="A", points=[16]) == 2
    assert value("~A size", letters="AA", points=[16, 6]) == 3  # one label may mark two chains
    assert value("~A size", letters="AA", points=[16, 17]) == 2  # one chain twice
    assert value("~A size", letters="A", points=[0]) == 0  # no chain there
    assert value("@A line @* line -", letters="A", points=[12], move=0) == 2
    assert value("~A ~B shared_liberties", letters="AB", points=[7, 11]) == 1
    assert value("~B liberties ~A liberties -", letters="AB", points=[6, 16]) == 5 - 2


def test_facts_about_a_chain_after_the_move_see_the_move():
    assert value("~A liberties_after", letters="A", points=[6], move=5) == 3
    assert value("~A liberties_after", letters="A", points=[6], move=24) == 2


def test_an_answer_is_found_once_for_each_move_and_arguments(monkeypatch):
    asked = []
    size, after = FACTS["size"].function, FACTS["liberties_after"].function
    monkeypatch.setattr(FACTS["size"], "function", lambda *a: asked.append("size") or size(*a))
    monkeypatch.setattr(FACTS["liberties_after"], "function", lambda *a: asked.append("after") or after(*a))
    steps = parse_program("~A size ~A liberties_after +", "A", 5)
    reading = Reading(state_of(drawn(LADDERED)), 5)
    for move in (5, 5, 0, 5):
        run(steps, reading, move << 8 | 6 << 13)
    assert sorted(asked) == ["after", "after", "size"]


@pytest.mark.parametrize(
    "text, error",
    [
        ("~A size", KeyError),
        ("@B line", KeyError),
        ("size", ValueError),
        ("@* ~C size", ValueError),
        ("nonsense", ValueError),
        ("@* size size", ValueError),
    ],
)
def test_programs_that_cannot_be_read_are_refused(text, error):
    with pytest.raises(error):
        parse_program(text, "C", 5)


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_a_turned_shape_is_the_shape_of_the_turned_drawing(symmetry):
    rows, labels = ["+--", "|*X", "|?O"], ["...", ".AB", "..C"]
    image = parse_shape(rows, labels).turned(symmetry)
    again = parse_shape(turn_rows(rows, symmetry), turn_rows(labels, symmetry))
    assert (image.height, image.width, image.edges) == (again.height, again.width, again.edges)
    assert sorted(image.cells) == sorted(again.cells) and sorted(image.labels) == sorted(again.labels)
    assert [letter for _, _, letter in image.labels] == ["A", "B", "C"]  # in the drawing's order


def test_turned_sides_return_after_four_quarter_turns():
    sides = ("top", "bottom", "left", "right")
    assert {turned_sides(sides, symmetry) for symmetry in range(SYMMETRIES)} >= {
        sides,
        ("left", "right", "top", "bottom"),
        ("bottom", "top", "right", "left"),
    }
    turned = sides
    for _ in range(4):
        turned = turned_sides(turned, 5)
    assert turned == sides
