"""The facts of rules.facts looked up in a chain table: the same answers, without flooding.

A lookup is declared beside the fact that it answers for and called in the same way; what it promises is that fact's
docstring. Facts without a lookup are asked as they are.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rules import facts
from rules.geometry import around, edges_at, flood, line_of
from rules.life import catches, corners_of, rescues
from tools.large.life import Region, life_made, living, may_be_eye, may_live_by, regions_of
from tools.large.vocabulary import once_a_position

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.geometry import Mask, Point
    from tools.large.chaintable import ChainTable
    from tools.large.state import LargeState

    Fact = Callable[..., int]

LOOKUPS: dict[Fact, Fact] = {}  # by the function of the fact


def lookup(fact: Fact) -> Callable[[Fact], Fact]:
    """Declare a function to answer for a fact."""

    def declared(function: Fact) -> Fact:
        LOOKUPS[fact] = function
        return function

    return declared


class Side:
    """A position as one side sees it that is to move, with what has been found out about its moves.

    table: the chains, own being that side's. ko: the point that it may not take.
    """

    __slots__ = ("table", "ko", "_after", "_regions", "_alive", "_in_atari", "_most", "_open")

    def __init__(self, table: ChainTable, ko: Mask) -> None:
        self.table = table
        self.ko = ko
        self._after: dict[Mask, ChainTable | None] = {}
        self._regions: list[Region] | None = None
        self._alive: Mask | None = None
        self._in_atari: dict[Mask, int] | None = None
        self._most: int | None = None
        self._open: Mask | None = None

    def after(self, point: Mask) -> ChainTable | None:
        """Return the table after the side's move on a point mask (0 passes), None where it is illegal."""
        if not point:
            return self.table
        if point not in self._after:
            legal = self.table.is_legal(point, self.ko)
            self._after[point] = self.table.played(point) if legal else None
        return self._after[point]

    @property
    def regions(self) -> list[Region]:
        """The regions that the side's stones leave."""
        if self._regions is None:
            self._regions = regions_of(self.table)
        return self._regions

    @property
    def alive(self) -> Mask:
        """The side's stones that are unconditionally alive."""
        if self._alive is None:
            self._alive = living(self.table, self.regions)
        return self._alive

    @property
    def most_liberties(self) -> int:
        """The most liberties that a chain of the side has, 0 without one."""
        if self._most is None:
            table = self.table
            chains = table.chains_of(table.own)
            self._most = max((table.free[chain].bit_count() for chain in chains), default=0)
        return self._most

    @property
    def open(self) -> Mask:
        """Points where a move of the side makes no stone alive: away from its stones, in regions too large for an eye.

        Such a move joins nothing, and its region hangs together round it.
        """
        if self._open is None:
            own, grid, wide = self.table.own, self.table.grid, 0
            for region in self.regions:
                if not may_be_eye(region.points & ~self.table.theirs, self.most_liberties):
                    wide |= region.points
            beside = own | around(own, grid)
            self._open = wide & ~(beside | around(beside, grid)) & ~sum(self.in_atari)
        return self._open

    @property
    def in_atari(self) -> dict[Mask, int]:
        """How many stones of the other side the side could take on each point where it could take any."""
        if self._in_atari is None:
            table = self.table
            found: dict[Mask, int] = {}
            for chain in table.chains_of(table.theirs):
                free = table.free[chain]
                if not free & (free - 1):
                    found[free] = found.get(free, 0) + chain.bit_count()
            self._in_atari = found
        return self._in_atari


@once_a_position
def sides(state: LargeState) -> tuple[Side, Side]:
    """Return (own, theirs) of a state: the mover's side, and the other as though it were to move, ko aside."""
    return Side(state.table, state.ko), Side(state.table.turned(), 0)


@cache
def _lines(size: int) -> tuple[int, ...]:
    return tuple(line_of(point, size) for point in _points(size))


@cache
def _edges(size: int) -> tuple[int, ...]:
    return tuple(edges_at(point, size) for point in _points(size))


def _points(size: int) -> list[Point]:
    """Return all points and then -1, which stands for the mask 0: as an index it finds what is last."""
    return [*range(size * size), -1]


