"""Tests of the pictures: valid XML with the requested stones, marks and words, and without overlaps."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.engines.draw.svg import HALF, MARKS, PITCH, RIM, draw_board, draw_pattern
from littlego.games.boards import parse_board
from littlego.games.handicap import fixed_handicap
from littlego.rules.position import PASS

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = """
    . . X . .
    . X O X .
    . . . . .
    O . . . .
    . . . . X
"""


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def group(picture: str, css_class: str) -> list[ElementTree.Element]:
    """Return the shapes in all groups of a CSS class."""
    return [shape for found in parsed(picture).iter(SVG + "g") if found.get("class") == css_class for shape in found]


def stones(picture: str, css_class: str, rim: int = RIM) -> set[tuple[int, int]]:
    """Return (row, column) of the full-size stones of a CSS class, computed from their coordinates."""
    shapes = [shape for shape in group(picture, css_class) if shape.tag == SVG + "circle"]
    return {((int(one.get("cy")) - rim) // PITCH, (int(one.get("cx")) - rim) // PITCH) for one in shapes}


def texts(picture: str) -> list[str]:
    return [found.text for found in parsed(picture).iter(SVG + "text")]


@given(st.integers(2, 19), st.booleans(), st.randoms())
def test_the_stones_of_any_board_are_where_they_were_put(size, coordinates, rng):
    spots = [divmod(point, size) for point in range(size * size)]
    colour = {spot: rng.choice("XO.") for spot in spots}
    masks = (sum(1 << size * row + column for (row, column) in spots if colour[row, column] == own) for own in "XO")
    picture = draw_board(size, *masks, coordinates=coordinates)
    for symbol, css_class in (("X", "go-black"), ("O", "go-white")):
        expected = {spot for spot in spots if colour[spot] == symbol}
        assert stones(picture, css_class, RIM if coordinates else 0) == expected


@pytest.mark.parametrize("size", [9, 11, 12, 13, 18, 19])
def test_star_points_in_the_corners_are_the_points_of_handicap_stones(size):
    dots = next(line.get("d") for line in group(draw_board(size, 0, 0), "go-lines") if line.get("stroke-linecap"))
    drawn = [tuple((int(one) - HALF) // PITCH for one in dot.split("h")[0].split()) for dot in dots.split("M")[1:]]
    assert {divmod(point, size) for point in fixed_handicap(size, 4)} <= set(drawn)
    assert len(drawn) == (9 if size == 19 else 5 if size % 2 else 4)


def test_a_move_is_a_star_on_an_empty_point_and_a_ring_on_a_stone():
    drawn = parse_board(DRAWN)
    assert stones(draw_board(*drawn, move=12), "go-move") == {(2, 2)}
    assert not group(draw_board(*drawn, move=12), "go-mark")
    assert not group(draw_board(*drawn, move=2), "go-move")
    assert [ring.get("d") for ring in group(draw_board(*drawn, move=2), "go-mark")] == [MARKS["ring"]]
    assert [dot.get("d") for dot in group(draw_board(*drawn, last=2), "go-mark")] == [MARKS["dot"]]


@pytest.mark.parametrize("nowhere", [None, PASS])
def test_no_move_and_a_pass_mark_nothing(nowhere):
    picture = draw_board(*parse_board(DRAWN), move=nowhere, last=nowhere)
    assert not group(picture, "go-move") and not group(picture, "go-mark")


def test_marks_labels_and_heat_are_drawn_once_each():
    marks = {point: name for point, name in zip((0, 1, 2, 6, 7), MARKS, strict=True)}
    picture = draw_board(*parse_board(DRAWN), marks=marks, labels={3: "A", 4: "307"}, heat={20: 0.5, 21: 0.0, 22: 7.0})
    assert {shape.get("d") for shape in group(picture, "go-mark")} == set(MARKS.values())
    assert {"A", "307"} <= set(texts(picture))
    assert [square.get("opacity") for square in group(picture, "go-heat")] == ["0.38", "0.75"]


def test_rows_and_columns_are_numbered_from_zero():
    assert texts(draw_board(3, 0, 0)) == ["0", "1", "2"] * 2
    assert texts(draw_board(3, 0, 0, coordinates=False)) == []


@given(st.text(), st.text())
def test_any_text_is_escaped(title, label):
    picture = parsed(draw_board(5, 0, 0, title="T" + title, labels={0: label}, coordinates=False))
    known = title.replace("\r\n", "\n").replace("\r", "\n")  # XML parsers normalize line ends to LF
    assert len(picture.find(SVG + "title").text) == len("T" + known)
    assert len(list(picture.iter())) == len(
        list(parsed(draw_board(5, 0, 0, labels={0: "A"}, coordinates=False)).iter())
    )


def test_without_a_title_the_board_is_told_in_words():
    title = parsed(draw_board(*parse_board(DRAWN), move=12)).find(SVG + "title").text
    assert title == "board ..X.. / .XOX. / ..... / O.... / ....X, move 2,2"
    assert parsed(draw_board(3, 0, 0)).get("role") == "img"


def test_a_board_is_small_and_many_fit_on_a_page():
    full = draw_board(5, 0x1555555, 0x0AAAAAA, marks={0: "ring"}, labels={1: "A"}, heat={2: 1.0})
    assert len(full.encode()) < 3000
    assert " id=" not in full and "url(" not in full and "<style" not in full


def test_a_pattern_shows_every_symbol():
    picture = draw_pattern(["XO.", "xo?", "..*"], ["A..", "B..", "..C"])
    assert stones(picture, "go-move", 0) == {(2, 2)}
    assert [shape.tag for shape in group(picture, "go-black")] == [SVG + "circle", SVG + "g"]  # a whole stone, a half
    assert [shape.tag for shape in group(picture, "go-white")] == [SVG + "circle", SVG + "g"]
    assert [veil.get("x") + "," + veil.get("y") for veil in group(picture, "go-ground")] == [f"{2 * PITCH},{PITCH}"]
    assert texts(picture) == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("rows", "edges"),
    [
        (["O*", "X?"], None),
        (["--", "O*"], f"M0 10H{2 * PITCH}"),
        (["O*", "--"], f"M0 10H{2 * PITCH}"),
        (["|O*"], f"M10 0V{PITCH}"),
        (["O*|"], f"M30 0V{PITCH}"),
        (["+--", "|O*", "|X?"], f"M10 10H{2 * PITCH}M10 10V{2 * PITCH}"),
    ],
)
def test_the_edges_of_the_board_are_thick_and_lines_end_there(rows, edges):
    thick = [path.get("d") for path in group(draw_pattern(rows), "go-lines") if path.get("stroke-width")]
    assert thick == ([edges] if edges else [])


def test_a_pattern_without_a_diagram_is_one_point_of_any_kind():
    assert len(group(draw_pattern([]), "go-ground")) == 1


def test_the_same_picture_every_time_whatever_the_order():
    drawn = parse_board(DRAWN)
    one = draw_board(*drawn, marks={0: "ring", 1: "cross"}, labels={3: "A", 4: "B"}, heat={20: 1, 21: 0.5})
    assert one == draw_board(*drawn, marks={1: "cross", 0: "ring"}, labels={4: "B", 3: "A"}, heat={21: 0.5, 20: 1})
