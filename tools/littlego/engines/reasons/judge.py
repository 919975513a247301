"""What an engine says of a move by itself: its verdict, and what the move is worth where no pattern speaks for it.

A decision of an engine other than that of rules/ brings a judge of its own. Runs on Python 3.7.
"""

from __future__ import annotations

from functools import lru_cache

from littlego.rules.engine import Candidate, Decision, canonical, decide
from littlego.rules.geometry import Point, Table, inverse
from littlego.rules.patternfile import empty_book
from littlego.rules.position import PASS, Position
from littlego.rules.safety import Check, Verdict, outcome


class Judge:
    """The engine's own judgement in a position, asked for as little as is needed.

    turn: the table that takes a move to the point that breaks ties; None where that is the move itself.
    """

    turn: Table | None

    def place(self, move: Point) -> Point:
        """Return the point that breaks ties for a move, PASS for a pass."""
        return move if move == PASS or self.turn is None else self.turn[move]

    def undo(self, size: int) -> Table:
        """Return the table that takes a point of the engine's view, where firings have their cells, to the board."""
        return tuple(range(size * size)) if self.turn is None else inverse(self.turn)

    def vet(self, move: Point) -> Verdict:
        """Return the verdict on a legal move, a point or PASS."""
        raise NotImplementedError

    def bare(self, move: Point) -> Candidate:
        """Return the candidate that a legal move is without any pattern."""
        raise NotImplementedError

    def result2(self, move: Point) -> int:
        """Return the exact result of a legal move where at most two are left: see rules.safety.outcome."""
        raise NotImplementedError


class EngineJudge(Judge):
    """The judgement of the engine of rules/."""

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
        return {one.move: one for one in decision.candidates}


def judge_of(decision: Decision) -> Judge:
    """Return the judge that a decision brings, or that of the engine of rules/."""
    brought = getattr(decision, "judge", None)
    return brought if isinstance(brought, Judge) else EngineJudge(decision.position)
