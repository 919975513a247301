"""Handicap stones: where the weaker player's first stones stand before the stronger one moves. Runs on Python 3.7."""

from __future__ import annotations

from littlego.games.sizes import CORNERS_FROM, corner_line
from littlego.rules.geometry import SYMMETRIES, Point, symmetry_tables
from littlego.rules.position import PASS

FIXED = 9  # stones for which custom knows the points


def most_fixed(size: int) -> int:
    """Return how many stones have a fixed place on a board, as the Go Text Protocol's specification says."""
    return 0 if size < 7 else FIXED if size % 2 and size > 7 else 4


def fixed_handicap(size: int, stones: int) -> list[Point]:
    """Return the points of a fixed handicap, as the Go Text Protocol lists them by board; ValueError without any."""
    if not 2 <= stones <= most_fixed(size):
        raise ValueError(f"{stones} stones on {size}x{size}: expected 2 to {most_fixed(size)}")
    low = corner_line(size)
    places = [*_corners(size, low)[: min(stones, 4)], *_sides(size, low)[: max(0, (stones - 4) // 2 * 2)]]
    if stones > 4 and stones % 2:
        places.append(size * (size // 2) + size // 2)
    return sorted(places)


def _corners(size: int, line: int) -> list[Point]:
    """Return the points on so many lines from both sides of each corner, opposite corners one after the other."""
    far = size - 1 - line
    return [size * row + column for row, column in ((line, far), (far, line), (line, line), (far, far))]


def _sides(size: int, line: int) -> list[Point]:
    """Return the points in the middle of each side, so many lines from it, opposite sides one after the other."""
    middle, far = size // 2, size - 1 - line
    return [size * row + column for row, column in ((middle, line), (middle, far), (line, middle), (far, middle))]


def most_handicap(size: int) -> int:
    """Return how many stones a handicap may have at most: one on each point off the two outer lines."""
    return max(0, size - 4) ** 2


def free_handicap(size: int, stones: int) -> list[Point]:
    """Return the points of a handicap that Black places as it likes: corners first, so that each is a living group.

    From CORNERS_FROM points to a side two stones stand in each corner, the fixed one and one a line nearer to both
    sides, before any on the sides; on smaller boards they stand on the fixed points. What is more stands as far as can
    be from all. No stone stands on the two outer lines. ValueError where there are too few points.
    """
    inner = [size * row + column for row in range(2, size - 2) for column in range(2, size - 2)]
    if not 1 <= stones <= len(inner):
        raise ValueError(f"{stones} stones on {size}x{size}: expected 1 to {len(inner)}")
    middle, fixed = size * (size // 2) + size // 2, most_fixed(size)
    if stones == 1 or not fixed:
        points = [middle]
    elif size < CORNERS_FROM:
        points = fixed_handicap(size, min(stones, fixed))
    else:
        points = [*_corners(size, 3), *_corners(size, 2), *([*_sides(size, 3), middle] if fixed == FIXED else [])]

    def room(point: Point) -> int:
        row, column = divmod(point, size)
        return min((row - one // size) ** 2 + (column - one % size) ** 2 for one in points)

    while len(points) < stones:
        points.append(max((point for point in inner if point not in points), key=room))
    return sorted(points[:stones])


def handicap_opening(size: int, stones: int, seed: int = 0) -> tuple[int, ...]:
    """Return the moves that place a handicap: Black's stones, White passing after each but the last.

    seed: which of the eight symmetries turns them. Engines that choose the first of equal moves then play other games.
    """
    turned = symmetry_tables(size)[seed % SYMMETRIES]
    moves = [move for point in free_handicap(size, stones) for move in (turned[point], PASS)]
    return tuple(moves[:-1])
