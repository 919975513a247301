"""Tests of points, neighbours, edges and symmetries on boards of every size."""

from __future__ import annotations

import pytest
import slow_go
from boards import drawn
from hypothesis import given
from hypothesis import strategies as st

from littlego.rules.geometry import (
    around,
    count,
    edges_at,
    flood,
    image_of,
    inverse,
    line_of,
    make_grid,
    points_of,
    symmetry_tables,
)

SIZES = [2, 3, 4, 5, 7, 13, 19]


@st.composite
def masks(draw):
    """Draw (board size, two masks of points on the board)."""
    size = draw(st.integers(2, 19))
    any_mask = st.integers(0, (1 << size * size) - 1)
    return size, draw(any_mask), draw(any_mask)


@pytest.mark.parametrize("size", SIZES)
def test_neighbours_never_leave_the_board_nor_wrap_round_an_edge(size):
    board = slow_go.board_of(size, 0, 0)
    for point in range(size * size):
        near = slow_go.beside(board, divmod(point, size))
        assert around(1 << point, make_grid(size)) == slow_go.mask(near, size)


@given(masks())
def test_flood_finds_what_is_connected(drawn_masks):
    size, seed, within = drawn_masks
    board = slow_go.board_of(size, within | seed, 0)
    connected = set()
    for point in slow_go.points(seed, size):
        if point not in connected:
            connected |= slow_go.patch(board, point)
    assert flood(seed, within, make_grid(size)) == slow_go.mask(connected, size)


@given(masks())
def test_points_and_counts(drawn_masks):
    size, mask, _ = drawn_masks
    assert [divmod(point, size) for point in points_of(mask)] == slow_go.points(mask, size)
    assert count(mask) == len(points_of(mask))


@pytest.mark.parametrize("size", SIZES)
def test_lines_count_from_the_edge_and_edges_are_two_in_a_corner(size):
    for point in range(size * size):
        row, column = divmod(point, size)
        away = min(row, column, size - 1 - row, size - 1 - column)
        assert line_of(point, size) == away + 1
        off_board = 4 - count(around(1 << point, make_grid(size)))
        assert edges_at(point, size) == off_board


def test_the_eight_symmetries_of_a_drawn_board():
    images = {image_of(drawn("X X .\n. . .\nX . .").own, table) for table in symmetry_tables(3)}
    assert len(images) == 8
    assert drawn(". X X\n. . .\n. . X").own in images
    assert drawn("X . X\nX . .\n. . .").own in images


@pytest.mark.parametrize("size", SIZES)
def test_symmetries_are_different_keep_neighbours_and_can_be_undone(size):
    tables = symmetry_tables(size)
    grid = make_grid(size)
    assert len(set(tables)) == 8 and tables[0] == tuple(range(size * size))
    for table in tables:
        assert sorted(table) == list(range(size * size))
        undo = inverse(table)
        for point in range(size * size):
            assert undo[table[point]] == point
            assert around(1 << table[point], grid) == image_of(around(1 << point, grid), table)
        assert any(tuple(other[table[p]] for p in range(size * size)) == tables[0] for other in tables)


@pytest.mark.parametrize("size", [-3, 0, 1, 20])
def test_sizes_outside_2_to_19_are_refused(size):
    with pytest.raises(ValueError, match=f"{size}.*2 to 19"):
        make_grid(size)
