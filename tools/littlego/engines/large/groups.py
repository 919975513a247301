"""Groups of chains whose links cannot be cut, with their eye space and running room.

Two chains are linked if they have two common liberties (a diagonal with both sides empty, a bamboo joint). One common
liberty also links two chains if a cutting stone there would be illegal, or would be in atari without capturing (a
hanging connection). A group consists of chains that are linked directly or through other chains. Groups are found
without search, so a double threat to two links is not detected.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from littlego.engines.large.influence import neighbours
from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import around, flood, points_of
from littlego.rules.position import captured_by, is_legal

if TYPE_CHECKING:
    from littlego.engines.large.chaintable import ChainTable
    from littlego.engines.large.influence import Influence
    from littlego.engines.large.state import LargeState
    from littlego.rules.geometry import Grid, Mask

STEPS = 3  # radius of a group's running room


class Groups(NamedTuple):
    """The groups of one side. masks: the stones of each group. of: chain mask -> index of its group."""

    masks: list[Mask]
    of: dict[Mask, int]


@once_a_position
def own_groups(state: LargeState) -> Groups:
    """Return the mover's groups."""
    return groups_on(state.table.chains_of(state.own), state.own, state.theirs, state.grid)


@once_a_position
def their_groups(state: LargeState) -> Groups:
    """Return the opponent's groups."""
    return groups_on(state.table.chains_of(state.theirs), state.theirs, state.own, state.grid)


def groups_on(separate: list[Mask], own: Mask, theirs: Mask, grid: Grid) -> Groups:
    """Return the groups of the side with the stones `own`. separate: this side's chains."""
    root = list(range(len(separate)))

    def find(index: int) -> int:
        while root[index] != index:
            index = root[index]
        return index

    for first, other in _links(separate, own, theirs, grid):
        root[find(first)] = find(other)
    masks: dict[int, Mask] = {}
    for index, chain in enumerate(separate):
        masks[find(index)] = masks.get(find(index), 0) | chain
    places = {index: place for place, index in enumerate(masks)}
    return Groups(list(masks.values()), {chain: places[find(index)] for index, chain in enumerate(separate)})


def _links(separate: list[Mask], own: Mask, theirs: Mask, grid: Grid) -> set[tuple[int, int]]:
    """Return the pairs of directly linked chains, as indexes in `separate`."""
    _, twos, fours = neighbours(own, grid)
    shared = (twos | fours) & ~(own | theirs) & grid[1]
    at: dict[Mask, list[int]] = {}
    for index, chain in enumerate(separate):
        for point in points_of(around(chain, grid) & shared):
            at.setdefault(1 << point, []).append(index)
    linked: set[tuple[int, int]] = set()
    once: set[tuple[int, int]] = set()  # pairs with one common liberty so far, at which the opponent can cut
    for liberty, indexes in at.items():
        holds: bool | None = None  # whether the opponent cannot cut at the liberty; computed on demand
        for pair in combinations(indexes, 2):
            if pair in linked:
                continue
            if pair not in once and holds is None:
                holds = not can_cut(liberty, own, theirs, grid)
            (linked if pair in once or holds else once).add(pair)
    return linked


def can_cut(point: Mask, own: Mask, theirs: Mask, grid: Grid) -> bool:
    """Return whether the opponent can cut at a point (a one-point mask).

    A stone there must be legal, regardless of ko, and must capture or get at least two liberties.
    """
    if not is_legal(point, theirs, own, 0, grid):
        return False
    if captured_by(point, theirs, own, grid):
        return True
    free = around(flood(point, theirs, grid), grid) & grid[1] & ~(own | theirs | point)
    return free & (free - 1) != 0


def stones_of_groups(state: LargeState, chain: Mask) -> Mask:
    """Return a mask of the stones of a chain's group, or of the groups of several chains.

    The mask is 0 if `chain` is 0.
    """
    stones = 0
    for groups in (own_groups(state), their_groups(state)):
        place = groups.of.get(chain)
        if place is not None:
            return groups.masks[place]
        for mask in groups.masks:
            if mask & chain:
                stones |= mask
    return stones


def linked_at(point: Mask, table: ChainTable, groups: Groups) -> int:
    """Return the number of the mover's groups that a new stone at a point (a one-point mask) would link.

    Linked groups are the groups next to the stone and the groups linked with the stone's chain. The result is 0 if the
    mover may not play on the point; ko is ignored.
    """
    if not table.is_legal(point):
        return 0
    grid, near, taken = table.grid, table.chains_near(point, table.own), table.captured_by(point)
    chain = point
    for neighbour in near:
        chain |= neighbour
    theirs = table.theirs & ~taken
    free = around(chain, grid) & ~(table.own | theirs | point) & grid[1]
    linked = {groups.of[neighbour] for neighbour in near}
    for other in table.chains_of(around(free, grid) & table.own & ~chain):
        place = groups.of[other]
        common = free & around(other, grid)
        if place not in linked and (common & (common - 1) or not can_cut(common, table.own | point, theirs, grid)):
            linked.add(place)
    return len(linked)


def eye_space_of(group: Mask, state: LargeState, maps: Influence) -> Mask:
    """Return the eye space of a group as a mask.

    The eye space consists of the regions that touch the group. A region is a connected part of the territory of the
    group's side, without the stones of this side.
    """
    mine, own = (maps.own_territory, state.own) if group & state.own else (maps.their_territory, state.theirs)
    mine &= ~own
    return flood(around(group, state.grid) & mine, mine, state.grid)


def room_of(group: Mask, state: LargeState, maps: Influence) -> Mask:
    """Return the running room of a group as a mask.

    The running room consists of the empty points within STEPS steps of the group and outside the other side's area. The
    steps lead over empty points and stones of the group's side.
    """
    own, other_area = (state.own, maps.their_area) if group & state.own else (state.theirs, maps.own_area)
    empty = state.grid[1] & ~(state.own | state.theirs)
    reach = group
    for _ in range(STEPS):
        reach |= around(reach, state.grid) & (empty | own)
    return reach & empty & ~other_area
