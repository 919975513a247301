"""An engine's judgement of single moves: the verdict on a move, and the move's score without patterns.

A decision of the engine for large boards contains that engine's judge. This module runs on Python 3.7.
"""

from __future__ import annotations

from functools import lru_cache

from littlego.rules.engine import Candidate, Decision, canonical, decide
from littlego.rules.geometry import Point, Table, inverse
from littlego.rules.patternfile import empty_book
from littlego.rules.position import PASS, Position
from littlego.rules.safety import Check, Verdict, outcome


class Judge:
    """An engine's judgement of moves in a position; each result is computed on demand.

    turn: the table that maps points of the board to points of the engine's view, or None if the view's points equal the
    board's points. Among tied moves, the engine plays the move whose point comes first in the view.
    """

    turn: Table | None

    def place(self, move: Point) -> Point:
        """Return a move's point in the engine's view (for breaking ties), or PASS for a pass."""
        return move if move == PASS or self.turn is None else self.turn[move]

    def undo(self, size: int) -> Table:
        """Return the table that maps points of the engine's view to the board. Firings use points of the view."""
        return tuple(range(size * size)) if self.turn is None else inverse(self.turn)

    def vet(self, move: Point) -> Verdict:
        """Return the verdict on a move, which must be a legal point or PASS."""
        raise NotImplementedError

    def bare(self, move: Point) -> Candidate:
        """Return the candidate for a legal move, scored as if there were no patterns."""
        raise NotImplementedError

    def result2(self, move: Point) -> int:
        """Return a legal move's exact result in half points: see rules.safety.outcome.

        At most two moves must be left.
        """
        raise NotImplementedError


class EngineJudge(Judge):
    """The judge for the engine of rules/."""

    def __init__(self, position: Position) -> None:
        self.turn, self.state = canonical(position)
        self.position = position
        self._check: Check | None = None
        self._bare = lru_cache(maxsize=None)(self._decide_without_patterns)

    def vet(self, move: Point) -> Verdict:
        if self._check is None:
            self._check = Check(self.state)
        verdict = self._check.vet(self.place(move))
        if verdict.reply is not None and verdict.reply != PASS and self.turn is not None:
            verdict.reply = self.turn.index(verdict.reply)
        return verdict

    def bare(self, move: Point) -> Candidate:
        return self._bare()[move]

    def result2(self, move: Point) -> int:
        return outcome(self.state, self.place(move))[0]

    def _decide_without_patterns(self) -> dict[Point, Candidate]:
        decision = decide(self.position, empty_book(self.position.ruleset))
        return {candidate.move: candidate for candidate in decision.candidates}


def judge_of(decision: Decision) -> Judge:
    """Return a decision's own judge or, if the decision has none, a judge for the engine of rules/."""
    brought = getattr(decision, "judge", None)
    return brought if isinstance(brought, Judge) else EngineJudge(decision.position)
