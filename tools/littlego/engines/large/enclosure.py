"""Areas that one side encloses, the eyes that they are worth, and which groups have two: whose life is settled.

An area is a set of points, none of them a stone of the side's groups in question, that these groups enclose. It is
*safe* where theirs cannot live in it, by its size or by their room: see `_is_safe`. A safe area without a stone of
theirs is worth two eyes where it holds them whoever moves first (see `eyes_in`), else one. In one with stones of theirs
these have to be taken: it is worth two where three points for each of them leave seven, or where seven empty points
together are not next to any, else one. A group that safe areas give two eyes is strong. Only strong groups enclose
areas, so that all of this is found out together, as in Benson's algorithm, which is the case of groups of one chain and
areas of liberties only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.large.groups import Groups, eye_space_of, own_groups, their_groups
from littlego.engines.large.influence import areas, influence_of, raw_influence
from littlego.engines.large.primitives import alive_of
from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import around, count, points_of
from littlego.rules.life import is_eye
from littlego.rules.position import chains, played

if TYPE_CHECKING:
    from littlego.engines.large.influence import Influence
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Grid, Mask

SMALL = 20  # points of an area in which theirs cannot live unless they do already
SURE = 7  # empty points together that hold two eyes whatever their shape
SPOILT = 3  # points of an area that a dead stone in it may cost
WALLED = 5  # a larger area must have a stone that encloses it for each five of its points
FEW = 5  # of these, at most a fifth may be stones of theirs
HELD = 4  # and at most a fourth in their area
NO_EYES = 4  # eye space of a group below which it does not live there


class Area(NamedTuple):
    """An enclosed area: its points, and the strong stones that enclose it, as masks; the eyes that it is worth."""

    points: Mask
    border: Mask
    eyes: int


class Settled(NamedTuple):
    """What one side has for certain: the stones of its strong groups, the safe areas, and the other side's stones that
    are dead in these."""

    strong: Mask
    areas: list[Area]
    safe: Mask
    dead: Mask


class _Side(NamedTuple):
    """A side as its areas are looked for: its stones and the other's, its groups, its stones that live by Benson."""

    own: Mask
    theirs: Mask
    groups: Groups
    alive: Mask


def own_settled(state: LargeState) -> Settled:
    """Return what the mover has for certain."""
    return _both_settled(state)[0]


def their_settled(state: LargeState) -> Settled:
    """Return what the opponent has for certain."""
    return _both_settled(state)[1]


@once_a_position
def _both_settled(state: LargeState) -> tuple[Settled, Settled]:
    """Return what the mover and what the opponent have for certain.

    Which groups are strong by areas without a stone of the other side comes first: those cannot be dead in an area of
    the other. Where after that two groups would each be dead in an area of the other, neither is.
    """
    own, theirs, full = state.own, state.theirs, state.grid[1]
    ours = _Side(own, theirs, own_groups(state), alive_of(state))
    yours = _Side(theirs, own, their_groups(state), alive_of(state.other))
    our_strong, your_strong = _strong(state, ours, full)[0], _strong(state, yours, full)[0]
    mine, their = _settled(state, ours, your_strong), _settled(state, yours, our_strong)
    if mine.safe & their.strong or their.safe & mine.strong:
        return _settled(state, ours, their.strong), _settled(state, yours, mine.strong)
    return mine, their


def _settled(state: LargeState, side: _Side, lively: Mask) -> Settled:
    strong, areas = _strong(state, side, lively)
    safe = 0
    for area in areas:
        safe |= area.points
    return Settled(strong, areas, safe, safe & side.theirs)


def _strong(state: LargeState, side: _Side, lively: Mask) -> tuple[Mask, list[Area]]:
    """Return the stones of a side's strong groups and the safe areas that they enclose.

    lively: stones of theirs that an area must not hold to be safe.
    """
    own, theirs, groups, alive = side
    grid, standing = state.grid, groups.masks
    while True:
        stones = 0
        for mask in standing:
            stones |= mask
        areas = []
        for points in chains(grid[1] & ~stones, grid) if stones else []:
            if _is_safe(points, state, theirs, lively):
                border = around(points, grid) & stones
                areas.append(Area(points, border, eyes_in(points, stones, own, theirs, grid)))
        kept = [mask for mask in standing if mask & alive or sum(a.eyes for a in areas if a.border & mask) >= 2]
        if len(kept) == len(standing):
            return stones, areas
        standing = kept


