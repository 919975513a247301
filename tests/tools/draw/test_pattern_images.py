"""The images of a diagram: as many as its symmetry leaves, edges and labels turned with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.matching import parse_shape, placements
from tools.draw.patterns import images, turned_rows


@pytest.mark.parametrize(
    ("drawn", "count"),
    [("*", 1), ("X*", 4), ("*X*", 2), ("XX/X*", 4), ("XO/.*", 8), ("+-/|*", 4), ("--/X*", 8), ("XO/O*", 4)],
)
def test_symmetric_diagrams_have_fewer_images(drawn, count):
    found = images(drawn.split("/"))
    assert len(found) == count
    assert found[0] == (tuple(drawn.split("/")), ())


def test_the_eight_images_of_a_drawing_with_edges():
    rows = ["+--", "|XO", "|.*"]
    assert [list(turned_rows(rows, symmetry)) for symmetry in range(8)] == [
        ["+--", "|XO", "|.*"],
        ["--+", "OX|", "*.|"],
        ["|.*", "|XO", "+--"],
        ["*.|", "OX|", "--+"],
        ["+--", "|X.", "|O*"],
        ["--+", ".X|", "*O|"],
        ["|O*", "|X.", "+--"],
        ["*O|", ".X|", "--+"],
    ]
    assert turned_rows([], 3) == ()


def test_edges_and_labels_turn_with_the_stones():
    found = images(["+--", "|O*"], ["...", ".A."])
    assert (("--+", "*O|"), ("...", ".A.")) in found
    assert (("|*", "|O", "+-"), ("..", ".A", "..")) in found
    assert len(found) == 8


def test_labels_alone_tell_images_apart():
    assert len(images(["X*X"])) == 2
    assert len(images(["X*X"], ["A.."])) == 4


def test_no_diagram_has_one_image():
    assert images([]) == [((), ())]


@given(st.lists(st.text("XO.xo?", min_size=3, max_size=3), min_size=1, max_size=4))
def test_images_fit_exactly_where_the_player_finds_the_pattern(rows):
    """The player's placements, made from the symmetries, are those of the images, each placed unturned."""
    expected = {placed[:2] for placed in placements(parse_shape(rows), 5)}
    found = {
        placed[:2] for image, _ in images(rows) for placed in placements(parse_shape(image), 5) if not placed[2] & 7
    }
    assert found == expected
