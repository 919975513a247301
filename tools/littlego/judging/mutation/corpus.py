"""Positions in an encoding that lets a pattern be matched in all of them at once.

A set of positions is an integer mask in which bit i represents position i, so that a few integer operations match a
placement in all positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from littlego.knowledge.parts import firings_of, weight
from littlego.rules.engine import canonical
from littlego.rules.geometry import image_of, points_of
from littlego.rules.patternfile import Book
from littlego.rules.position import PASS, Position
from littlego.rules.programs import Reading

Firings = dict[int, int]  # {move in the canonical position: points}


class Corpus:
    """Positions of one board size, each in the given and in the engine's canonical orientation."""

    def __init__(self, positions: Sequence[Position]) -> None:
        self.positions = positions
        views = [canonical(position) for position in positions]
        self.tables = [table for table, _ in views]
        self.states = [state for _, state in views]
        self.legal = [image_of(one.legal(), table) for one, table in zip(positions, self.tables, strict=True)]
        self._readings: dict[int, Reading] = {}
        size = positions[0].ruleset.size if positions else 0
        words = [state.own | state.theirs << size * size for state in self.states]
        self._everything = (1 << len(positions)) - 1
        self._columns = [_column(words, bit) for bit in range(2 * size * size)]

    def firings(self, book: Book, index: int) -> Firings:
        """Return a book's firings in position `index` as {move in the canonical position: points}.

        The book must contain a single pattern.
        """
        if index not in self._readings:
            self._readings[index] = Reading(self.states[index], book.bits)
        return {move: points for _, move, points in firings_of(book, self._readings[index], self.legal[index])}

    def fires(self, book: Book, index: int, move: int | None) -> bool:
        """Return whether a book's only pattern fires for a move in position `index`.

        move: a point, PASS, or None for any move.
        """
        moves = self.firings(book, index)
        return bool(moves) if move is None else (move if move == PASS else self.tables[index][move]) in moves

    def disagreements(self, book: Book, other: Book) -> Iterator[tuple[int, Firings, Firings]]:
        """Yield the positions in which two single-pattern books fire differently.

        An item is (index of the position, firings of `book`, firings of `other`).
        """
        for index in members(self.find_differences(book, other)):
            mine, others = self.firings(book, index), self.firings(other, index)
            if mine != others:
                yield index, mine, others

    def find_differences(self, book: Book, other: Book) -> int:
        """Return a superset of the positions in which two single-pattern books fire differently."""
        mine, others = self._matches(book), self._matches(other)
        if _without_diagram(book) != _without_diagram(other):
            return reduce(or_, [*mine.values(), *others.values()], 0)
        return reduce(or_, (mine.get(key, 0) ^ others.get(key, 0) for key in mine.keys() | others.keys()), 0)

    def _matches(self, book: Book) -> dict[int, int]:
        """Return {packed points: set of positions in which a placement with these points matches}.

        The points are the move and the labelled points.
        """
        matches: dict[int, int] = {}
        for care, value, cells in zip(book.cares, book.values, book.cells, strict=True):
            key = cells >> 3 + book.bits
            matches[key] = matches.get(key, 0) | self._match_placement(care, value)
        return matches

    def _match_placement(self, care: int, value: int) -> int:
        """Return the set of positions in which a placement matches."""
        positions = self._everything
        for bit in points_of(care) if positions else ():  # an empty corpus has no columns
            positions &= self._columns[bit] if value >> bit & 1 else ~self._columns[bit]
        return positions


def members(positions: int) -> list[int]:
    """Return the indexes of the positions in a set, in ascending order."""
    return [index for index, digit in enumerate(reversed(f"{positions:b}")) if digit == "1"]


def _column(words: list[int], bit: int) -> int:
    """Return the set of positions i for which bit `bit` of words[i] is set."""
    return int("".join("1" if word >> bit & 1 else "0" for word in reversed(words)) or "0", 2)


def _without_diagram(book: Book) -> tuple[object, ...]:
    """Return everything in a single-pattern book that affects firings, except the diagram."""
    pattern = book.patterns[0]
    return pattern.points, pattern.table, pattern.when, "".join(pattern.label_rows).replace(".", ""), weight(pattern)
