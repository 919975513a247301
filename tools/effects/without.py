"""What would be played without a pattern: read off the decision where it says so, decided anew where it does not."""

from __future__ import annotations

from rules.engine import Candidate, Decision, best, canonical, decide, is_vetoed, rank
from rules.geometry import Point
from rules.patternfile import Book
from rules.position import PASS
from tools.effects.parts import firing_ids, indices_by_id, part_of

UNKNOWN = 1 << 20  # points of a candidate that must be judged anew: it is then met before all others of its priority
NO_LOSS = -(1 << 20)  # less than any candidate loses


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
