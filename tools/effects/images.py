"""The images of a pattern: how many different ones its drawing has under the symmetries, and where each fits."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Decision, Firing, canonical, located
from rules.geometry import SYMMETRIES, inverse, symmetry_tables
from rules.matching import parse_shape
from rules.patternfile import Book, Pattern
from tools.draw.boards import turn_rows


def images(pattern: Pattern) -> list[int]:
    """Return for each symmetry the first one that turns the pattern's drawing, labels included, alike."""
    drawn = [(turn_rows(pattern.rows, s), turn_rows(pattern.label_rows, s)) for s in range(SYMMETRIES)]
    return [drawn.index(picture) for picture in drawn]


def places(pattern: Pattern, size: int) -> set[int]:
    """Return the points where the top-left corner of one of its images can lie on a board; none for no drawing."""
    found: set[int] = set()
    for symmetry in sorted(set(images(pattern))) if pattern.rows else ():
        shape = parse_shape(turn_rows(pattern.rows, symmetry))
        top, bottom, left, right = shape.edges
        lowest, rightmost = size - shape.height, size - shape.width
        rows = [row for row in range(lowest + 1) if not (top and row) and not (bottom and row != lowest)]
        columns = [column for column in range(rightmost + 1) if not (left and column)]
        found |= {size * row + column for row in rows for column in columns if not (right and column != rightmost)}
    return found


class Locator:
    """Finds under which symmetry and where the patterns of a book fire on the real board."""

    def __init__(self, book: Book):
        self.book = book
        self.tables = symmetry_tables(book.size)
        self.mask = (1 << 3 + book.bits) - 1  # of a placement's symmetry and place
        self.images = {pattern.id: images(pattern) for pattern in book.patterns}
        self.known: dict[tuple, tuple[int, int]] = {}

    def spots(self, decision: Decision) -> Iterable[tuple[str, int, int]]:
        """Yield (pattern id, image, place) of every firing of a decision that is drawn on the board."""
        table, _ = canonical(decision.position)
        turn = self.tables.index(table)
        for candidate in decision.candidates:
            for firing in candidate.firings:
                if firing.pattern.rows:
                    yield firing.pattern.id, *self._spot(firing, turn)

    def _spot(self, firing: Firing, turn: int) -> tuple[int, int]:
        key = firing.pattern.id, firing.cells & self.mask, turn
        if key not in self.known:
            symmetry, place = located(firing, inverse(self.tables[turn]), self.tables, self.book)
            self.known[key] = self.images[firing.pattern.id][symmetry], place
        return self.known[key]
