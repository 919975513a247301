"""Shapes: the stones around a point, scored by how likely strong players are to play at the point.

A shape is a string of bytes, one for each of the cells nearest to a point: EMPTY, OWN (a stone of the mover), THEIRS (a
stone of the opponent) or OUTSIDE (off the board). The cells form rings of equal distance, where the distance of (rows,
columns) is rows + columns + max(rows, columns). A shape consists of complete rings. The distance, and the rule that
only the largest known shape counts, come from Coulom, "Computing Elo ratings of move patterns in the game of Go"
(2007).

`littlego dev harvest` finds the shapes in games and writes shapes.txt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from itertools import accumulate
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from littlego.engines.large.vocabulary import once_a_position
from littlego.rules.geometry import symmetry_tables

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState

FILE = Path(__file__).with_name("shapes.txt")
EMPTY, OWN, THEIRS, OUTSIDE = b".XO#"
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


def width_of(size: int) -> int:
    """Return the number of columns of a board with a margin of REACH points on each side."""
    return size + 2 * REACH


BOX = width_of(1)  # columns of the square that contains all cells
_TURNS = symmetry_tables(BOX)


def turned(cell: tuple[int, int], symmetry: int) -> tuple[int, int]:
    """Return the image of a cell under a symmetry. symmetry: a number from 0 to SYMMETRIES - 1."""
    row, column = divmod(_TURNS[symmetry][(cell[0] + REACH) * BOX + cell[1] + REACH], BOX)
    return row - REACH, column - REACH


class Shape(NamedTuple):
    """A known shape. drawing: the bytes of the shape, in the symmetric image whose bytes sort first.

    points: ten times the natural logarithm of a move's likelihood, relative to the mean of all moves with a known
    shape. played: the number of strong players' moves at points where this shape is the largest known shape. seen: the
    number of legal moves at these points.
    """

    drawing: bytes
    points: int
    played: int
    seen: int


def read_shapes(path: Path) -> tuple[Shape, ...]:
    """Return the shapes in a file written by `littlego dev harvest`; raise ValueError for an invalid line."""
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
    if len(drawing) not in RINGS or set(drawing) - {EMPTY, OWN, THEIRS, OUTSIDE} or abs(int(points)) > MOST_POINTS:
        raise ValueError
    return Shape(drawing, int(points), int(played), int(seen))


def images(drawing: bytes) -> set[bytes]:
    """Return the images of a drawing under all symmetries."""
    return {bytes(order(drawing)) for order in _orders(len(drawing))}


@cache
def _orders(cells: int) -> list[Callable[[bytes], Any]]:
    """Return a list of functions, one for each symmetry; each reorders the bytes of a drawing."""
    places = {cell: place for place, cell in enumerate(CELLS[:cells])}
    return [itemgetter(*(places[turned(cell, symmetry)] for cell in CELLS[:cells])) for symmetry in range(SYMMETRIES)]


@cache
def _known(path: Path) -> dict[bytes, Shape]:
    """Return {image: shape} for all images of the drawings in a file of shapes."""
    return {image: shape for shape in read_shapes(path) for image in images(shape.drawing)}


@cache
def signature() -> str:
    """Return the SHA-256 digest of the file of shapes."""
    return sha256(FILE.read_bytes()).hexdigest()


@once_a_position
def shapes_of(state: LargeState) -> dict[int, Shape]:
    """Return {one-point mask of an empty point: largest known shape around the point}."""
    return dict(_shapes_in(state))


def _shapes_in(state: LargeState) -> Iterator[tuple[int, Shape]]:
    size, known = state.grid[0], _known(FILE)
    width = width_of(size)
    board, around = _board(state, width), _around(width)
    span = len(board) - (size - 1) * (width + 1)  # from the first cell around a point to the last
    empty = ~(state.own | state.theirs)
    for row in range(size):
        for column in range(size):
            point = 1 << row * size + column
            if empty & point:
                start = row * width + column
                cells, largest = bytes(around(board[start : start + span])), None
                for ring in RINGS:  # a shape that is never the largest is missing from the file
                    largest = known.get(cells[:ring], largest)
                if largest is not None:
                    yield point, largest


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
