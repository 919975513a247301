"""Groups: chains of one colour linked so that they cannot be cut, and the room that they have.

Two chains are linked where they have two liberties in common (a diagonal with both sides empty, a bamboo joint), or one
where a cutting stone could not be placed or would be in atari (a hanging connection). Whatever is linked with the same
chain is one group. That is no reading: a threat that breaks two links at once is not seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rules.geometry import around, flood, points_of
from rules.position import captured_by, chains, is_legal
from tools.large.influence import neighbours
from tools.large.vocabulary import once_a_position

if TYPE_CHECKING:
    from rules.geometry import Grid, Mask
    from tools.large.influence import Influence
    from tools.large.state import LargeState

STEPS = 3  # as far as a group may run in sight


class Groups(NamedTuple):
    """The groups of one side. masks: the stones of each; of: by the mask of a chain, the place of its group there."""

    masks: list[Mask]
    of: dict[Mask, int]


@once_a_position
def own_groups(state: LargeState) -> Groups:
    """Return the mover's groups."""
    return groups_on(state.own, state.theirs, state.grid)


@once_a_position
def their_groups(state: LargeState) -> Groups:
    """Return the opponent's groups."""
    return groups_on(state.theirs, state.own, state.grid)


def groups_on(own: Mask, theirs: Mask, grid: Grid) -> Groups:
    """Return the groups of own on a board."""
    separate = chains(own, grid)
    root = list(range(len(separate)))

    def find(index: int) -> int:
        while root[index] != index:
            index = root[index]
        return index

    for one, other in _links(separate, own, theirs, grid):
        root[find(one)] = find(other)
    masks: dict[int, Mask] = {}
    for index, chain in enumerate(separate):
        masks[find(index)] = masks.get(find(index), 0) | chain
    places = {index: place for place, index in enumerate(masks)}
    return Groups(list(masks.values()), {chain: places[find(index)] for index, chain in enumerate(separate)})


def _links(separate: list[Mask], own: Mask, theirs: Mask, grid: Grid) -> set[tuple[int, int]]:
    """Return the pairs of chains, by their places, that are linked."""
    _, twos, fours = neighbours(own, grid)
    shared = (twos | fours) & ~(own | theirs) & grid[1]
    nearby = [(index, around(chain, grid) & shared) for index, chain in enumerate(separate)]
    nearby = [(index, free) for index, free in nearby if free]
    linked: set[tuple[int, int]] = set()
    once: set[tuple[int, int]] = set()
    at: dict[Mask, list[int]] = {}
    for index, free in nearby:
        for point in points_of(free):
            at.setdefault(1 << point, []).append(index)
    for point, indexes in at.items():
        if len(indexes) < 2:
            continue
        holds = None
        for place, one in enumerate(indexes):
            for other in indexes[place + 1 :]:
                pair = one, other
                if pair in linked:
                    continue
                if pair in once:
                    linked.add(pair)
                    continue
                if holds is None:
                    holds = not can_cut(point, own, theirs, grid)
                (linked if holds else once).add(pair)
    return linked


def can_cut(point: Mask, own: Mask, theirs: Mask, grid: Grid) -> bool:
    """Return whether a stone of theirs on an empty one-point mask would stand: with two liberties, or by a capture."""
    if not is_legal(point, theirs, own, 0, grid):
        return False
    if captured_by(point, theirs, own, grid):
        return True
    free = around(flood(point, theirs, grid), grid) & grid[1] & ~(own | theirs | point)
    return free & (free - 1) != 0


def stones_of_groups(state: LargeState, chain: Mask) -> Mask:
    """Return the stones of the groups that a labelled chain, or chains, belong to; 0 for none."""
    stones = 0
    for groups in (own_groups(state), their_groups(state)):
        place = groups.of.get(chain)
        if place is not None:
            return groups.masks[place]
        for mask in groups.masks:
            if mask & chain:
                stones |= mask
    return stones


def linked_at(point: Mask, own: Mask, theirs: Mask, groups: Groups, grid: Grid) -> int:
    """Return with how many of the groups a stone of own on a one-point mask would be one group; 0 where illegal."""
    if not is_legal(point, own, theirs, 0, grid):
        return 0
    theirs &= ~captured_by(point, own, theirs, grid)
    chain = flood(point, own, grid)
    met = {place for place, mask in enumerate(groups.masks) if mask & chain}
    reach = around(around(chain, grid), grid)
    others = [(place, other) for other, place in groups.of.items() if place not in met and other & reach]
    free = grid[1] & ~(own | theirs | chain)
    around_chain = around(chain, grid) & free
    for place, other in others:
        common = around_chain & around(other, grid)
        if common & (common - 1) or common and not can_cut(common, own | chain, theirs, grid):
            met.add(place)
    return len(met)


def eye_space_of(group: Mask, state: LargeState, maps: Influence) -> Mask:
    """Return the points that the territory map counts as the group's side's, without stones of that side, that such
    points join to the group."""
    mine, own = (maps.own_territory, state.own) if group & state.own else (maps.their_territory, state.theirs)
    mine &= ~own
    return flood(around(group, state.grid) & mine, mine, state.grid)


def room_of(group: Mask, state: LargeState, maps: Influence) -> Mask:
    """Return the empty points within STEPS steps of the group, over empty points and stones of its side, that are not
    in the other side's area."""
    own, other_area = (state.own, maps.their_area) if group & state.own else (state.theirs, maps.own_area)
    empty = state.grid[1] & ~(state.own | state.theirs)
    reach = group
    for _ in range(STEPS):
        reach |= around(reach, state.grid) & (empty | own)
    return reach & empty & ~other_area
