"""Tests of the ladder reader: positions that simple readers misread, and comparison with slow reading."""

from __future__ import annotations

import time

import pytest
import slow_go
from boards import chains_at, drawn
from hypothesis import given, settings
from random_boards import boards
from slow_ladders import follow, forced, slow_catches, slow_moves

from littlego.rules.geometry import make_grid
from littlego.rules.life import ANY_NUMBER, atari_chains, captured_in_ladder, catches, rescues
from littlego.rules.position import chains


def caught_by_x(text: str) -> bool:
    """Return whether X, to move, catches the chain marked o."""
    board = drawn(text)
    return catches(chains_at(board, "o"), board.own, board.theirs, board.marks.get("k", 0), board.grid)


@pytest.mark.parametrize("size", [3, 4, 5, 9, 13, 16, 17, 18, 19])
def test_a_ladder_runs_across_the_whole_board(size):
    grid = make_grid(size)
    prey, attackers = 1 << size + 1, 1 << 1 | 1 << 2 | 1 << size
    assert catches(prey, attackers, prey, 0, grid)
    breaker = 1 << (size - 2) * size + size - 2
    assert size < 5 or not catches(prey, attackers, prey | breaker, 0, grid)


KO_MAZES = {
    "two liberties, three kos around": """
        . O X . .
        . . o X .
        X X O X X
        O . . X .
        O . . O .
    """,
    "open, with chains in atari everywhere": """
        . O O . . X . . . . X . .
        . X . O . X . . X . X . .
        X . . O O O O . . . O . .
        . . O . . . . . . . . . .
        . X . O O X . . . . . . O
        O O . O X . . . X . . . .
        . . . . X O . O . . . . .
        . X . . O . X O X X . . O
        . . . . . . X X o O . . .
        . . . O X . . . X . . O .
        X X X . O O X O X . O . .
        X . X O X . . . . . X . .
        . X . . . . O X . . O . .
    """,
}


@pytest.mark.parametrize("text", KO_MAZES.values(), ids=KO_MAZES)
def test_a_ladder_that_goes_round_in_kos_is_read_quickly(text):
    start = time.process_time()
    assert not caught_by_x(text)
    assert time.process_time() - start < 0.5  # without a cache of visited boards the search takes seconds to hours


@given(boards(2, 4))
@settings(max_examples=120, deadline=None)
def test_ladders_agree_with_a_slow_exact_reader(board):
    grid, own, theirs = board
    for chain in chains(theirs, grid):
        assert catches(chain, own, theirs, 0, grid) == slow_catches(grid[0], own, theirs, chain)


@given(boards(2, 4))
@settings(max_examples=120, deadline=None)
def test_with_few_moves_only_a_short_ladder_catches(board):
    grid, own, theirs = board
    for chain in chains(theirs, grid):
        fewest = slow_moves(grid[0], own, theirs, chain, 4)
        for moves in range(1, 5):
            assert catches(chain, own, theirs, 0, grid, moves) == (fewest is not None and fewest <= moves)


@given(boards(2, 6))
@settings(max_examples=200, deadline=None)
def test_caught_is_the_chains_in_atari_that_nothing_rescues(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    lost, in_atari = 0, []
    for chain in chains(own, grid):
        if len(slow_go.free(slow, slow_go.points(chain, grid[0])[0])) == 1:
            in_atari.append(chain)
            lost |= chain if not rescues(chain, own, theirs, 0, grid) else 0
    assert atari_chains(own, theirs, grid) == in_atari
    assert captured_in_ladder(own, theirs, 0, grid, ANY_NUMBER) == lost


@given(boards(2, 4))
@settings(max_examples=200, deadline=None)
def test_rescues_are_the_moves_after_which_the_slow_reader_finds_no_ladder(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], theirs, own)
    for chain in chains(own, grid):
        prey = slow_go.points(chain, grid[0])[0]
        if len(slow_go.free(slow, prey)) > 1:
            assert rescues(chain, own, theirs, 0, grid) == grid[1] & ~(own | theirs)
            continue
        saved = {answer[4] for answer in follow(("O", slow, None, prey)) if not forced(answer[:4])}
        assert rescues(chain, own, theirs, 0, grid) == slow_go.mask(saved, grid[0])
