"""Tests of the known shapes around a point, by a slow definition."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from large_states import drawn_state, match_positions

from littlego.engines.large import shapes
from littlego.engines.large.state import make_state
from littlego.games.match import match_rules
from littlego.rules.facts import FACTS
from littlego.rules.position import BLACK, Position


def slow_drawing(position: Position, point: int, ring: int) -> bytes:
    """Return the contents of the first cells around a point, in the image that sorts first."""
    size, other = position.ruleset.size, position.white if position.colour == BLACK else position.black
    drawings = []
    for symmetry in range(8):
        drawing = ""
        for cell in shapes.CELLS[:ring]:
            down, right = shapes.turned(cell, symmetry)
            row, column = point // size + down, point % size + right
            if not (0 <= row < size and 0 <= column < size):
                drawing += "#"
            else:
                bit = 1 << row * size + column
                drawing += "O" if other & bit else "." if not (position.black | position.white) & bit else "X"
        drawings.append(drawing.encode())
    return min(drawings)


def test_the_rings_have_equal_distances():
    assert shapes.CELLS[:4] == [(-1, 0), (0, -1), (0, 1), (1, 0)]
    assert len(set(shapes.CELLS)) == len(shapes.CELLS) == shapes.RINGS[-1] == 88
    assert shapes.RINGS[:3] == [4, 8, 12]
    for ring, end in enumerate(shapes.RINGS):
        start = shapes.RINGS[ring - 1] if ring else 0
        assert {shapes.distance(*cell) for cell in shapes.CELLS[start:end]} == {shapes.SMALLEST + ring}


def test_the_images_of_a_drawing():
    assert shapes.images(b"X...") == {b"X...", b".X..", b"..X.", b"...X"}
    assert shapes.images(b"....") == {b"...."}
    assert max(len(shapes.images(shape.drawing)) for shape in shapes.read_shapes(shapes.FILE)) == 8


def test_the_file_of_shapes():
    known = shapes.read_shapes(shapes.FILE)
    drawings = Counter(shape.drawing for shape in known)
    assert len(known) > 1000
    assert set(drawings.values()) == {1}
    for shape in known:
        assert len(shape.drawing) in shapes.RINGS
        assert shape.drawing == min(shapes.images(shape.drawing))
        assert 0 <= shape.played <= shape.seen
        assert abs(shape.points) <= shapes.MOST_POINTS
    assert [shape.points for shape in known] == sorted((shape.points for shape in known), reverse=True)


def test_the_points_agree_with_how_often_a_shape_is_played():
    often = [shape for shape in shapes.read_shapes(shapes.FILE) if shape.seen > 5000]
    chances = [shape.played / shape.seen for shape in often]
    assert sum(chances[: len(often) // 4]) > 5 * sum(chances[-len(often) // 4 :])


@settings(max_examples=30)
@given(match_positions())
def test_the_largest_known_shape_around_each_point(position):
    known = {shape.drawing: shape for shape in shapes.read_shapes(shapes.FILE)}
    found = shapes.shapes_of(make_state(position))
    for point in range(position.ruleset.size**2):
        if (position.black | position.white) >> point & 1:
            assert 1 << point not in found
            continue
        largest = None
        for ring in shapes.RINGS:
            largest = known.get(slow_drawing(position, point, ring), largest)
        assert found.get(1 << point) == largest


BOARD = """
    . . . . . . . . .
    . . . . . . . . .
    . . X . O . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


def test_the_fact_is_the_points_of_the_shape():
    state = drawn_state(BOARD)
    fact, found = FACTS["shape"].function, shapes.shapes_of(state)
    assert len(found) == 79
    for point, known in found.items():
        assert fact(state, 0, point) == known.points
    assert fact(state, 0, state.own) == 0


def test_an_empty_first_line_is_a_known_shape():
    """A shape that is never the largest is missing from the file, but larger shapes around it are found."""
    state = make_state(match_rules(19).opening())
    found = shapes.shapes_of(state)
    assert len(found) == 361
    assert {found[1 << point].points <= -20 for point in range(19)} == {True}


def test_the_signature_depends_on_the_shapes(tmp_path, monkeypatch):
    before = shapes.signature()
    monkeypatch.setattr(shapes, "FILE", tmp_path / "shapes.txt")
    shapes.FILE.write_text(".... 5 3 9\n")
    shapes.signature.cache_clear()
    try:
        assert shapes.signature() != before
    finally:
        shapes.signature.cache_clear()


def test_an_unreadable_file_is_named(tmp_path):
    path = tmp_path / "shapes.txt"
    for wrong in (".XX 1", "..... 5 3 9", "...x 5 3 9", ".... 151 3 9", ".... 5 3"):
        path.write_text(f"# a comment\n.... 5 3 9\n{wrong}\n")
        with pytest.raises(ValueError, match=r"shapes\.txt:3: expected a drawing of whole rings, points from -150 to"):
            shapes.read_shapes(path)
