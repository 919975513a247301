"""The points of the handicap stones that the weaker player gets at the start. This module runs on Python 3.7."""

from __future__ import annotations

from littlego.games.sizes import CORNERS_FROM, corner_line
from littlego.rules.geometry import SYMMETRIES, Point, symmetry_tables
from littlego.rules.position import PASS

FIXED = 9  # largest fixed handicap: the nine traditional points


def most_fixed(size: int) -> int:
    """Return the largest fixed handicap, in stones, that the Go Text Protocol defines for a board size.

    The result is 0 if no fixed handicap is defined for this size.
    """
    return 0 if size < 7 else FIXED if size % 2 and size > 7 else 4


def fixed_handicap(size: int, stones: int) -> list[Point]:
    """Return the sorted points of a fixed handicap, as the Go Text Protocol defines them.

    Raise ValueError if the protocol defines no fixed handicap of `stones` stones on this board.
    """
    if not 2 <= stones <= most_fixed(size):
        raise ValueError(f"{stones} handicap stones on {size}x{size}; expected 2 to {most_fixed(size)}")
    low = corner_line(size)
    places = [*_corners(size, low)[: min(stones, 4)], *_sides(size, low)[: max(0, (stones - 4) // 2 * 2)]]
    if stones > 4 and stones % 2:
        places.append(size * (size // 2) + size // 2)
    return sorted(places)


def _corners(size: int, line: int) -> list[Point]:
    """Return four points, one for each corner; opposite corners are adjacent in the list.

    line: each point's distance from the two edges of its corner; 0 is the edge itself.
    """
    far = size - 1 - line
    return [size * row + column for row, column in ((line, far), (far, line), (line, line), (far, far))]


def _sides(size: int, line: int) -> list[Point]:
    """Return the point in the middle of each side; opposite sides are adjacent in the list.

    line: the points' distance from the edge; 0 is the edge itself.
    """
    middle, far = size // 2, size - 1 - line
    return [size * row + column for row, column in ((middle, line), (middle, far), (line, middle), (far, middle))]


def most_handicap(size: int) -> int:
    """Return the maximum number of free handicap stones: the number of points from the third line inwards."""
    return max(0, size - 4) ** 2


def free_handicap(size: int, stones: int) -> list[Point]:
    """Return the sorted points of a free handicap; stones go to the corners before the sides.

    A single handicap stone goes to the centre. On boards of size CORNERS_FROM or more, each corner gets two stones
    before any side gets a stone: one on the fixed point, and one diagonally closer to the corner. Two stones in a
    corner suffice for a living group. If the size is odd, the next stones go to the sides and the centre. On smaller
    boards, the first stones go to the fixed points or, if there are none, to the centre. On every board, each further
    stone is as far as possible from the nearest earlier stone. No free handicap stone is on the first or second line.
    Raise ValueError unless `stones` is from 1 to most_handicap(size).
    """
    inner = [size * row + column for row in range(2, size - 2) for column in range(2, size - 2)]
    if not 1 <= stones <= len(inner):
        raise ValueError(f"{stones} handicap stones on {size}x{size}; expected 1 to {len(inner)}")
    middle, fixed = size * (size // 2) + size // 2, most_fixed(size)
    if stones == 1 or not fixed:
        points = [middle]
    elif size < CORNERS_FROM:
        points = fixed_handicap(size, min(stones, fixed))
    else:
        points = [*_corners(size, 3), *_corners(size, 2), *([*_sides(size, 3), middle] if fixed == FIXED else [])]

    def room(point: Point) -> int:
        row, column = divmod(point, size)
        return min((row - other // size) ** 2 + (column - other % size) ** 2 for other in points)

    while len(points) < stones:
        points.append(max((point for point in inner if point not in points), key=room))
    return sorted(points[:stones])


def handicap_opening(size: int, stones: int, seed: int = 0) -> tuple[int, ...]:
    """Return the moves that place a handicap: Black's stones, separated by White's passes.

    seed: selects one of the eight symmetries, so that a deterministic engine plays different games.
    """
    turned = symmetry_tables(size)[seed % SYMMETRIES]
    moves = [move for point in free_handicap(size, stones) for move in (turned[point], PASS)]
    return tuple(moves[:-1])
