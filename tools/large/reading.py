"""What conditions ask of a large board: chains from the table, answers looked up, and whole planes at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from rules.facts import FACTS
from rules.programs import Reading
from tools.large.lookups import LOOKUPS

if TYPE_CHECKING:
    from rules.facts import Fact
    from rules.geometry import Mask
    from tools.large.state import LargeState

    Question = tuple[Callable[..., int], bool, int, int]  # a fact, is it asked of a chain? the answers, from and to


class LargeReading(Reading):
    """A large state that conditions ask about, for rules.programs as for planes.

    What is asked in a way that `ask` knows gets the answer of the fact's lookup, if it has one.
    """

    __slots__ = ("_holds",)
    state: LargeState

    def __init__(self, state: LargeState, bits: int) -> None:
        self.state = state
        self.nowhere = (1 << bits) - 1
        self.move_shift = 3 + bits
        self.point_at = _points_at(bits, state.grid[1])
        chain_at = state.table.chain_at
        self.chain_at = chain_at + [0] * ((1 << bits) - len(chain_at))
        self.answers = {
            fact.function: _Answers(state, fact, LOOKUPS[fact.function]) if fact.function in LOOKUPS else {}
            for fact in FACTS.values()
        }
        self._holds: dict[Question, list[Mask]] = {}

    def holding(self, question: Question, points: Mask) -> Mask:
        """Return at which of the points a fact's answer lies between two numbers, asking no others.

        For a fact about chains, of the chain through each point. question: (the fact's function, whether it is asked
        of a chain, from, to).
        """
        known = self._holds.get(question)
        if known is None:
            known = self._holds[question] = [0, 0]  # where it has been asked, and where it holds
        new = points & ~known[0]
        if new:
            asked, holding = (self._ask_chains if question[1] else self._ask_points)(question, new)
            known[0] |= asked
            known[1] |= holding
        return points & known[1]

    def holds_nowhere(self, question: Question) -> bool:
        """Return whether a fact's answer about no point, as the move of a pass is, lies between two numbers."""
        function, _, low, high = question
        return low <= LOOKUPS.get(function, function)(self.state, 0, 0) <= high

    def _ask_points(self, question: Question, points: Mask) -> tuple[Mask, Mask]:
        """Return where a question has been asked, and where it holds."""
        function, _, low, high = question
        answers, state = self.answers[function], self.state
        asked, holding = points, 0
        fact = LOOKUPS.get(function, function)
        found = dict.get
        while points:
            point = points & -points
            points ^= point
            answer = found(answers, point)
            if answer is None:
                answer = answers[point] = fact(state, 0, point)
            if low <= answer <= high:
                holding |= point
        return asked, holding

    def _ask_chains(self, question: Question, points: Mask) -> tuple[Mask, Mask]:
        """Return where a question has been asked, whole chains each, and where it holds."""
        function, _, low, high = question
        answers, state, chain_at = self.answers[function], self.state, self.chain_at
        fact = LOOKUPS.get(function, function)
        asked = holding = 0
        while points:
            chain = chain_at[(points & -points).bit_length() - 1]
            where = chain or points & ~(state.own | state.theirs)
            points &= ~where
            answer = dict.get(answers, chain)
            if answer is None:
                answer = answers[chain] = fact(state, 0, chain)
            asked |= where
            if low <= answer <= high:
                holding |= where
        return asked, holding


@cache
def _points_at(bits: int, full: Mask) -> list[Mask]:
    """Return the one-point mask of each point, 0 where the board has none."""
    return [1 << point & full for point in range(1 << bits)]


class _Answers(dict[Any, int]):
    """The answers of a fact so far, for one that has a lookup: what is missing is looked up, not left to the fact.

    A key is a mask, or the masks of the move and of all arguments. Lookups take single points: where a label names
    several, the fact itself is asked.
    """

    __slots__ = ("_state", "_fact", "_lookup")

    def __init__(self, state: LargeState, fact: Fact, lookup: Callable[..., int]) -> None:
        self._state = state
        self._fact = fact
        self._lookup = lookup

    def get(self, key: Any, default: Any = None) -> int:
        """Return the answer for a key."""
        answer = super().get(key)
        if answer is None:
            masks = key if isinstance(key, tuple) else (0, key)
            pairs = zip(masks[1:], self._fact.kinds, strict=True)
            several = any(kind == "point" and mask & (mask - 1) for mask, kind in pairs)
            answer = self[key] = (self._fact.function if several else self._lookup)(self._state, *masks)
        return answer
