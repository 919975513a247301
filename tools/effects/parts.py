"""Books made of other books' patterns, which patterns have a say in a position, and what is played without one of them.

A decision depends only on the patterns that fire for a move it considers. So what another book would play can be
asked of a small book with just these, which is quick to make and to ask. What is played without a pattern is read off
the decision where it tells, and decided anew where it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.engine import Candidate, Decision, best, canonical, decide, is_vetoed, rank
from rules.geometry import Mask, Point
from rules.patternfile import Book, Pattern
from rules.position import PASS
from rules.programs import Conditions, Reading
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
    return Part(sorted(entries, key=_rank), like.ruleset_name, like.size)


def _rank(entry: Entry) -> tuple[int, str]:
    pattern = entry[0].patterns[entry[1]]
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


class Without:
    """A book, asked what it would play without one of its patterns."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.index_of = indices_by_id(book)

    def moves(self, decision: Decision) -> dict[str, Point]:
        """Return the move in the position of a decision of the book without each pattern that fires there.

        Without any other pattern the move stays.
        """
        ids = firing_ids(decision)
        table, _ = canonical(decision.position)
        moves: dict[str, Point] = {}
        for name in ids:
            move = foresee_move(name, decision, table)
            if move is None:
                rest = part_of(self.book, (self.index_of[other] for other in ids if other != name))
                move = decide(decision.position, rest).move
            moves[name] = move
        return moves


def foresee_move(name: str, decision: Decision, table: tuple[Point, ...]) -> Point | None:
    """Return the move without a pattern where what the decision looked at suffices to tell, else None.

    table: the symmetry table to the canonical image, whose points break ties.
    """
    result2 = decision.chosen.result2
    candidates = [_without_firing(name, one) for one in decision.candidates if one.result2 == result2]
    candidates.sort(key=lambda one: rank(one, table))
    first = best(candidates, _loss)
    return None if first.verdict is None else first.move


def _loss(candidate: Candidate) -> int:
    """Return the candidate's loss; one that was not looked at is taken to be the best, so that it is noticed."""
    return NO_LOSS if candidate.verdict is None else candidate.verdict.loss


def _without_firing(name: str, candidate: Candidate) -> Candidate:
    """Return the candidate without the pattern's firing, vetted as far as it was."""
    kept = [firing for firing in candidate.firings if firing.pattern.id != name]
    if len(kept) == len(candidate.firings):
        return candidate
    reduced = Candidate(candidate.move, kept)
    reduced.result2 = candidate.result2
    if not kept and candidate.move != PASS:
        reduced.points = UNKNOWN  # the engine would judge it by its built-in rules
        return reduced
    reduced.verdict = candidate.verdict
    if any(firing.pattern.forbid for firing in kept):
        reduced.bar(candidate.veto)
    elif reduced.verdict is not None and is_vetoed(reduced, reduced.verdict.loss):
        reduced.veto = reduced.verdict.reason
    return reduced
