"""The end of a match: points that the mover can fill without harm, neutral points and hopeless points.

If a pass costs a stone, players can fill points of their own territory instead, which costs nothing. In the score, dead
stones that have not been captured make the area around them neutral.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlego.engines.large.enclosure import Area, Settled, eyes_in, influence, is_few, own_settled, their_settled
from littlego.engines.large.groups import own_groups
from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import around, count, flood, points_of
from littlego.rules.position import captured_by, chains, is_legal, liberties

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Mask


def is_spare(point: Mask, state: LargeState) -> bool:
    """Return whether the mover can fill a point in one of its own safe areas without harm.

    The point must be next to an enclosing stone, the new stone must not be in atari, and all strong stones around the
    area must stay strong. point: a one-point mask.
    """
    settled = own_settled(state)
    own, theirs, grid = state.own, state.theirs, state.grid
    area = next((area for area in settled.areas if area.points & point), None)
    if area is None or not is_legal(point, own, theirs, state.ko, grid):
        return False
    if not around(point, grid) & area.border:
        return False
    return _stays_strong(area, point, state, settled)


def _stays_strong(area: Area, point: Mask, state: LargeState, settled: Settled) -> bool:
    """Return whether the groups around an area stay strong if the mover fills a point of the area.

    Each group must keep at least two eyes, and the chain of the new stone must not be in atari.
    """
    own, theirs, grid = state.own, state.theirs, state.grid
    theirs &= ~captured_by(point, own, theirs, grid)
    own |= point
    free = liberties(flood(point, own, grid), own | theirs, grid)
    if not free & (free - 1):  # if the chain is in atari, it may lose its links to other chains
        return False
    stones, eyes = settled.strong | point, []
    for part in chains(area.points & ~point, grid):
        worth = eyes_in(part, stones, own, theirs, grid) if is_few(theirs, part) else 0
        eyes.append((around(part, grid), worth))
    eyes += [(other.border, other.eyes) for other in settled.areas if other is not area]
    masks = own_groups(state).masks
    grown = point
    for mask in masks:
        grown |= mask if mask & around(point, grid) else 0
    around_area = {grown if mask & grown else mask for mask in masks if mask & area.border}
    return all(sum(worth for beside, worth in eyes if beside & mask) >= 2 for mask in around_area)


@once_a_position
def spares(state: LargeState) -> int:
    """Return an estimate of the number of points that the mover can fill without harm.

    The estimate is 0 if and only if there is no such point. Otherwise, each connected set of the mover's safe areas and
    strong groups contributes the number of its empty points minus two, but at least 0. The estimate is the sum of these
    contributions, but at least 1.
    """
    settled, grid = own_settled(state), state.grid
    empty = settled.safe & ~(state.own | state.theirs)
    beside = points_of(around(settled.strong, grid) & empty)
    if not any(is_spare(1 << point, state) for point in beside):
        return 0
    wholes = chains(settled.strong | settled.safe, grid)
    return max(1, sum(max(0, count(whole & empty) - 2) for whole in wholes))


@once_a_position
def their_spares(state: LargeState) -> int:
    """Return the estimate of `spares` from the opponent's side."""
    return spares(state.other)


@once_a_position
def neutral_points(state: LargeState) -> Mask:
    """Return the neutral points as a mask: dame between strong stones of both sides.

    A region of empty points outside all territory and safe areas is neutral if it touches stones of both sides and all
    these stones are strong.
    """
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


@once_a_position
def undecided_points(state: LargeState) -> Mask:
    """Return the empty points that are neither neutral nor in a safe area. Both sides may still gain these points."""
    held = own_settled(state).safe | their_settled(state).safe | neutral_points(state)
    return state.grid[1] & ~(state.own | state.theirs | held)


def is_neutral(point: Mask, state: LargeState) -> bool:
    """Return whether a point is neutral and the mover can fill it legally without self-atari."""
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
    """Return whether a legal move to a point would place a dead stone in the opponent's safe area.

    A move that captures is not hopeless.
    """
    safe = their_settled(state).safe
    if not point & safe or not is_legal(point, state.own, state.theirs, state.ko, state.grid):
        return False
    return not captured_by(point, state.own, state.theirs, state.grid)
