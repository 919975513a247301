"""The ending of a match: harmless own points, dead stones that are still to be taken, neutral points, hopeless ones.

Where a pass hands over a stone, filling an own point costs nothing and a pass costs one; and stones of theirs that are
dead but not taken make all that is around them nobody's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.geometry import around, count, flood
from rules.position import captured_by, chains, is_legal, liberties
from tools.large.enclosure import Area, Settled, eyes_in, influence, own_settled, their_settled
from tools.large.groups import own_groups
from tools.large.vocabulary import once_a_position

if TYPE_CHECKING:
    from rules.geometry import Grid, Mask
    from tools.large.state import LargeState


def is_spare(point: Mask, state: LargeState) -> bool:
    """Return whether own may fill a one-point mask and every strong stone stays strong, the new one with them."""
    settled = own_settled(state)
    own, theirs, grid = state.own, state.theirs, state.grid
    area = next((area for area in settled.areas if area.points & point), None)
    if area is None or not is_legal(point, own, theirs, state.ko, grid):
        return False
    if not around(point, grid) & area.border:
        return False
    return _stays_strong(area, point, state, settled)


def _stays_strong(area: Area, point: Mask, state: LargeState, settled: Settled) -> bool:
    """Return whether the groups around an area have two eyes still once own has filled a point of it next to them."""
    own, theirs, grid = state.own, state.theirs, state.grid
    theirs &= ~captured_by(point, own, theirs, grid)
    own |= point
    stones, rest = settled.strong | point, area.points & ~point
    left = 0
    while rest:
        part = flood(rest & -rest, rest, grid)
        rest ^= part
        left += eyes_in(part, stones, own, theirs, grid)
    if left >= min(area.eyes, 2):
        return True
    merged = 0
    for mask in own_groups(state).masks:
        if mask & around(point, grid):
            merged |= mask
    for mask in own_groups(state).masks:
        if mask & area.border:
            whole = merged if mask & merged else mask
            others = sum(other.eyes for other in settled.areas if other is not area and other.border & whole)
            if left + others < 2:
                return False
    return True


def spare_points(settled: Settled, stones: Mask, grid: Grid) -> int:
    """Return how many points of safe areas a side can fill: all but two for each set of groups that areas join."""
    points, sets = 0, 0
    rest = settled.strong | settled.safe
    while rest:
        whole = flood(rest & -rest, rest, grid)
        rest ^= whole
        free = count(whole & settled.safe & ~stones)
        if free > 2:
            points += free - 2
            sets += 1
    return points


@once_a_position
def neutral_points(state: LargeState) -> Mask:
    """Return the empty points in neither side's territory or safe areas that a region of such points joins to stones of
    both, if all stones next to it are strong."""
    grid, maps = state.grid, influence(state)
    mine, yours = own_settled(state), their_settled(state)
    owned = mine.safe | yours.safe | maps.own_territory | maps.their_territory
    open_points = grid[1] & ~(state.own | state.theirs | owned)
    neutral = 0
    for region in chains(open_points, grid):
        border = around(region, grid) & (state.own | state.theirs)
        if border & state.own and border & state.theirs and not border & ~(mine.strong | yours.strong):
            neutral |= region
    return neutral


def is_neutral(point: Mask, state: LargeState) -> bool:
    """Return whether a point is neutral and an own stone there would stand: legal, with two liberties."""
    if not point & neutral_points(state):
        return False
    own, theirs, grid = state.own, state.theirs, state.grid
    if not is_legal(point, own, theirs, state.ko, grid):
        return False
    theirs &= ~captured_by(point, own, theirs, grid)
    own |= point
    free = liberties(flood(point, own, grid), own | theirs, grid)
    return free & (free - 1) != 0


def is_hopeless(point: Mask, state: LargeState) -> bool:
    """Return whether an own stone on a one-point mask would be dead: in a safe area of theirs, capturing nothing."""
    safe = their_settled(state).safe
    if not point & safe or not is_legal(point, state.own, state.theirs, state.ko, state.grid):
        return False
    return not captured_by(point, state.own, state.theirs, state.grid)
