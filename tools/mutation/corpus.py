"""Many positions at once: where a pattern and its mutants fire among them, and what is decided there.

Sets of positions are masks, bit i being the i-th position: a placement is compared with all of them in a few
operations on long ints.

The decision in a position is kept as a baseline, on which most changes of a pattern are seen to change nothing. A
decision changes only if, among the moves for which the pattern fires otherwise, the chosen one falls back or becomes
vetoed, or another one comes to rank above it and is not vetoed. The safety check does not depend on the book, so its
verdicts are kept. Whatever is not certain here is for the engine to decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

from rules.engine import Candidate, Firing, canonical, decide, is_vetoed, rank
from rules.facts import State
from rules.geometry import Point, image_of
from rules.patternfile import Book, Pattern
from rules.position import PASS, Position
from rules.programs import Reading
from rules.safety import Check, vet
from tools.effects.parts import firings_of, weight

Firings = dict[int, int]  # move on the canonical image -> points


class Corpus:
    """Positions, each seen on its canonical image as the engine sees it; all of one board size."""

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
        """Return the moves that a book of one pattern fires for in a position, with their points."""
        if index not in self._readings:
            self._readings[index] = Reading(self.states[index], book.bits)
        return {move: points for _, move, points in firings_of(book, self._readings[index], self.legal[index])}

    def different(self, book: Book, other: Book) -> int:
        """Return the positions in which two books of one pattern may fire differently; all others are certain."""
        mine, others = self._matches(book), self._matches(other)
        if _without_diagram(book) != _without_diagram(other):
            return _unite(mine) | _unite(others)
        return reduce(or_, (mine.get(key, 0) ^ others.get(key, 0) for key in mine.keys() | others.keys()), 0)

    def _matches(self, book: Book) -> dict[int, int]:
        """Return the positions in which the diagram matches, by the move and the labelled points of the match."""
        matches: dict[int, int] = {}
        for care, value, cells in zip(book.cares, book.values, book.cells, strict=True):
            key = cells >> 3 + book.bits
            matches[key] = matches.get(key, 0) | self._matching(care, value)
        return matches

    def _matching(self, care: int, value: int) -> int:
        positions = self._everything
        while care and positions:
            bit = care & -care
            care ^= bit
            column = self._columns[bit.bit_length() - 1]
            positions &= column if value & bit else ~column
        return positions


def members(positions: int) -> list[int]:
    """Return the indexes in a set of positions, ascending."""
    return [index for index, digit in enumerate(reversed(f"{positions:b}")) if digit == "1"]


def _column(words: list[int], bit: int) -> int:
    """Return the positions whose board word has that bit."""
    return int("".join("1" if word >> bit & 1 else "0" for word in reversed(words)) or "0", 2)


def _unite(matches: dict[int, int]) -> int:
    return reduce(or_, matches.values(), 0)


def _without_diagram(book: Book) -> tuple[object, ...]:
    """Return all that a pattern says but for its diagram."""
    pattern = book.patterns[0]
    return pattern.points, pattern.when, "".join(pattern.label_rows).replace(".", ""), weight(pattern)


class Baseline:
    """The decision of a book in a position. table, state: its canonical image; all moves inside are of that image.

    move: the move played on the real board.
    """

    def __init__(self, position: Position, table: Sequence[Point], state: State, book: Book) -> None:
        decision = decide(position, book)
        self.move = decision.move
        self.state = state
        self.is_exact = 0 < position.left <= 2
        self.chosen = decision.chosen
        self.candidates: dict[Point, Candidate] = {}
        self._losses: dict[Point, int] = {}
        for candidate in decision.candidates:
            candidate.move = candidate.move if candidate.move == PASS else table[candidate.move]
            self.candidates[candidate.move] = candidate
            if candidate.verdict:
                self._losses[candidate.move] = candidate.verdict.loss
        self._check: Check | None = None

    def may_change(self, old: Pattern, new: Pattern, before: Firings, after: Firings) -> bool:
        """Return whether another move may be played once a pattern is changed; False is certain.

        before, after: what it fires for as it was and as it is changed.
        """
        moves = before.keys() | after.keys()
        if weight(old) == weight(new):
            moves = {move for move in moves if before.get(move) != after.get(move)}
        changed = {move: self._rescore(move, new, after) for move in moves if move in self.candidates}
        if not changed:
            return False
        if self.chosen.veto or any(not one.firings and one.move != PASS for one in changed.values()):
            return True
        return self._is_overtaken({**self.candidates, **changed})

    def _rescore(self, move: Point, new: Pattern, after: Firings) -> Candidate:
        """Return the candidate as it stands after the change."""
        firings = [firing for firing in self.candidates[move].firings if firing.pattern.id != new.id]
        if move in after:
            firings.append(Firing(new, after[move], 0))
        firings.sort(key=lambda firing: (-firing.pattern.priority, firing.pattern.id))  # as the book has them
        candidate = Candidate(move, firings)
        candidate.barred = any(firing.pattern.forbid for firing in firings)
        return candidate

    def _is_overtaken(self, candidates: dict[int, Candidate]) -> bool:
        """Return whether the chosen move is vetoed now, or another one above it is not."""
        chosen = candidates[self.chosen.move]
        limit = rank(chosen)
        return self._is_vetoed(chosen) or any(
            rank(candidate) < limit and not self._is_vetoed(candidate) for candidate in candidates.values()
        )

    def _is_vetoed(self, candidate: Candidate) -> bool:
        certain = candidate.barred or candidate.is_spared or self.is_exact
        return is_vetoed(candidate, 0 if certain else self._loss(candidate.move))

    def _loss(self, move: Point) -> int:
        """Return what the worst reply to a move costs, by the safety check."""
        if move not in self._losses:
            if self._check is None:
                self._check = Check(self.state)
            self._losses[move] = vet(self._check, move).loss
        return self._losses[move]
