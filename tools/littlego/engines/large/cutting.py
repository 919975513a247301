"""A decision in the making that a deadline can cut: the best move by what is known by then, and what was left out.

Moves are weighed in the order of what the strongest pattern that matches may bring, and vetted from the best down.
Wherever the time ends there is a legal move, and the decision says in words what was not looked at. Runs on Python 3.7.
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
    """A decision by a deadline. cut: what was not looked at, in words, '' if all was.

    deadline: by which its reason is due, too; None if it has none.
    """

    __slots__ = ("cut", "deadline")

    def __init__(
        self, position: Position, chosen: Candidate, others: list[Candidate], cut: str, deadline: Deadline | None
    ) -> None:
        super().__init__(position, chosen, [chosen] + others, complete=False)
        self.cut = cut
        self.deadline = deadline


class CutSearch(Search):
    """A search that a deadline can cut. cut: see TimedDecision. deadline: None if it has none."""

    def __init__(
        self, state: State, legal: Mask, matcher: FindsFirings, check: Vets, deadline: Deadline | None
    ) -> None:
        super().__init__(state, legal, matcher, check)
        self.deadline = deadline
        self.cut = ""
        self.losses: dict[Point, int] = {}  # of the moves that have been vetted

    def vetted_choice(self) -> Candidate:
        """Return the best candidate by what can be known in time."""
        ranked = self._scored()
        if self.cut:
            return _first_open(ranked)
        try:
            return self.first_safe(ranked)
        except Cut:
            return self._best_known(ranked)

    def built_in_choice(self) -> Candidate:
        """Return the best candidate without a look at what the opponent may do."""
        ranked = self._scored()
        self.cut = "there was no time to weigh it: chosen by stones taken and liberties, and not checked for safety"
        return _first_open(ranked)

    def _scored(self) -> list[Candidate]:
        """Return the candidates, best first: all of them, or, cut, those that the strongest patterns speak for.

        Raise Cut where there is none.
        """
        moves = self.moves
        moves.sort(key=self._hope, reverse=True)
        try:
            for move in moves:
                self.candidate(move)
        except Cut:
            if not self.seen:
                raise
            assert self.deadline is not None  # else nothing is cut
            number = f"{len(self.seen)} of {len(moves)} moves"
            self.cut = f"cut after {self.deadline.spent()}: {number} were weighed, and none was checked for safety"
        return sorted(self.seen.values(), key=rank)

    def _hope(self, move: Point) -> int:
        """Return the highest priority that a move can have.

        A pass comes last, whatever speaks for it: cut before all moves are weighed, it would be a move given away.
        """
        return LAST_RESORT if move == PASS else self.matcher.highest_priority(move)

    def first_safe(self, ranked: list[Candidate]) -> Candidate:
        """Return the first that is not vetoed, or the smallest loss; raise Cut."""
        return best(ranked, self.known_loss)

    def known_loss(self, candidate: Candidate) -> int:
        """Return what a candidate loses, and keep it for a choice that is cut."""
        loss = self.losses[candidate.move] = self.vet(candidate)
        return loss

    def _best_known(self, ranked: list[Candidate]) -> Candidate:
        """Return the best candidate by what was found before the cut: none of those that were vetted is safe."""
        assert self.deadline is not None  # else nothing is cut
        seen = [one for one in ranked if one.move in self.losses]
        self.cut = f"the safety check was cut after {self.deadline.spent()}"
        if not seen:
            self.cut += ", before it came to a move"
            return _first_open(ranked)
        self.cut += f": {len(seen)} of {len(ranked)} moves were looked at, and none was found safe"
        return best(seen, lambda one: self.losses[one.move])


def _first_open(ranked: list[Candidate]) -> Candidate:
    """Return the first candidate that nothing forbids, or the first where all are forbidden."""
    return next((one for one in ranked if not one.barred), ranked[0])
