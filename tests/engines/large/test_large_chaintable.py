"""Tests that chain tables, built at once or updated move by move, agree with flood fill."""

from __future__ import annotations

import pytest
from boards import drawn
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, boards
from random_matches import random_match

from littlego.engines.large.chaintable import ChainTable
from littlego.rules.geometry import around, points_of
from littlego.rules.position import captured_by, chains, is_legal, played


def check_table(table: ChainTable) -> None:
    """Assert that a table's chains and liberties match its stones."""
    own, theirs, grid = table.own, table.theirs, table.grid
    separate = chains(own, grid) + chains(theirs, grid)
    assert table.free == {chain: around(chain, grid) & ~(own | theirs) for chain in separate}
    at = {point: chain for chain in separate for point in points_of(chain)}
    assert table.chain_at == [at.get(point, 0) for point in range(grid[0] ** 2)]


@given(SEEDS, st.integers(5, 19))
@settings(max_examples=8, deadline=None)
def test_a_whole_game_with_captures(seed, size):
    game = random_match(seed, size, plies=2 * size * size, passing=0.02)
    table = ChainTable(0, 0, game[0].grid)
    for before, position in zip(game, game[1:], strict=False):
        move = position.own ^ before.theirs | position.theirs ^ before.own
        placed = move & position.theirs & ~before.own
        if placed:
            table = table.played(placed)
            assert table.ko == position.ko
        table = table.turned()
        assert (table.own, table.theirs) == (position.own, position.theirs)
        check_table(table)


@given(boards(largest=9))
@settings(max_examples=60, deadline=None)
def test_every_move_on_random_boards(board):
    grid, own, theirs = board
    table = ChainTable(own, theirs, grid)
    for point in points_of(grid[1]):
        bit = 1 << point
        assert table.is_legal(bit) == is_legal(bit, own, theirs, 0, grid)
        if not bit & (own | theirs):
            assert table.captured_by(bit) == captured_by(bit, own, theirs, grid)
        if table.is_legal(bit):
            after = table.played(bit)
            assert (after.own, after.theirs, after.taken, after.ko) == played(bit, own, theirs, grid)
            check_table(after)
    check_table(table)


def test_chains_by_stones_and_beside_a_point():
    board = drawn(
        """
        X X . O .
        . * O O .
        X . . X .
        X . . . .
        . . . . .
        """
    )
    table = ChainTable(board.own, board.theirs, board.grid)
    left, top, other = 1 << 10 | 1 << 15, 0b11, 1 << 13
    assert table.chains_of(board.own) == [top, left, other]
    assert table.chains_of(1 << 1 | 1 << 15) == [top, left]
    assert table.chains_near(board.marks["*"], board.own) == [top]
    assert table.chains_near(board.marks["*"], board.theirs) == [board.theirs]
    assert not table.is_legal(1 << 0) and not table.is_legal(1 << 24, ko=1 << 24) and not table.is_legal(1 << 25)


@pytest.mark.parametrize("size", [5, 19])
def test_a_table_is_not_changed_by_a_move(size):
    position = random_match(1, size, plies=60)[-1]
    table = ChainTable(position.own, position.theirs, position.grid)
    for point in points_of(position.legal()):
        table.played(1 << point)
    check_table(table)