def _is_safe(points: Mask, state: LargeState, theirs: Mask, lively: Mask) -> bool:
    """Return whether theirs cannot live in an enclosed area, in which none of theirs may be strong and no stone of
    own's, which would not be strong, in atari.

    That is so in an area of at most SMALL points. A larger one must have walls, not a few stones far apart; stones of
    theirs in it must be few, hold little of it and have no eye space; and without them the territory map must give all
    of it to own.
    """
    inside, weaker = points & theirs, points & (state.own | state.theirs) & ~theirs
    if inside & lively or any(count(state.table.free[chain]) == 1 for chain in state.table.chains_of(weaker)):
        return False
    if count(points) <= SMALL:
        return True
    if WALLED * count(around(points, state.grid) & ~points) < count(points):
        return False
    if not is_few(theirs, points) or not _are_cramped(points, state, theirs):
        return False
    own = (state.own | state.theirs) ^ theirs
    mine = influence_of(own, theirs & ~inside, state.grid).own_territory if inside else _territory(state, theirs)
    return not points & ~mine


def is_few(theirs: Mask, points: Mask) -> bool:
    """Return whether an area holds no more stones of theirs than a safe one may."""
    size = count(points)
    return size <= SMALL or FEW * count(points & theirs) <= size


def _are_cramped(points: Mask, state: LargeState, theirs: Mask) -> bool:
    """Return whether theirs holds little of an area: by the map at most a fourth, and no group there has eye space."""
    maps, is_own = raw_influence(state), theirs == state.theirs
    held = (maps.their_area if is_own else maps.own_area) & points & ~theirs
    groups = their_groups(state) if is_own else own_groups(state)
    return HELD * count(held) <= count(points) and all(
        count(eye_space_of(mask, state, maps)) < NO_EYES for mask in groups.masks if mask & points
    )


def _territory(state: LargeState, theirs: Mask) -> Mask:
    """Return the points that the territory map gives to the side that does not have the stones `theirs`."""
    maps = raw_influence(state)
    return maps.own_territory if theirs == state.theirs else maps.their_territory


def eyes_in(points: Mask, stones: Mask, own: Mask, theirs: Mask, grid: Grid) -> int:
    """Return how many eyes a safe area is worth to the stones that enclose it, theirs to move: 0, 1 or 2."""
    inside = points & theirs
    if inside:
        if count(points) - SPOILT * count(inside) >= SURE:
            return 2
        clear = points & ~(own | theirs | around(inside, grid))
        return 2 if any(count(one) >= SURE for one in chains(clear, grid)) else 1
    empty = points & ~own
    size = count(empty)
    if size == 1:
        return int(is_eye(empty, own, theirs, grid))
    return 2 if size >= SURE or holds_two_eyes(empty, grid) else 1


def holds_two_eyes(empty: Mask, grid: Grid) -> bool:
    """Return whether an empty region of up to six points holds two eyes whoever moves first.

    By the known shapes: four points do in a row or bent, not as a square or a T; five do but for the bulky five and the
    cross, six but for the rabbity six.
    """
    beside = sorted((count(around(1 << point, grid) & empty) for point in points_of(empty)), reverse=True)
    if len(beside) < 4:
        return False
    return beside not in ([2, 2, 2, 2], [3, 1, 1, 1], [3, 2, 2, 2, 1], [4, 1, 1, 1, 1], [4, 2, 2, 2, 1, 1])


@once_a_position
def influence(state: LargeState) -> Influence:
    """Return the maps of a position in which dead stones do not count."""
    own_dead, their_dead = their_settled(state).dead, own_settled(state).dead
    if not own_dead | their_dead:
        return raw_influence(state)
    return influence_of(state.own & ~own_dead, state.theirs & ~their_dead, state.grid)


def area_gained(state: LargeState, point: Mask) -> int:
    """Return by how many points the own area less theirs grows when own plays a legal move on a one-point mask."""
    own, theirs, _, _ = played(point, state.own, state.theirs, state.grid)
    own, theirs = own & ~their_settled(state).dead | point, theirs & ~own_settled(state).dead
    return _lead(own, theirs, state.grid) - _lead_now(state)


def area_lost(state: LargeState, point: Mask) -> int:
    """Return by how many points it shrinks when theirs play a move that is legal for them on a one-point mask."""
    theirs, own, _, _ = played(point, state.theirs, state.own, state.grid)
    own, theirs = own & ~their_settled(state).dead, theirs & ~own_settled(state).dead | point
    return _lead_now(state) - _lead(own, theirs, state.grid)


def _lead(own: Mask, theirs: Mask, grid: Grid) -> int:
    ours, yours = areas(own, theirs, grid)
    return count(ours) - count(yours)


@once_a_position
def _lead_now(state: LargeState) -> int:
    maps = influence(state)
    return count(maps.own_area) - count(maps.their_area)
