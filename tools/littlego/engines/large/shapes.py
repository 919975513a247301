"""Shapes: the stones around a point, scored by how likely strong players are to play at the point.

The cells around a point form rings of equal distance, where the distance of (rows, columns) is rows + columns +
max(rows, columns). A shape describes complete rings, from the innermost outwards: each cell is EMPTY, OWN (a stone of
the mover), THEIRS (a stone of the opponent) or OUTSIDE (off the board). An answer is a shape that also marks the
opponent's last move, inside or outside the rings. The distance, and the rule that only the largest known shape counts,
come from Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007).

A drawing is a string with one byte for each cell, from near to far. In the drawing of an answer, LAST marks the last
move; if that move lies outside the shape's rings, the drawing continues with ANY up to the end of the last move's ring.

`littlego dev harvest` finds the shapes in games and writes shapes.txt.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import sha256
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import symmetry_tables

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState

FILE = Path(__file__).with_name("shapes.txt")
EMPTY, OWN, THEIRS, OUTSIDE, LAST, ANY = b".XO#o?"
CONTENTS = bytes([EMPTY, OWN, THEIRS, OUTSIDE])  # of a cell
SMALLEST, LARGEST = 2, 11  # distances of the innermost and of the outermost ring
REACH = 5  # most rows or columns from the point to a cell
SYMMETRIES = 8
MOST_POINTS = 150  # of a shape, positive or negative


def distance(rows: int, columns: int) -> int:
    """Return the distance of a cell that lies `rows` rows and `columns` columns from the point."""
    rows, columns = abs(rows), abs(columns)
    return rows + columns + max(rows, columns)


_BOX = [(row, column) for row in range(-REACH, REACH + 1) for column in range(-REACH, REACH + 1)]
CELLS = sorted(
    (cell for cell in _BOX if SMALLEST <= distance(*cell) <= LARGEST), key=lambda cell: (distance(*cell), cell)
)
RINGS = list(accumulate(sum(distance(*cell) == ring for cell in CELLS) for ring in range(SMALLEST, LARGEST + 1)))
ENDS = [0, *RINGS]  # the possible numbers of cells; an answer with 0 cells is only the mark of the last move
NEAR = RINGS[1]  # cells that select the symmetries to compare
NOWHERE = len(CELLS)  # the place of the last move in the key of a shape that is not an answer


def width_of(size: int) -> int:
    """Return the number of columns of a board with a margin of REACH points on each side."""
    return size + 2 * REACH


BOX = width_of(1)  # columns of the square that contains all cells
_TURNS = symmetry_tables(BOX)


def turned(cell: tuple[int, int], symmetry: int) -> tuple[int, int]:
    """Return the image of a cell under a symmetry. symmetry: a number from 0 to SYMMETRIES - 1."""
    row, column = divmod(_TURNS[symmetry][(cell[0] + REACH) * BOX + cell[1] + REACH], BOX)
    return row - REACH, column - REACH


_PLACES = {cell: place for place, cell in enumerate(CELLS)}
_SOURCES = [[_PLACES[turned(cell, symmetry)] for cell in CELLS] for symmetry in range(SYMMETRIES)]
_ORDERS = [itemgetter(*sources) for sources in _SOURCES]  # a symmetry, as a function that reorders all cells
Known: TypeAlias = "dict[int, dict[bytes, Shape]]"  # {place of the last move: {contents of the rings: shape}}


class Shape(NamedTuple):
    """A known shape. drawing: see the module; it shows the image whose key (see key_of) sorts first.

    points: ten times the natural logarithm of a move's likelihood, other things being equal; 0 is the mean of all moves
    with a known shape (for an answer: with a known answer). A move's likelihood grows with the sum of the points of its
    shape and of its answer. played: among the strong players' moves that the points were fitted to, the number of moves
    at points where this shape is the largest known shape or answer. seen: the number of legal moves at these points.
    """

    drawing: bytes
    points: int
    played: int
    seen: int


def key_of(drawing: bytes) -> tuple[int, bytes]:
    """Return the key of a drawing: (place of the last move in CELLS or NOWHERE, contents of the rings)."""
    place = drawing.find(LAST)
    if place < 0:
        return NOWHERE, drawing
    first = drawing.find(ANY)
    end = len(drawing) if first < 0 else max(end for end in ENDS if end <= first)
    return place, drawing[:end].replace(bytes([LAST]), bytes([THEIRS]))


def drawing_of(place: int, contents: bytes) -> bytes:
    """Return the drawing that has the given key: the inverse of key_of."""
    if place == NOWHERE:
        return contents
    drawing = bytearray(contents.ljust(next(end for end in RINGS if end > place), bytes([ANY])))
    drawing[place] = LAST
    return bytes(drawing)


def images(place: int, contents: bytes) -> set[tuple[int, bytes]]:
    """Return the images of a key under all symmetries."""
    return {
        (_image(place, symmetry), bytes(contents[source] for source in _SOURCES[symmetry][: len(contents)]))
        for symmetry in range(SYMMETRIES)
    }


def _image(place: int, symmetry: int) -> int:
    return NOWHERE if place == NOWHERE else _SOURCES[symmetry].index(place)


@lru_cache(maxsize=1 << 14)
def _first_images(place: int, near: bytes) -> tuple[int, list[Callable[[bytes], Any]]]:
    """Return (place of the last move in the images that sort first, symmetries that make these images).

    near: the contents of the first NEAR cells. A symmetry is a function that reorders the contents of all cells.
    """
    keys = [
        (_image(place, symmetry), bytes(near[source] for source in _SOURCES[symmetry][:NEAR]))
        for symmetry in range(SYMMETRIES)
    ]
    first = min(keys)
    return first[0], [order for order, key in zip(_ORDERS, keys, strict=True) if key == first]


def read_shapes(path: Path) -> tuple[Shape, ...]:
    """Return the shapes in a file written by `littlego dev harvest`; raise ValueError for an invalid line.

    The function does not check that a drawing is the image that sorts first; the player never finds other images.
    """
    shapes = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.startswith(b"# "):
            try:
                shapes.append(_shape_in(line))
            except ValueError:
                found = repr(line[:40].decode("ascii", "replace"))
                expected = f"a drawing of whole rings, points from -{MOST_POINTS} to {MOST_POINTS}, and two counts"
                raise ValueError(f"{path}:{number}: expected {expected}; found {found}") from None
    return tuple(shapes)


def _shape_in(line: bytes) -> Shape:
    """Return the shape in a line of a file; raise ValueError if the line is invalid."""
    drawing, points, played, seen = line.split()
    place, contents = key_of(drawing)
    if len(drawing) not in RINGS or drawing_of(place, contents) != drawing or contents.strip(CONTENTS):
        raise ValueError
    if abs(int(points)) > MOST_POINTS:
        raise ValueError
    return Shape(drawing, int(points), int(played), int(seen))


@cache
def _known(path: Path) -> Known:
    known: Known = {place: {} for place in range(NOWHERE + 1)}
    for shape in read_shapes(path):
        place, contents = key_of(shape.drawing)
        known[place][contents] = shape
    return known


@cache
def signature() -> str:
    """Return the SHA-256 digest of the file of shapes."""
    return sha256(FILE.read_bytes()).hexdigest()


@once_a_position
def shapes_of(state: LargeState) -> dict[int, Shape]:
    """Return {one-point mask of an empty point: largest known shape around the point}.

    Points without a known shape are omitted.
    """
    known, found = _known(FILE), {}
    for point, contents in _contents(state).items():
        if shape := _largest(known, NOWHERE, contents):
            found[1 << point] = shape
    return found


@once_a_position
def answers_of(state: LargeState) -> dict[int, Shape]:
    """Return {one-point mask of an empty point: largest known answer around the point}.

    Points without a known answer are omitted.
    """
    known = _known(FILE)
    found: dict[int, Shape] = {}
    if not state.last:
        return found
    row, column = divmod(state.last.bit_length() - 1, state.grid[0])
    for point, contents in _contents(state).items():
        other_row, other_column = divmod(point, state.grid[0])
        place = _PLACES.get((row - other_row, column - other_column))
        if place is not None and (shape := _largest(known, place, contents)):
            found[1 << point] = shape
    return found


def _largest(known: Known, place: int, contents: bytes) -> Shape | None:
    """Return the largest known shape around a point, or None if no shape is known.

    place: the place of the last move in CELLS, or NOWHERE for a shape that is not an answer. contents: the contents of
    all cells.
    """
    first, orders = _first_images(place, contents[:NEAR])
    contents, largest = min(bytes(order(contents)) for order in orders), None
    shapes = known[first]
    for end in ENDS:  # a shape that is never the largest, or that adds no points, is missing from the file
        largest = shapes.get(contents[:end], largest)
    return largest


@once_a_position
def _contents(state: LargeState) -> dict[int, bytes]:
    """Return {empty point: contents of all CELLS around the point}."""
    size, occupied = state.grid[0], state.own | state.theirs
    width = width_of(size)
    board, around, found = _board(state, width), _around(width), {}
    span = len(board) - (size - 1) * (width + 1)  # from the first cell around a point to the last
    for point in range(size * size):
        if not occupied >> point & 1:
            start = point // size * width + point % size
            found[point] = bytes(around(board[start : start + span]))
    return found


@cache
def _around(width: int) -> Callable[[bytes], Any]:
    """Return a function that extracts the bytes of all CELLS around a point.

    The argument of the function is a slice of a board with a margin. width: the board's number of columns, margin
    included. The slice must begin REACH rows above and REACH columns left of the point.
    """
    return itemgetter(*((row + REACH) * width + column + REACH for row, column in CELLS))


def _board(state: LargeState, width: int) -> bytes:
    """Return the contents of the board as bytes, row by row, with a margin of REACH cells on all sides."""
    size, own, theirs = state.grid[0], state.own, state.theirs
    side, margin = bytes([OUTSIDE]) * REACH, bytes([OUTSIDE]) * (REACH * width)
    points = bytes(
        OWN if own >> point & 1 else THEIRS if theirs >> point & 1 else EMPTY for point in range(size * size)
    )
    rows = (side + points[start : start + size] + side for start in range(0, size * size, size))
    return margin + b"".join(rows) + margin
