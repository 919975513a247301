"""What a fact would explain, before it is kept: of the wins given away, how many a pattern more would keep.

The pattern says `*` and nothing else, and its points are a number times what the fact says of the move: for either
side and in each phase the number that keeps most on two thirds of the boards. What it keeps on the third is what
counts. Where a fact is worth something at all its patterns can be better than this one; where it is worth nothing
here, and does not tell the winning moves from the others, there is nothing to make them from.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from littlego.knowledge.files import Knowledge
from littlego.knowledge.model import USUAL
from littlego.learning.fitting.solved import GROUPS
from littlego.learning.mining.kernels import fact_values
from littlego.learning.mining.readings import READINGS, reading_values
from littlego.learning.mining.rules import FACTS, MOVE_FACTS
from littlego.learning.mining.table import Table, count_changes, effects, table_of
from littlego.learning.mining.tuning import CELLS, STEPS, cells_of
from littlego.truth.labels.labels import Labels
from littlego.truth.labels.positions import held_out

MOST = 100  # points for each that a fact says
NUMBERS = (*STEPS.tolist(), MOST, -MOST)
SPECIFICITY = 2  # the move, and the condition that the fact says something
PHASED = CELLS // len(GROUPS)  # cells of a side, the earliest phase first


class Telling(NamedTuple):
    """How well a fact tells the moves apart that nothing vetoes.

    mends: in how many of the positions given away it says more of a winning move than of the one played; misleads: in
    how many of the others more of a losing move.
    """

    mends: int
    misleads: int


class Gain(NamedTuple):
    """What the points gain for a side: positions given away, and of these kept, and others given away for it."""

    given: int
    kept: int
    lost: int


class Weighed(NamedTuple):
    """What a fact explains: told more and told less, and the gains of each side, searched and held out.

    points: for each that the fact says, in each of tuning's cells.
    """

    name: str
    promise: str
    more: Telling
    less: Telling
    points: tuple[int, ...]
    searched: tuple[Gain, ...]
    held: tuple[Gain, ...]


def promise_of(name: str) -> str:
    """Return what a fact or a reading promises, in one line."""
    return READINGS[name].promise if name in READINGS else FACTS[name].promise


class Weighing:
    """Positions at stake on which facts are weighed."""

    def __init__(self, knowledge: Knowledge, positions: Labels):
        self.table = table_of(positions.codes, positions.winning, knowledge.book)
        self.held = held_out(positions.codes)
        self.cell = cells_of(positions.codes)

    @property
    def given(self) -> int:
        """How many positions the player gives away."""
        return int(self.table.blunders.sum())

    @property
    def beyond(self) -> int:
        """In how many of them something speaks against every move that wins: points do not change that."""
        table = self.table
        allowed = np.unique(table.position[table.wins & table.scores.free])
        return self.given - int(table.blunders[allowed].sum())

    def weigh(self, name: str) -> Weighed:
        """Return what a fact of MOVE_FACTS or a reading explains."""
        values = self.values(name)
        points, changes = self.best_points(values)
        searched, held = (tuple(self._gains(changes, part)) for part in (~self.held, self.held))
        more, less = (tell(self.table, sign * values.astype(np.int64)) for sign in (1, -1))
        return Weighed(name, promise_of(name), more, less, points, searched, held)

    def best_points(self, values: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
        """Return the points of each cell that keep most where it is searched, and what they change, int8 [positions].

        values: what a fact says of each row.
        """
        changes, points, best = np.zeros(self.held.size, np.int8), [0] * CELLS, [0] * CELLS
        for number, tried in zip(NUMBERS, self.changes(values), strict=True):
            for cell in range(CELLS):
                here = self.cell == cell
                gain = int(tried[here & ~self.held].sum(dtype=np.int64))
                if gain > best[cell]:
                    best[cell], points[cell], changes[here] = gain, number, tried[here]
        return tuple(points), changes

    def values(self, name: str) -> np.ndarray:
        """Return what a fact says of each row."""
        table = self.table
        if name in READINGS:
            return reading_values(READINGS[name], table.codes, table.position, table.move)
        number = np.array([[*FACTS].index(name)])
        return np.asarray(fact_values(table.codes, table.position, table.move.astype(np.int64), number, number >= 0)[0])

    def changes(self, values: np.ndarray) -> Iterator[np.ndarray]:
        """Yield for each of NUMBERS what the pattern with such points would change: 1 kept, -1 given away, else 0."""
        fired = values != 0
        return effects(self.table, fired, USUAL, (number * values[fired] for number in NUMBERS), SPECIFICITY)

    def _gains(self, changes: np.ndarray, part: np.ndarray) -> Iterator[Gain]:
        for side in range(len(GROUPS)):
            some = part & (self.cell // PHASED == side)
            yield Gain(int(self.table.blunders[some].sum()), *count_changes(changes[some]))


def tell(table: Table, values: np.ndarray) -> Telling:
    """Return how well values of the rows tell the moves apart."""
    chosen, free, blunders = values[table.chosen], table.scores.free, table.blunders
    winner, loser = (_largest(table, values, free & (table.wins == wins)) for wins in (True, False))
    return Telling(int((blunders & (winner > chosen)).sum()), int((~blunders & (loser > chosen)).sum()))


def _largest(table: Table, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return for each position the largest value of some rows, and less than any where there are none."""
    largest = np.full(table.codes.size, np.iinfo(np.int64).min)
    np.maximum.at(largest, table.position[rows], values[rows])
    return largest


def all_names() -> Sequence[str]:
    """Return what can be weighed: the readings, then the facts about a move."""
    return *READINGS, *MOVE_FACTS


def as_json(weighed: Sequence[Weighed]) -> list[dict[str, Any]]:
    """Return results as plain values."""
    return [
        {
            **one._asdict(),
            "more": one.more._asdict(),
            "less": one.less._asdict(),
            "points": {side: one.points[k * PHASED : (k + 1) * PHASED] for k, side in enumerate(GROUPS)},
            "searched": {side: gain._asdict() for side, gain in zip(GROUPS, one.searched, strict=True)},
            "held": {side: gain._asdict() for side, gain in zip(GROUPS, one.held, strict=True)},
        }
        for one in weighed
    ]
