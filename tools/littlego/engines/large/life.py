"""Unconditional life (Benson 1976), from a chain table; rules.life finds chains by flood fill."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.rules.geometry import around, flood
from littlego.rules.life import corners_of

if TYPE_CHECKING:
    from littlego.engines.large.chaintable import ChainTable
    from littlego.rules.geometry import Grid, Mask

NEIGHBOURS = 4  # most liberties that a stone adds to its chain without a capture


class Region(NamedTuple):
    """A maximal connected set of points without stones of the mover.

    vital: the mover's chains that have every empty point of the region as a liberty (Benson's condition for an eye).
    """

    points: Mask
    vital: tuple[Mask, ...]


def region_of(points: Mask, table: ChainTable) -> Region:
    """Return the Region of the given points, with the chains to which the region is vital."""
    empty = points & ~table.theirs
    first = empty & -empty
    vital = [chain for chain in table.chains_near(first, table.own) if not empty & ~table.free[chain]]
    return Region(points, tuple(vital))


def regions_of(table: ChainTable) -> list[Region]:
    """Return all regions without stones of the mover."""
    outside, grid, found = table.grid[1] & ~table.own, table.grid, []
    while outside:
        points = flood(outside & -outside, outside, grid)
        outside ^= points
        found.append(region_of(points, table))
    return found


def living(table: ChainTable, regions: list[Region]) -> Mask:
    """Return a mask of the mover's unconditionally alive stones. regions: all regions of the table."""
    eyes = [region for region in regions if region.vital]
    grid, own = table.grid, table.own
    while len(eyes) >= 2:
        seen: dict[Mask, int] = {}
        for region in eyes:
            for chain in region.vital:
                seen[chain] = seen.get(chain, 0) + 1
        alive = 0
        for chain, number in seen.items():
            if number >= 2:
                alive |= chain
        kept = [region for region in eyes if not around(region.points, grid) & own & ~alive]
        if len(kept) == len(eyes):
            return alive
        eyes = kept
    return 0


def life_made(table: ChainTable, regions: list[Region], alive: Mask, point: Mask, after: ChainTable) -> Mask:
    """Return the mover's stones that a move makes unconditionally alive.

    regions, alive: the results of regions_of and living before the move. point: the move as a one-point mask. after:
    the table after the move. A move changes only the region around it and the chains that it joins. A stone becomes
    alive only if the move joins two chains, extends a living chain, or leaves an eye in the region around the move.
    """
    grid = table.grid
    joined = table.chains_near(point, table.own)
    changed = next(region for region in regions if region.points & point)
    parts = [region_of(part, after) for part in _split(changed.points, point, grid)]
    if len(joined) < 2 and not any(part.vital for part in parts) and not any(chain & alive for chain in joined):
        return 0
    rest = [region_of(region.points, after) for region in regions if region is not changed]
    return living(after, rest + parts) & ~alive


def may_live_by(table: ChainTable, regions: list[Region], alive: Mask, most: int, point: Mask) -> bool:
    """Return whether a move that captures nothing could make stones of the mover unconditionally alive.

    The result is True if the move joins chains, extends a living chain or divides the region around the move, or if
    this region has few enough empty points to be an eye. regions, alive: see life_made. most: the largest number of
    liberties among the mover's chains before the move.
    """
    joined = table.chains_near(point, table.own)
    if len(joined) > 1 or any(chain & alive for chain in joined):
        return True
    points = next(region for region in regions if region.points & point).points
    return may_be_eye(points & ~table.theirs, most) or len(_split(points, point, table.grid)) > 1


def may_be_eye(empty: Mask, most: int) -> bool:
    """Return whether a move in a region could make the other empty points there liberties of one chain.

    empty: the empty points of the region before the move. The move must capture nothing. most: the largest number of
    liberties among the mover's chains before the move.
    """
    return empty.bit_count() - 1 <= most + NEIGHBOURS


def _split(points: Mask, point: Mask, grid: Grid) -> list[Mask]:
    """Return the connected parts that remain after a point is removed from a connected set."""
    rest = points ^ point
    near = around(point, grid) & rest
    if not near & (near - 1) or _joined_round(near, point, rest, grid):
        return [rest] if rest else []
    parts = []
    while near:
        part = flood(near & -near, rest, grid)
        near &= ~part
        parts.append(part)
    return parts


def _joined_round(near: Mask, point: Mask, rest: Mask, grid: Grid) -> bool:
    """Return whether a point's neighbours `near` are connected through the point's diagonal points."""
    ring = (near | corners_of(point, grid)) & rest
    return not near & ~flood(near & -near, ring, grid)
