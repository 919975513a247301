"""Tests of facts that read ahead, compared with tests/support/slow_ladders.py on random small boards."""

from __future__ import annotations

import pytest
import slow_go
from boards import FACT
from hypothesis import given, settings
from random_boards import boards
from slow_ladders import forced
from slow_readings import chains_of, slow_falls

from littlego.rules.facts import State
from littlego.rules.geometry import points_of
from littlego.rules.position import chains, legal_moves

LIMITS = settings(max_examples=60, deadline=None)
pytestmark = pytest.mark.untraced  # slow when traced; the tests of single facts are traced


def ask(fact, grid, own, theirs, move, mask):
    """Return a fact's value with X (own) to move and no ko."""
    return FACT[fact][0](State(own, theirs, 0, 10, 15, 1, -5, False, grid), move, mask)


def slow_caught(mover, board, before, taken, prey):
    """Return whether O's chain at `prey` is captured by force on `board`, with `mover` to move."""
    return board[prey] == "." or forced((mover, board, before if taken else None, prey))


def swapped(board):
    """Return a slow board with swapped colours, so that the prey is O."""
    return {point: {"X": "O", "O": "X", ".": "."}[board[point]] for point in board}


@given(boards(2, 4))
@LIMITS
def test_doomed_agrees_with_listing_every_line(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    for chain, view in [(c, slow) for c in chains(theirs, grid)] + [(c, swapped(slow)) for c in chains(own, grid)]:
        prey = slow_go.points(chain, grid[0])[0]
        expected = len(slow_go.free(slow, prey)) == 1 and slow_caught("O", view, None, False, prey)
        assert ask("doomed", grid, own, theirs, 0, chain) == expected


@given(boards(2, 4))
@LIMITS
def test_ladder_agrees_with_listing_every_line(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    for point in points_of(legal_moves(own, theirs, 0, grid))[:5]:
        after, taken = slow_go.play(slow, divmod(point, grid[0]), "X")
        for chain in chains(theirs, grid):
            prey = slow_go.points(chain, grid[0])[0]
            expected = slow_caught("O", after, slow, taken, prey)
            assert ask("ladder", grid, own, theirs, 1 << point, chain) == expected
        for chain in chains(own, grid):
            prey = slow_go.points(chain, grid[0])[0]
            expected = slow_caught("X", swapped(after), swapped(slow), taken, prey)
            assert ask("ladder", grid, own, theirs, 1 << point, chain) == expected


@given(boards(2, 4))
@LIMITS
def test_ladder_after_a_pass_agrees_with_listing_every_line(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    for chain, mover, view in [(c, "O", slow) for c in chains(theirs, grid)] + [
        (c, "X", swapped(slow)) for c in chains(own, grid)
    ]:
        prey = slow_go.points(chain, grid[0])[0]
        assert ask("ladder", grid, own, theirs, 0, chain) == slow_caught(mover, view, None, False, prey)


@given(boards(2, 4))
@LIMITS
def test_saves_agrees_with_listing_every_line(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    for point in points_of(legal_moves(own, theirs, 0, grid)):
        after, taken = slow_go.play(slow, divmod(point, grid[0]), "X")
        saved = 0
        for chain in chains(own, grid):
            prey = slow_go.points(chain, grid[0])[0]
            in_atari = len(slow_go.free(slow, prey)) == 1
            if in_atari and not slow_caught("X", swapped(after), swapped(slow), taken, prey):
                saved += len(slow_go.patch(slow, prey))
        assert ask("saves", grid, own, theirs, 0, 1 << point) == saved


@given(boards(2, 5))
@LIMITS
def test_snapback_and_ko_agree_with_playing_them_out(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    for point in points_of(legal_moves(own, theirs, 0, grid)):
        at = divmod(point, grid[0])
        after, taken = slow_go.play(slow, at, "X")
        free = slow_go.free(after, at)
        retaken = [answer for answer in slow_go.legal(after, "O", None) if slow_go.play(after, answer, "O")[0] == slow]
        assert ask("ko", grid, own, theirs, 0, 1 << point) == len(retaken) <= 1
        assert ask("snapback", grid, own, theirs, 0, 1 << point) == won_back(slow, after, taken, free)


def won_back(slow, after, taken, free):
    """Return the stones that a snapback wins, by playing its moves."""
    if len(free) != 1:
        return 0
    last = min(free)
    answer = slow_go.play(after, last, "O")
    if answer is None or (taken and answer[0] == slow):
        return 0
    middle, given_up = answer
    exits = slow_go.free(middle, last)
    if len(exits) != 1:
        return 0
    final = slow_go.play(middle, min(exits), "X")
    if final is None or (given_up and final[0] == after):
        return 0
    return max(0, len(final[1]) - len(given_up))


@given(boards(2, 4))
@LIMITS
def test_takes_in_3_and_guards_in_3_agree_with_listing_every_line(board):
    grid, own, theirs = board
    slow = slow_go.board_of(grid[0], own, theirs)
    before = {stone: slow_fallen(slow, stone, None) for stone in "XO"}
    for point in points_of(legal_moves(own, theirs, 0, grid))[:4]:
        after, taken = slow_go.play(slow, divmod(point, grid[0]), "X")
        mine, yours = (slow_fallen(after, stone, slow) for stone in "XO")
        assert ask("takes_in_3", grid, own, theirs, 0, 1 << point) == len(taken) + yours - before["O"]
        assert ask("guards_in_3", grid, own, theirs, 0, 1 << point) == before["X"] - mine


def slow_fallen(board, stone, forbidden):
    """Return how many stones of a colour fall to 3 moves, O to move."""
    return sum(len(one) for one in chains_of(board, stone) if slow_falls(board, min(one), "O", 3, forbidden))
