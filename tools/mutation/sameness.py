"""When two drawings are one pattern: the same matches, conditions, points and weight."""

from __future__ import annotations

from rules.patternfile import Book
from tools.effects.parts import weight


def signature(book: Book) -> tuple:
    """Return a value that is equal for two books of one pattern each if these do the same in every position.

    Placements are compared by what matches and by the points that the conditions ask about, so that a mirror image
    is the same pattern.
    """
    pattern = book.patterns[0]
    programs = " ".join([pattern.points, *pattern.when]).split()
    letters = [letter for row in pattern.label_rows for letter in row if letter != "."]
    asked = [number for number, letter in enumerate(letters, 1) if {"@" + letter, "~" + letter} & set(programs)]
    ones = (1 << book.bits) - 1
    placed = set()
    for care, value, cells in zip(book.cares, book.values, book.cells, strict=True):
        points = cells >> 3 + book.bits
        labelled = sorted((letters[number - 1], points >> book.bits * number & ones) for number in asked)
        placed.add((care, value, points & ones, tuple(labelled)))
    return frozenset(placed), pattern.points, tuple(pattern.when), weight(pattern)
