"""A search that stops at a deadline, returns the best move found so far and names the skipped work.

Moves are scored in descending order of their highest possible priority, and vetted in order of rank. This module runs
on Python 3.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlego.engines.large.deadline import Cut, Deadline
from littlego.rules.engine import LAST_RESORT, Candidate, Decision, Search, best, rank
from littlego.rules.geometry import Mask, Point
from littlego.rules.position import PASS, Position

if TYPE_CHECKING:
    from littlego.rules.engine import FindsFirings, Vets
    from littlego.rules.facts import State


class TimedDecision(Decision):
    """A decision that a deadline may interrupt.

    cut: the skipped work in words, '' if nothing was skipped. deadline: the deadline of the decision and of the search
    for its reason, or None.
    """

    __slots__ = ("cut", "deadline")

    def __init__(
        self, position: Position, chosen: Candidate, others: list[Candidate], cut: str, deadline: Deadline | None
    ) -> None:
        super().__init__(position, chosen, [chosen] + others, complete=False)
        self.cut = cut
        self.deadline = deadline


class CutSearch(Search):
    """A search that a deadline can interrupt. cut: see TimedDecision. deadline: the deadline, or None."""

    def __init__(
        self, state: State, legal: Mask, matcher: FindsFirings, check: Vets, deadline: Deadline | None
    ) -> None:
        super().__init__(state, legal, matcher, check)
        self.deadline = deadline
        self.cut = ""
        self.losses: dict[Point, int] = {}  # losses of the vetted moves

    def vetted_choice(self) -> Candidate:
        """Return the best candidate found before the deadline; raise Cut if no candidate was scored in time."""
        ranked = self._scored()
        if self.cut:
            return _first_open(ranked)
        try:
            return self.first_safe(ranked)
        except Cut:
            return self._best_known(ranked)

    def built_in_choice(self) -> Candidate:
        """Return the candidate with the best built-in score, without a safety check."""
        ranked = self._scored()
        self.cut = "no time for patterns: chosen by captures and liberties, without a safety check"
        return _first_open(ranked)

    def _scored(self) -> list[Candidate]:
        """Return the candidates, best first; after a cut, only the candidates scored before the cut.

        Raise Cut if no candidate is scored.
        """
        moves = self.moves
        moves.sort(key=self._hope, reverse=True)
        try:
            for move in moves:
                self.candidate(move)
        except Cut:
            if not self.seen:
                raise
            assert self.deadline is not None  # only a deadline cuts a search
            number = f"{len(self.seen)} of {len(moves)} moves"
            self.cut = f"cut after {self.deadline.spent()}: {number} were evaluated, without a safety check"
        return sorted(self.seen.values(), key=rank)

    def _hope(self, move: Point) -> int:
        """Return the highest priority that a move can have, or LAST_RESORT for a pass.

        The pass is scored last, even if patterns favour it, because a pass chosen for lack of time wastes a move.
        """
        return LAST_RESORT if move == PASS else self.matcher.highest_priority(move)

    def first_safe(self, ranked: list[Candidate]) -> Candidate:
        """Return the best candidate that is not vetoed, else the candidate with the smallest loss: see `best`.

        Raise Cut if the deadline passes.
        """
        return best(ranked, self.known_loss)

    def known_loss(self, candidate: Candidate) -> int:
        """Return the loss of a candidate, and store it for a choice after a cut."""
        loss = self.losses[candidate.move] = self.vet(candidate)
        return loss

    def _best_known(self, ranked: list[Candidate]) -> Candidate:
        """Return the best candidate vetted before the cut.

        If no candidate was vetted, return the best-ranked candidate that is not barred or, if all are barred, the
        best-ranked candidate.
        """
        assert self.deadline is not None  # only a deadline cuts a search
        seen = [candidate for candidate in ranked if candidate.move in self.losses]
        self.cut = f"the safety check was cut after {self.deadline.spent()}"
        if not seen:
            self.cut += ", before the first move"
            return _first_open(ranked)
        self.cut += f": {len(seen)} of {len(ranked)} moves were checked, and none is safe"
        return best(seen, lambda candidate: self.losses[candidate.move])


def _first_open(ranked: list[Candidate]) -> Candidate:
    """Return the first candidate that is not barred, or the first candidate if all are barred."""
    return next((candidate for candidate in ranked if not candidate.barred), ranked[0])
