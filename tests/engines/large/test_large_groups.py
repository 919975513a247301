"""Tests that groups of chains agree with the definition, chain by chain."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from large_states import match_positions

from littlego.engines.large.groups import groups_on, linked_at, own_groups
from littlego.engines.large.state import make_state
from littlego.rules.geometry import count, points_of
from littlego.rules.position import chains, is_legal, liberties, played


def stands(point: int, theirs: int, own: int, grid) -> bool:
    """Return whether an opponent's move at a point is legal, and captures or has at least two liberties."""
    if not is_legal(point, theirs, own, 0, grid):
        return False
    stones, rest, taken, _ = played(point, theirs, own, grid)
    chain = next(one for one in chains(stones, grid) if one & point)
    return taken != 0 or count(liberties(chain, stones | rest, grid)) >= 2


def are_linked(one: int, other: int, own: int, theirs: int, grid) -> bool:
    """Return whether two chains of the player are linked, as defined in littlego.engines.large.groups."""
    common = liberties(one, own | theirs, grid) & liberties(other, own | theirs, grid)
    return count(common) >= 2 or count(common) == 1 and not stands(common, theirs, own, grid)


def groups_by_definition(own: int, theirs: int, grid) -> list[int]:
    """Return the groups as masks, joining linked chains step by step."""
    found = chains(own, grid)
    separate = list(found)
    for one, other in combinations(separate, 2):
        if are_linked(one, other, own, theirs, grid):
            joined = [group for group in found if group & (one | other)]
            found = [group for group in found if group not in joined] + [sum(set(joined))]
    return sorted(found)


@given(match_positions(longest=80))
@settings(max_examples=30, deadline=None)
def test_groups_are_those_of_the_definition(position):
    own, theirs, grid = position.own, position.theirs, position.grid
    groups = groups_on(chains(own, grid), own, theirs, grid)
    assert sorted(groups.masks) == groups_by_definition(own, theirs, grid)
    for chain, place in groups.of.items():
        assert groups.masks[place] & chain == chain


@given(match_positions(sizes=(7, 9), longest=50))
@settings(max_examples=15, deadline=None)
def test_linked_at_is_what_links_the_chain_of_the_move(position):
    state = make_state(position)
    groups = own_groups(state)
    for at in points_of(position.grid[1] & ~(state.own | state.theirs)):
        point = 1 << at
        if not is_legal(point, state.own, state.theirs, 0, state.grid):
            assert linked_at(point, state.table, groups) == 0
            continue
        own, theirs, _, _ = played(point, state.own, state.theirs, state.grid)
        chain = next(one for one in chains(own, state.grid) if one & point)
        linked = {place for one, place in groups.of.items() if one & chain}
        for one, place in groups.of.items():
            if not one & chain and are_linked(chain, one, own, theirs, state.grid):
                linked.add(place)
        assert linked_at(point, state.table, groups) == len(linked)