def _beside(state: LargeState, point: Mask) -> Mask:
    return state.table.beside[point.bit_length() - 1]


# -- chains --------------------------------------------------------------------------------------------------


@lookup(facts.liberties)
def _liberties(state: LargeState, move: Mask, chain: Mask) -> int:
    return _free(state, chain).bit_count()


@lookup(facts.in_atari)
def _in_atari(state: LargeState, move: Mask, chain: Mask) -> int:
    if not chain:
        return 0
    free = _free(state, chain)
    return int(not free & (free - 1))


@lookup(facts.shared_liberties)
def _shared_liberties(state: LargeState, move: Mask, chain: Mask, other: Mask) -> int:
    return (_free(state, chain) & _free(state, other)).bit_count()


def _free(state: LargeState, chain: Mask) -> Mask:
    """Return the liberties of a chain, of some chains together, or of none."""
    free = state.table.free.get(chain)
    if free is None:
        free = 0
        for one in state.table.chains_of(chain):
            free |= state.table.free[one]
    return free


@lookup(facts.eyes)
def _eyes(state: LargeState, move: Mask, chain: Mask) -> int:
    table = sides(state)[1 if chain & state.theirs else 0].table
    near, number = _free(state, chain), 0
    while near:
        point = near & -near
        near ^= point
        number += _is_eye(point, table)
    return number


@lookup(facts.alive)
def _alive(state: LargeState, move: Mask, chain: Mask) -> int:
    return int(bool(chain) and not chain & ~sides(state)[1 if chain & state.theirs else 0].alive)


@lookup(facts.doomed)
def _doomed(state: LargeState, move: Mask, chain: Mask) -> int:
    if not _in_atari(state, move, chain):
        return 0
    side = sides(state)[1 if chain & state.theirs else 0]
    return int(not rescues(chain, side.table.own, side.table.theirs, side.ko, state.grid))


@lookup(facts.liberties_after)
def _liberties_after(state: LargeState, move: Mask, chain: Mask) -> int:
    side = sides(state)[0]
    table = side.table
    free = table.free.get(chain)
    if free is not None and move and move not in side.in_atari:  # one chain, and nothing is taken
        if not table.is_legal(move, side.ko):
            return 0
        if not free & move:
            return free.bit_count()
        return _liberties_at(side, move) if chain & table.own else free.bit_count() - 1
    after = side.after(move)
    if after is None:
        return 0
    free = 0
    for one in after.chains_of(chain & (after.own if chain & after.own else after.theirs)):
        free |= after.free[one]
    return free.bit_count()


@lookup(facts.ladder)
def _ladder(state: LargeState, move: Mask, chain: Mask) -> int:
    if chain in state.table.free and _liberties_after(state, move, chain) > (2 if chain & state.own else 1):
        return 0
    after = sides(state)[0].after(move)
    if after is None or not chain:
        return 0
    own, theirs, grid = after.own, after.theirs, state.grid
    for target in after.chains_of(chain & theirs):
        free = after.free[target]
        if free & (free - 1) or rescues(target, theirs, own, after.ko, grid):
            return 0
    return int(all(_caught(target, after) for target in after.chains_of(chain & own)))


def _caught(target: Mask, after: ChainTable) -> bool:
    """Return whether theirs, to move after own's move, captures an own chain in a ladder."""
    rest = after.free[target]
    rest &= rest - 1
    return not rest & (rest - 1) and catches(target, after.theirs, after.own, after.ko, after.grid)


# -- a move --------------------------------------------------------------------------------------------------


@lookup(facts.legal)
def _legal(state: LargeState, move: Mask, point: Mask) -> int:
    return int(state.table.is_legal(point, state.ko))


@lookup(facts.their_legal)
def _their_legal(state: LargeState, move: Mask, point: Mask) -> int:
    return int(sides(state)[1].table.is_legal(point))


@lookup(facts.captures)
def _captures(state: LargeState, move: Mask, point: Mask) -> int:
    return _taken_by(sides(state)[0], point)


@lookup(facts.their_captures)
def _their_captures(state: LargeState, move: Mask, point: Mask) -> int:
    return _taken_by(sides(state)[1], point)


