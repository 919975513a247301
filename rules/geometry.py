"""A board size's points, neighbours, edges and eight symmetries.

A point is `size * row + column`, zero-based from the top left; a set of points is a mask, an int with
bit `point` set. A *grid* is the tuple (size, full, not_first, not_last): the board size and the masks of
all points, of all points outside the first column and of all outside the last one. It is all that growing
a set of points needs, and being four plain ints it can go through compiled code unchanged.
"""

SYMMETRIES = 8
SMALLEST, LARGEST = 2, 19


def make_grid(size):
    """Return the grid of a size x size board, 2 to 19; ValueError for any other size."""
    if not SMALLEST <= size <= LARGEST:
        raise ValueError("board size %r: expected %d to %d" % (size, SMALLEST, LARGEST))
    full = (1 << size * size) - 1
    first = sum(1 << size * row for row in range(size))
    return size, full, full & ~first, full & ~(first << size - 1)


def count(mask):
    """Return the number of points in a mask."""
    return bin(mask).count("1")


def around(mask, grid):
    """Return the points next to a point of the mask; points of the mask itself may be among them."""
    size, full, not_first, not_last = grid
    return (mask << size | mask >> size | (mask & not_last) << 1 | (mask & not_first) >> 1) & full


def flood(seed, within, grid):
    """Return seed and all points of `within` that a path inside `within` joins to it."""
    size, full, not_first, not_last = grid
    within |= seed
    grown = seed
    while True:
        wider = (grown | grown << size | grown >> size | (grown & not_last) << 1 | (grown & not_first) >> 1) & within
        if wider == grown:
            return grown
        grown = wider


def points_of(mask):
    """Return the points of a mask as a list in ascending order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def line_of(point, size):
    """Return the point's distance from the nearest edge, counted from 1 on the edge itself."""
    row, column = divmod(point, size)
    return 1 + min(row, column, size - 1 - row, size - 1 - column)


def edges_at(point, size):
    """Return how many edges the point lies on: 0 inside, 1 on a side, 2 in a corner."""
    row, column = divmod(point, size)
    return (row in (0, size - 1)) + (column in (0, size - 1))


def turned(symmetry, row, column, height, width):
    """Return (row, column) of a cell's image in a height x width box; symmetry 0 to 7: bit 2 transposes first,
    bits 0 and 1 then flip left-right and top-bottom."""
    if symmetry & 4:
        row, column, height, width = column, row, width, height
    if symmetry & 1:
        column = width - 1 - column
    if symmetry & 2:
        row = height - 1 - row
    return row, column


def symmetry_tables(size):
    """Return eight tuples: tables[s][point] is the image of the point under symmetry s; s = 0 changes nothing."""
    tables = []
    for symmetry in range(SYMMETRIES):
        images = [range(size * row, size * row + size) for row in range(size)]
        if symmetry & 1:
            images = [row[::-1] for row in images]
        if symmetry & 2:
            images = images[::-1]
        if symmetry & 4:
            images = zip(*images)
        tables.append(tuple([image for row in images for image in row]))
    return tuple(tables)


def inverse(table):
    """Return the table that undoes a symmetry table."""
    undone = [0] * len(table)
    for point, image in enumerate(table):
        undone[image] = point
    return tuple(undone)


def image_of(mask, table):
    """Return the image of a mask under a symmetry table."""
    image = 0
    while mask:
        low = mask & -mask
        image |= 1 << table[low.bit_length() - 1]
        mask ^= low
    return image
