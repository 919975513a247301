"""The chains of a position with their liberties, updated after each move without a new flood fill."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from littlego.rules.geometry import around, make_grid, points_of
from littlego.rules.position import chains

if TYPE_CHECKING:
    from littlego.rules.geometry import Grid, Mask


@cache
def neighbours(size: int) -> tuple[Mask, ...]:
    """Return the neighbours of each point as masks; the last element, 0, is for index -1 (no point)."""
    grid = make_grid(size)
    return (*(around(1 << point, grid) for point in range(size * size)), 0)


class ChainTable:
    """An immutable table of the chains on a board and their liberties.

    own, theirs: masks of the stones of each side. chain_at: the mask of the chain at each point, 0 for an empty point.
    free: chain mask -> the chain's liberties. taken: the stones captured by the move that led to this table. ko: the
    point that the simple ko rule forbids for the reply to that move. `taken` and `ko` are 0 if the move is unknown.
    beside: the result of `neighbours`.
    """

    __slots__ = ("grid", "own", "theirs", "chain_at", "free", "taken", "ko", "beside")

    def __init__(self, own: Mask, theirs: Mask, grid: Grid) -> None:
        self.grid = grid
        self.own = own
        self.theirs = theirs
        self.chain_at: list[Mask] = [0] * (grid[0] * grid[0])
        self.free: dict[Mask, Mask] = {}
        self.taken = self.ko = 0
        self.beside = neighbours(grid[0])
        empty = grid[1] & ~(own | theirs)
        for stones in (own, theirs):
            for chain in chains(stones, grid):
                self.free[chain] = around(chain, grid) & empty
                for point in points_of(chain):
                    self.chain_at[point] = chain

    def turned(self) -> ChainTable:
        """Return the table from the opponent's side, with own and theirs swapped."""
        other = self._copy()
        other.own, other.theirs = self.theirs, self.own
        return other

    def _copy(self) -> ChainTable:
        """Return a shallow copy of this table."""
        copy: ChainTable = ChainTable.__new__(ChainTable)
        copy.grid, copy.own, copy.theirs = self.grid, self.own, self.theirs
        copy.chain_at, copy.free = self.chain_at, self.free
        copy.taken, copy.ko, copy.beside = self.taken, self.ko, self.beside
        return copy

    def chains_of(self, stones: Mask) -> list[Mask]:
        """Return the chains that contain at least one of the stones, without duplicates.

        The chains are in the order of their first points in `stones`.
        """
        different = []
        chain_at = self.chain_at
        while stones:
            chain = chain_at[(stones & -stones).bit_length() - 1]
            stones &= ~chain
            different.append(chain)
        return different

    def chains_near(self, point: Mask, stones: Mask) -> list[Mask]:
        """Return the chains of one colour next to a point (a one-point mask), without duplicates.

        stones: all stones of that colour.
        """
        different = []
        chain_at, near = self.chain_at, self.beside[point.bit_length() - 1] & stones
        while near:
            chain = chain_at[(near & -near).bit_length() - 1]
            near &= ~chain
            different.append(chain)
        return different

    def captured_by(self, point: Mask) -> Mask:
        """Return a mask of the opposing stones that the mover captures by playing on an empty point."""
        taken, free = 0, self.free
        for chain in self.chains_near(point, self.theirs):
            if free[chain] == point:
                taken |= chain
        return taken

    def is_legal(self, point: Mask, ko: Mask = 0) -> bool:
        """Return whether the mover may play at a point (a one-point mask).

        The point must be empty and not `ko`, and the move must not be suicide.
        """
        occupied = self.own | self.theirs
        if point & (occupied | ko) or not point & self.grid[1]:
            return False
        if self.beside[point.bit_length() - 1] & ~occupied:
            return True
        free = self.free
        if any(free[chain] != point for chain in self.chains_near(point, self.own)):
            return True
        return any(free[chain] == point for chain in self.chains_near(point, self.theirs))

    def played(self, point: Mask) -> ChainTable:
        """Return the table after the mover's legal move, still from the mover's side. point: a one-point mask.

        Legality is not checked. `taken` and `ko` of the new table equal the results of rules.position.played.
        """
        after = self._copy()
        chain_at, free = list(self.chain_at), dict(self.free)
        after.chain_at, after.free = chain_at, free
        grown, liberties = point, self.beside[point.bit_length() - 1] & ~(self.own | self.theirs)
        for chain in self.chains_near(point, self.own):
            grown |= chain
            liberties |= free.pop(chain)
        taken = 0
        for chain in self.chains_near(point, self.theirs):
            free[chain] &= ~point
            if not free[chain]:
                del free[chain]
                taken |= chain
        free[grown] = liberties & ~point
        for at in points_of(grown):
            chain_at[at] = grown
        after.own, after.theirs, after.taken = self.own | point, self.theirs & ~taken, taken
        if taken:
            after._lift(taken)
        after.ko = after._ko(point, taken)
        return after

    def _lift(self, taken: Mask) -> None:
        """Remove captured stones in place; their points become liberties of the mover's adjacent chains."""
        chain_at, free, grid = self.chain_at, self.free, self.grid
        for at in points_of(taken):
            chain_at[at] = 0
        for chain in self.chains_of(around(taken, grid) & self.own):
            free[chain] |= around(chain, grid) & taken

    def _ko(self, point: Mask, taken: Mask) -> Mask:
        """Return a mask of the point that the ko rule forbids for the reply: see rules.position.ko_after."""
        if not taken or taken & (taken - 1):
            return 0
        return taken if self.turned().captured_by(taken) == point else 0
