"""Moves that settle weak groups. Each move near a weak group is tried, and the group is judged again.

A group is weak unless it has two eyes, the space for two eyes, or room to escape. The judgement is an estimate, not a
reading of life and death.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlego.engines.large.enclosure import influence, own_settled, their_settled
from littlego.engines.large.groups import eye_space_of, own_groups, room_of, stones_of_groups, their_groups
from littlego.engines.large.state import LargeState
from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import around, count
from littlego.rules.position import is_legal, played

if TYPE_CHECKING:
    from littlego.rules.geometry import Mask

WEAK_EYES, WEAK_ROOM = 7, 12  # a group with less eye space and less room is weak
FEWEST = 3  # smallest group considered, in stones


def is_strong(chain: Mask, state: LargeState) -> bool:
    """Return whether all given chains belong to strong groups (see enclosure). chain: a mask of one side's chains."""
    settled = own_settled(state) if chain & state.own else their_settled(state)
    return not chain & ~settled.strong


def is_weak(chain: Mask, state: LargeState) -> bool:
    """Return whether a chain's group is weak."""
    if is_strong(chain, state):
        return False
    group, maps = stones_of_groups(state, chain), influence(state)
    return count(eye_space_of(group, state, maps)) < WEAK_EYES and count(room_of(group, state, maps)) < WEAK_ROOM


@once_a_position
def own_settling(state: LargeState) -> dict[Mask, int]:
    """Return {one-point mask of a move: number of the mover's stones that the move settles}.

    A move settles the stones of a weak group that is no longer weak afterwards. The function ignores ko, groups of
    fewer than FEWEST stones, and groups more than two steps from the move.
    """
    return _settling(own_groups(state).masks, state.own, state.theirs, state)


@once_a_position
def their_settling(state: LargeState) -> dict[Mask, int]:
    """Return the result of `own_settling` for the opponent's groups and moves."""
    return _settling(their_groups(state).masks, state.theirs, state.own, state)


def _settling(masks: list[Mask], own: Mask, theirs: Mask, state: LargeState) -> dict[Mask, int]:
    """Return the result of `own_settling` for the side with the stones `own` and the groups `masks`."""
    grid = state.grid
    settles: dict[Mask, int] = {}
    afterwards: dict[Mask, LargeState] = {}
    for group in masks:
        if count(group) < FEWEST or not is_weak(group, state):
            continue
        near = group | around(group, grid)
        near = (near | around(near, grid)) & ~(own | theirs)
        while near:
            point = near & -near
            near ^= point
            if not is_legal(point, own, theirs, 0, grid):
                continue
            after = afterwards.get(point) or afterwards.setdefault(point, _after(point, own, theirs, state))
            if not is_weak(group, after):
                settles[point] = settles.get(point, 0) + count(group)
    return settles


def _after(point: Mask, own: Mask, theirs: Mask, state: LargeState) -> LargeState:
    """Return the state after a legal move of the side with the stones `own`, from this side's view."""
    own, theirs, _, _ = played(point, own, theirs, state.grid)
    return LargeState(own, theirs, 0, state.left, state.number, state.colour, state.bonus2, 0, state.grid)
