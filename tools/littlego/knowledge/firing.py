"""The moves for which a pattern fires in a position, and near misses for the other moves.

A near miss is a placement for which the pattern does not fire, with the cells or conditions that fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from littlego.engines.choosing import engine_for
from littlego.games.boards import move_text
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.programs import calls, infix
from littlego.knowledge.textfile import book_for, pattern_line
from littlego.rules.engine import Firing, located
from littlego.rules.geometry import inverse, points_of, symmetry_tables
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import PASS, Position
from littlego.rules.programs import parse_program, run

# (1 if the cell tests for an own stone, 1 if it tests for an opponent's stone, stone required: 1 own, 2 opponent's, 0
# none) -> symbol
_ASKS = {(1, 0, 1): "X", (0, 1, 2): "O", (1, 1, 0): ".", (0, 1, 0): "x", (1, 0, 0): "o"}


def firings_for(pattern: KnownPattern, position: Position, book: Book | None = None) -> dict[int, Firing]:
    """Return {move: firing} for each move (a point or PASS) for which a pattern fires.

    If a pattern fires several times for a move, the result has the firing with the most points. If the pattern is the
    first of a sequence, all patterns of the sequence are treated as one pattern. book: a book that contains the
    pattern; by default each call builds a new book, which is slow for many positions.
    """
    return {move: max(firings, key=_points) for move, firings in _fired(pattern, position, book, locate=True)}


def moves_fired(pattern: KnownPattern, position: Position, book: Book | None = None) -> list[int]:
    """Return the moves for which a pattern fires, in ascending order. book: as in firings_for."""
    return sorted(move for move, _ in _fired(pattern, position, book))


def _fired(
    pattern: KnownPattern, position: Position, book: Book | None, locate: bool = False
) -> Iterator[tuple[int, list[Firing]]]:
    """Yield (move, firings) for each move for which the pattern or one of its companions fires."""
    steps = [pattern, *pattern.companions]
    names = {step.id for step in steps}
    engine = engine_for(position.ruleset)
    for move, firings in engine.firings(position, book or book_for(steps, position.ruleset), locate).items():
        if mine := [firing for firing in firings if firing.pattern.id in names]:
            yield move, mine


def _points(firing: Firing) -> int:
    return firing.points


@dataclass(frozen=True)
class NearMiss:
    """A placement of a pattern for a certain move, with the cells and conditions that fail.

    Conditions are evaluated only if all cells match.
    """

    symmetry: int  # as in a Firing
    place: int  # the top-left corner of the drawing
    cells: tuple[tuple[int, str, str], ...]  # (point, symbol wanted, symbol found), the move's cell first
    conditions: tuple[str, ...]  # the false conditions, each with the answers of its facts
    illegal: bool  # whether everything matches, but the move is illegal
    size: int  # the board size

    @property
    def failed(self) -> str:
        """The first failure as text: a failing cell, else a false condition, else an illegal move."""
        if self.cells:
            point, wanted, found = self.cells[0]
            return f"cell {move_text(point, self.size)} is {found} instead of {wanted}"
        return self.conditions[0] if self.conditions else "the move is illegal"


def near_misses(pattern: KnownPattern | Pattern, position: Position, move: int) -> list[NearMiss]:
    """Return a near miss for each placement with the given move (a point or PASS), nearest first.

    The near misses are sorted by the number of failing cells, then by the number of failing conditions. The list is
    empty if the pattern fires for the move, or if no placement has this move. All points are in the position's own
    orientation, not in the engine's canonical orientation. pattern: as the author wrote it, or compiled.
    """
    view = _View(pattern if isinstance(pattern, Pattern) else Pattern(pattern_line(pattern)), position, move)
    misses = [view.miss(care, value, cells) for care, value, cells in view.placements]
    if any(not (miss.cells or miss.conditions or miss.illegal) for miss in misses):
        return []
    return sorted(misses, key=lambda miss: (len(miss.cells), len(miss.conditions), miss.place, miss.symmetry))


class _View:
    """A pattern and a position, prepared for the engine. placements: the pattern's placements with `move`."""

    def __init__(self, pattern: Pattern, position: Position, move: int):
        engine = engine_for(position.ruleset)
        self.book = engine.book([pattern], position.ruleset)
        self.placements, view = engine.placements(position, self.book, move), engine.view(position)
        self.pattern, self.reading, self.size = pattern, view.reading, position.ruleset.size
        self.letters = "".join(pattern.label_rows).replace(".", "")
        self.is_legal = move == PASS or bool(position.legal() >> move & 1)
        self.undo, self.move = inverse(view.turn), view.point(move)
        self.own, self.theirs = self.reading.state.own, self.reading.state.theirs

    def miss(self, care: int, value: int, cells: int) -> NearMiss:
        symmetry, place = located(Firing(self.pattern, 0, cells), self.undo, _tables(self.size), self.book)
        wrong = self._wrong_cells(care, value)
        conditions = self.pattern.when if not wrong else ()
        false = tuple(
            self._describe_false(condition, cells)
            for condition in conditions
            if not self._run_program(condition, cells)
        )
        return NearMiss(symmetry, place, wrong, false, not (wrong or false or self.is_legal), self.size)

    def _wrong_cells(self, care: int, value: int) -> tuple[tuple[int, str, str], ...]:
        area = self.size * self.size
        failing = ((self.own | self.theirs << area) ^ value) & care
        points = points_of((failing | failing >> area) & (1 << area) - 1)
        wrong = [
            (self.undo[point], self._wanted_symbol(point, care, value), self._symbol_at(point)) for point in points
        ]
        return tuple(sorted(wrong, key=lambda cell: (cell[1] != "*", cell)))

    def _wanted_symbol(self, point: int, care: int, value: int) -> str:
        if point == self.move:
            return "*"
        theirs = point + self.size * self.size
        return _ASKS[care >> point & 1, care >> theirs & 1, value >> point & 1 | (value >> theirs & 1) << 1]

    def _symbol_at(self, point: int) -> str:
        return "X" if self.own >> point & 1 else "O" if self.theirs >> point & 1 else "."

    def _describe_false(self, condition: str, cells: int) -> str:
        answers = [f"{call} is {self._run_program(program, cells)}" for call, program in calls(condition)]
        return f"`{infix(condition)}` is false: {', '.join(answers)}"

    def _run_program(self, program: str, cells: int) -> int:
        return run(parse_program(program, self.letters, self.book.bits), self.reading, cells)


_tables = lru_cache(maxsize=8)(symmetry_tables)
