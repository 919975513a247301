"""Points of many patterns changed together, one at a time, each for what it adds to those before it.

The points of a move are a sum over patterns: what other factors would make of them needs no new decision. Each step is
chosen on the positions searched alone; how far to follow the steps, the positions held out tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tools.mining.changes import Edited
from tools.mining.table import Table, changed, sure_gain

FACTORS = 0.0, 0.5, 0.75, 1.25, 1.5, 2.0, 3.0
LEAST_GAIN = 1.0  # see sure_gain
MOST_STEPS = 30


@dataclass(frozen=True)
class Step:
    """A pattern's points multiplied. grown, held: blunders fixed less wins spoilt by all steps up to this one."""

    id: str
    factor: float
    grown: int
    held: int


class Tuned:
    """A table's rows under points multiplied: patterns by number, each once."""

    def __init__(self, edited: Sequence[Edited]):
        self.table: Table = edited[0].whole
        self.parts = [(one.kept[one.rows], (one.old.points - one.base)[one.rows]) for one in edited]
        self.points = self.table.scores.points.copy()
        self.now = np.zeros(self.table.codes.size, np.int8)

    def tried(self, number: int, factor: float) -> np.ndarray:
        """Return what would change for each position, from the untouched patterns, if one more factor were taken."""
        return self._changed(self._points(number, factor))

    def take(self, number: int, factor: float) -> int:
        """Take a factor and return the gain of all taken so far."""
        self.points = self._points(number, factor)
        rows, points = self.parts[number]
        self.parts[number] = rows, np.round(factor * points).astype(points.dtype)
        self.now = self._changed(self.points)
        return int(self.now.sum())

    def _points(self, number: int, factor: float) -> np.ndarray:
        rows, points = self.parts[number]
        found = self.points.copy()
        found[rows] += np.round(factor * points).astype(points.dtype) - points
        return found

    def _changed(self, points: np.ndarray) -> np.ndarray:
        everywhere = np.ones(points.size, bool)
        return changed(self.table, self.table.scores._replace(points=points), everywhere)


def steps(names: Sequence[str], grown: Sequence[Edited], held: Sequence[Edited]) -> Iterator[Step]:
    """Yield step after step. names, grown, held: of each pattern, its id and its edits on both tables."""
    searched, apart = Tuned(grown), Tuned(held)
    for _ in range(MOST_STEPS):
        gain, number, factor = max(_tried(searched, len(names)), key=lambda one: one[0])
        if gain < LEAST_GAIN:
            return
        total = searched.take(number, factor)
        yield Step(names[number], factor, total, apart.take(number, factor))


def _tried(searched: Tuned, patterns: int) -> Iterator[tuple[float, int, float]]:
    for number in range(patterns):
        for factor in FACTORS:
            more = searched.tried(number, factor) - searched.now
            yield sure_gain(int((more > 0).sum()), int((more < 0).sum())), number, factor
