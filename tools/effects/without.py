"""What would be played without a pattern: read off the decision where it says so, decided anew where it does not."""

from __future__ import annotations

from math import inf

from rules.engine import Candidate, Decision, best, canonical, decide, is_vetoed, rank
from rules.patternfile import Book
from rules.position import PASS
from tools.effects.parts import firing_ids, indices_by_id, part_of

UNKNOWN = 1 << 20  # points of a candidate that must be judged anew: it is then met before all others of its priority


class Without:
    """A book, asked what it would play without one of its patterns."""

    def __init__(self, book: Book):
        self.book = book
        self.index_of = indices_by_id(book)

    def moves(self, decision: Decision) -> dict[str, int]:
        """Return the move in the position of a decision of the book without each pattern that fires there.

        Without any other pattern the move stays.
        """
        spoken = firing_ids(decision)
        table, _ = canonical(decision.position)
        found = {name: foreseen(name, decision, table) for name in spoken}
        for name in [name for name, move in found.items() if move is None]:
            rest = part_of(self.book, (self.index_of[other] for other in spoken if other != name))
            found[name] = decide(decision.position, rest).move
        return found


def foreseen(name: str, decision: Decision, table: tuple) -> int | None:
    """Return the move without a pattern where what the decision looked at suffices to tell, else None.

    table: the symmetry table to the canonical image, whose points break ties.
    """
    result2 = decision.chosen.result2
    candidates = [_reduced(name, one) for one in decision.candidates if one.result2 == result2]
    candidates.sort(key=lambda one: rank(one, table))
    found = best(candidates, _loss)
    return None if found.verdict is None else found.move


def _loss(candidate: Candidate) -> float:
    """Return the candidate's loss; one that was not looked at is taken to be the best, so that it is noticed."""
    return -inf if candidate.verdict is None else candidate.verdict.loss


def _reduced(name: str, candidate: Candidate) -> Candidate:
    """Return the candidate without the pattern's firing, vetted as far as it was."""
    kept = [firing for firing in candidate.firings if firing.pattern.id != name]
    if len(kept) == len(candidate.firings):
        return candidate
    found = Candidate(candidate.move, kept)
    found.result2 = candidate.result2
    if not kept and candidate.move != PASS:
        found.points = UNKNOWN  # the engine would judge it by its built-in rules
        return found
    found.verdict = candidate.verdict
    if any(firing.pattern.forbid for firing in kept):
        found.bar(candidate.veto)
    elif found.verdict is not None and is_vetoed(found, found.verdict.loss):
        found.veto = found.verdict.reason
    return found
