"""Replacements on large boards for the primitives of rules.facts, and the facts that use them.

Most replacements use a chain table. Each replacement behaves like the primitive of the same name in rules.facts. An
argument that is a point must be a one-point mask or 0. Primitives without a replacement in this module keep the code of
rules.facts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from littlego.engines.large.life import Region, living, may_be_eye, may_live_by, regions_of
from littlego.engines.large.life import life_made as made_in
from littlego.engines.large.vocabulary import once_a_position, small_facts, source_with
from littlego.rules import facts, geometry
from littlego.rules.geometry import around, flood

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Mask

AnyPrimitive = TypeVar("AnyPrimitive", bound=Callable[..., Any])

PRIMITIVES: dict[str, Any] = {  # name in rules.facts -> the replacement
    "count": int.bit_count,
    "edges_at": cache(geometry.edges_at),
    "line_of": cache(geometry.line_of),
}


def primitive(original: Callable[..., Any]) -> Callable[[AnyPrimitive], AnyPrimitive]:
    """Return a decorator that registers a function as the replacement for a primitive of rules.facts."""

    def declared(function: AnyPrimitive) -> AnyPrimitive:
        PRIMITIVES[original.__name__] = function
        return function

    return declared


# -- chains --------------------------------------------------------------------------------------------------


@primitive(facts.other_side)
def _other_side(state: LargeState) -> LargeState:
    return state.other


@primitive(facts.chain_of)
def _chain_of(state: LargeState, stones: Mask) -> Mask:
    chains = 0
    for chain in state.table.chains_of(stones):
        chains |= chain
    return chains


@primitive(facts.chains_near)
def _chains_near(state: LargeState, point: Mask, stones: Mask) -> list[Mask]:
    return state.table.chains_near(point, stones)


@primitive(facts.chains_in_atari)
def _chains_in_atari(state: LargeState, stones: Mask) -> list[Mask]:
    return _own_in_atari(state) if stones == state.own else _own_in_atari(state.other)


@once_a_position
def _own_in_atari(state: LargeState) -> list[Mask]:
    free = state.table.free
    return [chain for chain in state.table.chains_of(state.own) if not free[chain] & (free[chain] - 1)]


@primitive(facts.liberties_of)
def _liberties_of(state: LargeState, chain: Mask) -> Mask:
    table = state.table
    free = table.free.get(chain)
    if free is None:
        free = 0
        for one in table.chains_of(chain):
            free |= table.free[one]
    return free


@primitive(facts.region_at)
def _region_at(state: LargeState, point: Mask) -> tuple[Mask, Mask]:
    return _empty_regions(state).get(point, (0, 0))


@once_a_position
def _empty_regions(state: LargeState) -> dict[Mask, tuple[Mask, Mask]]:
    """Return {empty point: (mask of the empty region, mask of the points next to the region)}."""
    grid, regions_by_point = state.grid, {}
    empty = grid[1] & ~(state.own | state.theirs)
    while empty:
        region = flood(empty & -empty, empty, grid)
        empty ^= region
        answer = region, around(region, grid)
        while region:
            point = region & -region
            region ^= point
            regions_by_point[point] = answer
    return regions_by_point


# -- a move --------------------------------------------------------------------------------------------------


@primitive(facts.may_play)
def _may_play(state: LargeState, point: Mask) -> bool:
    return not point or state.table.is_legal(point, state.ko)


@primitive(facts.after)
def _after(state: LargeState, point: Mask) -> LargeState:
    return state.after(point)


@primitive(facts.taken_by)
def _taken_by(state: LargeState, point: Mask) -> Mask:
    return 0 if point & state.ko else _takes(state).get(point, 0)


@once_a_position
def _takes(state: LargeState) -> dict[Mask, Mask]:
    """Return {last liberty of an opposing chain: all opposing stones that a move at the liberty captures}."""
    free = state.table.free
    takes: dict[Mask, Mask] = {}
    for chain in _own_in_atari(state.other):
        takes[free[chain]] = takes.get(free[chain], 0) | chain
    return takes


@primitive(facts.liberties_then)
def _liberties_then(state: LargeState, point: Mask, stones: Mask) -> Mask:
    table = state.table
    free = table.free.get(stones, point)
    if not point or point in _takes(state) or (stones != point and stones not in table.free):
        if not _may_play(state, point):
            return 0
        then = state.after(point)
        return _liberties_of(then, stones & (then.own if stones & then.own else then.theirs))
    if free & point and not stones & table.theirs:
        return _liberties_joined(state, point)
    return free & ~point if table.is_legal(point, state.ko) else 0


def _liberties_joined(state: LargeState, point: Mask) -> Mask:
    """Return the liberties of the new stone's chain after a move that captures nothing.

    The result is 0 if the move is illegal.
    """
    table = state.table
    occupied = table.own | table.theirs
    if point & (occupied | state.ko):
        return 0
    free = table.beside[point.bit_length() - 1] & ~occupied
    for chain in table.chains_near(point, table.own):
        free |= table.free[chain]
    return free & ~point  # 0 for suicide


# -- life ----------------------------------------------------------------------------------------------------


@once_a_position
def regions(state: LargeState) -> list[Region]:
    """Return the regions without stones of the mover."""
    return regions_of(state.table)


@primitive(facts.alive_of)
@once_a_position
def alive_of(state: LargeState) -> Mask:
    """Return the mover's stones that are unconditionally alive (Benson), as a mask."""
    return living(state.table, regions(state))


@primitive(facts.life_made)
def _life_made(state: LargeState, point: Mask) -> Mask:
    table = state.table
    if point & _open(state) or not table.is_legal(point, state.ko):
        return 0
    before, alive = regions(state), alive_of(state)
    if point not in _takes(state) and not may_live_by(table, before, alive, _most_liberties(state), point):
        return 0
    return made_in(table, before, alive, point, state.after(point).table)


@once_a_position
def _most_liberties(state: LargeState) -> int:
    """Return the largest number of liberties among the mover's chains, or 0 if the mover has no chains."""
    free = state.table.free
    return max((free[chain].bit_count() for chain in state.table.chains_of(state.own)), default=0)


@once_a_position
def _open(state: LargeState) -> Mask:
    """Return a mask of points where no move makes a stone alive.

    The points lie in large regions, more than two steps from the mover's stones. A move at such a point captures
    nothing, joins no chains and does not divide the region around the point.
    """
    own, grid, wide = state.own, state.grid, 0
    for region in regions(state):
        if not may_be_eye(region.points & ~state.theirs, _most_liberties(state)):
            wide |= region.points
    beside = own | around(own, grid)
    return wide & ~(beside | around(beside, grid)) & ~sum(_takes(state))


_SOURCE = source_with(facts, PRIMITIVES)
BY_TABLE: dict[Callable[..., int], Callable[..., int]] = {  # facts of rules.facts -> their forms for large boards
    fact.function: _SOURCE[name] for name, fact in small_facts().items()
}