def _taken_by(side: Side, point: Mask) -> int:
    return 0 if point & side.ko else side.in_atari.get(point, 0)


@lookup(facts.own_liberties)
def _own_liberties(state: LargeState, move: Mask, point: Mask) -> int:
    return _liberties_at(sides(state)[0], point)


@lookup(facts.their_liberties)
def _their_liberties(state: LargeState, move: Mask, point: Mask) -> int:
    return _liberties_at(sides(state)[1], point)


def _liberties_at(side: Side, point: Mask) -> int:
    """Return the liberties of the side's chain at a point once it has played there; 0 where that is illegal."""
    table = side.table
    occupied = table.own | table.theirs
    if point & (occupied | side.ko):
        return 0
    grown, free = point, table.beside[point.bit_length() - 1] & ~occupied
    for chain in table.chains_near(point, table.own):
        grown |= chain
        free |= table.free[chain]
    if point in side.in_atari:
        free |= around(grown, table.grid) & table.captured_by(point)
    return (free & ~point).bit_count()  # none: it would be suicide


@lookup(facts.joins)
def _joins(state: LargeState, move: Mask, point: Mask) -> int:
    return len(state.table.chains_near(point, state.own))


@lookup(facts.cuts)
def _cuts(state: LargeState, move: Mask, point: Mask) -> int:
    return len(state.table.chains_near(point, state.theirs))


@lookup(facts.ko)
def _ko(state: LargeState, move: Mask, point: Mask) -> int:
    side = sides(state)[0]
    after = side.after(point) if point in side.in_atari else None
    return int(after is not None and after.ko != 0)


@lookup(facts.atari)
def _atari(state: LargeState, move: Mask, point: Mask) -> int:
    return _put_in_atari(sides(state)[0], point)


@lookup(facts.their_atari)
def _their_atari(state: LargeState, move: Mask, point: Mask) -> int:
    return _put_in_atari(sides(state)[1], point)


def _put_in_atari(side: Side, point: Mask) -> int:
    return sum(chain.bit_count() for chain, _ in _newly_in_atari(side, point))


def _newly_in_atari(side: Side, point: Mask) -> list[tuple[Mask, Mask]]:
    """Return (chain, last liberty) for chains of the other side next to a point that a legal move there leaves so."""
    table, found = side.table, []
    for chain in table.chains_near(point, table.theirs):
        left = table.free[chain] & ~point
        if left and not left & (left - 1):
            found.append((chain, left))
    return found if found and table.is_legal(point, side.ko) else []


@lookup(facts.saves)
def _saves(state: LargeState, move: Mask, point: Mask) -> int:
    return _saved(*sides(state), point)


@lookup(facts.their_saves)
def _their_saves(state: LargeState, move: Mask, point: Mask) -> int:
    own, theirs = sides(state)
    return _saved(theirs, own, point)


def _saved(side: Side, other: Side, point: Mask) -> int:
    """Return how many of the side's stones in atari its move at a point makes safe; other: the other side."""
    if point not in other.in_atari and point not in side.in_atari:
        return 0  # each chain in atari keeps its last liberty, where it is taken
    after = side.after(point)
    if after is None:
        return 0
    saved, table = 0, side.table
    for chain in table.chains_of(table.own):
        free = table.free[chain]
        if not free & (free - 1):
            grown = after.chains_of(chain & -chain)[0]
            saved += 0 if _caught(grown, after) else chain.bit_count()
    return saved


@lookup(facts.threatens)
def _threatens(state: LargeState, move: Mask, point: Mask) -> int:
    side = sides(state)[0]
    table = side.table
    if point and not table.is_legal(point, side.ko):
        return 0
    takes = {free: stones for free, stones in side.in_atari.items() if free != point}
    for chain, last in _newly_in_atari(side, point):
        takes[last] = takes.get(last, 0) + chain.bit_count()
    return max(takes.values(), default=0)


@lookup(facts.snapback)
def _snapback(state: LargeState, move: Mask, point: Mask) -> int:
    free = _beside(state, point) & ~(state.own | state.theirs)
    if free & (free - 1) or _liberties_at(sides(state)[0], point) != 1:
        return 0
    return facts.snapback(state, move, point)


