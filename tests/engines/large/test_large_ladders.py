"""Tests that ladder reading with a node limit agrees with rules.life.

The first moves of the reading must be valid.
"""

from __future__ import annotations

import random

import pytest
from boards import drawn
from hypothesis import given, settings
from random_boards import SEEDS, boards
from random_matches import random_match

from littlego.engines.large import ladders
from littlego.engines.large.ladders import read_capture, read_rescue
from littlego.rules.geometry import flood, points_of
from littlego.rules.life import atari_chains, catches, rescues
from littlego.rules.position import chains, is_legal, liberties, played

LADDER = """
    . . . . . . . . .
    . . X X . . . . .
    . X o . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . b . .
    . . . . . . . . .
    . . . . . . . . .
"""


def short_of_liberties(stones, occupied, grid):
    return [chain for chain in chains(stones, grid) if len(points_of(liberties(chain, occupied, grid))) <= 2]


def assert_same(grid, own, theirs, ko=0):
    """Assert that read_capture and read_rescue agree with rules.life on all chains short of liberties."""
    for chain in short_of_liberties(theirs, own | theirs, grid):
        assert read_capture(chain, own, theirs, ko, grid).caught == catches(chain, own, theirs, ko, grid)
    for chain in atari_chains(own, theirs, grid):
        read = read_rescue(chain, own, theirs, ko, grid)
        assert read.saving == rescues(chain, own, theirs, ko, grid) and read.caught == (not read.saving)


@settings(max_examples=80, deadline=None)
@given(boards(largest=9))
def test_random_boards_are_read_as_rules_life_reads_them(board):
    assert_same(*board)


@pytest.mark.parametrize("size", [5, 9, 19])
def test_positions_of_games_are_read_as_rules_life_reads_them_with_their_kos(size):
    for seed in range(3):
        position = random_match(seed, size, plies=size * size // 2 + 7 * seed)[-1]
        assert_same(position.grid, position.own, position.theirs, position.ko)


def test_a_ladder_and_its_breaker():
    for text, caught in ((LADDER, True), (LADDER.replace("b", "O"), False)):
        board = drawn(text)
        assert read_capture(board.marks["o"], board.own, board.theirs, 0, board.grid).caught is caught


@settings(max_examples=30, deadline=None)
@given(boards(smallest=5, largest=9))
def test_the_first_move_begins_the_capture(board):
    grid, own, theirs = board
    for chain in short_of_liberties(theirs, own | theirs, grid):
        read = read_capture(chain, own, theirs, 0, grid)
        if not read.caught:
            continue
        assert read.first and is_legal(read.first, own, theirs, 0, grid)
        attack, rest, _, ko = played(read.first, own, theirs, grid)
        left = flood(chain & rest, rest, grid) if chain & rest else 0
        assert not left or not rescues(left, rest, attack, ko, grid)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_a_stone_outside_its_zone_changes_no_reading(seed):
    chance = random.Random(seed)
    position = random_match(seed, 9, plies=chance.randrange(10, 60))[-1]
    own, theirs, grid = position.own, position.theirs, position.grid
    for chain in short_of_liberties(own, own | theirs, grid):
        read = read_capture(chain, theirs, own, 0, grid)
        outside = [point for point in points_of(position.legal()) if not read.zone(grid) >> point & 1]
        for point in chance.sample(outside, min(5, len(outside))):
            stones, rest, taken, ko = played(1 << point, own, theirs, grid)
            if not taken & read.zone(grid):
                assert read_capture(chain, rest, stones, ko, grid).caught == read.caught


def test_a_reading_that_takes_too_long_counts_as_an_escape(monkeypatch):
    board = drawn(LADDER)
    monkeypatch.setattr(ladders, "MOST_STEPS", 3)
    read = read_capture(board.marks["o"], board.own, board.theirs, 0, board.grid)
    assert (read.caught, read.capped) == (False, True)
