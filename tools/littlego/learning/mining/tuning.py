"""Tuning of points, one pattern at a time, to minimize the wins that the player gives away.

A fit by likelihood (littlego.learning.fitting) takes account of all moves, although only the chosen move affects a
game. This module instead changes the points of patterns step by step, as long as the total weight of the kept wins
increases. Points may differ by side and phase: a shape may be worth less to White, who has the komi, and less at the
end of the game.

Each step changes all numbers of a table of points, the numbers of one row (a side), or a single number. A step is
applied only if chance alone does not explain its gain, and if the held-out third of the boards confirms the gain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.engine import compile_book, fired_many
from littlego.knowledge.expressions import parse
from littlego.knowledge.files import Knowledge
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.tables import Points
from littlego.knowledge.tabulate import NotATable, compact, spread
from littlego.learning.fitting.points import coefficients, points_line, shares_points
from littlego.learning.mining import kernels
from littlego.learning.mining.table import Table, table_of
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.labels import Labels, moves_left
from littlego.truth.labels.positions import held_out

STEPS = np.array([sign * size for size in (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60) for sign in (1, -1)])
# For each kind of step: (factor of the gain, number of standard errors subtracted from the gain). Subtracting standard
# errors excludes gains by chance.
SIMPLE, PLAIN, INVOLVED = (1.0, 0.7), (0.85, 0.9), (0.6, 1.5)
HOLDS = 0.125  # minimum ratio of the gain on the held-out third of the boards to the gain on the other boards
FEWEST = 20  # minimum number of positions where a pattern fires, for the pattern to be tuned
PROPORTIONAL = 10  # assumed points of an expression without a factor
ONE_PHASE = {"game": 1}  # for a file without phases: the whole game is one phase


def cells_of(codes: np.ndarray, bounds: Sequence[int]) -> np.ndarray:
    """Return each position's cell (a side and a phase), int64 [codes].

    The numbering begins with Black's phases; White's phases follow. bounds: the minimum number of moves left in each
    phase, the earliest phase first.
    """
    left = moves_left(codes)
    phase = sum((left < least).astype(np.int64) for least in bounds[:-1])
    return np.asarray((left % 2) * len(bounds) + phase, dtype=np.int64)


class Where(NamedTuple):
    """The cells that a step changes, and the parameters that convert the step's gain to its value.

    A step's value is share * (gain - errors * the gain's standard error). A step that changes fewer cells has a smaller
    `share` and larger `errors`.
    """

    cells: list[int]
    share: float
    errors: float


def wheres(phases: int) -> list[Where]:
    """Return the kinds of steps for a number of phases.

    The first kind changes all cells. If there are several phases, the other kinds change one row (a side) or one cell.
    """
    cells = [*range(2 * phases)]
    found = [Where(cells, *SIMPLE)]
    if phases > 1:
        found += [Where(cells[:phases], *PLAIN), Where(cells[phases:], *PLAIN)]
        found += [Where([cell], *INVOLVED) for cell in cells]
    return found


@dataclass(frozen=True)
class Change:
    """A change to a pattern's points.

    gain, held: the weight of the wins kept minus the weight of the wins given away, on the boards used for tuning and
    on the held-out boards.
    """

    entry: str
    old: str
    new: str
    gain: float
    held: float


class Share(NamedTuple):
    """A part of the positions, with the weight of the wins given away before and after tuning.

    name: the part's name. positions: the number of positions. weight: the total weight of the positions. before, after:
    the total weight of the positions in which a win is given away before and after tuning.
    """

    name: str
    positions: int
    weight: float
    before: float
    after: float


@dataclass(frozen=True)
class _Step:
    """A step of the tuning: a change to a pattern's points in some cells.

    step: an index in STEPS. gain, held: the gain on the boards used for tuning and on the held-out boards.
    """

    step: int
    where: Where
    gain: float
    held: float


class Tuning:
    """The tuning of a file's patterns on positions with winning and losing moves. weights: the positions' weights."""

    def __init__(self, knowledge: Knowledge, positions: Labels, weights: np.ndarray):
        self.knowledge = knowledge
        book = knowledge.book
        table = table_of(positions.codes, positions.winning, book)
        self.masks = fired_many(positions.codes, compile_book(book))
        self.phases = knowledge.phases or ONE_PHASE
        self.wheres, self.cells = wheres(len(self.phases)), 2 * len(self.phases)
        self.held = held_out(positions.codes)
        self.cell = cells_of(positions.codes, [*self.phases.values()])
        self.white = self.cell >= len(self.phases)
        self.rows = _rows_of(table, weights, self.cell * 2 + self.held)
        self.scores = table.scores._replace(points=table.scores.points.astype(np.int64))  # a copy, which tuning changes
        self.before = table.blunders
        self.points = [self._spread(knowledge.known[pattern.id]) for pattern in book.patterns]
        self.least = np.array([_least_points(points) for points in self.points])
        self.moved = np.zeros((len(book.patterns), self.cells), dtype=np.int64)
        self.gained = np.zeros((len(book.patterns), 2))

    def _spread(self, pattern: KnownPattern) -> Points:
        """Return a pattern's points as a table, even if all numbers of the table are equal."""
        try:
            return spread(Points.of(pattern.points_text, pattern.table), self.phases, LITTLE_GO.length)
        except NotATable as error:
            raise ArgumentError(
                f"{self.knowledge.name}: the points of {pattern.id} cannot be a table: {error}"
            ) from None

    @property
    def tunable(self) -> list[int]:
        """The indices of tunable patterns, which neither forbid moves nor share points with another ruleset."""
        known = [self.knowledge.known[pattern.id] for pattern in self.knowledge.book.patterns]
        return [index for index, one in enumerate(known) if not one.forbid and not shares_points(one)]

    def sweep(self) -> Iterator[bool]:
        """Tune each pattern once; after each pattern, yield whether the pattern's points changed."""
        for index in self.tunable:
            yield self._move(index)

    def _move(self, index: int) -> bool:
        """Apply the best step for a pattern; return whether a step was applied."""
        positions = np.flatnonzero(self.masks[:, index])
        if positions.size < FEWEST:
            return False
        step = self._best_step(index, positions)
        if step is None:
            return False
        self._weigh(index, positions[np.isin(self.cell[positions], step.where.cells)], STEPS[[step.step]], keep=True)
        self.moved[index, step.where.cells] += STEPS[step.step]
        self.gained[index] += step.gain, step.held
        return True

    def _best_step(self, index: int, positions: np.ndarray) -> _Step | None:
        """Return the step with the largest value (see Where), or None if no step has a positive value."""
        changed, squares = (one.reshape(STEPS.size, self.cells, 2) for one in self._weigh(index, positions, STEPS))
        best, most = None, 0.0
        for where in self.wheres:
            cells = where.cells
            gain, held = changed[:, cells].sum(axis=1).T
            value = (gain - where.errors * np.sqrt(squares[:, cells, 0].sum(axis=1))) * where.share
            value[(held < HOLDS * gain) | ~self._allowed(index, cells)] = 0.0
            step = int(value.argmax())
            if value[step] > most:
                best, most = _Step(step, where, float(gain[step]), float(held[step])), value[step]
        return best

    def _weigh(
        self, index: int, positions: np.ndarray, worths: np.ndarray, keep: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (effects, sums of squared weights), both float [worths, groups]; see weigh_points."""
        changed, squares = np.zeros((2, worths.size, self.cells * 2))
        fired = kernels.Fired(positions, self.masks[positions, index].astype(np.int64))
        kernels.weigh_points(self.rows, self.scores, fired, worths, changed, squares, keep)
        return changed, squares

    def _allowed(self, index: int, cells: Sequence[int]) -> np.ndarray:
        """Return, for each of STEPS, whether the step keeps the sign of a pattern's points in these cells."""
        sign = np.sign(self.least[index].sum())
        moved = (self.least[index] + self.moved[index])[cells, None] + STEPS
        return np.asarray((sign * moved >= 0).all(axis=0) & (sign != 0))

    def changes(self) -> list[Change]:
        """Return the changed points, largest gain first."""
        results = []
        for index in np.flatnonzero(self.moved.any(axis=1)).tolist():
            pattern = self.knowledge.known[self.knowledge.book.patterns[index].id]
            old = points_line(pattern)
            points = self.points[index]
            rows = np.array(points.rows) + self.moved[index].reshape(2, -1)
            new = compact(replace(points, rows=tuple(map(tuple, rows.tolist())))).line
            if new != old:
                results.append(Change(pattern.entry, old, new, *self.gained[index].tolist()))
        return sorted(results, key=lambda change: (-change.gain, change.entry))

    def shares(self) -> list[Share]:
        """Return the Share of each side, on the boards used for tuning and on the held-out boards."""
        after, weight = ~self.rows.wins[self.rows.chosen], self.rows.weight
        return [
            Share(
                f"{side}, {part}",
                int(some.sum()),
                float(weight[some].sum()),
                float(weight[some & self.before].sum()),
                float(weight[some & after].sum()),
            )
            for part, held in (("fitted to", False), ("held out", True))
            for side, white in (("Black", False), ("White", True))
            if (some := (self.held == held) & (self.white == white)).any()
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain JSON values."""
        return {
            "shares": [share._asdict() for share in self.shares()],
            "changes": [asdict(change) for change in self.changes()],
        }


def _rows_of(table: Table, weights: np.ndarray, groups: np.ndarray) -> kernels.Rows:
    """Return the rows of a table, with a copy of the column `chosen`, because tuning changes this column."""
    return kernels.Rows(
        table.starts.astype(np.int64),
        table.move.astype(np.int64),
        table.wins,
        table.losses,
        table.chosen.astype(np.int64),
        weights.astype(float),
        groups.astype(np.int64),
    )


def _least_points(points: Points) -> np.ndarray:
    """Return the points in each cell, int64 [cells], computed with the value 1 for every fact.

    points: Points with a table. An expression in which a term has no number counts as PROPORTIONAL points.
    """
    factors = coefficients(parse(points.each)) if points.each else []
    counted = PROPORTIONAL if factors is None else sum(factor.value for factor in factors)
    return np.array(points.rows, dtype=np.int64).ravel() + counted
