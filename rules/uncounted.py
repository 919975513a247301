"""Decisions without a known number of moves left, for a player whose move count is missing.

The boards give an upper bound for the number of moves left, since every stone on a board took a move. Captured stones
and passes leave no trace on the boards, so the real number may be smaller by 2, 4 and so on. The largest number is by
far the likeliest, so the player plays the decision for this number, with two exceptions. First, if the overrides have a
move for a smaller number but none for the largest, the player plays that move. Second, if the chosen move would not win
as the last move, the player plays the best-ranked move that would win and is not vetoed. The second exception applies
only if this turn may be the player's last and the largest number is at most LAST. docs/truth.md explains these rules,
and docs/results.md shows the cost of the missing count.
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

EXACT = 2  # largest number of moves left with exact results
LAST = 6  # largest number of moves left at which this turn may be our last
REFUSED = "loses if it is the last move"  # veto of a move that a winning move replaces


class Uncounted:
    """A decision for several possible numbers of moves left.

    decision: the decision for the number of moves left that the player assumes. lefts: all possible numbers of moves
    left, the likeliest first. refused: the best Candidate for the likeliest number if a move that wins with the
    smallest number of moves left replaced this candidate; else None.
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
    """Overrides, searched for each possible number of moves left, starting with the likeliest.

    After the first report of a failed lookup or of damage, the file is ignored.
    """

    def __init__(self, overrides: Overrides, lefts: list[int]) -> None:
        self.tell = overrides.complain
        self.overrides = type(overrides)(overrides.file, overrides.name, self.complain)
        self.lefts = lefts
        self.left = 0  # number of moves left in the recorded position
        self.told = False

    def complain(self, text: str) -> None:
        """Report a failed lookup or damage in the overrides file, and stop using the file."""
        self.told = True
        self.tell(text)

    def move_for(self, state: State) -> Point | None:
        """Return the recorded move for the likeliest number of moves left that has a record, or None."""
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
    """Return the Uncounted decision for a position whose number of moves left is unknown.

    positions: one position for each possible number of moves left, the largest number first. For the other arguments,
    see rules.engine.decide.
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
    """Return the moves of a complete decision that win by their exact results; [] without exact results."""
    return [one.move for one in decision.candidates if one.result2 is not None and one.result2 > 0]
