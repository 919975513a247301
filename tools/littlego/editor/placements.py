"""All placements of a pattern on a board, with the reasons why a placement does not fire.

Firings, badges and near misses are computed from these placements. Whereas the engine looks only for placements that
fire, this module considers every symmetry and every place where the drawing lies within the board. For each placement,
the module determines the misplaced edges, the differing cells, the legality of the move and, on request, the values of
the conditions.

As in the engine, two placements are equal if they compare the same points with the same symbols, and if they have the
same move and labelled points.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from littlego.engines.choosing import engine_for
from littlego.games.boards import SIDES
from littlego.knowledge.diagrams import MOVE
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.tables import number_in
from littlego.rules.geometry import SYMMETRIES
from littlego.rules.matching import Shape, parse_shape, point_bits, turned_sides
from littlego.rules.position import PASS, Position
from littlego.rules.programs import parse_program, run

ANYTHING = "?"
_ASKS = {
    "X": (1, 0, 1, 0),
    "O": (0, 1, 0, 1),
    ".": (1, 1, 0, 0),
    MOVE: (1, 1, 0, 0),
    "x": (0, 1, 0, 0),
    "o": (1, 0, 0, 0),
}


class Board:
    """A position as the engine sees it, with cached values of facts.

    table: the number that each board point has in the engine's view. word: the stones of both sides as one mask.
    """

    def __init__(self, position: Position):
        self.position = position
        self.size = position.ruleset.size
        self.bits = point_bits(self.size)
        self.reading, self.table = engine_for(position.ruleset).view(position)
        self.legal = position.legal()
        self.word = position.own | position.theirs << self.size * self.size

    def symbol(self, point: int) -> str:
        """Return the symbol of a point: X (a stone of the side to move), O or `.`."""
        own, theirs = self.position.own, self.position.theirs
        return "X" if own >> point & 1 else "O" if theirs >> point & 1 else "."


board_of = lru_cache(maxsize=16)(Board)
steps_of = lru_cache(maxsize=1000)(parse_program)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a diagram.

    row, column: zero-based; a drawn edge counts as a row or column. letter: the cell's label, or ''.
    """

    row: int
    column: int
    symbol: str
    letter: str


@dataclass(slots=True)
class Placement:
    """One placement of a pattern on a board.

    `symmetry` and `place` are as in a Firing. `points` has the board point under each cell, in the diagram's reading
    order. For `care` and `value`, see rules.matching. `wrong_edges` has the sides on which the diagram has an edge but
    the board has none. `move` is a point or PASS. `named` has the points that conditions can name: the move and the
    labelled points.
    """

    symmetry: int
    place: int
    points: tuple[int, ...]
    care: int
    value: int
    wrong_edges: tuple[str, ...]
    move: int
    named: tuple[int, ...]

    @property
    def key(self) -> tuple[int, int, tuple[int, ...]]:
        """A key of the placement; equal placements have equal keys."""
        return self.care, self.value, self.named


@dataclass(frozen=True)
class _Turned:
    """A shape under one symmetry, at the top-left corner of a board.

    sides: (side of the diagram, side of the board) for each drawn edge.
    """

    symmetry: int
    height: int
    width: int
    deltas: tuple[int, ...]
    care: int
    value: int
    sides: tuple[tuple[str, str], ...]


class Placements:
    """All placements of a pattern on a board.

    all: every placement within the board, including duplicates and placements with misplaced edges.
    """

    def __init__(self, pattern: KnownPattern, position: Position):
        self.pattern = pattern
        self.board = board_of(position)
        self.shape, self.cells, self.all = _laid(tuple(pattern.rows), tuple(pattern.label_rows), self.board.size)

    @cached_property
    def edges(self) -> list[str]:
        """The sides of the diagram that have a drawn board edge."""
        return [side for side, is_drawn in zip(SIDES, self.shape.edges, strict=True) if is_drawn]

    @cached_property
    def placed(self) -> list[Placement]:
        """The placements without misplaced edges and without duplicates, as in the engine."""
        return list({one.key: one for one in reversed(self.all) if not one.wrong_edges}.values())[::-1]

    def failing(self, placed: Placement) -> int:
        """Return the points at which a placement differs from the board, as a mask like Placement.care."""
        return (self.board.word ^ placed.value) & placed.care

    def wrong_cells(self, placed: Placement) -> list[int]:
        """Return the indexes of the differing cells, in reading order."""
        failing = self.failing(placed)
        failing |= failing >> self.board.size**2
        return [k for k, point in enumerate(placed.points) if failing >> point & 1] if failing else []

    def is_legal(self, placed: Placement) -> bool:
        """Return whether the placement's move is legal."""
        return placed.move == PASS or bool(self.board.legal >> placed.move & 1)

    def word(self, placed: Placement) -> int:
        """Return the move and the labelled points, packed for the evaluation of conditions.

        For the format, see rules.matching.
        """
        bits, table = self.board.bits, self.board.table
        points = [(1 << bits) - 1 if point < 0 else table[point] for point in placed.named]
        return sum(point << 3 + bits * slot for slot, point in enumerate(points, 1))

    def value(self, program: str, placed: Placement) -> int:
        """Return the value of a postfix program for a placement."""
        steps = steps_of(program, self.pattern.letters, self.board.bits)
        return run(steps, self.board.reading, self.word(placed))

    def points(self, placed: Placement) -> int:
        """Return the points that a placement adds to the score of its move."""
        state = self.board.reading.state
        number = number_in(self.pattern.table, state.colour, state.left)
        return number + self.value(self.pattern.points, placed)

    @cached_property
    def order(self) -> list[int]:
        """The indexes of the conditions, in the author's order."""
        places = self.pattern.places
        return sorted(range(len(self.pattern.when)), key=lambda k: (places.get(f"when {k}", (0, 0)), k))

    def false_conditions(self, placed: Placement, most: int | None = None) -> list[int]:
        """Return the indexes of the failing conditions, at most `most` (None for all), in the author's order."""
        found: list[int] = []
        for number in self.order:
            if not self.value(self.pattern.when[number], placed):
                found.append(number)
                if len(found) == most:
                    break
        return found

    @cached_property
    def firing(self) -> list[Placement]:
        """The placements that fire, without duplicates."""
        fitting = (one for one in self.placed if not self.failing(one) and self.is_legal(one))
        return [one for one in fitting if not self.false_conditions(one, 1)]

    def without_cell(self, placed: Placement, number: int) -> tuple[int, int, tuple[int, ...]]:
        """Return the key that a placement would have if the cell `number` were not compared."""
        both = ~(1 << placed.points[number] | 1 << placed.points[number] + self.board.size**2)
        return placed.care & both, placed.value & both, placed.named


