"""Tests that facts have the same values with large-board primitives as with those of rules/facts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS, boards
from random_matches import random_match

from littlego.engines.large.chaintable import ChainTable
from littlego.engines.large.life import living, regions_of
from littlego.engines.large.primitives import BY_TABLE
from littlego.engines.large.state import LargeState, make_state
from littlego.rules.facts import FACTS, State
from littlego.rules.geometry import points_of
from littlego.rules.life import alive_stones
from littlego.rules.position import chains

LIMITS = settings(max_examples=40, deadline=None)
FACTS_BY_FUNCTION = {fact.function: fact for fact in FACTS.values()}


def large_state(board, ko=0) -> LargeState:
    grid, own, theirs = board
    return LargeState(own, theirs, ko, 10, 15, 1, -grid[0], 0, grid)


def calls(state: State, draw: random.Random, number: int, functions):
    """Yield (fact, masks) with random arguments. A chain argument may be one chain, two chains or empty."""
    separate = [0, *chains(state.own, state.grid), *chains(state.theirs, state.grid)]
    points = [0, *(1 << point for point in points_of(state.grid[1]))]
    for function in functions:
        fact = FACTS_BY_FUNCTION[function]
        for _ in range(number):
            move = draw.choice(points) if fact.after_the_move else 0
            arguments = []
            for kind in fact.kinds:
                chosen = draw.choice(separate if kind == "chain" else points)
                if kind == "chain" and draw.random() < 0.1:
                    chosen |= draw.choice(separate)
                arguments.append(chosen)
            yield fact, (move, *arguments)


def check_facts(state: LargeState, draw: random.Random, number: int, functions=tuple(BY_TABLE)) -> None:
    for fact, masks in calls(state, draw, number, functions):
        expected = fact.function(state, *masks)
        assert BY_TABLE[fact.function](state, *masks) == expected, (fact.name, masks)


@given(boards(2, 8), SEEDS)
@LIMITS
def test_facts_on_random_boards(board, seed):
    check_facts(large_state(board), random.Random(seed), 8)


@given(SEEDS, st.integers(5, 19))
@settings(max_examples=12, deadline=None)
def test_facts_in_random_games(seed, size):
    draw = random.Random(seed)
    position = random_match(seed, size, plies=draw.randrange(1, 2 * size * size), passing=0.02)[-1]
    state = make_state(position)
    check_facts(state, draw, 3, draw.sample(list(BY_TABLE), 8))


@given(boards(3, 9))
@settings(max_examples=150, deadline=None)
def test_benson_by_a_chain_table(board):
    grid, own, theirs = board
    table = ChainTable(own, theirs, grid)
    assert living(table, regions_of(table)) == alive_stones(own, theirs, grid)


@pytest.mark.parametrize("fact", ["makes_life", "their_life"])
def test_life_is_made_and_no_stone_missed(fact):
    function, made = FACTS[fact].function, 0
    for seed in range(60):
        state = make_state(random_match(seed, 6, plies=60, passing=0)[-1])
        for point in points_of(state.grid[1] & ~(state.own | state.theirs)):
            expected = function(state, 0, 1 << point)
            assert BY_TABLE[function](state, 0, 1 << point) == expected
            made += expected > 0
    assert made > 20
