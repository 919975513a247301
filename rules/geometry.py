"""The points, neighbours, edges and eight symmetries of a square board.

A point is `size * row + column`; rows and columns are counted from 0 at the top left. A mask is a set of points: an int
with bit `point` set for each point.

A *grid* is the tuple (size, full, not_first, not_last). `full` is the mask of all points; `not_first` omits the first
column; `not_last` omits the last column. These four ints suffice to compute the neighbours of points, and compiled code
accepts them unchanged. A *table* maps each point to its image under a symmetry.
"""

from __future__ import annotations

TYPE_CHECKING = False  # replaces the constant of typing, whose import would slow down a turn
if TYPE_CHECKING:
    from typing import Tuple

    Grid = Tuple[int, int, int, int]
    Table = Tuple[int, ...]
else:
    Grid = Table = tuple
Mask = int  # a set of points, one bit each
Point = int

SYMMETRIES = 8
SMALLEST, LARGEST = 2, 19


def make_grid(size: int) -> Grid:
    """Return the grid of a size x size board; raise ValueError unless size is from 2 to 19."""
    if not SMALLEST <= size <= LARGEST:
        raise ValueError("board size %r: expected %d to %d" % (size, SMALLEST, LARGEST))
    full = (1 << size * size) - 1
    first = sum(1 << size * row for row in range(size))
    return size, full, full & ~first, full & ~(first << size - 1)


def count(mask: Mask) -> int:
    """Return the number of points in a mask."""
    return bin(mask).count("1")


def around(mask: Mask, grid: Grid) -> Mask:
    """Return a mask of the points, inside or outside `mask`, that are adjacent to a point of `mask`."""
    size, full, not_first, not_last = grid
    return (mask << size | mask >> size | (mask & not_last) << 1 | (mask & not_first) >> 1) & full


def flood(seed: Mask, within: Mask, grid: Grid) -> Mask:
    """Return a mask of `seed` and all points of `within` that are connected to `seed` through `within`."""
    size, full, not_first, not_last = grid
    within |= seed
    grown = seed
    while True:
        wider = (grown | grown << size | grown >> size | (grown & not_last) << 1 | (grown & not_first) >> 1) & within
        if wider == grown:
            return grown
        grown = wider


def points_of(mask: Mask) -> list[Point]:
    """Return the points of a mask as a list in ascending order."""
    points = []
    while mask:
        low = mask & -mask
        points.append(low.bit_length() - 1)
        mask ^= low
    return points


def line_of(point: Point, size: int) -> int:
    """Return the point's distance from the nearest edge, counted from 1 on the edge itself."""
    row, column = divmod(point, size)
    return 1 + min(row, column, size - 1 - row, size - 1 - column)


def edges_at(point: Point, size: int) -> int:
    """Return the number of edges on which the point lies: 0 inside, 1 on a side, 2 in a corner."""
    row, column = divmod(point, size)
    return (row in (0, size - 1)) + (column in (0, size - 1))


def turned(symmetry: int, row: int, column: int, height: int, width: int) -> tuple[int, int]:
    """Return (row, column) of a cell's image under a symmetry of a height x width box.

    symmetry: 0 to 7. First, bit 2 of the symmetry transposes the box; then bit 0 swaps left and right, and bit 1 swaps
    top and bottom.
    """
    if symmetry & 4:
        row, column, height, width = column, row, width, height
    if symmetry & 1:
        column = width - 1 - column
    if symmetry & 2:
        row = height - 1 - row
    return row, column


def symmetry_tables(size: int) -> tuple[Table, ...]:
    """Return the tables of the eight symmetries: tables[s][point] is the point's image under s.

    Symmetry 0 is the identity.
    """
    tables = []
    for symmetry in range(SYMMETRIES):
        images = [tuple(range(size * row, size * row + size)) for row in range(size)]
        if symmetry & 1:
            images = [row[::-1] for row in images]
        if symmetry & 2:
            images = images[::-1]
        if symmetry & 4:
            images = list(zip(*images))
        tables.append(tuple([image for row in images for image in row]))
    return tuple(tables)


def inverse(table: Table) -> Table:
    """Return the inverse of a symmetry table."""
    undone = [0] * len(table)
    for point, image in enumerate(table):
        undone[image] = point
    return tuple(undone)


def image_of(mask: Mask, table: Table) -> Mask:
    """Return the image of a mask under a symmetry table."""
    image = 0
    while mask:
        low = mask & -mask
        image |= 1 << table[low.bit_length() - 1]
        mask ^= low
    return image
