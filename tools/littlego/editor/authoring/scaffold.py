"""The smallest drawing that distinguishes a move in a position from the other legal moves.

The search finds the smallest box around the move such that the box's drawing fires for this move alone. The box
contains the stones next to the move. Each drawing is matched under all symmetries and at all places. Images of the move
under a symmetry of the position count as the move itself. No box extends farther than NEAR lines from the move. If the
drawing of every box also fires for other moves, which can happen on a large board, the search uses the largest box. An
edge of the board is drawn only if it reduces the number of moves for which the drawing fires. Finally, cells that
exclude no other move become `?`, the farthest cells first. Stones next to the move stay visible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from littlego.engines.large.planes import Planes
from littlego.games.boards import EMPTY, SIDES, board_rows, draw_edges
from littlego.rules.geometry import Mask, Point, around, count, image_of, points_of, symmetry_tables
from littlego.rules.matching import parse_shape, placements, point_bits
from littlego.rules.position import Position

ANYTHING, MOVE = "?", "*"
NEAR = 4  # maximum distance from the move in lines: covers a whole 5x5 board, and suffices on larger boards


class Diagram(NamedTuple):
    """A diagram without labels, given by its rows."""

    rows: list[str]
    label_rows: tuple[str, ...] = ()


class Region(NamedTuple):
    """A box of points, given by the first and last row and the first and last column (all inclusive)."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def area(self) -> int:
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def has(self, row: int, column: int) -> bool:
        """Return whether the point at a row and a column lies in the box."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right

    def touched(self, size: int) -> frozenset[str]:
        """Return the sides of the board that the box touches."""
        at_edge = (self.top == 0, self.bottom == size - 1, self.left == 0, self.right == size - 1)
        return frozenset(side for side, touches in zip(SIDES, at_edge, strict=True) if touches)


@dataclass(frozen=True)
class Drawing:
    """A rectangular part of a position as a diagram, in which cells and board edges can be hidden.

    `size` is the board's size. `cells` has the symbols of the whole board, where X is a stone of the mover and `*` is
    the move. The points in `hidden` are drawn as `?`.
    """

    size: int
    cells: str
    region: Region
    edges: frozenset[str] = frozenset()
    hidden: frozenset[int] = frozenset()

    def points(self) -> list[int]:
        """Return the points in the box, row by row."""
        top, left, bottom, right = self.region
        return [self.size * row + column for row in range(top, bottom + 1) for column in range(left, right + 1)]

    def distance(self, point: Point, other: Point) -> int:
        """Return the distance between two points in steps along the lines of the board."""
        return abs(point // self.size - other // self.size) + abs(point % self.size - other % self.size)

    def rows(self) -> list[str]:
        """Return the diagram's rows in the syntax of patterns.yaml, without spaces."""
        symbols = "".join(ANYTHING if point in self.hidden else self.cells[point] for point in self.points())
        width = self.region.right - self.region.left + 1
        rows = [symbols[start : start + width] for start in range(0, len(symbols), width)]
        return draw_edges(rows, self.edges)

    def label_rows(self, letters: Mapping[Point, str]) -> list[str]:
        """Return the rows for the key `labels`: the diagram's rows with letters. letters: {point: letter}."""
        cells = "".join(letters.get(point, cell) for point, cell in enumerate(self.cells))
        return replace(self, cells=cells).rows()


def matches(rows: list[str], own: Mask, theirs: Mask, size: int) -> list[tuple[Point, Mask]]:
    """Return (move, mask of the points under cells other than `?`) for each match of a diagram on a board."""
    word, bits = own | theirs << size * size, point_bits(size)
    every, full = (1 << bits) - 1, (1 << size * size) - 1
    return [
        (cells >> 3 + bits & every, (care | care >> size * size) & full)  # bits: symmetry, corner, move
        for care, value, cells in placements(parse_shape(rows), size)
        if word & care == value
    ]


def smallest_drawing(position: Position, move: Point) -> Drawing:
    """Return the smallest drawing that distinguishes a legal move from the other legal moves.

    If no drawing distinguishes the move, return the drawing of the largest box around the move.
    """
    size, wanted = position.ruleset.size, image_moves(position, move)
    bare = _whole_board(position, move)
    boxes = _regions(position, move)
    all_near = boxes[-1]  # the largest box is the most specific
    widest = replace(bare, region=all_near, edges=all_near.touched(size))
    for region in boxes if not fired_moves(widest, position) & ~wanted else []:
        plain = replace(bare, region=region)
        for drawing in (plain, replace(plain, edges=region.touched(size))):
            if not fired_moves(drawing, position) & ~wanted:
                return _hide_idle_cells(_with_needed_edges(drawing, position), position, move)
    return _hide_idle_cells(_with_needed_edges(widest, position), position, move)


