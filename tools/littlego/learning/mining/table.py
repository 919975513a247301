"""The positions to mine, and a table of their moves, one row per move.

A row contains the player's score of a move and whether the move keeps the win. The rows suffice to compute the effect
of an additional pattern without new decisions by the engine.
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
    """The score of each row.

    free: whether the move is not vetoed. barred: whether a pattern forbids the move, or the move fills an eye of the
    player and no pattern fires.
    """

    priority: np.ndarray
    points: np.ndarray
    specificity: np.ndarray
    free: np.ndarray
    barred: np.ndarray

    @property
    def bare(self) -> np.ndarray:
        """The mask of the rows for which no pattern fires, bool [rows]."""
        return np.asarray((self.specificity == 0) & np.isin(self.priority, (BUILT_IN, LAST_RESORT)), dtype=bool)


@dataclass(frozen=True)
class Table:
    """Positions and their legal moves, the pass last.

    Arrays with a value for each position: codes, winning (the mask of winning moves), starts (the first row, and at the
    end the number of rows), and chosen (the row of the player's move). Arrays with a value for each row: position,
    move, wins, scores, and losses (the loss that the safety check expects).
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
        """Return a table of the positions that a mask selects, with their rows."""
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
        """The mask of the positions in which the player's move gives the win away, bool [positions]."""
        return np.asarray(~self.wins[self.chosen], dtype=bool)


def table_of(codes: np.ndarray, winning: np.ndarray, book: Book) -> Table:
    """Return the Table of positions whose winning moves are known.

    Raise ValueError for a position of the test part. codes: canonical codes of the positions. winning: the mask of
    winning moves in each position.
    """
    if in_test(codes).any():
        raise ValueError("a position of the test part must not be used to make patterns")
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
    """Return the scores of the table's rows for another book of patterns."""
    return _scores(table.codes, compile_book(book))[0]


def _scores(codes: np.ndarray, program: Any) -> tuple[Scores, np.ndarray]:
    """Return (the scores of all legal moves, the mask of the legal moves as bool [positions, 26])."""
    scores, against = scores_many(codes, program)
    legal = against != ILLEGAL
    priority, points, specificity = (np.ascontiguousarray(scores[legal][:, column]) for column in range(3))
    return Scores(priority, points, specificity, against[legal] == ALLOWED, against[legal] == BARRED_MOVE), legal


def effects(
    table: Table, fired: np.ndarray, priority: int, worths: Iterable[int | np.ndarray], specificity: int
) -> Iterator[np.ndarray]:
    """Yield the effect of an additional pattern for each item of `worths`; see outcome_changes.

    fired: bool [rows], whether the pattern fires. worths: the points to try. Each item of `worths` is a number for all
    rows where the pattern fires, or an array with a number for each of these rows.
    """
    rows = np.flatnonzero(fired)
    old = Scores(*(column[rows] for column in table.scores))
    bare = old.bare
    leads = bare | decides(priority, specificity, old.priority, old.specificity)
    new = Scores(*(column.copy() for column in table.scores))
    new.priority[rows] = np.where(leads, priority, old.priority)
    new.specificity[rows] = np.where(leads, specificity, old.specificity)
    new.free[rows] = np.where(bare, table.losses[rows] <= 0, old.free)
    new.barred[rows] &= ~bare  # the rule about own eyes forbids only moves for which no pattern fires
    before = np.where(bare, 0, old.points)
    for points in worths:
        new.points[rows] = before + points
        yield outcome_changes(table, new, fired)


def outcome_changes(table: Table, scores: Scores, rows: np.ndarray) -> np.ndarray:
    """Return the effect of new scores on each position: int8 [positions].

    The effect is 1 for a fixed blunder, -1 for a spoilt win, else 0. rows: bool [rows], whether the row's score has
    changed.
    """
    return np.asarray(compare_choices(table.starts, scores, table.losses, table.wins, table.chosen, rows))


def count_changes(changes: np.ndarray) -> tuple[int, int]:
    """Return (blunders fixed, wins spoilt). changes: a result of outcome_changes."""
    return int((changes == 1).sum()), int((changes == -1).sum())


def sure_gain(fixed: int, spoilt: int) -> float:
    """Return fixed blunders minus spoilt wins, less one standard error to allow for chance."""
    return fixed - spoilt - sqrt(fixed + spoilt)


def worths(table: Table, scale: int) -> np.ndarray:
    """Return each row's value for a supporting rule: float [rows].

    The value of a pass is 0. For other moves, the value is positive or 0 if the move wins, and negative if the move
    loses.

    The nearness of a move is 1 if it has at least as many points as the chosen move, and 0.5 if it has `scale` points
    fewer. The nearness is 0 if no points could make the player choose the move. In a position with a blunder, the value
    of a winning move is the move's nearness. In other positions, the value of a winning move is LEAST, so that rules
    become general. The value of a losing move is minus the move's nearness, and at most -LEAST, so that rules become
    precise.
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
    """Return each row's value for a warning: positive if the move loses, negative if the move wins.

    The value is 1 for a chosen move that loses, -0.5 for a chosen move that wins, LEAST for other losing moves, -LEAST
    for other winning moves, and 0 for a pass.
    """
    worth = np.where(table.wins, -LEAST, LEAST)
    worth[table.chosen] = np.where(table.blunders, 1.0, -0.5)
    worth[table.move == PASS_POINT] = 0.0
    return worth
