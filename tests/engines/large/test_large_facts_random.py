"""Tests that large-board facts are symmetric, colour-neutral and within their bounds in random games."""

from __future__ import annotations

import random
from contextlib import contextmanager
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from large_states import LARGE_FACTS, large_state, match_positions

from littlego.engines.large.state import LargeState, make_state
from littlego.engines.large.tactics import Search
from littlego.rules.facts import FACTS, mirrors
from littlego.rules.geometry import image_of, symmetry_tables
from littlego.rules.position import chains

MANY = settings(max_examples=20, deadline=None)


def questions(state: LargeState, kinds: tuple[str, ...], seed: random.Random) -> list[tuple[int, ...]]:
    """Return some argument tuples for a fact whose arguments have these kinds."""
    own, theirs = chains(state.own, state.grid), chains(state.theirs, state.grid)
    area = state.grid[0] ** 2
    if not kinds:
        return [()]
    if kinds == ("point",):
        return [(1 << point,) for point in seed.sample(range(area), 6)]
    if len(kinds) == 1:
        return [(chain,) for chain in seed.sample(own + theirs, min(5, len(own + theirs)))] + [(0,)]
    return [(one, other) for one in own[:3] + theirs[:2] for other in theirs[:3] + own[:2]] + [(0, 0)]


READ = {"capturable", "lost", "rescues", "wins"}  # facts that depend on reading fights


@contextmanager
def doubted():
    """Yield a function that returns whether any fight's search was cut off during the `with` block."""
    searches, begin = [], Search.__init__

    def remember(self, grid):
        begin(self, grid)
        searches.append(self)

    with mock.patch.object(Search, "__init__", remember):
        yield lambda: any(search._doubts for search in searches)


@given(match_positions(), st.integers(0, 7), st.randoms(use_true_random=False))
@MANY
def test_facts_turn_with_the_board(position, symmetry, seed):
    with doubted() as is_doubted:
        facts_turn(position, symmetry, seed, is_doubted)


def facts_turn(position, symmetry, seed, is_doubted):
    state = make_state(position)
    table = symmetry_tables(state.grid[0])[symmetry]

    def image(mask):
        return image_of(mask, table)

    turned = large_state(
        image(state.own),
        image(state.theirs),
        state.grid,
        image(state.ko),
        state.colour,
        last=image(state.last),
        own_last=image(state.own_last),
        prisoners=state.prisoners,
        pass_cost=state.pass_cost,
        score2=state.score2,
    )
    for name, fact in LARGE_FACTS.items():
        least, most = fact.bounds(state.grid[0] ** 2)
        for arguments in questions(state, fact.kinds, seed):
            answer = fact.function(state, 0, *arguments)
            assert isinstance(answer, int)
            assert least <= answer <= most, f"{name} answered {answer}: declare its answers, or fix it"
            is_same = fact.function(turned, 0, *map(image, arguments)) == answer
            assert is_same or (name in READ and is_doubted()), name


@given(match_positions(), st.randoms(use_true_random=False))
@MANY
def test_facts_change_colour_with_the_stones(position, seed):
    state = make_state(position)
    here = large_state(state.own, state.theirs, state.grid)
    there = large_state(state.theirs, state.own, state.grid)
    for name, mirror in mirrors().items():
        fact = LARGE_FACTS.get(name)
        for arguments in questions(here, fact.kinds, seed) if fact else []:
            answer = fact.function(here, 0, *arguments)
            assert FACTS[mirror].function(there, 0, *arguments) == answer, name


@pytest.mark.parametrize("name", LARGE_FACTS)
def test_facts_are_declared_whole(name):
    fact = LARGE_FACTS[name]
    assert fact.name == fact.function.__name__ == name
    assert set(fact.kinds) <= {"chain", "point"}
    assert fact.function.__code__.co_argcount - 2 == len(fact.kinds)
    assert fact.promise.endswith(".")
    assert fact.promise[0].isupper() or fact.promise[0] in "1`"
    assert 5 <= fact.sizes[0] <= fact.sizes[1] <= 19
