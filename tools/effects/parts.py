"""Books made of other books' patterns, which patterns have a say in a position, and what is played with one changed.

A decision depends only on the patterns that fire for a move it considers. So what another book would play can be
asked of a small book with just these, which is quick to make and to ask. What is played once a pattern is changed or
gone is read off the decision, and decided anew only where a move is then to be judged by the engine's built-in rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache, partial

from rules.engine import Candidate, Decision, Firing, best, canonical, decide, rank
from rules.geometry import Mask, Point
from rules.patternfile import Book, Pattern
from rules.position import PASS
from rules.programs import Conditions, Reading
from rules.safety import Check, vet
from tools.knowledge.firing import hits

Entry = tuple[Book, int]  # a pattern by its book and its index there
Weight = tuple[int, int, bool, bool]  # priority, specificity, forbid, sacrifice
UNKNOWN = 1 << 20  # points of a candidate that must be judged anew: it is then met before all others of its priority
NO_LOSS = -(1 << 20)  # less than any candidate loses


class Part(Book):
    """A book of patterns of other books, in the order given; neither placements nor conditions are made again."""

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
        """Return the Conditions of patterns[index], parsed once in the book that it comes from."""
        book, original = self.entries[index]
        return book.conditions(original)


def part_of(book: Book, indices: Iterable[int]) -> Part:
    """Return the book of just these patterns of a book, in its order."""
    return Part([(book, index) for index in sorted(indices)], book.ruleset_name, book.size)


def book_of_entries(entries: Iterable[Entry], like: Book) -> Part:
    """Return the book of these patterns in the order of patterns.txt: highest priority first, then by id."""
    ordered = sorted(entries, key=lambda entry: _book_order(entry[0].patterns[entry[1]]))
    return Part(ordered, like.ruleset_name, like.size)


def _book_order(pattern: Pattern) -> tuple[int, str]:
    return -pattern.priority, pattern.id


def indices_by_id(book: Book) -> dict[str, int]:
    """Return where each pattern of a book stands in it."""
    return {pattern.id: index for index, pattern in enumerate(book.patterns)}


def firing_ids(decision: Decision) -> set[str]:
    """Return the ids of the patterns that fire for a move considered: without all others it stays as it is."""
    return {firing.pattern.id for candidate in decision.candidates for firing in candidate.firings}


def firings_of(book: Book, reading: Reading, legal: Mask) -> set[tuple[str, int, int]]:
    """Return (id, move, points) for every move that a pattern of the book fires for, as the engine finds them.

    reading: of the canonical image; legal: the points there where the mover may play. Asking it for a few
    patterns costs a small part of a decision.
    """
    best: dict[tuple[str, int], int] = {}
    for index, move, points in hits(book, reading, legal):
        key = book.patterns[index].id, move
        best[key] = max(points, best.get(key, points))
    return {(name, move, points) for (name, move), points in best.items()}


def weight(pattern: Pattern) -> Weight:
    """Return all that a pattern brings to a decision where it fires, its points aside."""
    return pattern.priority, pattern.specificity, pattern.forbid, pattern.sacrifice


class Variants:
    """A book, asked what it would play with one of its patterns changed, or without it."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.index_of = indices_by_id(book)

    def entry(self, name: str) -> Entry | None:
        """Return the pattern of that id, None where the book has none."""
        return (self.book, self.index_of[name]) if name in self.index_of else None

    def move_with(self, decision: Decision, name: str, other: Entry | None) -> Point:
        """Return the move in the position of a decision of the book with another pattern, or none, for one of its."""
        entries = [(self.book, self.index_of[spoken]) for spoken in firing_ids(decision) if spoken != name]
        entries += [other] if other else []
        return decide(decision.position, book_of_entries(entries, self.book)).move

    def moves_without(self, decision: Decision) -> dict[str, Point]:
        """Return the move in the position of a decision of the book without each pattern that fires there.

        Without any other pattern the move stays.
        """
        foresight = Foresight(decision, self)
        return {name: foresight.move_with(name, None, {}) for name in firing_ids(decision)}


class Foresight:
    """A decision of a book, asked what would be played there with one of its patterns changed.

    Moves that the decision had no need to vet are vetted once they are in question; it is left as it is.
    """

    def __init__(self, decision: Decision, variants: Variants) -> None:
        self.decision, self.variants = decision, variants
        table, state = canonical(decision.position)
        self.images = (*table, PASS)  # of moves on the canonical image: a pass, which is -1, stays one
        self.check = cache(partial(Check, state))
        self.candidates = [copy(one) for one in decision.candidates if one.result2 == decision.chosen.result2]

    def move_with(self, name: str, other: Entry | None, firings: Mapping[Point, Firing]) -> Point:
        """Return the move with another pattern, or none, for one.

        firings: all that the other pattern fires for, by move on the canonical image.
        """
        candidates = [_with_firing(one, name, firings.get(self.images[one.move])) for one in self.candidates]
        candidates.sort(key=lambda one: rank(one, self.images))
        first = best(candidates, self._loss)
        return first.move if first.points != UNKNOWN else self.variants.move_with(self.decision, name, other)

    def _loss(self, candidate: Candidate) -> int:
        """Return the candidate's loss; one to be judged anew is taken to be the best, so that it is noticed."""
        if candidate.points == UNKNOWN:
            return NO_LOSS
        if candidate.verdict is None:
            candidate.verdict = vet(self.check(), self.images[candidate.move])
        return candidate.verdict.loss


def _with_firing(candidate: Candidate, name: str, firing: Firing | None) -> Candidate:
    """Return the candidate with this firing, or none, of a pattern, vetted as far as it was."""
    rest = [one for one in candidate.firings if one.pattern.id != name]
    if firing is None and len(rest) == len(candidate.firings):
        return candidate
    firings = sorted([*rest, firing] if firing else rest, key=lambda one: _book_order(one.pattern))
    changed = Candidate(candidate.move, firings)
    if firings or candidate.move == PASS:
        changed.verdict = candidate.verdict
    else:
        changed.points = UNKNOWN  # the engine would judge it by its built-in rules
    if any(one.pattern.forbid for one in firings):
        changed.bar("forbidden")
    return changed
