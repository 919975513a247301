"""Points by descent: those with which the player gives away the fewest wins, one pattern after the other.

A fit by likelihood (littlego.learning.fitting) asks which points make moves that win look best. Most of that likelihood
is about moves that are never played; what counts in the end is how often the chosen one loses. So here the points of a
pattern are moved up or down as long as, by the weights of the positions, fewer wins are given away: everywhere, or for
one side, or in one phase alone, since the same shape may be worth less to White, who has the komi, and less in the last
moves. A step moves some of the TERMS that points may have. What chance could do is held against each step, and so is
what it does to the third of the boards held out.
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
PHASES = (12, 6, 4)  # moves left, from which on a phase begins
CELLS = 2 * (len(PHASES) + 1)  # of positions: the phases of Black, then those of White
# Of a step: what of its gain it is taken for, and how many standard errors are taken off that, since chance gains too.
SIMPLE, PLAIN, INVOLVED = (1.0, 0.7), (0.85, 0.9), (0.6, 1.5)
HOLDS = 0.125  # of what it gains, a step must gain on the boards held out, which are half as many
FEWEST = 20  # positions in which a pattern fires, to be looked at
PROPORTIONAL = 10  # points that an expression without a factor is taken for
_TERM = re.compile(r"(?:(?:^| )(?P<sign>[+-]) |^(?P<minus>-)?)(?P<size>\d+) \* \((?P<when>[^()]+)\)$")
_CONSTANT = re.compile(r" (?P<sign>[+-]) (?P<size>\d+)$")


def _when(colour: int, phase: int) -> str:
    """Return how an author writes a term: of a colour or of both (0), from a phase on, 0 from the first move."""
    return " and ".join(
        [f"colour == {colour}"] * (colour > 0) + [f"moves_left <= {left}" for left in PHASES[:phase][-1:]]
    )


# What an author's number is multiplied by, nothing with the first: each phase for both, then for White alone.
TERMS = [_when(colour, phase) for phase in range(len(PHASES) + 1) for colour in (0, WHITE)]
BLACKS = {_when(BLACK, phase): 2 * phase for phase in range(len(PHASES) + 1)}  # in place of White's, by that for both
# In which cells a term counts, int [term, cell].
CELLS_OF = np.array(
    [
        [colour in (0, side) and at >= phase for side in (BLACK, WHITE) for at in range(len(PHASES) + 1)]
        for phase in range(len(PHASES) + 1)
        for colour in (0, WHITE)
    ],
    dtype=np.int64,
)


def cells_of(codes: np.ndarray) -> np.ndarray:
    """Return the cell of each position, by who moves and how many moves are left: int64 [codes]."""
    left = moves_left(codes)
    white = (left % 2 == 1).astype(np.int64)
    return np.asarray(white * (len(PHASES) + 1) + sum((left <= phase).astype(np.int64) for phase in PHASES))


class Where(NamedTuple):
    """Where a step counts: the terms that it moves, up (1) or down (-1); and how strict it is held to: what of its gain
    it is taken for, and how many standard errors of it are taken off. What reads simply is let in for less."""

    terms: np.ndarray
    share: float
    errors: float

    @property
    def cells(self) -> list[int]:
        """The cells in which the step counts."""
        return np.flatnonzero(self.terms @ CELLS_OF).tolist()


def _wheres() -> Iterator[Where]:
    """Yield where a step may count: everywhere, for a side, in the phases from one on, before it, or in it alone."""
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
    """Points as an author writes them: an expression or nothing, and what is added to it, one number for each term."""

    expression: str
    added: tuple[int, ...] = (0,) * len(TERMS)

    @classmethod
    def read(cls, text: str) -> Points:
        """Return what points say; text: on one line."""
        added = [0] * len(TERMS)
        while (found := _TERM.search(text)) and (found["when"] in TERMS or found["when"] in BLACKS):
            size = _signed(found["sign"] or found["minus"], found["size"])
            if found["when"] in BLACKS:
                both = BLACKS[found["when"]]
                added[both], added[both + 1] = added[both] + size, added[both + 1] - size
            else:
                added[TERMS.index(found["when"])] += size
            text = text[: found.start()]
        if not text or text.lstrip("-").isdigit():
            added[0] += int(text or "0")
            return cls("", tuple(added))
        if found := _CONSTANT.search(text):
            added[0], text = added[0] + _signed(found["sign"], found["size"]), text[: found.start()]
        return cls(text, tuple(added))

    def __str__(self) -> str:
        """Return the points as they are written."""
        parts = [(size, f" * ({when})" * bool(when)) for size, when in self._parts() if size]
        if not parts:
            return self.expression or "0"
        text = _closed(self.expression) if self.expression else ""
        for size, tail in parts:
            sign = " - " if size < 0 else " + "
            text += f"{sign if text else sign.strip(' +')}{abs(size)}{tail}"
        return text

    def _parts(self) -> Iterator[tuple[int, str]]:
        """Yield what is added, phase by phase, with what it is multiplied by: what Black alone gets as one term."""
        for when, black, size, white in zip(TERMS[::2], BLACKS, self.added[::2], self.added[1::2], strict=True):
            yield from [(size, black)] if size == -white else [(size, when), (white, TERMS[TERMS.index(when) + 1])]

    def with_steps(self, moved: Sequence[int]) -> Points:
        """Return points of which each term is moved by so much."""
        return self._replace(added=tuple(map(add, self.added, moved)))


def _signed(sign: str | None, size: str) -> int:
    return -int(size) if sign == "-" else int(size)


def _closed(expression: str) -> str:
    """Return an expression to which something can be added."""
    node = parse(expression)
    is_sum = not isinstance(node, Operation) or node.operator in ("+", "-", "*", "neg")
    return expression if is_sum or _is_bracketed(expression) else f"({expression})"


def _is_bracketed(expression: str) -> bool:
    """Return whether one pair of brackets holds it all."""
    depths = accumulate({"(": 1, ")": -1}.get(sign, 0) for sign in expression)
    return expression[0] == "(" and all(depth > 0 for depth in [*depths][:-1])


@dataclass(frozen=True)
class Change:
    """Other points of a pattern. gain, held: wins kept less given away, by weight, by its steps, where it was searched
    and where it was held out."""

    entry: str
    old: str
    new: str
    gain: float
    held: float


class Share(NamedTuple):
    """A part of the positions: how many, their weight, and how much of it is given away, before and after."""

    name: str
    positions: int
    weight: float
    before: float
    after: float


@dataclass(frozen=True)
class _Step:
    """A step to take: which of STEPS, where, and what it gains, here and where it was held out."""

    step: int
    where: Where
    gain: float
    held: float


class Tuning:
    """Positions at stake on which the points of a file's patterns are moved. weights: how much each counts."""

    def __init__(self, knowledge: Knowledge, positions: Labels, weights: np.ndarray):
        self.knowledge = knowledge
        book = knowledge.book
        table = table_of(positions.codes, positions.winning, book)
        self.masks = fired_many(positions.codes, compile_book(book))
        self.held, self.cell = held_out(positions.codes), cells_of(positions.codes)
        self.white = self.cell >= CELLS // 2
        self.rows = _rows_of(table, weights, self.cell * 2 + self.held)
        self.scores = table.scores._replace(points=table.scores.points.astype(np.int64))  # a copy, which is moved
        self.before = table.blunders
        self.least = np.array([_least_points(points_line(knowledge.known[one.id])) for one in book.patterns])
        self.moved = np.zeros((len(book.patterns), len(TERMS)), dtype=np.int64)
        self.gained = np.zeros((len(book.patterns), 2))

    @property
    def tunable(self) -> list[int]:
        """The patterns whose points may be moved: they do not forbid, and are not the points of another game too."""
        known = [self.knowledge.known[pattern.id] for pattern in self.knowledge.book.patterns]
        return [index for index, one in enumerate(known) if not one.forbid and not shares_points(one)]

    def sweep(self) -> Iterator[bool]:
        """Look at each pattern in turn; yield whether its points were moved."""
        for index in self.tunable:
            yield self._move(index)

    def _move(self, index: int) -> bool:
        """Take the best step for a pattern; return whether there is one."""
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
        """Return the step that gains most, less some standard errors, or None where none gains."""
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
        """Return what is changed and the squared weights of that, float [worths, cells and held]; see weigh_points."""
        changed, squares = np.zeros((2, worths.size, CELLS * 2))
        fired = kernels.Fired(positions, self.masks[positions, index].astype(np.int64))
        kernels.weigh_points(self.rows, self.scores, fired, worths, changed, squares, keep)
        return changed, squares

    def _allowed(self, index: int, cells: Sequence[int]) -> np.ndarray:
        """Return which of STEPS leave what a pattern says: one that speaks for moves does not speak against them."""
        sign = np.sign(self.least[index].sum())
        moved = (self.least[index] + self.moved[index] @ CELLS_OF)[cells, None] + STEPS
        return np.asarray((sign * moved >= 0).all(axis=0) & (sign != 0))

    def changes(self) -> list[Change]:
        """Return the points that have moved, those that gain most first."""
        found = []
        for index in np.flatnonzero(self.moved.any(axis=1)).tolist():
            pattern = self.knowledge.known[self.knowledge.book.patterns[index].id]
            old = points_line(pattern)
            new = str(Points.read(old).with_steps(self.moved[index].tolist()))
            if new != old:
                found.append(Change(pattern.entry, old, new, *self.gained[index].tolist()))
        return sorted(found, key=lambda change: (-change.gain, change.entry))

    def shares(self) -> list[Share]:
        """Return what is given away before and after, by side, where it was searched and where it was held out."""
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
        """Return the result as plain values."""
        return {
            "shares": [one._asdict() for one in self.shares()],
            "changes": [asdict(change) for change in self.changes()],
        }


def _rows_of(table: Table, weights: np.ndarray, groups: np.ndarray) -> kernels.Rows:
    """Return the rows of a table; what is chosen is a copy, which changes with the points."""
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
    """Return the points in each cell where every fact says 1; PROPORTIONAL where an expression has no factor."""
    points = Points.read(text)
    factors = coefficients(parse(points.expression)) if points.expression else []
    return np.array(points.added) @ CELLS_OF + (PROPORTIONAL if factors is None else sum(one.value for one in factors))
