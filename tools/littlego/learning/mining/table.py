"""The positions that patterns are mined from, and a table of their moves, one row each.

A row says what the player thinks of a move, and whether it keeps the win. From that is read what the player would play
if a pattern more spoke, without deciding anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from littlego.engines.compiled.engine import ALLOWED, BARRED_MOVE, ILLEGAL, compile_book, decide_many, scores_many
from littlego.engines.compiled.scoring import decides
from littlego.knowledge.model import USUAL
from littlego.learning.mining.kernels import compare_choices, losses_of
from littlego.rules.engine import BUILT_IN, LAST_RESORT
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import PASS_POINT
from littlego.truth.labels.labels import in_test

LEAST = 0.05


class Scores(NamedTuple):
    """The score of each row, whether nothing vetoes it, and whether a pattern or an own eye does."""

    priority: np.ndarray
    points: np.ndarray
    specificity: np.ndarray
    free: np.ndarray
    barred: np.ndarray

    @property
    def bare(self) -> np.ndarray:
        """For which rows no pattern speaks."""
        return np.asarray((self.specificity == 0) & np.isin(self.priority, (BUILT_IN, LAST_RESORT)), dtype=bool)


@dataclass(frozen=True)
class Table:
    """Positions and their legal moves, the pass last.

    codes, winning: of positions; starts: their first rows, and the end. position, move, wins, scores, losses: of rows,
    the last being what the safety check fears. chosen: of positions, the row that the decision took.
    """

    codes: np.ndarray
    winning: np.ndarray
    starts: np.ndarray
    position: np.ndarray
    move: np.ndarray
    wins: np.ndarray
    scores: Scores
    losses: np.ndarray
    chosen: np.ndarray

    def where(self, wanted: np.ndarray) -> Table:
        """Return the positions that a mask picks, with their rows."""
        rows = wanted[self.position]
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[wanted])])
        position = np.repeat(np.arange(starts.size - 1), np.diff(starts))
        chosen = (np.cumsum(rows) - 1)[self.chosen[wanted]]
        return Table(
            self.codes[wanted],
            self.winning[wanted],
            starts,
            position,
            self.move[rows],
            self.wins[rows],
            Scores(*(column[rows] for column in self.scores)),
            self.losses[rows],
            chosen,
        )

    @property
    def blunders(self) -> np.ndarray:
        """Which positions the decision gives away."""
        return np.asarray(~self.wins[self.chosen], dtype=bool)


def table_of(codes: np.ndarray, winning: np.ndarray, book: Book) -> Table:
    """Return the table of positions (canonical images, of the working part) that are at stake."""
    if in_test(codes).any():
        raise ValueError("a position of the test part: no pattern may be made with it in view")
    program = compile_book(book)
    scores, legal = _scores(codes, program)
    position, move = np.nonzero(legal)
    moves, _ = decide_many(codes, program)
    starts = np.searchsorted(position, np.arange(codes.size + 1))
    wins = (winning[position] >> move & 1).astype(bool)
    chosen = np.flatnonzero(move == moves[position])
    losses = losses_of(codes, position, move)
    return Table(codes, winning, starts, position, move, wins, scores, losses, chosen)


def scores_with(table: Table, book: Book) -> Scores:
    """Return the scores that another book gives the same rows."""
    return _scores(table.codes, compile_book(book))[0]


def _scores(codes: np.ndarray, program: Any) -> tuple[Scores, np.ndarray]:
    """Return the scores of all legal moves, and which are legal [positions, 26]."""
    scores, against = scores_many(codes, program)
    legal = against != ILLEGAL
    priority, points, specificity = (np.ascontiguousarray(scores[legal][:, column]) for column in range(3))
    return Scores(priority, points, specificity, against[legal] == ALLOWED, against[legal] == BARRED_MOVE), legal


def effects(
    table: Table, fired: np.ndarray, priority: int, worths: Iterable[int | np.ndarray], specificity: int
) -> Iterator[np.ndarray]:
    """Yield for each of these points what a pattern more would change, as outcome_changes says it.

    fired: its rows. worths: points, the same for all its rows or one number for each.
    """
    rows = np.flatnonzero(fired)
    old = Scores(*(column[rows] for column in table.scores))
    bare = old.bare
    leads = bare | decides(priority, specificity, old.priority, old.specificity)
    new = Scores(*(column.copy() for column in table.scores))
    new.priority[rows] = np.where(leads, priority, old.priority)
    new.specificity[rows] = np.where(leads, specificity, old.specificity)
    new.free[rows] = np.where(bare, table.losses[rows] <= 0, old.free)
    new.barred[rows] &= ~bare  # an own eye bars the moves alone that no pattern speaks for
    before = np.where(bare, 0, old.points)
    for points in worths:
        new.points[rows] = before + points
        yield outcome_changes(table, new, fired)


def outcome_changes(table: Table, scores: Scores, rows: np.ndarray) -> np.ndarray:
    """Return for each position what other scores would change: 1 a blunder fixed, -1 a win spoilt, else 0.

    rows: those whose scores differ.
    """
    return np.asarray(compare_choices(table.starts, scores, table.losses, table.wins, table.chosen, rows))


def count_changes(changes: np.ndarray) -> tuple[int, int]:
    """Return (blunders fixed, wins spoilt) of what outcome_changes returns."""
    return int((changes == 1).sum()), int((changes == -1).sum())


def sure_gain(fixed: int, spoilt: int) -> float:
    """Return the blunders fixed less the wins spoilt, less the standard error of that: so chance alone gains little."""
    return fixed - spoilt - sqrt(fixed + spoilt)


def worths(table: Table, scale: int) -> np.ndarray:
    """Return how much it matters that a pattern speaks for each row: for it if it wins, against it if it loses.

    A winning move where the player blunders counts 1 where it is all but played, half as much at `scale` points
    behind the move chosen; a losing move the same, wherever it is, but LEAST at least, so that rules become right, and
    a winning move where the player is right LEAST, so that they become general. The pass counts nothing.
    """
    chosen, scores = table.chosen[table.position], table.scores
    behind = np.maximum(scores.points[chosen] - scores.points, 0)
    near = np.where(scores.free, scale / (scale + behind), 0.0)
    near[(scores.priority < scores.priority[chosen]) & (scores.priority[chosen] > USUAL)] = 0.0
    blunder = table.blunders[table.position]
    worth = np.where(table.wins, np.where(blunder, near, LEAST), -np.maximum(near, LEAST))
    worth[table.move == PASS_POINT] = 0.0
    return worth


def warnings(table: Table) -> np.ndarray:
    """Return how much it matters that a pattern warns of each row: for it if it loses, against it if it wins.

    The moves chosen count 1, others LEAST.
    """
    worth = np.where(table.wins, -LEAST, LEAST)
    worth[table.chosen] = np.where(table.blunders, 1.0, -0.5)
    worth[table.move == PASS_POINT] = 0.0
    return worth
