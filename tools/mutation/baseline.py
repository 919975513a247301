"""What a book decides in one position, kept so that most changes of a pattern are seen to change nothing.

A decision changes only if, among the moves for which the pattern fires otherwise, the chosen one falls back or
becomes vetoed, or another one comes to rank above it and is not vetoed. The safety check does not depend on the
book, so its verdicts are kept. Whatever is not certain here is for the engine to decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Candidate, Firing, decide, is_vetoed, rank
from rules.facts import State
from rules.geometry import Point
from rules.patternfile import Book, Pattern
from rules.position import PASS, Position
from rules.safety import Check, vet
from tools.effects.parts import weight
from tools.mutation.corpus import Firings


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

    def _rescore(self, move: int, new: Pattern, after: Firings) -> Candidate:
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

    def _loss(self, move: int) -> int:
        """Return what the worst reply to a move costs, by the safety check."""
        if move not in self._losses:
            if self._check is None:
                self._check = Check(self.state)
            self._losses[move] = vet(self._check, move).loss
        return self._losses[move]
