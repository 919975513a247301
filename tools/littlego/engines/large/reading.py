"""Evaluation of conditions on a large board, for a single placement or for many points together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from littlego.engines.large.primitives import BY_TABLE
from littlego.rules.facts import FACTS
from littlego.rules.programs import Reading

if TYPE_CHECKING:
    from littlego.engines.large.state import LargeState
    from littlego.rules.facts import Fact
    from littlego.rules.geometry import Mask

    Asked = tuple[Callable[..., int], bool]  # (fact about one label, whether the label is a chain)
    Question = tuple[Asked, int, int]  # (fact, smallest answer, largest answer)


class LargeReading(Reading):
    """A Reading that evaluates conditions in a LargeState, for one move or for all moves together.

    For one move, rules.programs evaluates the conditions. The answers of facts come from `answers`, which evaluates
    the facts with the primitives for large boards.
    """

    __slots__ = ("_levels", "_holds", "_look")
    state: LargeState

    def __init__(self, state: LargeState, bits: int, look: Callable[[], None] = lambda: None) -> None:
        """look: a function that `holding` calls before evaluating a fact about a point.

        An exception from the function ends the evaluation.
        """
        self.state = state
        self._look = look
        self.nowhere = (1 << bits) - 1
        self.move_shift = 3 + bits
        self.numbers = {}
        self.point_at = _points_at(bits, state.grid[1])
        chain_at = state.table.chain_at
        self.chain_at = chain_at + [0] * ((1 << bits) - len(chain_at))
        self.answers = {fact.function: _Answers(state, fact) for fact in FACTS.values()}
        self._levels: dict[Asked, _Levels] = {}
        self._holds: dict[Question, tuple[Mask, Mask]] = {}  # (points tested, points where the question holds)

    def holding(self, question: Question, points: Mask) -> Mask:
        """Return the subset of `points` at which a fact's answer is in a range.

        question: the fact and the range, as (fact, smallest answer, largest answer).

        A fact about chains is evaluated for the chain at each point.
        """
        asked, low, high = question
        levels = self._levels.get(asked)
        if levels is None:
            levels = self._levels[asked] = _Levels()
        new = points & ~levels.known
        if new:
            (self._ask_chains if asked[1] else self._ask_points)(asked[0], levels, new)
        known, holding = self._holds.get(question, (0, 0))
        if known != levels.known:
            holding = 0
            for answer, where in levels.points.items():
                if low <= answer <= high:
                    holding |= where
            self._holds[question] = levels.known, holding
        return points & holding

    def holds_nowhere(self, question: Question) -> bool:
        """Return whether a fact's answer for the empty mask is in a range. question: see `holding`.

        The empty mask represents a missing point, such as the move of a pass.
        """
        asked, low, high = question
        return low <= self.answers[asked[0]].get(0, 0) <= high

    def _ask_points(self, function: Callable[..., int], levels: _Levels, new: Mask) -> None:
        """Evaluate a fact about points at each point in the mask `new`, and add the answers to `levels`."""
        answers, state, levels_at = self.answers[function], self.state, levels.points
        fact, found = BY_TABLE.get(function, function), dict.get
        while new:
            point = new & -new
            new ^= point
            answer = found(answers, point)
            if answer is None:
                self._look()
                answer = answers[point] = fact(state, 0, point)
            levels.known |= point
            levels_at[answer] = levels_at.get(answer, 0) | point

    def _ask_chains(self, function: Callable[..., int], levels: _Levels, new: Mask) -> None:
        """Evaluate a fact for the chains at the points in the mask `new`, and add the answers to `levels`.

        An empty point gets the answer for the empty mask.
        """
        answers, chain_at, levels_at = self.answers[function], self.chain_at, levels.points
        empty = ~(self.state.own | self.state.theirs)
        while new:
            chain = chain_at[(new & -new).bit_length() - 1]
            where = chain or new & empty
            new &= ~where
            levels.known |= where
            answer = answers.get(chain, 0)
            levels_at[answer] = levels_at.get(answer, 0) | where


class _Levels:
    """The answers of a fact at points of the board.

    known: a mask of the evaluated points. points: {answer: mask of the points with this answer}.
    """

    __slots__ = ("known", "points")

    def __init__(self) -> None:
        self.known: Mask = 0
        self.points: dict[int, Mask] = {}


@cache
def _points_at(bits: int, full: Mask) -> list[Mask]:
    """Return a list of one-point masks, indexed by point numbers from 0 to 2 ** bits - 1.

    The mask is 0 for a point off the board. full: the mask of all points of the board.
    """
    return [1 << point & full for point in range(1 << bits)]


class _Answers(dict[Any, int]):
    """The cached answers of a fact; `get` evaluates the fact for missing keys.

    A key is a tuple (mask of the move, mask of each argument); a single mask means (0, mask). Primitives of large
    boards accept only single points, so a fact about a label with several points is evaluated with the primitives of
    rules.facts.
    """

    __slots__ = ("_state", "_fact", "_by_table")

    def __init__(self, state: LargeState, fact: Fact) -> None:
        self._state = state
        self._fact = fact
        self._by_table = BY_TABLE.get(fact.function, fact.function)

    def get(self, key: Any, default: Any = None) -> int:
        """Return the answer for a key; if the answer is not cached, evaluate the fact. `default` is ignored."""
        answer = dict.get(self, key)
        if answer is None:
            answer = self[key] = self._ask(key if isinstance(key, tuple) else (0, key))
        return answer

    def _ask(self, masks: tuple[Mask, ...]) -> int:
        for mask, kind in zip(masks[1:], self._fact.kinds, strict=True):
            if kind == "point" and mask & (mask - 1):
                return self._fact.function(self._state, *masks)
        return self._by_table(self._state, *masks)
