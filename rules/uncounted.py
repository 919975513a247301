"""A decision where nobody knows how many moves are left: what the player does without the count that it keeps.

The boards bound the number: stones that are there were placed. Stones that both sides have lost, and passes, leave no
trace, so that fewer moves may be left than that, two at a time. The most is by far the likeliest, and what is decided
for it is played, with two exceptions. A position on record for fewer moves left, and for none more, is met with that
number. And where the last move of ours may be this one or the one after next, whose results are exact, a move that
would throw away the win if this is the last gives way to the best-ranked one that would not and that nothing refutes.
docs/truth.md tells what that costs and what else was tried.
"""

from __future__ import annotations

from .engine import Decision, decide
from .facts import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

    from .engine import Candidate
    from .geometry import Point
    from .overrides import Overrides
    from .patternfile import Book
    from .position import Position

EXACT = 2  # moves left from which the engine's results are exact
LAST = 6  # moves left from which the next move may be taken for the last
REFUSED = "loses if it is the last move"  # the veto of moves that give way


class Uncounted:
    """What was decided for several numbers of moves left.

    decision: its position is that with the number that was believed. lefts: all numbers that may be, the likeliest
    first. refused: the Candidate that was to be played with the first of them, but throws the win away with the last;
    None where that was played.
    """

    __slots__ = ("decision", "lefts", "refused")

    def __init__(self, decision: Decision, lefts: list[int], refused: Candidate | None = None) -> None:
        self.decision = decision
        self.lefts = lefts
        self.refused = refused

    @property
    def move(self) -> Point:
        """The move to play."""
        return self.decision.move


class _OnRecord:
    """Overrides for all the numbers: the likeliest that has one tells. A damaged file is asked, and told of, once."""

    def __init__(self, overrides: Overrides, lefts: list[int]) -> None:
        self.tell = overrides.complain
        self.overrides = type(overrides)(overrides.file, overrides.name, self.complain)
        self.lefts = lefts
        self.left = 0  # that of the one found
        self.told = False

    def complain(self, text: str) -> None:
        """Tell of damage, and ask no more."""
        self.told = True
        self.tell(text)

    def move_for(self, state: State) -> Point | None:
        """Return the move on record for a canonical state, with whichever number, or None."""
        for left in self.lefts:
            if left <= EXACT or self.told:
                break
            number = state.number + state.left - left
            same = State(
                state.own, state.theirs, state.ko, left, number, state.colour, state.bonus2, state.passed, state.grid
            )
            move = self.overrides.move_for(same)
            if move is not None:
                self.left = left
                return move
        return None


def decide_uncounted(
    positions: Sequence[Position], book: Book, complete: bool = False, overrides: Overrides | None = None
) -> Uncounted:
    """Return what to play in a position of which it is not known how many moves are left.

    positions: it, with each number that may be, the most left first. The rest: see rules.engine.decide.
    """
    likeliest, soonest = positions[0], positions[-1]
    lefts = [position.left for position in positions]
    record = _OnRecord(overrides, lefts) if overrides is not None else None
    decision = decide(likeliest, book, complete, record)
    if record is not None and record.left:
        if record.left < likeliest.left:
            decision = decide(positions[lefts.index(record.left)], book, complete, overrides)
        return Uncounted(decision, lefts)
    if not soonest.left <= EXACT < likeliest.left <= LAST:
        return Uncounted(decision, lefts)
    wins = _wins(decide(soonest, book, True))
    if not wins or decision.move in wins:
        return Uncounted(decision, lefts)
    whole = decision if complete else decide(likeliest, book, True)
    chosen = next((one for one in whole.candidates if one.move in wins and not one.veto), None)
    if chosen is None:
        return Uncounted(decision, lefts)
    for candidate in whole.candidates:
        if candidate.move not in wins and not candidate.veto:
            candidate.bar(REFUSED)
    candidates = sorted(whole.candidates, key=lambda one: one.veto != "")
    return Uncounted(Decision(likeliest, chosen, candidates, True), lefts, whole.chosen)


def _wins(decision: Decision) -> list[Point]:
    """Return the moves that win, of a complete decision with an exact result for each."""
    return [one.move for one in decision.candidates if one.result2 is not None and one.result2 > 0]
