"""Tuning of points, one pattern at a time, so that the player gives away the fewest wins.

A fit by likelihood (littlego.learning.fitting) finds points with which winning moves rank best. Most of this likelihood
concerns moves that are never played, although only the chosen moves matter. This module instead changes the points of a
pattern as long as the player gives away fewer wins, by weight. A change applies everywhere, to one side, or in one
phase. The same shape may be worth less to White, who has the komi, and less in the last moves.

Each step changes some of the TERMS of the points. A step must gain more than a chance effect, and it must also gain on
the held-out third of the boards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple

import numpy as np

from littlego.engines.compiled.engine import compile_book, fired_many
from littlego.knowledge.expressions import Operation, parse
from littlego.knowledge.files import Knowledge
from littlego.learning.fitting.points import coefficients, points_line, shares_points
from littlego.learning.mining import kernels
from littlego.learning.mining.table import Table, table_of
from littlego.rules.position import BLACK, WHITE
from littlego.truth.labels.labels import Labels, moves_left
from littlego.truth.labels.positions import held_out

STEPS = np.array([sign * size for size in (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60) for sign in (1, -1)])
PHASES = (12, 6, 4)  # moves left at which a phase begins
CELLS = 2 * (len(PHASES) + 1)  # cells are groups of positions: the phases of Black, then the phases of White
# For each kind of step: (factor of the gain, number of standard errors subtracted from the gain). Subtracting standard
# errors excludes gains by chance.
SIMPLE, PLAIN, INVOLVED = (1.0, 0.7), (0.85, 0.9), (0.6, 1.5)
HOLDS = 0.125  # minimum ratio of the gain on held-out boards to the gain on searched ones (twice as many)
FEWEST = 20  # minimum number of positions where a pattern fires, for the pattern to be tuned
PROPORTIONAL = 10  # assumed points of an expression without a factor
_TERM = re.compile(r"(?:(?:^| )(?P<sign>[+-]) |^(?P<minus>-)?)(?P<size>\d+) \* \((?P<when>[^()]+)\)$")
_CONSTANT = re.compile(r" (?P<sign>[+-]) (?P<size>\d+)$")


def _when(colour: int, phase: int) -> str:
    """Return the condition of a term as an author writes it.

    colour: the mover's colour, 0 for both. phase: the first phase in which the term counts. Phase 0 begins at the first
    move.
    """
    return " and ".join(
        [f"colour == {colour}"] * (colour > 0) + [f"moves_left <= {left}" for left in PHASES[:phase][-1:]]
    )


# Conditions of the terms: each phase has a term for both colours and a term for White only, which count from the
# beginning of the phase on. The first condition is empty.
TERMS = [_when(colour, phase) for phase in range(len(PHASES) + 1) for colour in (0, WHITE)]
BLACKS = {
    _when(BLACK, phase): 2 * phase for phase in range(len(PHASES) + 1)
}  # {condition for Black: index of the term for both colours}
# Whether each term counts in each cell, int [term, cell].
CELLS_OF = np.array(
    [
        [colour in (0, side) and at >= phase for side in (BLACK, WHITE) for at in range(len(PHASES) + 1)]
        for phase in range(len(PHASES) + 1)
        for colour in (0, WHITE)
    ],
    dtype=np.int64,
)


def cells_of(codes: np.ndarray) -> np.ndarray:
    """Return the cell (side to move and phase, see CELLS) of each position: int64 [codes]."""
    left = moves_left(codes)
    white = (left % 2 == 1).astype(np.int64)
    return np.asarray(white * (len(PHASES) + 1) + sum((left <= phase).astype(np.int64) for phase in PHASES))


class Where(NamedTuple):
    """The terms that a step changes, up (1) or down (-1), and how strictly its gain is judged.

    share: the factor on the gain. errors: the number of standard errors subtracted from the gain. Steps with simpler
    conditions are judged less strictly.
    """

    terms: np.ndarray
    share: float
    errors: float

    @property
    def cells(self) -> list[int]:
        """The cells in which the step changes the points."""
        return np.flatnonzero(self.terms @ CELLS_OF).tolist()


def _wheres() -> Iterator[Where]:
    """Yield the kinds of steps: everywhere, for a side, from a phase on, before a phase, or in one phase."""
    one = np.eye(len(TERMS), dtype=np.int64)
    everywhere, white = one[:2]
    yield Where(everywhere, *SIMPLE)
    yield from (Where(white, *PLAIN), Where(everywhere - white, *PLAIN))
    for phase in range(1, len(PHASES) + 1):
        late, white_late = one[2 * phase : 2 * phase + 2]
        yield from (Where(late, *PLAIN), Where(everywhere - late, *PLAIN))
        yield from (Where(white_late, *INVOLVED), Where(late - white_late, *INVOLVED))
        if phase > 1:
            before, white_before = one[2 * phase - 2 : 2 * phase]
            yield Where(before - late, *INVOLVED)
            yield from (
                Where(white_before - white_late, *INVOLVED),
                Where(before - white_before - late + white_late, *INVOLVED),
            )


ALL = tuple(_wheres())


class Points(NamedTuple):
    """Points as an author writes them: an optional expression, plus one added number for each term."""

    expression: str
    added: tuple[int, ...] = (0,) * len(TERMS)

    @classmethod
    def read(cls, text: str) -> Points:
        """Return the parsed points. text: one line."""
        added = [0] * len(TERMS)
        while (result := _TERM.search(text)) and (result["when"] in TERMS or result["when"] in BLACKS):
            size = _signed(result["sign"] or result["minus"], result["size"])
            if result["when"] in BLACKS:
                both = BLACKS[result["when"]]
                added[both], added[both + 1] = added[both] + size, added[both + 1] - size
            else:
                added[TERMS.index(result["when"])] += size
            text = text[: result.start()]
        if not text or text.lstrip("-").isdigit():
            added[0] += int(text or "0")
            return cls("", tuple(added))
        if result := _CONSTANT.search(text):
            added[0], text = added[0] + _signed(result["sign"], result["size"]), text[: result.start()]
        return cls(text, tuple(added))

    def __str__(self) -> str:
        """Return the points as an author writes them."""
        parts = [(size, f" * ({when})" * bool(when)) for size, when in self._parts() if size]
        if not parts:
            return self.expression or "0"
        text = _closed(self.expression) if self.expression else ""
        for size, tail in parts:
            sign = " - " if size < 0 else " + "
            text += f"{sign if text else sign.strip(' +')}{abs(size)}{tail}"
        return text

    def _parts(self) -> Iterator[tuple[int, str]]:
        """Yield (added number, condition) phase by phase; a number for Black only is one pair, not two."""
        for when, black, size, white in zip(TERMS[::2], BLACKS, self.added[::2], self.added[1::2], strict=True):
            yield from [(size, black)] if size == -white else [(size, when), (white, TERMS[TERMS.index(when) + 1])]

    def with_steps(self, moved: Sequence[int]) -> Points:
        """Return points with each term increased by its number in `moved`."""
        return self._replace(added=tuple(map(add, self.added, moved)))


def _signed(sign: str | None, size: str) -> int:
    return -int(size) if sign == "-" else int(size)


def _closed(expression: str) -> str:
    """Return an expression in a form to which a term can be added."""
    node = parse(expression)
    is_sum = not isinstance(node, Operation) or node.operator in ("+", "-", "*", "neg")
    return expression if is_sum or _is_bracketed(expression) else f"({expression})"


def _is_bracketed(expression: str) -> bool:
    """Return whether one pair of brackets encloses the whole expression."""
    depths = accumulate({"(": 1, ")": -1}.get(sign, 0) for sign in expression)
    return expression[0] == "(" and all(depth > 0 for depth in [*depths][:-1])


@dataclass(frozen=True)
class Change:
    """A change to a pattern's points.

    gain, held: wins kept minus wins given away by the steps of the change, by weight, on searched and held-out boards.
    """

    entry: str
    old: str
    new: str
    gain: float
    held: float


class Share(NamedTuple):
    """A part of the positions: number, weight, and weight of the wins given away before and after tuning."""

    name: str
    positions: int
    weight: float
    before: float
    after: float


@dataclass(frozen=True)
class _Step:
    """A step: its index in STEPS, its terms, and its gain on searched and held-out boards."""

    step: int
    where: Where
    gain: float
    held: float


class Tuning:
    """The tuning of a file's patterns on positions where the move matters. weights: the positions' weights."""

    def __init__(self, knowledge: Knowledge, positions: Labels, weights: np.ndarray):
        self.knowledge = knowledge
        book = knowledge.book
        table = table_of(positions.codes, positions.winning, book)
        self.masks = fired_many(positions.codes, compile_book(book))
        self.held, self.cell = held_out(positions.codes), cells_of(positions.codes)
        self.white = self.cell >= CELLS // 2
        self.rows = _rows_of(table, weights, self.cell * 2 + self.held)
        self.scores = table.scores._replace(points=table.scores.points.astype(np.int64))  # a copy, which tuning changes
        self.before = table.blunders
        self.least = np.array([_least_points(points_line(knowledge.known[pattern.id])) for pattern in book.patterns])
        self.moved = np.zeros((len(book.patterns), len(TERMS)), dtype=np.int64)
        self.gained = np.zeros((len(book.patterns), 2))

    @property
    def tunable(self) -> list[int]:
        """The indices of tunable patterns, which neither forbid moves nor share points with another game."""
        known = [self.knowledge.known[pattern.id] for pattern in self.knowledge.book.patterns]
        return [index for index, one in enumerate(known) if not one.forbid and not shares_points(one)]

    def sweep(self) -> Iterator[bool]:
        """Tune each pattern once; yield whether its points changed."""
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
        self.moved[index] += step.where.terms * STEPS[step.step]
        self.gained[index] += step.gain, step.held
        return True

    def _best_step(self, index: int, positions: np.ndarray) -> _Step | None:
        """Return the step with the largest gain after subtracting standard errors, or None if no step gains."""
        changed, squares = (one.reshape(STEPS.size, CELLS, 2) for one in self._weigh(index, positions, STEPS))
        best, most = None, 0.0
        for where in ALL:
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
        """Return the effects and the sums of squared weights, float [worths, groups]; see weigh_points."""
        changed, squares = np.zeros((2, worths.size, CELLS * 2))
        fired = kernels.Fired(positions, self.masks[positions, index].astype(np.int64))
        kernels.weigh_points(self.rows, self.scores, fired, worths, changed, squares, keep)
        return changed, squares

    def _allowed(self, index: int, cells: Sequence[int]) -> np.ndarray:
        """Return which of STEPS keep the sign of a pattern's points in these cells."""
        sign = np.sign(self.least[index].sum())
        moved = (self.least[index] + self.moved[index] @ CELLS_OF)[cells, None] + STEPS
        return np.asarray((sign * moved >= 0).all(axis=0) & (sign != 0))

    def changes(self) -> list[Change]:
        """Return the changed points, largest gain first."""
        results = []
        for index in np.flatnonzero(self.moved.any(axis=1)).tolist():
            pattern = self.knowledge.known[self.knowledge.book.patterns[index].id]
            old = points_line(pattern)
            new = str(Points.read(old).with_steps(self.moved[index].tolist()))
            if new != old:
                results.append(Change(pattern.entry, old, new, *self.gained[index].tolist()))
        return sorted(results, key=lambda change: (-change.gain, change.entry))

    def shares(self) -> list[Share]:
        """Return the wins given away before and after tuning, by side, on searched and held-out boards."""
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
    """Return the rows of a table, with a copy of the chosen rows, because tuning changes them."""
    return kernels.Rows(
        table.starts.astype(np.int64),
        table.move.astype(np.int64),
        table.wins,
        table.losses,
        table.chosen.astype(np.int64),
        weights.astype(float),
        groups.astype(np.int64),
    )


def _least_points(text: str) -> np.ndarray:
    """Return the points in each cell if all facts are 1.

    An expression without a factor counts PROPORTIONAL.
    """
    points = Points.read(text)
    factors = coefficients(parse(points.expression)) if points.expression else []
    return np.array(points.added) @ CELLS_OF + (
        PROPORTIONAL if factors is None else sum(factor.value for factor in factors)
    )
