"""Small books, assembled from the patterns of other books, for fast decisions.

A book is a set of patterns with their placements on one board size. A small book makes it fast to repeat a decision
after a few patterns have changed. A decision depends only on the patterns that fire for the considered moves, so a
small book with only these patterns leads to the same decision. If all firings are known, or if patterns are only
removed, littlego.engines.reasons.foresight predicts the move without computing the decision again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from littlego.engines.reasons.foresight import book_order
from littlego.engines.small.engine import hits
from littlego.knowledge.model import flags_of
from littlego.rules.engine import Decision
from littlego.rules.geometry import Mask
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.programs import Conditions, Reading

Entry = tuple[Book, int]  # a book and the index of a pattern in it
Weight = tuple[int, int, bool, bool, bool]  # priority, specificity, forbid, sacrifice, risk


class Part(Book):
    """A book of the patterns in `entries`, in the same order.

    The book reuses placements and conditions from other books.
    """

    __slots__ = ("entries",)

    def __init__(self, entries: Sequence[Entry], ruleset_name: str, size: int) -> None:
        self.entries = entries
        starts = [0]
        words: tuple[list[int], list[int], list[int]] = ([], [], [])
        for book, index in entries:
            span = slice(book.starts[index], book.starts[index + 1])
            for kept, column in zip(words, (book.cares, book.values, book.cells), strict=True):
                kept += column[span]
            starts.append(len(words[0]))
        super().__init__(ruleset_name, size, [book.patterns[index] for book, index in entries], starts, words)

    def conditions(self, index: int) -> Conditions:
        """Return the Conditions of patterns[index], which the original book parses and caches."""
        book, original = self.entries[index]
        return book.conditions(original)


def part_of(book: Book, indices: Iterable[int]) -> Part:
    """Return a small book with the patterns at the given indices of a book, in the order of the book."""
    return Part([(book, index) for index in sorted(indices)], book.ruleset_name, book.size)


def book_of_entries(entries: Iterable[Entry], like: Book) -> Part:
    """Return a book of patterns in the order of patterns.txt: highest priority first, then by id.

    The new book has the ruleset and the board size of `like`. entries: pairs (book, index of a pattern in the book).
    """
    ordered = sorted(entries, key=lambda entry: book_order(entry[0].patterns[entry[1]]))
    return Part(ordered, like.ruleset_name, like.size)


def indices_by_id(book: Book) -> dict[str, int]:
    """Return {id: index} for the patterns of a book."""
    return {pattern.id: index for index, pattern in enumerate(book.patterns)}


def firing_ids(decision: Decision) -> set[str]:
    """Return the ids of the patterns that fire for at least one candidate.

    These patterns can affect the decision.
    """
    return {firing.pattern.id for candidate in decision.candidates for firing in candidate.all_firings}


def firings_of(book: Book, reading: Reading, legal: Mask) -> set[tuple[str, int, int]]:
    """Return (id, move, points) for every pattern of the book and every move for which the pattern fires.

    The points are the maximum over the pattern's firings for the move. reading: the Reading of the position's canonical
    image. legal: the legal points in this image.
    """
    best: dict[tuple[str, int], int] = {}
    for index, move, points, _ in hits(book, reading, legal):
        key = book.patterns[index].id, move
        best[key] = max(points, best.get(key, points))
    return {(name, move, points) for (name, move), points in best.items()}


def weight(pattern: Pattern) -> Weight:
    """Return the properties of a pattern that affect decisions when it fires, except the points."""
    return pattern.priority, pattern.specificity, *flags_of(pattern)
