"""How a pattern's drawing turns, and where its images fit."""

from __future__ import annotations

import pytest
from knowledge_files import book
from small_books import pattern

from rules.matching import parse_shape, placements
from tools.draw.boards import turn_rows
from tools.effects.images import images, places


@pytest.mark.parametrize(
    "name, rows, labels, count, fitting",
    [
        ("all alike", "*", "", 1, 25),
        ("a line", "O*O", "", 2, 3 * 5 + 5 * 3 - 9),
        ("a corner", "+-/|*", "", 4, 4),
        ("labelled", "O*O", "A.B", 4, 21),
        ("eight", "XO/.*", "", 8, 16),
        ("none", "", "", 1, 0),
        ("an edge", "---/O*O", "", 4, 11),
    ],
)
def test_images_and_places_of(name, rows, labels, count, fitting):
    one = pattern("p", rows, labels=labels)
    assert len(set(images(one))) == count
    assert len(places(one, 5)) == fitting


def test_a_drawing_turned_fits_where_the_engine_places_its_image():
    for one in book().patterns:
        if not one.rows:
            continue
        expected = {placed[:2] for placed in placements(parse_shape(one.rows), 5)}
        found = set()
        for symmetry in set(images(one)):
            # As it stands alone: the first symmetry of a turned drawing is the drawing itself.
            for care, value, cells in placements(parse_shape(turn_rows(one.rows, symmetry)), 5):
                if cells & 7 == 0:
                    found.add((care, value))
                    assert cells >> 3 & 31 in places(one, 5), one.id
        assert found == expected, one.id
