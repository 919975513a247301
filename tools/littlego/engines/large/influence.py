"""Influence and territory by dilation and erosion.

The method is from Bouzy, "Mathematical morphology applied to computer go", 2003. Every point has a number: above 0 for
a point of the mover, below 0 for a point of the opponent. A point with a stone of the mover starts at STONE, and an
empty point starts at 0. A dilation adds 1 to a point's number for each neighbour that is a point of the mover. A point
that belongs to the opponent or is next to a point of the opponent gains nothing. An erosion subtracts 1 from the number
of each point of the mover for each neighbour that is not a point of the mover; the number stays at least 0. The
opponent's points change at the same time, by the same rules with opposite signs. Five dilations give the influence, and
21 erosions of the influence give the territory: Bouzy's 5/21 operator. Only points of the board count as neighbours, so
the edge itself never changes a number.

The numbers of all points are stored as planes: in plane k, bit `point` is bit k of the point's number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import around

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Grid, Mask

    Planes = list[Mask]

DILATIONS, EROSIONS = 5, 21
PLANES = 8
STONE = 1 << PLANES - 1  # more than all erosions together subtract: each erosion subtracts at most 4


class Influence(NamedTuple):
    """Influence and territory of both sides.

    own, theirs: the influence numbers of each side as planes. own_area, their_area: masks of the points that each side
    influences. own_territory, their_territory: masks of the points that each side keeps after the erosions.
    """

    own: Planes
    theirs: Planes
    own_area: Mask
    their_area: Mask
    own_territory: Mask
    their_territory: Mask


@once_a_position
def raw_influence(state: LargeState) -> Influence:
    """Return the Influence in a position; every stone counts, even a dead stone."""
    return influence_of(state.own, state.theirs, state.grid)


def influence_of(ours: Mask, yours: Mask, grid: Grid) -> Influence:
    """Return the Influence of the stones `ours` and `yours` on a board."""
    own: Planes = [0] * (PLANES - 1) + [ours]
    theirs: Planes = [0] * (PLANES - 1) + [yours]
    for _ in range(DILATIONS):
        grown = _dilated(own, ours, yours, grid), _dilated(theirs, yours, ours, grid)
        ours, yours = ours | grown[0], yours | grown[1]
    own_now, their_now = own[:], theirs[:]
    own_territory, their_territory = ours, yours
    for _ in range(EROSIONS):
        own_now, their_now = _eroded(own_now, own_territory, grid), _eroded(their_now, their_territory, grid)
        own_territory, their_territory = _any(own_now), _any(their_now)
    return Influence(own, theirs, ours, yours, own_territory, their_territory)


def neighbours(mask: Mask, grid: Grid) -> tuple[Mask, Mask, Mask]:
    """Return, for each point, the number of its neighbours in the mask, as planes of ones, twos and fours."""
    size, full, not_first, not_last = grid
    up, down = mask >> size, mask << size & full
    left, right = (mask & not_first) >> 1, (mask & not_last) << 1
    odd, pair = up ^ down, up & down
    other_odd, other_pair = left ^ right, left & right
    carry = odd & other_odd
    return odd ^ other_odd, pair ^ other_pair ^ carry, pair & other_pair | carry & (pair ^ other_pair)


def _dilated(planes: Planes, held: Mask, others: Mask, grid: Grid) -> Mask:
    """Dilate a side's planes in place; return a mask of the points whose numbers increase. held: the side's points."""
    free = grid[1] & ~(others | around(others, grid))
    added = [plane & free for plane in neighbours(held, grid)]
    grown = added[0] | added[1] | added[2]
    carry = 0
    for index in range(PLANES):
        if index >= len(added) and not carry:
            break
        plane, more = planes[index], added[index] if index < len(added) else 0
        planes[index] = plane ^ more ^ carry
        carry = plane & more | carry & (plane ^ more)
    return grown


def _eroded(planes: Planes, held: Mask, grid: Grid) -> Planes:
    """Return the planes after an erosion: each point of `held` loses 1 for each neighbour outside `held`."""
    taken = [plane & held for plane in neighbours(grid[1] & ~held, grid)]
    left, borrow = [], 0
    for index in range(PLANES):
        plane, less = planes[index], taken[index] if index < len(taken) else 0
        left.append(plane ^ less ^ borrow)
        borrow = ~plane & (less | borrow) | less & borrow
    return [plane & ~borrow for plane in left]


def _any(planes: Planes) -> Mask:
    mask = 0
    for plane in planes:
        mask |= plane
    return mask


def number_at(planes: Planes, point: Mask) -> int:
    """Return the number that planes store for a point, given as a one-point mask."""
    return sum(1 << index for index, plane in enumerate(planes) if plane & point)


def areas(own: Mask, theirs: Mask, grid: Grid) -> tuple[Mask, Mask]:
    """Return the mover's and the opponent's area after the dilations, without computing influence numbers."""
    full = grid[1]
    for _ in range(DILATIONS):
        near_own, near_theirs = around(own, grid), around(theirs, grid)
        grown = near_own & full & ~(theirs | near_theirs)
        theirs |= near_theirs & full & ~(own | near_own)
        own |= grown
    return own, theirs