def draw_region(position: Position, move: Point, region: Region) -> Drawing:
    """Return the drawing of a given box, with only the edges of the board that exclude other moves."""
    drawing = replace(_whole_board(position, move), region=region, edges=region.touched(position.ruleset.size))
    return _with_needed_edges(drawing, position)


def fired_moves(drawing: Drawing, position: Position) -> Mask:
    """Return a mask of the legal moves for which the drawing fires."""
    moves = 0
    for _, fitting in Planes([Diagram(drawing.rows())], drawing.size).found(
        position.own, position.theirs, position.legal()
    ):
        moves |= fitting
    return moves


def image_moves(position: Position, move: Point) -> Mask:
    """Return a mask of the move and its images under the symmetries of the position."""
    masks = position.own, position.theirs, position.ko
    tables = symmetry_tables(position.ruleset.size)
    return sum({1 << table[move] for table in tables if tuple(image_of(mask, table) for mask in masks) == masks})


def _whole_board(position: Position, move: Point) -> Drawing:
    size = position.ruleset.size
    cells = "".join(board_rows(size, position.own, position.theirs))
    return Drawing(size, cells[:move] + MOVE + cells[move + 1 :], Region(0, 0, size - 1, size - 1))


def _regions(position: Position, move: Point) -> list[Region]:
    """Return the boxes near the move that contain the move and its neighbouring stones.

    The boxes are sorted by area, then by the length of the longer side, then by the distance of the centre from the
    move.
    """
    size = position.ruleset.size
    needed = [divmod(point, size) for point in points_of(_neighbours(position, move) | 1 << move)]
    row, column = divmod(move, size)
    heights, widths = _spans(row, size), _spans(column, size)
    boxes = [Region(top, left, bottom, right) for top, bottom in heights for left, right in widths]
    fitting = [box for box in boxes if all(box.has(*point) for point in needed)]

    def order(box: Region) -> tuple[int, int, int, Region]:
        long = max(box.bottom - box.top, box.right - box.left)
        off = abs(box.top + box.bottom - 2 * row) + abs(box.left + box.right - 2 * column)
        return box.area, long, off, box

    return sorted(fitting, key=order)


def _spans(line: int, size: int) -> list[tuple[int, int]]:
    """Return (first, last) for each range of consecutive lines that contains `line`.

    A range extends at most NEAR lines from `line`.
    """
    last_lines = range(line, min(size, line + NEAR + 1))
    return [(first, last) for first in range(max(0, line - NEAR), line + 1) for last in last_lines]


def _neighbours(position: Position, move: Point) -> Mask:
    """Return a mask of the stones next to the move."""
    return around(1 << move, position.grid) & (position.own | position.theirs)


def _with_needed_edges(drawing: Drawing, position: Position) -> Drawing:
    """Return the drawing with only the edges of the board that exclude other moves."""
    moves = fired_moves(drawing, position)
    for side in SIDES:
        fewer = replace(drawing, edges=drawing.edges - {side})
        if fired_moves(fewer, position) == moves:
            drawing = fewer
    return drawing


def _hide_idle_cells(drawing: Drawing, position: Position, move: Point) -> Drawing:
    """Return the drawing with `?` for the cells that exclude no other move.

    Stones next to the move stay visible.
    """
    moves, kept = fired_moves(drawing, position), _neighbours(position, move) | 1 << move
    farthest = sorted(
        drawing.points(), key=lambda point: (-drawing.distance(point, move), drawing.cells[point] != EMPTY, point)
    )
    for point in farthest:
        wider = replace(drawing, hidden=drawing.hidden | {point})
        if not kept >> point & 1 and fired_moves(wider, position) == moves:
            drawing = wider
    return _trim(drawing, position, moves)


def _trim(drawing: Drawing, position: Position, moves: int) -> Drawing:
    """Return the drawing without outer rows and columns that consist of `?` and exclude no other move."""
    for side, step in zip(("top", "left", "bottom", "right"), (1, 1, -1, -1), strict=True):
        while side not in drawing.edges:
            region = drawing.region._replace(**{side: getattr(drawing.region, side) + step})
            smaller = replace(drawing, region=region)
            gone = set(drawing.points()) - set(smaller.points())
            if not gone <= drawing.hidden or fired_moves(smaller, position) != moves:
                break
            drawing = smaller
    return drawing


def count_others(drawing: Drawing, position: Position, move: Point) -> int:
    """Return the number of legal moves, other than the move and its images, for which the drawing fires."""
    return count(fired_moves(drawing, position) & ~image_moves(position, move))
