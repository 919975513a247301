"""Where the patterns of a book fire, found as the engine finds it, at a small part of the cost of a decision."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rules.patternfile import Book
from rules.position import PASS
from rules.programs import Reading, in_season, worth_of


def hits(book: Book, reading: Reading, legal: int) -> Iterator[tuple[int, int, int]]:
    """Yield (index of the pattern, move, points) of each placement that fires; a move is a point or PASS.

    reading: of the state to look at; legal: the points there where the mover may play, as a mask.
    """
    word = reading.state[0] | reading.state[1] << book.size * book.size
    for index, (start, end) in enumerate(pairwise(book.starts)):
        conditions = None
        for k in range(start, end):
            if word & book.cares[k] != book.values[k]:
                continue
            if conditions is None:
                conditions = book.conditions(index)
                if not in_season(conditions, reading):
                    break
            move = book.cells[k] >> reading.move_shift & reading.nowhere
            if move != reading.nowhere and not legal >> move & 1:
                continue
            points = worth_of(conditions, reading, book.cells[k])
            if points is not None:
                yield index, PASS if move == reading.nowhere else move, points
