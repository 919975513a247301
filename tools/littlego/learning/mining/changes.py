"""Changes to existing patterns: different points or priority, an added condition, or removal.

The effect of a change follows from the scores with and without the pattern, so the engine does not have to decide
again. The command `tune` changes the points of many patterns, one after another; see littlego.learning.mining.tuning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from littlego.knowledge.model import USUAL
from littlego.knowledge.parts import part_of
from littlego.learning.mining.rules import COMPARED, FACT, Features, Literal, condition_texts
from littlego.learning.mining.table import Scores, count_changes, outcome_changes, scores_with, sure_gain
from littlego.rules.patternfile import Book, Pattern

FACTORS = {0.5: "half the points", 1.5: "1.5 times the points", 2.0: "twice the points", -1.0: "negated points"}
BEHIND, AHEAD = 0, 505  # alternative priorities for a pattern of the usual priority
LEAST_GAIN = 1.5  # see sure_gain
FEWEST = 5  # minimum number of rows for which a condition is true, and for which it is false


@dataclass(frozen=True)
class Change:
    """A change to a pattern.

    grown: (blunders fixed, wins spoilt) on the searched positions. held: the same two numbers for the held-out
    positions.
    """

    id: str
    what: str
    grown: tuple[int, int]
    held: tuple[int, int]

    @property
    def gain(self) -> int:
        """Blunders fixed minus wins spoilt, on searched and held-out positions together."""
        return self.grown[0] - self.grown[1] + self.held[0] - self.held[1]

    def as_json(self) -> dict[str, Any]:
        """Return the change as plain JSON values."""
        return {"id": self.id, "change": self.what, "gain": self.gain, "grown": self.grown, "held": self.held}


class Edited:
    """The positions where a pattern fires, and the scores of the legal moves with and without the pattern.

    features: the Features of the whole table. kept: the indices, in the whole table, of the rows of these positions.
    rows: for each kept row, whether the pattern fires. base: the points of each kept row without the pattern.
    """

    def __init__(self, features: Features, book: Book, index: int, fired: np.ndarray):
        """fired: for each position of the whole table, the mask of the moves for which the pattern fires."""
        rest = part_of(book, (other for other in range(len(book.patterns)) if other != index))
        self.features, self.table = features, features.table.where(fired != 0)
        self.kept = np.flatnonzero(fired[features.table.position] != 0)
        self.rows = (fired[fired != 0][self.table.position] >> self.table.move & 1).astype(bool)
        self.old, self.new = self.table.scores, scores_with(self.table, rest)
        self.base = np.where(self.new.bare, 0, self.new.points)

    def without(self) -> tuple[int, int]:
        """Return (blunders fixed, wins spoilt) without the pattern."""
        return self._count(self.new)

    def with_points_scaled(self, factor: float) -> tuple[int, int]:
        """Return (blunders fixed, wins spoilt) with the pattern's points multiplied by `factor`."""
        points = self.base + np.round(factor * (self.old.points - self.base)).astype(np.int32)
        return self._count(self.old._replace(points=np.where(self.rows, points, self.old.points)))

    def with_priority(self, priority: int) -> tuple[int, int]:
        """Return (blunders fixed, wins spoilt) with the pattern's priority set to `priority`."""
        leads = self.rows & (self.new.bare | (priority > self.new.priority))
        top = np.where(self.rows & ~leads, self.new.priority, self.old.priority)
        specificity = np.where(self.rows & ~leads, self.new.specificity, self.old.specificity)
        return self._count(self.old._replace(priority=np.where(leads, priority, top), specificity=specificity))

    def with_condition(self, literal: Literal) -> tuple[int, int]:
        """Return (blunders fixed, wins spoilt) if the pattern fires only in rows where a literal holds."""
        _, name, operator, number = literal
        holds = COMPARED[operator](self.features.facts[name][self.kept], number)
        return self._count(Scores(*(np.where(holds, *pair) for pair in zip(self.old, self.new, strict=True))))

    def _count(self, scores: Scores) -> tuple[int, int]:
        return count_changes(outcome_changes(self.table, scores, self.rows))


Idea = Callable[[Edited], tuple[int, int]]


def best_change(pattern: Pattern, edited: Edited, held: Edited) -> Change | None:
    """Return the best change to a pattern, measured by sure_gain on the searched positions.

    Return None if every change has a sure_gain below LEAST_GAIN. edited: the pattern on the searched positions. held:
    the pattern on the held-out positions.
    """
    trials = [(what, do, do(edited)) for what, do in _list_ideas(pattern, edited)]
    what, do, changed = max(trials, key=lambda one: sure_gain(*one[2]))
    return Change(pattern.id, what, changed, do(held)) if sure_gain(*changed) >= LEAST_GAIN else None


def _list_ideas(pattern: Pattern, edited: Edited) -> Iterator[tuple[str, Idea]]:
    """Yield a pair (description, evaluation function) for each possible change, simplest first."""
    yield "remove the pattern", Edited.without
    for factor, what in FACTORS.items():
        yield what, partial(Edited.with_points_scaled, factor=factor)
    if pattern.priority == USUAL:
        for priority in (BEHIND, AHEAD):
            yield f"priority {priority}", partial(Edited.with_priority, priority=priority)
    for name, values in edited.features.facts.items():
        for operator, number in _list_tests(values[edited.kept[edited.rows]]):
            literal = FACT, name, operator, number
            yield f"only if {condition_texts((literal,))[0]}", partial(Edited.with_condition, literal=literal)


def _list_tests(values: np.ndarray) -> list[tuple[str, int]]:
    """Return the comparisons that hold for at least FEWEST values and fail for at least FEWEST values."""
    tests: list[tuple[str, int]] = []
    for number in np.unique(values).tolist():
        at_most, at_least = int((values <= number).sum()), int((values >= number).sum())
        tests += [("<=", number)] * (FEWEST <= at_most <= values.size - FEWEST)
        tests += [(">=", number)] * (FEWEST <= at_least <= values.size - FEWEST)
    return tests
