"""Handicap stones: where the weaker player's first stones stand before the stronger one moves. Runs on Python 3.7."""

from __future__ import annotations

from rules.geometry import Point
from rules.position import PASS

FIXED = 9  # stones for which custom knows the points


def most_fixed(size: int) -> int:
    """Return how many stones have a fixed place on a board, as the Go Text Protocol's specification says."""
    return 0 if size < 7 else FIXED if size % 2 and size > 7 else 4


def fixed_handicap(size: int, stones: int) -> list[Point]:
    """Return the points of a fixed handicap, as the Go Text Protocol lists them by board; ValueError without any."""
    if not 2 <= stones <= most_fixed(size):
        raise ValueError(f"{stones} stones on {size}x{size}: expected 2 to {most_fixed(size)}")
    low = 3 if size > 11 else 2
    middle, high = size // 2, size - 1 - low
    corners = [(low, high), (high, low), (low, low), (high, high)]
    sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
    places = [*corners[: min(stones, 4)], *sides[: max(0, (stones - 4) // 2 * 2)]]
    if stones > 4 and stones % 2:
        places.append((middle, middle))
    return sorted(size * row + column for row, column in places)


def most_handicap(size: int) -> int:
    """Return how many stones a handicap may have at most: one on each point off the two outer lines."""
    return max(0, size - 4) ** 2


def handicap_points(size: int, stones: int) -> list[Point]:
    """Return the points of a handicap of any number of stones: the fixed ones, then each as far as can be from all.

    No stone stands on the two outer lines. ValueError where there are too few points.
    """
    inner = [size * row + column for row in range(2, size - 2) for column in range(2, size - 2)]
    if not 1 <= stones <= len(inner):
        raise ValueError(f"{stones} stones on {size}x{size}: expected 1 to {len(inner)}")
    fixed = min(stones, most_fixed(size))
    points = fixed_handicap(size, fixed) if fixed > 1 else [size * (size // 2) + size // 2]

    def room(point: Point) -> int:
        row, column = divmod(point, size)
        return min((row - one // size) ** 2 + (column - one % size) ** 2 for one in points)

    while len(points) < stones:
        points.append(max((point for point in inner if point not in points), key=room))
    return sorted(points)


def handicap_opening(size: int, stones: int) -> tuple[int, ...]:
    """Return the moves that place a handicap: Black's stones, White passing after each but the last."""
    moves = [move for point in handicap_points(size, stones) for move in (point, PASS)]
    return tuple(moves[:-1])
