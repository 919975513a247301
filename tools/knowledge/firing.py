"""Where patterns fire, as the engine finds it; and where one does not, why.

A near miss tells, for each placement with the move asked about, the cells and the conditions that fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rules.engine import Decision, Firing, canonical, decide, located
from rules.geometry import inverse, points_of, symmetry_tables
from rules.matching import point_bits
from rules.patternfile import Book, Pattern, book_of
from rules.position import PASS, Position
from rules.programs import Reading, game_conditions_hold, parse_program, points_of_placement, run
from tools.draw.boards import move_text
from tools.games.match import MatchPosition
from tools.knowledge.keys import MATCH
from tools.knowledge.model import KnownPattern
from tools.knowledge.programs import calls, infix
from tools.knowledge.textfile import book_for, pattern_line
from tools.large.book import LargeBook
from tools.large.firings import Firings
from tools.large.planes import PLANE_OF, Template
from tools.large.reading import LargeReading
from tools.large.state import made_state

# (own in care, theirs in care, the value there: 1 own, 2 theirs) -> the symbol of the diagram
_ASKS = {(1, 0, 1): "X", (0, 1, 2): "O", (1, 1, 0): ".", (0, 1, 0): "x", (1, 0, 0): "o"}
_CARES = {PLANE_OF[symbol]: asks for asks, symbol in _ASKS.items()}


def hits(book: Book, reading: Reading, legal: int) -> Iterator[tuple[int, int, int]]:
    """Yield (index of the pattern, move, points) of each placement that fires; a move is a point or PASS.

    reading: of the state to look at; legal: the points there where the mover may play, as a mask.
    """
    word = reading.state.own | reading.state.theirs << book.size * book.size
    for index, (start, end) in enumerate(pairwise(book.starts)):
        conditions = None
        for k in range(start, end):
            if word & book.cares[k] != book.values[k]:
                continue
            if conditions is None:
                conditions = book.conditions(index)
                if not game_conditions_hold(conditions, reading):
                    break
            move = book.cells[k] >> reading.move_shift & reading.nowhere
            if move != reading.nowhere and not legal >> move & 1:
                continue
            points = points_of_placement(conditions, reading, book.cells[k])
            if points is not None:
                yield index, PASS if move == reading.nowhere else move, points


def large_hits(book: LargeBook, reading: LargeReading, legal: int) -> Iterator[tuple[int, Pattern, int, int]]:
    """Yield (move, pattern, points, cells) of each placement that fires on a large board; cells: see rules.matching."""
    firings = Firings(book, reading)
    firings.fire_all(legal)
    for move, fired in enumerate(firings.fired):
        for firing in fired:
            yield PASS if move == reading.nowhere else move, firing.pattern, firing.points, firing.cells


def firings_for(pattern: KnownPattern, position: Position, book: Book | None = None) -> dict[int, Firing]:
    """Return a pattern's best firing for each move that it fires for (a point or PASS), as the player finds them.

    book: one that holds the pattern, by default one of its own. In a match those of a sequence count as one pattern.
    """
    if isinstance(position, MatchPosition):
        return _firings_in_match([pattern, *pattern.companions], position)
    return _firings(pattern, decide(position, book or book_for([pattern], position.ruleset), complete=True))


def moves_fired(pattern: KnownPattern, position: Position, book: Book | None = None) -> list[int]:
    """Return the moves that a pattern fires for, in order; a tenth of the work where their firings do not matter.

    A decision scores every move and vets few, but in the last two moves, where it scores the best alone. In a match no
    decision is made: what fires does not depend on it. The moves of a sequence count as one pattern.
    """
    if isinstance(position, MatchPosition):
        return _moves_in_match([pattern, *pattern.companions], position)
    book = book or book_for([pattern], position.ruleset)
    return sorted(_firings(pattern, decide(position, book, complete=0 < position.left <= 2)))


def _moves_in_match(patterns: Sequence[KnownPattern], position: MatchPosition) -> list[int]:
    book = _large_book(tuple(map(pattern_line, patterns)), position.ruleset.size)
    return sorted({move for move, _, _, _ in large_hits(book, read_large(position), position.legal())})


def _firings_in_match(patterns: Sequence[KnownPattern], position: MatchPosition) -> dict[int, Firing]:
    size = position.ruleset.size
    book, tables, best = _large_book(tuple(map(pattern_line, patterns)), size), _tables(size), dict[int, Firing]()
    for move, pattern, points, cells in large_hits(book, read_large(position), position.legal()):
        if move not in best or points > best[move].points:
            best[move] = Firing(pattern, points, cells)
    for firing in best.values():
        firing.symmetry, firing.place = located(firing, tables[0], tables, book)
    return best


@lru_cache(maxsize=4)
def _large_book(lines: tuple[str, ...], size: int) -> LargeBook:
    """Return the book of these lines of a patterns.txt: the examples of a pattern are asked one after the other."""
    return LargeBook(MATCH.name, size, [Pattern(line) for line in lines])


def made_reading(position: Position) -> LargeReading:
    """Return what conditions ask of a position on a large board."""
    return LargeReading(made_state(position), point_bits(position.ruleset.size))


read_large = lru_cache(maxsize=256)(made_reading)  # with the answers so far: many patterns are asked about one position


_tables = lru_cache(maxsize=8)(symmetry_tables)


def _firings(pattern: KnownPattern, decision: Decision) -> dict[int, Firing]:
    return {
        candidate.move: firing
        for candidate in decision.candidates
        for firing in candidate.all_firings
        if firing.pattern.id == pattern.id
    }


@dataclass(frozen=True)
class NearMiss:
    """One placement of a pattern with its move at the point asked about, and all that fails there.

    symmetry, place: as in a Firing, the place being the point of the box's top-left corner. cells: (point, symbol
    wanted, symbol found), the move's first. conditions: those that are false, with what their facts answer; asked
    only where no cell fails. illegal: all holds, but the move is against the rules.
    """

    symmetry: int
    place: int
    cells: tuple[tuple[int, str, str], ...]
    conditions: tuple[str, ...]
    illegal: bool
    size: int

    @property
    def failed(self) -> str:
        """The first thing that fails, in words."""
        if self.cells:
            point, wanted, found = self.cells[0]
            return f"cell {move_text(point, self.size)} wants {wanted}, finds {found}"
        return self.conditions[0] if self.conditions else "the move is illegal"


def near_misses(
    pattern: KnownPattern | Pattern, position: Position, move: int, book: Book | None = None
) -> list[NearMiss]:
    """Return why each placement for a move (a point or PASS) does not fire, the nearest miss first.

    The fewest failing cells come first, then the fewest failing conditions. Return [] if the pattern fires for the
    move, and if no placement on the board has its move there. Points are those of the position's own board.
    pattern: as its author wrote it or as it was compiled. book: one that holds the pattern alone, by default a new one.
    """
    view = _View(position, move, book or _book_of_one(pattern, position))
    misses = [view.miss(care, value, cells) for care, value, cells in view.placements()]
    if any(not (miss.cells or miss.conditions or miss.illegal) for miss in misses):
        return []
    return sorted(misses, key=lambda miss: (len(miss.cells), len(miss.conditions), miss.place, miss.symmetry))


def _book_of_one(pattern: KnownPattern | Pattern, position: Position) -> Book:
    """Return the book of a pattern alone that suits a position."""
    ruleset, compiled = position.ruleset, pattern if isinstance(pattern, Pattern) else Pattern(pattern_line(pattern))
    if isinstance(position, MatchPosition):
        return LargeBook(MATCH.name, ruleset.size, [compiled])
    return book_of(ruleset.name, ruleset.size, [compiled])


class _View:
    """The one pattern of a book before the image of the position on which the player decides."""

    def __init__(self, position: Position, move: int, book: Book):
        if isinstance(position, MatchPosition):
            self.reading: Reading = read_large(position)
            table = _tables(book.size)[0]
        else:
            table, state = canonical(position)
            self.reading = Reading(state, book.bits)
        self.book, self.when = book, book.patterns[0].when
        self.letters = "".join(book.patterns[0].label_rows).replace(".", "")
        self.is_legal = move == PASS or bool(position.legal() >> move & 1)
        self.undo = inverse(table)
        self.own, self.theirs = self.reading.state.own, self.reading.state.theirs
        self.move = self.reading.nowhere if move == PASS else table[move]

    def placements(self) -> list[tuple[int, int, int]]:
        """Return (care, value, cells) of the placements that have their move where it is asked about."""
        if isinstance(self.book, LargeBook):
            moves = [one for one in self.book.planes.templates if one.has_move == (self.move != self.reading.nowhere)]
            return [placed for template in moves for placed in self._placed(template)]
        shift, nowhere = self.reading.move_shift, self.reading.nowhere
        words = zip(self.book.cares, self.book.values, self.book.cells, strict=True)
        return [placed for placed in words if placed[2] >> shift & nowhere == self.move]

    def _placed(self, template: Template) -> Iterator[tuple[int, int, int]]:
        """Yield (care, value, cells) of a template's placements that have their move where it is asked about."""
        anchors = template.anchors & 1 << self.move if template.has_move else template.anchors
        for anchor, cells in zip(points_of(anchors), template.cells(anchors), strict=True):
            care = value = 0
            for plane, delta in template.keys:
                if plane in _CARES:  # the others are about the edges of the board
                    own, theirs, asked = _CARES[plane]
                    point, beside = anchor + delta, anchor + delta + self.book.size**2
                    care |= own << point | theirs << beside
                    value |= (asked & 1) << point | (asked >> 1) << beside
            yield care, value, cells

    def miss(self, care: int, value: int, cells: int) -> NearMiss:
        size = self.book.size
        firing = Firing(self.book.patterns[0], 0, cells)
        symmetry, place = located(firing, self.undo, _tables(size), self.book)
        wrong = self._wrong_cells(care, value)
        conditions = self.when if not wrong else ()
        false = tuple(self._describe_false(one, cells) for one in conditions if not self._run_program(one, cells))
        return NearMiss(symmetry, place, wrong, false, not (wrong or false or self.is_legal), size)

    def _wrong_cells(self, care: int, value: int) -> tuple[tuple[int, str, str], ...]:
        area = self.book.size * self.book.size
        failing = ((self.own | self.theirs << area) ^ value) & care
        points = points_of((failing | failing >> area) & (1 << area) - 1)
        wrong = [
            (self.undo[point], self._wanted_symbol(point, care, value), self._symbol_at(point)) for point in points
        ]
        return tuple(sorted(wrong, key=lambda cell: (cell[1] != "*", cell)))

    def _wanted_symbol(self, point: int, care: int, value: int) -> str:
        if point == self.move:
            return "*"
        theirs = point + self.book.size * self.book.size
        return _ASKS[care >> point & 1, care >> theirs & 1, value >> point & 1 | (value >> theirs & 1) << 1]

    def _symbol_at(self, point: int) -> str:
        return "X" if self.own >> point & 1 else "O" if self.theirs >> point & 1 else "."

    def _describe_false(self, condition: str, cells: int) -> str:
        answers = [f"{call} is {self._run_program(program, cells)}" for call, program in calls(condition)]
        return f"`{infix(condition)}` is false: {', '.join(answers)}"

    def _run_program(self, program: str, cells: int) -> int:
        return run(parse_program(program, self.letters, self.book.bits), self.reading, cells)
