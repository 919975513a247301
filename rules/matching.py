"""Placements of patterns: conversion of drawn shapes into placements, and matching against a board.

A placement is three ints: `care`, `value` and `cells`. A placement matches the board word `own | theirs << size*size`
if `word & care == value`. `cells` packs the symmetry (3 bits) and then board points, one field each: the shape's
top-left corner, the move, and the labels in the reading order of the drawn diagram. A field has as many bits as a point
needs; a field of all ones means a pass.

The class Lanes compares all placements with a board word at once: each placement occupies a lane of several bytes in a
long number and does not use the top bit of its lane.
"""

from __future__ import annotations

from .geometry import SYMMETRIES, turned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterable, Sequence, Tuple, TypeVar

    from .geometry import Point

    Cell = Tuple[int, int, str]  # row, column, symbol or letter
    Edges = Tuple[bool, bool, bool, bool]
    Placement = Tuple[int, int, int]
    Side = TypeVar("Side")

PACKED = 24  # bytes of a packed placement: three little-endian words of 64 bits
FITS = 0x80  # the byte of a matching placement: see Lanes.fits


class Shape:
    """A drawn diagram: cells (row, column, symbol), labels (row, column, letter), and the diagram's box.

    The box has a height, a width, and the board edges (top, bottom, left, right) that the placement must touch.
    """

    __slots__ = ("cells", "labels", "height", "width", "edges")

    def __init__(self, cells: list[Cell], labels: list[Cell], height: int, width: int, edges: Edges) -> None:
        self.cells = cells
        self.labels = labels
        self.height = height
        self.width = width
        self.edges = edges

    def turned(self, symmetry: int) -> Shape:
        """Return the shape's image, with cells and labels in the same order. symmetry: see geometry.turned."""
        height, width = self.height, self.width

        def images(cells: list[Cell]) -> list[Cell]:
            return [turned(symmetry, row, column, height, width) + (symbol,) for row, column, symbol in cells]

        box = (width, height) if symmetry & 4 else (height, width)
        return Shape(images(self.cells), images(self.labels), *box, turned_sides(self.edges, symmetry))


def turned_sides(sides: tuple[Side, Side, Side, Side], symmetry: int) -> tuple[Side, Side, Side, Side]:
    """Return the values of a box's sides (top, bottom, left, right), rearranged by a symmetry."""
    top, bottom, left, right = sides
    if symmetry & 4:
        top, bottom, left, right = left, right, top, bottom
    if symmetry & 1:
        left, right = right, left
    if symmetry & 2:
        top, bottom = bottom, top
    return top, bottom, left, right


def parse_shape(rows: Sequence[str], label_rows: Sequence[str] = ()) -> Shape:
    """Return the Shape of a diagram.

    rows: the symbols of each row, edges included, without spaces. label_rows: rows of the same layout with the letters
    of the labels, or () for a diagram without labels.
    """
    edges = (
        bool(rows) and set(rows[0]) <= set("-+"),
        len(rows) > 1 and set(rows[-1]) <= set("-+"),
        bool(rows) and all(row[0] in "|+" for row in rows),
        bool(rows) and len(rows[0]) > 1 and all(row[-1] in "|+" for row in rows),
    )
    top, bottom, left, right = edges

    def inner(drawn: Sequence[str]) -> list[str]:
        return [row[left : len(row) - right] for row in drawn[top : len(drawn) - bottom]]

    rows = inner(rows)
    cells = [(r, c, symbol) for r, row in enumerate(rows) for c, symbol in enumerate(row)]
    letters = [
        (r, c, letter)
        for r, row in enumerate(inner(label_rows))
        for c, letter in enumerate(row)
        if "A" <= letter <= "Z" and letter not in "XO"
    ]
    return Shape(cells, letters, len(rows), len(rows[0]) if rows else 0, edges)


def point_bits(size: int) -> int:
    """Return the number of bits for a point in `cells`; a field of all ones means a pass."""
    return (size * size).bit_length()


def placements(shape: Shape, size: int) -> list[Placement]:
    """Return the placements of a shape on a size x size board.

    Placements with the same care, value, move and labels are listed once. A shape without cells has one placement,
    which matches any board.
    """
    placed: dict[tuple[int, int, tuple[Point, ...]], int] = {}
    for symmetry in range(SYMMETRIES):
        image = shape.turned(symmetry)
        top, bottom, left, right = image.edges
        for row in range(size - image.height + 1):
            if (top and row) or (bottom and row + image.height != size):
                continue
            for column in range(size - image.width + 1):
                if (left and column) or (right and column + image.width != size):
                    continue
                care, value, points, cells = _place(image, symmetry, row, column, size)
                placed.setdefault((care, value, points), cells)
        if not shape.cells:
            break
    return [(care, value, cells) for (care, value, _), cells in placed.items()]


def _place(image: Shape, symmetry: int, row: int, column: int, size: int) -> tuple[int, int, tuple[Point, ...], int]:
    """Return (care, value, points, cells) of a shape's image whose top-left corner is at (row, column).

    points: the points of the move and of the labels. symmetry: the symmetry that made the image.
    """
    area, bits = size * size, point_bits(size)
    care = value = 0
    move, corner = (1 << bits) - 1, size * row + column
    for r, c, symbol in image.cells:
        point = corner + size * r + c
        own, theirs = 1 << point, 1 << area + point
        if symbol == "X":
            care, value = care | own, value | own
        elif symbol == "O":
            care, value = care | theirs, value | theirs
        elif symbol == "x":
            care |= theirs
        elif symbol == "o":
            care |= own
        elif symbol in ".*":
            care |= own | theirs
        if symbol == "*":
            move = point
    points = [move] + [corner + size * r + c for r, c, _ in image.labels]
    cells = symmetry
    for index, point in enumerate([corner] + points):
        cells |= point << 3 + bits * index
    return care, value, tuple(points), cells


def pack_placements(placed: Iterable[Placement]) -> bytes:
    """Return the placements for a board of at most 5x5 as bytes, PACKED bytes for each placement."""
    return b"".join(word.to_bytes(8, "little") for placement in placed for word in placement)


class Lanes:
    """The ints `care` and `value` of placements on boards of one size, side by side in two long numbers."""

    __slots__ = ("_width", "_bytes", "_ones", "_cares", "_values")

    def __init__(self, size: int, cares: Sequence[int], values: Sequence[int]) -> None:
        width = self._width = max(size * size * 2 // 8 + 1, 8)  # bytes of a lane; at least 8, as in packed placements
        self._bytes = width * len(cares)
        self._ones = int.from_bytes((1).to_bytes(width, "little") * len(cares), "little")
        self._cares, self._values = _joined(cares, width), _joined(values, width)

    def fits(self, word: int) -> bytes:
        """Return one byte for each placement: FITS if the board `word` matches, else a smaller value."""
        differ = self._ones * word & self._cares ^ self._values
        tops = self._ones << 8 * self._width - 1  # subtracting a nonzero difference clears the bit
        return (tops - differ).to_bytes(self._bytes, "little")[self._width - 1 :: self._width]


def _joined(words: Sequence[int], width: int) -> int:
    if isinstance(words, memoryview):
        return int.from_bytes(words.tobytes(), "little")
    return int.from_bytes(b"".join([word.to_bytes(width, "little") for word in words]), "little")
