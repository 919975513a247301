"""The engine for matches of every size, and for Little-Go on boards larger than 7x7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from littlego.engines.large import shapes
from littlego.engines.large.book import LargeBook, large_book, load_large
from littlego.engines.large.firings import Firings
from littlego.engines.large.planes import EMPTY, LINE, NOT_OWN, NOT_THEIRS, OWN, THEIRS, Template
from littlego.engines.large.reading import LargeReading
from littlego.engines.large.resignation import why_resign
from littlego.engines.large.search import LargeDecision, decide_large, prepare_large
from littlego.engines.large.state import make_state
from littlego.engines.reasons.judge import judge_of
from littlego.engines.view import View
from littlego.games.match import NAME as MATCH
from littlego.games.sizes import MATCH_SIZES
from littlego.rules.engine import Firing, located
from littlego.rules.geometry import Mask, Point, points_of, symmetry_tables
from littlego.rules.matching import point_bits
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import PASS, Position
from littlego.rules.uncounted import Uncounted

if TYPE_CHECKING:
    from littlego.engines.engine import Placement
    from littlego.engines.large.deadline import Deadline
    from littlego.engines.reasons.judge import Judge
    from littlego.rules.engine import Decision
    from littlego.rules.overrides import Overrides
    from littlego.rules.ruleset import Ruleset

# Plane -> (whether own stones matter, whether opposing stones matter, value: 1 own, 2 opposing): see rules.matching.
_CARES = {OWN: (1, 0, 1), THEIRS: (0, 1, 2), EMPTY: (1, 1, 0), NOT_THEIRS: (0, 1, 0), NOT_OWN: (1, 0, 0)}


class LargeEngine:
    """The engine for large boards; littlego.engines.engine.Engine documents the methods."""

    modules = ("littlego.engines.large.search",)

    def signature(self) -> str:
        from littlego.cache import digest  # imported here because games do not use these modules
        from littlego.meaning import meaning_of

        return digest(meaning_of(*self.modules), shapes.signature())

    def decides(self, ruleset: Ruleset) -> bool:
        return True

    def reads(self, book: Book) -> bool:
        return True

    def book(self, patterns: Sequence[Pattern], ruleset: Ruleset) -> LargeBook:
        return LargeBook(ruleset.name, ruleset.size, list(patterns))

    def load(self, data: bytes, name: str) -> LargeBook:
        return load_large(data, name)

    def prepare(self, book: Book, size: int) -> None:
        prepare_large(book, size)

    def decide(
        self,
        position: Position,
        book: Book,
        complete: bool = False,
        overrides: Overrides | None = None,
        deadline: Deadline | None = None,
    ) -> LargeDecision:
        return decide_large(position, book, complete, deadline)

    def decide_uncounted(
        self, positions: list[Position], book: Book, complete: bool = False, overrides: Overrides | None = None
    ) -> Uncounted:
        likeliest = positions[0]
        return Uncounted(self.decide(likeliest, book, complete), [likeliest.left])

    def decide_many(self, positions: Sequence[Position], book: Book) -> list[Point]:
        return [self.decide(position, book).move for position in positions]

    def firings(self, position: Position, book: Book, locate: bool = False) -> dict[Point, list[Firing]]:
        placed = large_book(book).for_size(position.ruleset.size)
        found = _fire(placed, read(position), position.legal())
        if locate:
            tables = _tables(placed.size)
            for firing in (firing for fired in found.values() for firing in fired):
                firing.symmetry, firing.place = located(firing, tables[0], tables, placed)
        return found

    def view(self, position: Position) -> View:
        return View(read(position), _tables(position.ruleset.size)[0])

    def placements(self, position: Position, book: Book, move: Point) -> list[Placement]:
        size = position.ruleset.size
        templates = large_book(book).for_size(size).planes.templates
        there = [template for template in templates if template.has_move == (move != PASS)]
        return [placed for template in there for placed in _placed(template, move, size)]

    def form(self, pattern: Pattern) -> tuple[object, ...]:
        asked = {token[1:] for token in " ".join([pattern.points, *pattern.when]).split() if token[0] in "~@"}
        letters = [letter for row in pattern.label_rows for letter in row if letter != "."]
        placed = set()
        for template in _book_of_one(pattern).planes.templates:
            labels = sorted(
                (letter, -1 if delta is None else delta)
                for letter, delta in zip(letters, template.deltas[2:], strict=True)
                if letter in asked
            )
            keys = frozenset(key for key in template.keys if key[0] != LINE)
            placed.add((keys, template.anchors, template.has_move, tuple(labels)))
        return frozenset(placed), pattern.points, pattern.table, tuple(pattern.when)

    def judge(self, decision: Decision) -> Judge:
        return judge_of(decision)

    def why_resign(self, decision: Decision) -> str:
        return why_resign(decision)


ENGINE = LargeEngine()


def make_reading(position: Position) -> LargeReading:
    """Return a new LargeReading of a position, with an empty cache."""
    return LargeReading(make_state(position), point_bits(position.ruleset.size))


read = lru_cache(maxsize=1024)(make_reading)  # cached because each recorded position is tested with many patterns


def hits(book: LargeBook, reading: LargeReading, legal: Mask) -> Iterator[tuple[Pattern, int, int]]:
    """Yield (pattern, move, points of the pattern's best placement for the move); a move can be PASS.

    book: a book for the board size. legal: the points where the mover may play, as a mask.
    """
    for move, firings in _fire(book, reading, legal).items():
        for firing in firings:
            yield firing.pattern, move, firing.points


def _fire(book: LargeBook, reading: LargeReading, legal: Mask) -> dict[Point, list[Firing]]:
    firings = Firings(book, reading)
    firings.fire_all(legal)
    return {PASS if move == reading.nowhere else move: fired for move, fired in enumerate(firings.fired) if fired}


def _placed(template: Template, move: Point, size: int) -> Iterator[Placement]:
    """Yield the placements of a template for a move (a point or PASS).

    For PASS, the template must have no move, and the function yields all placements.
    """
    anchors = template.anchors & 1 << move if template.has_move else template.anchors
    for anchor, cells in zip(points_of(anchors), template.cells(anchors), strict=True):
        care = value = 0
        for plane, delta in template.keys:
            if plane in _CARES:  # LINE keys concern the edges of the board
                own, theirs, asked = _CARES[plane]
                point, beside = anchor + delta, anchor + delta + size * size
                care |= own << point | theirs << beside
                value |= (asked & 1) << point | (asked >> 1) << beside
        yield care, value, cells


@lru_cache(maxsize=64)
def _book_of_one(pattern: Pattern) -> LargeBook:
    return LargeBook(MATCH, MATCH_SIZES.largest, [pattern])


_tables = lru_cache(maxsize=8)(symmetry_tables)
