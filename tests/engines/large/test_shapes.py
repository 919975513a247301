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


def slow_keys(position: Position, point: int, last: int | None = None) -> list[tuple[int, bytes]]:
    """Return the keys of the cells around a point under all symmetries. last: a move to mark."""
    size, other = position.ruleset.size, position.white if position.colour == BLACK else position.black
    keys = []
    for symmetry in range(8):
        contents, place = "", shapes.NOWHERE
        for number, cell in enumerate(shapes.CELLS):
            down, right = shapes.turned(cell, symmetry)
            row, column = point // size + down, point % size + right
            inside = 0 <= row < size and 0 <= column < size
            bit = 1 << row * size + column if inside else 0
            empty = not (position.black | position.white) & bit
            contents += "#" if not inside else "O" if other & bit else "." if empty else "X"
            if inside and row * size + column == last:
                place = number
        keys.append((place, contents.encode()))
    return keys


def test_the_rings_have_equal_distances():
    assert shapes.CELLS[:4] == [(-1, 0), (0, -1), (0, 1), (1, 0)]
    assert len(set(shapes.CELLS)) == len(shapes.CELLS) == shapes.RINGS[-1] == 88
    assert shapes.RINGS[:3] == [4, 8, 12]
    for ring, end in enumerate(shapes.RINGS):
        start = shapes.RINGS[ring - 1] if ring else 0
        assert {shapes.distance(*cell) for cell in shapes.CELLS[start:end]} == {shapes.SMALLEST + ring}


def test_the_images_of_a_key():
    nowhere = shapes.NOWHERE
    assert shapes.images(nowhere, b"X...") == {(nowhere, image) for image in (b"X...", b".X..", b"..X.", b"...X")}
    assert shapes.images(nowhere, b"....") == {(nowhere, b"....")}
    assert shapes.images(0, b"") == {(place, b"") for place in range(4)}
    assert shapes.images(0, b"OX..") == {(0, b"OX.."), (0, b"O.X."), (1, b"XO.."), (1, b".O.X"), (2, b"X.O."),
                                         (2, b"..OX"), (3, b".X.O"), (3, b"..XO")}  # fmt: skip
    assert max(len(shapes.images(*shapes.key_of(shape.drawing))) for shape in shapes.read_shapes(shapes.FILE)) == 8


@pytest.mark.parametrize(
    ("drawing", "place", "contents"),
    [
        (b"X...", shapes.NOWHERE, b"X..."),
        (b"Xo..", 1, b"XO.."),
        (b"X...????????o???????", 12, b"X..."),
        (b"X...o???", 4, b"X..."),
        (b"X...???o", 7, b"X..."),
        (b"o???", 0, b""),
        (b"???o", 3, b""),
        (b"X..o#X..", 3, b"X..O#X.."),
    ],
)
def test_drawings_and_keys(drawing, place, contents):
    assert shapes.key_of(drawing) == (place, contents)
    assert shapes.drawing_of(place, contents) == drawing


def test_the_file_of_shapes():
    known = shapes.read_shapes(shapes.FILE)
    drawings = Counter(shape.drawing for shape in known)
    assert len(known) > 1000
    assert set(drawings.values()) == {1}
    for shape in known:
        key = shapes.key_of(shape.drawing)
        assert len(shape.drawing) in shapes.RINGS
        assert shapes.drawing_of(*key) == shape.drawing
        assert key == min(shapes.images(*key))
        assert 0 <= shape.played <= shape.seen
        assert abs(shape.points) <= shapes.MOST_POINTS
    assert [shape.points for shape in known] == sorted((shape.points for shape in known), reverse=True)
    assert {shapes.LAST in shape.drawing for shape in known} == {True, False}


def test_the_points_agree_with_how_often_a_shape_is_played():
    often = [shape for shape in shapes.read_shapes(shapes.FILE) if shape.seen > 5000]
    chances = [shape.played / shape.seen for shape in often]
    assert sum(chances[: len(often) // 4]) > 5 * sum(chances[-len(often) // 4 :])


@settings(max_examples=20, deadline=None)
@given(match_positions())
def test_the_largest_known_shape_and_answer_around_each_point(position):
    known = {shapes.key_of(shape.drawing): shape for shape in shapes.read_shapes(shapes.FILE)}
    state = make_state(position)
    last = state.last.bit_length() - 1 if state.last else None
    found, answers = shapes.shapes_of(state), shapes.answers_of(state)
    for point in range(position.ruleset.size**2):
        if (position.black | position.white) >> point & 1:
            assert 1 << point not in found
            assert 1 << point not in answers
            continue
        largest = answer = None
        plain, marked = slow_keys(position, point), slow_keys(position, point, last)
        for ring in shapes.ENDS:
            largest = known.get(min((place, contents[:ring]) for place, contents in plain), largest)
            if marked[0][0] < shapes.NOWHERE:
                answer = known.get(min((place, contents[:ring]) for place, contents in marked), answer)
        assert found.get(1 << point) == largest
        assert answers.get(1 << point) == answer


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


def test_the_facts_are_the_points_of_the_shape_and_of_the_answer():
    state = drawn_state(BOARD)
    fact, found = FACTS["shape"].function, shapes.shapes_of(state)
    assert len(found) == 79
    for point, known in found.items():
        assert fact(state, 0, point) == known.points
    assert fact(state, 0, state.own) == 0
    fact = FACTS["answer"].function
    assert {fact(state, 0, point) for point in found} == {0}  # the last move is unknown
    state = drawn_state(BOARD)
    state.last = state.theirs
    answers = shapes.answers_of(state)
    assert 40 < len(answers) < 79
    for point in found:
        assert fact(state, 0, point) == (answers[point].points if point in answers else 0)


def test_an_empty_first_line_is_a_known_shape():
    """Some shapes are missing from the file, but larger shapes around them are found."""
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
    for wrong in (
        ".XX 1",
        "..... 5 3 9",
        "...x 5 3 9",
        ".... 151 3 9",
        ".... 5 3",
        "oo.. 5 3 9",
        "X.?o 5 3 9",
        "???? 5 3 9",
    ):
        path.write_text(f"# a comment\n.... 5 3 9\n{wrong}\n")
        with pytest.raises(ValueError, match=r"shapes\.txt:3: expected a drawing of whole rings, points from -150 to"):
            shapes.read_shapes(path)