_recent: deque[Placements] = deque(maxlen=8)  # the placements that `placements_of` returned


def placements_of(pattern: KnownPattern, position: Position) -> Placements:
    """Return the placements of a pattern on a board.

    The last eight results are cached, so that questions about the same pattern and board share the placements.
    """
    board = board_of(position)
    for one in _recent:
        if one.pattern is pattern and one.board is board:
            return one
    _recent.append(Placements(pattern, position))
    return _recent[-1]


@lru_cache(maxsize=4)
def _laid(
    rows: tuple[str, ...], label_rows: tuple[str, ...], size: int
) -> tuple[Shape, tuple[Cell, ...], tuple[Placement, ...]]:
    """Return the shape and the cells of a drawing, and every placement within a board of this size."""
    shape = parse_shape(rows, label_rows)
    top, _, left, _ = shape.edges
    letters = {(row, column): letter for row, column, letter in shape.labels}
    cells = tuple(
        Cell(row + top, column + left, symbol, letters.get((row, column), "")) for row, column, symbol in shape.cells
    )
    if not cells:
        return shape, cells, (Placement(0, 0, (), 0, 0, (), PASS, (PASS,)),)
    laid = (_placed(one, cells, size) for one in _turned_shapes(shape, size))
    return shape, cells, tuple(placed for placements in laid for placed in placements)


def _placed(one: _Turned, cells: Sequence[Cell], size: int) -> Iterator[Placement]:
    """Yield the placements of a turned shape, row by row."""
    labelled = [k for k, cell in enumerate(cells) if cell.letter]
    star = next((k for k, cell in enumerate(cells) if cell.symbol == MOVE), None)
    for row in range(size - one.height + 1):
        for column in range(size - one.width + 1):
            base = size * row + column
            points = tuple([base + delta for delta in one.deltas])
            move = PASS if star is None else points[star]
            at = {"top": not row, "left": not column, "bottom": row + one.height == size}
            at["right"] = column + one.width == size
            wrong = tuple(edge for edge, side in one.sides if not at[side])
            named = (move, *(points[k] for k in labelled))
            yield Placement(one.symmetry, base, points, one.care << base, one.value << base, wrong, move, named)


def _turned_shapes(shape: Shape, size: int) -> list[_Turned]:
    """Return the images of a shape under all symmetries.

    Images that do not fit on a board of this size are omitted.
    """
    found = [_turn(shape, symmetry, size) for symmetry in range(SYMMETRIES)]
    return [one for one in found if max(one.height, one.width) <= size]


def _turn(shape: Shape, symmetry: int, size: int) -> _Turned:
    image = shape.turned(symmetry)
    deltas, care, value = [], 0, 0
    for row, column, symbol in image.cells:
        delta = size * row + column
        deltas.append(delta)
        own, theirs, own_there, theirs_there = _ASKS.get(symbol, (0, 0, 0, 0))
        care |= own << delta | theirs << size * size + delta
        value |= own_there << delta | theirs_there << size * size + delta
    lying = dict(zip(turned_sides(SIDES, symmetry), SIDES, strict=True))
    sides = tuple((side, lying[side]) for side, is_drawn in zip(SIDES, shape.edges, strict=True) if is_drawn)
    return _Turned(symmetry, image.height, image.width, tuple(deltas), care, value, sides)
