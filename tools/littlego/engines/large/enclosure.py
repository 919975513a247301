"""Areas enclosed by one side, the number of eyes that each area is worth, and groups with two eyes.

An area is a set of points enclosed by groups of one side, without the stones of these groups. An area is *safe* if the
opponent cannot live in it: see `_is_safe`.

A safe area without opposing stones is worth two eyes if the enclosing side gets two eyes whoever moves first (see
`eyes_in`). Any other safe area without opposing stones is worth one eye, or none if its only empty point is a false
eye. A safe area with opposing stones is worth two eyes if at least seven points remain after subtracting three for each
opposing stone, or if at least seven connected empty points touch no opposing stone. Any other safe area with opposing
stones is worth one eye.

A group is strong if it has unconditionally alive stones or two eyes from safe areas. Only strong groups enclose areas,
so groups and areas are determined together. Benson's algorithm is the special case in which every group is one chain
and all empty points of every area are liberties.
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

SMALL = 20  # largest area in which the opponent cannot make life
SURE = 7  # connected empty points that make two eyes in any shape
SPOILT = 3  # points that a dead stone may cost the surrounding area
WALLED = 5  # an area above SMALL needs one enclosing stone for each five points
FEW = 5  # at most a fifth of the points of an area above SMALL may be opposing stones
HELD = 4  # at most a fourth of the points of an area above SMALL may be in the opponent's area
NO_EYES = 4  # an opposing group with less eye space cannot live in an area above SMALL


class Area(NamedTuple):
    """An area that strong groups of one side enclose.

    points: a mask of the area's points. border: a mask of the enclosing strong stones. eyes: the number of eyes that
    the area is worth.
    """

    points: Mask
    border: Mask
    eyes: int


class Settled(NamedTuple):
    """One side's strong groups and safe areas, and the dead stones in these areas.

    strong: a mask of the stones of the strong groups. areas: the safe areas. safe: a mask of the points of these areas.
    dead: a mask of the dead opposing stones in these areas.
    """

    strong: Mask
    areas: list[Area]
    safe: Mask
    dead: Mask


class _Side(NamedTuple):
    """The input of the search for one side's areas: all stones, this side's groups and alive stones."""

    own: Mask
    theirs: Mask
    groups: Groups
    alive: Mask


def own_settled(state: LargeState) -> Settled:
    """Return the mover's strong groups and safe areas, and the dead stones in these areas."""
    return _both_settled(state)[0]


def their_settled(state: LargeState) -> Settled:
    """Return the opponent's strong groups and safe areas, and the dead stones in these areas."""
    return _both_settled(state)[1]


@once_a_position
def _both_settled(state: LargeState) -> tuple[Settled, Settled]:
    """Return (the mover's Settled, the opponent's Settled).

    Groups that are strong without areas that contain opposing stones are determined first, since these groups cannot be
    dead in an area of the other side. If two groups would each be dead in an area of the other, neither is dead.
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
    """Return (stones of a side's strong groups, the safe areas that these groups enclose).

    lively: opposing stones that a safe area must not contain.
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
    """Return whether the opponent cannot live in an enclosed area.

    The area must contain no stone in `lively` (see `_strong`) and no chain of the enclosing side that is in atari. For
    an area of at most SMALL points, these conditions suffice. A larger area needs at least one enclosing stone for
    every WALLED points. Opposing stones in such an area must be few, control little of the area and have little eye
    space. After their removal, the whole area must be territory of the enclosing side.
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
    """Return whether an area has few enough opposing stones to be safe."""
    size = count(points)
    return size <= SMALL or FEW * count(points & theirs) <= size


def _are_cramped(points: Mask, state: LargeState, theirs: Mask) -> bool:
    """Return whether the opponent's groups in an area lack eye space and control little of the area.

    Each of these groups must have less eye space than NO_EYES. The opponent must control at most a fourth of the area.
    """
    maps, is_own = raw_influence(state), theirs == state.theirs
    held = (maps.their_area if is_own else maps.own_area) & points & ~theirs
    groups = their_groups(state) if is_own else own_groups(state)
    return HELD * count(held) <= count(points) and all(
        count(eye_space_of(mask, state, maps)) < NO_EYES for mask in groups.masks if mask & points
    )


def _territory(state: LargeState, theirs: Mask) -> Mask:
    """Return the territory of the side whose opponent has the stones `theirs`."""
    maps = raw_influence(state)
    return maps.own_territory if theirs == state.theirs else maps.their_territory


def eyes_in(points: Mask, stones: Mask, own: Mask, theirs: Mask, grid: Grid) -> int:
    """Return the number of eyes, 0 to 2, that a safe area is worth if the opponent moves first."""
    inside = points & theirs
    if inside:
        if count(points) - SPOILT * count(inside) >= SURE:
            return 2
        clear = points & ~(own | theirs | around(inside, grid))
        return 2 if any(count(region) >= SURE for region in chains(clear, grid)) else 1
    empty = points & ~own
    size = count(empty)
    if size == 1:
        return int(is_eye(empty, own, theirs, grid))
    return 2 if size >= SURE or holds_two_eyes(empty, grid) else 1


def holds_two_eyes(empty: Mask, grid: Grid) -> bool:
    """Return whether an empty region of up to six points makes two eyes whoever moves first.

    Three points or fewer do not make two eyes. Four points in a straight or bent row make two eyes, but a square or a T
    does not. Five points make two eyes, except the bulky five and the cross. Six points make two eyes, except the
    rabbity six.
    """
    beside = sorted((count(around(1 << point, grid) & empty) for point in points_of(empty)), reverse=True)
    if len(beside) < 4:
        return False
    return beside not in ([2, 2, 2, 2], [3, 1, 1, 1], [3, 2, 2, 2, 1], [4, 1, 1, 1, 1], [4, 2, 2, 2, 1, 1])


@once_a_position
def influence(state: LargeState) -> Influence:
    """Return a position's influence maps, computed after removing the dead stones."""
    own_dead, their_dead = their_settled(state).dead, own_settled(state).dead
    if not own_dead | their_dead:
        return raw_influence(state)
    return influence_of(state.own & ~own_dead, state.theirs & ~their_dead, state.grid)


def area_gained(state: LargeState, point: Mask) -> int:
    """Return how much a legal move of the mover increases the mover's lead in area (own minus opposing)."""
    own, theirs, _, _ = played(point, state.own, state.theirs, state.grid)
    own, theirs = own & ~their_settled(state).dead | point, theirs & ~own_settled(state).dead
    return _lead(own, theirs, state.grid) - _lead_now(state)


def area_lost(state: LargeState, point: Mask) -> int:
    """Return how much a legal opposing move decreases the mover's lead in area (own minus opposing)."""
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
