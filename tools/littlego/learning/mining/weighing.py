"""The value of a planned fact: the number of given-away wins that a pattern with the fact would keep.

The pattern's diagram is `*` alone, and the pattern's points are a number times the fact's value for the move. For each
side and phase, the module chooses the number that keeps the most wins on two thirds of the boards, and measures the
gain on the remaining third. A fact with a gain may gain more in a pattern with a larger diagram. A fact that has no
gain and does not distinguish winning moves from losing moves is unlikely to help any pattern.
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
from littlego.learning.mining.tuning import ONE_PHASE, STEPS, cells_of
from littlego.truth.labels.labels import Labels
from littlego.truth.labels.positions import held_out

MOST = 100  # points per unit of a fact's value
NUMBERS = (*STEPS.tolist(), MOST, -MOST)
SPECIFICITY = 2  # one for the move, one for the condition that the fact is not 0


class Telling(NamedTuple):
    """Counts that show how well a fact separates winning from losing moves; vetoed moves are ignored.

    mends: positions where the player gives the win away and a winning move has a larger value than the move played.
    misleads: other positions where a losing move has a larger value than the move played.
    """

    mends: int
    misleads: int


class Gain(NamedTuple):
    """A side's gain from a pattern with the fact.

    given: wins that the player gives away without the pattern. kept: wins among these that the player keeps with the
    pattern. lost: other wins that the player gives away with the pattern.
    """

    given: int
    kept: int
    lost: int


class Weighed(NamedTuple):
    """The measured value of a fact.

    more: how well larger values indicate winning moves. less: how well smaller values indicate winning moves. points:
    the points per unit of the fact's value in each cell; see tuning.cells_of. searched, held: each side's gain on
    searched and on held-out boards.
    """

    name: str
    promise: str
    more: Telling
    less: Telling
    points: tuple[int, ...]
    searched: tuple[Gain, ...]
    held: tuple[Gain, ...]


def promise_of(name: str) -> str:
    """Return the one-line description of a fact or a reading."""
    return READINGS[name].promise if name in READINGS else FACTS[name].promise


class Weighing:
    """Labelled positions with winning and losing moves, on which candidate facts are evaluated."""

    def __init__(self, knowledge: Knowledge, positions: Labels):
        self.table = table_of(positions.codes, positions.winning, knowledge.book)
        self.held = held_out(positions.codes)
        bounds = [*(knowledge.phases or ONE_PHASE).values()]
        self.phases = len(bounds)
        self.cell = cells_of(positions.codes, bounds)

    @property
    def given(self) -> int:
        """The number of positions where the player gives the win away."""
        return int(self.table.blunders.sum())

    @property
    def beyond(self) -> int:
        """The number of given-away wins that no points can keep, because every winning move is vetoed."""
        table = self.table
        allowed = np.unique(table.position[table.wins & table.scores.free])
        return self.given - int(table.blunders[allowed].sum())

    def weigh(self, name: str) -> Weighed:
        """Measure the value of a fact of MOVE_FACTS or of a reading."""
        values = self.values(name)
        points, changes = self.best_points(values)
        searched, held = (tuple(self._gains(changes, part)) for part in (~self.held, self.held))
        more, less = (tell(self.table, sign * values.astype(np.int64)) for sign in (1, -1))
        return Weighed(name, promise_of(name), more, less, points, searched, held)

    def best_points(self, values: np.ndarray) -> tuple[tuple[int, ...], np.ndarray]:
        """Return (the best points per unit of the fact's value in each cell, the effect of these points).

        The effect is int8 [positions]; see `changes`. The points are chosen on the searched boards. A cell is a side
        and a phase, see tuning.cells_of. values: the fact's value for each row.
        """
        changes, points, best = np.zeros(self.held.size, np.int8), [0] * 2 * self.phases, [0] * 2 * self.phases
        for number, tried in zip(NUMBERS, self.changes(values), strict=True):
            for cell in range(2 * self.phases):
                here = self.cell == cell
                gain = int(tried[here & ~self.held].sum(dtype=np.int64))
                if gain > best[cell]:
                    best[cell], points[cell], changes[here] = gain, number, tried[here]
        return tuple(points), changes

    def values(self, name: str) -> np.ndarray:
        """Return a fact's value for each row."""
        table = self.table
        if name in READINGS:
            return reading_values(READINGS[name], table.codes, table.position, table.move)
        number = np.array([[*FACTS].index(name)])
        return np.asarray(fact_values(table.codes, table.position, table.move.astype(np.int64), number, number >= 0)[0])

    def changes(self, values: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the pattern's effects with each of NUMBERS as the points per unit of the fact's value.

        The effects are int8 [positions]: 1 for a win kept, -1 for a win given away, else 0.
        """
        fired = values != 0
        return effects(self.table, fired, USUAL, (number * values[fired] for number in NUMBERS), SPECIFICITY)

    def _gains(self, changes: np.ndarray, part: np.ndarray) -> Iterator[Gain]:
        for side in range(len(GROUPS)):
            some = part & (self.cell // self.phases == side)
            yield Gain(int(self.table.blunders[some].sum()), *count_changes(changes[some]))


def tell(table: Table, values: np.ndarray) -> Telling:
    """Return a Telling, which shows how well larger values indicate winning moves. values: a value for each row."""
    chosen, free, blunders = values[table.chosen], table.scores.free, table.blunders
    winner, loser = (_largest(table, values, free & (table.wins == wins)) for wins in (True, False))
    return Telling(int((blunders & (winner > chosen)).sum()), int((~blunders & (loser > chosen)).sum()))


def _largest(table: Table, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return each position's largest value among the given rows, or the smallest int64 if there is none."""
    largest = np.full(table.codes.size, np.iinfo(np.int64).min)
    np.maximum.at(largest, table.position[rows], values[rows])
    return largest


def all_names() -> Sequence[str]:
    """Return the names that `weigh` accepts: all readings, then all facts about a move."""
    return *READINGS, *MOVE_FACTS


def as_json(weighed: Sequence[Weighed]) -> list[dict[str, Any]]:
    """Return measured facts as plain JSON values."""
    return [
        {
            **one._asdict(),
            "more": one.more._asdict(),
            "less": one.less._asdict(),
            "points": {
                side: numbers.tolist() for side, numbers in zip(GROUPS, np.split(np.array(one.points), 2), strict=True)
            },
            "searched": {side: gain._asdict() for side, gain in zip(GROUPS, one.searched, strict=True)},
            "held": {side: gain._asdict() for side, gain in zip(GROUPS, one.held, strict=True)},
        }
        for one in weighed
    ]