@lookup(facts.makes_life)
def _makes_life(state: LargeState, move: Mask, point: Mask) -> int:
    return _life_made(sides(state)[0], point)


@lookup(facts.their_life)
def _their_life(state: LargeState, move: Mask, point: Mask) -> int:
    return _life_made(sides(state)[1], point)


def _life_made(side: Side, point: Mask) -> int:
    """Return how many of the side's stones its move at a point makes unconditionally alive."""
    table, regions, alive = side.table, side.regions, side.alive
    if point & side.open:
        return 0
    if not table.is_legal(point, side.ko):
        return 0
    if point not in side.in_atari and not may_live_by(table, regions, alive, side.most_liberties, point):
        return 0
    after = side.after(point)
    return 0 if after is None else life_made(table, regions, alive, point, after).bit_count()


# -- points ---------------------------------------------------------------------------------------------------


@lookup(facts.eye)
def _eye(state: LargeState, move: Mask, point: Mask) -> int:
    return int(_is_eye(point, state.table))


@lookup(facts.their_eye)
def _their_eye(state: LargeState, move: Mask, point: Mask) -> int:
    return int(_is_eye(point, sides(state)[1].table))


@lookup(facts.false_eye)
def _false_eye(state: LargeState, move: Mask, point: Mask) -> int:
    closed = not point & (state.own | state.theirs) and not _beside(state, point) & ~state.own
    return int(closed and not _is_eye(point, state.table))


def _is_eye(point: Mask, table: ChainTable) -> bool:
    """Return whether a one-point mask is a real eye of the table's own side: see rules.life.is_eye."""
    beside = around(point, table.grid)
    if point & (table.own | table.theirs) or beside & ~table.own:
        return False
    chain = table.chain_at[(beside & -beside).bit_length() - 1] if beside else 0
    if not beside & ~chain:
        return True
    diagonals = corners_of(point, table.grid)
    lost = diagonals & table.theirs
    return not lost or (diagonals.bit_count() == 4 and not lost & (lost - 1))


@lookup(facts.region)
def _region(state: LargeState, move: Mask, point: Mask) -> int:
    return _region_at(state, point)[0]


@lookup(facts.enclosed)
def _enclosed(state: LargeState, move: Mask, point: Mask) -> int:
    number, own, theirs = _region_at(state, point)
    return number if own and not theirs else 0


@lookup(facts.their_enclosed)
def _their_enclosed(state: LargeState, move: Mask, point: Mask) -> int:
    number, own, theirs = _region_at(state, point)
    return number if theirs and not own else 0


def _region_at(state: LargeState, point: Mask) -> tuple[int, bool, bool]:
    """Return (points, does own border it, does theirs) of the empty region at a point."""
    return _empty_regions(state).get(point, (0, False, False))


@once_a_position
def _empty_regions(state: LargeState) -> dict[Mask, tuple[int, bool, bool]]:
    """Return what _region_at says of each empty point."""
    own, theirs, grid = state.own, state.theirs, state.grid
    empty, found = grid[1] & ~(own | theirs), {}
    while empty:
        region = flood(empty & -empty, empty, grid)
        empty ^= region
        border = around(region, grid)
        answer = region.bit_count(), bool(border & own), bool(border & theirs)
        while region:
            point = region & -region
            region ^= point
            found[point] = answer
    return found


@lookup(facts.line)
def _line(state: LargeState, move: Mask, point: Mask) -> int:
    return _lines(state.grid[0])[point.bit_length() - 1]


@lookup(facts.edge)
def _edge(state: LargeState, move: Mask, point: Mask) -> int:
    return _edges(state.grid[0])[point.bit_length() - 1]


@lookup(facts.own_near)
def _own_near(state: LargeState, move: Mask, point: Mask) -> int:
    return (_beside(state, point) & state.own).bit_count()


@lookup(facts.their_near)
def _their_near(state: LargeState, move: Mask, point: Mask) -> int:
    return (_beside(state, point) & state.theirs).bit_count()


@lookup(facts.empty_near)
def _empty_near(state: LargeState, move: Mask, point: Mask) -> int:
    return (_beside(state, point) & ~(state.own | state.theirs)).bit_count()
