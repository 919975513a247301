"""The positions that patterns are mined from, and a table of their moves, one row each.

A row says what the player thinks of a move, and whether it keeps the win. From that is read what the player would play
if a pattern more spoke, without deciding anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from rules.engine import BUILT_IN, LAST_RESORT
from rules.geometry import points_of
from rules.patternfile import Book
from rules.positionkey import PASS_POINT
from tools.arguments import ArgumentError
from tools.compiled.engine import compile_book, decide_many, scores_many
from tools.compiled.scoring import decides
from tools.compiled.states import TABLES, canonical
from tools.files import short_name
from tools.knowledge.model import USUAL
from tools.labels.labels import (
    WORKING,
    Labels,
    in_test,
    join_labels,
    legal_many,
    load,
    moves_left,
    own_and_theirs,
    scatter,
)
from tools.mining.kernels import compare_choices, losses_of

EXACT = 2  # with so many moves left the player reads to the end
HELD_OUT_ONE_IN = 3  # classes of boards of the working part
ALLOWED, BARRED, ILLEGAL = 0, 2, 3  # see engine.scores_many
LEAST = 0.05


def load_positions(labels: Path, extra: Sequence[Path] = ()) -> Labels:
    """Return the labels of the working part with the positions of more files; those of the test part are left out.

    Raise ArgumentError, in one line, for a file that is missing or damaged.
    """
    positions = load(WORKING, 0, labels)
    for path in extra:
        more = _canonical_labels(*_load_columns(path))
        positions = join_labels(positions, more.where(~in_test(more.codes)))
    if not positions.codes.size:
        raise ArgumentError("no position of the working part is labelled: run `littlego label`")
    return positions


def _load_columns(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return (codes, masks of winning moves) of an .npz, labels among them, or of the JSON of a proof."""
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                columns = (
                    file["codes"],
                    file["winning"] if "winning" in file else legal_many(file["codes"]) & ~file["losing"],
                )
        else:
            value = json.loads(path.read_text(encoding="utf-8"))
            failed = value["failed"] if isinstance(value, dict) else value
            columns = [one["code"] for one in failed], [one["winning"] for one in failed]
        codes, winning = (np.array(column, dtype=np.int64) for column in columns)
    except FileNotFoundError:
        raise ArgumentError(f"there is no {short_name(path)}") from None
    except (OSError, ValueError, KeyError, TypeError, OverflowError, BadZipFile, EOFError) as error:
        wanted = "labels, an .npz with codes and winning, or what `prove --json` writes"
        raise ArgumentError(f"cannot read {short_name(path)}: {error}; expected {wanted}") from None
    if codes.shape != winning.shape or codes.ndim != 1:
        raise ArgumentError(
            f"{short_name(path)}: {codes.size} codes and {winning.size} masks, expected as many of each"
        )
    return codes, winning


def _canonical_labels(codes: np.ndarray, winning: np.ndarray) -> Labels:
    """Return positions turned any way as labels, which come from no source of labels."""
    turned = {}
    for code, mask in zip(codes.tolist(), winning.tolist(), strict=True):
        image, symmetry = canonical(code)
        turned[image] = sum(1 << (TABLES[symmetry][move] if move < PASS_POINT else move) for move in points_of(mask))
    ordered = dict(sorted(turned.items()))
    columns = np.array([*ordered], np.int64), np.array([*ordered.values()], np.int32)
    return Labels(*columns, np.zeros(len(ordered), np.uint8))


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


def at_stake(codes: np.ndarray, winning: np.ndarray) -> np.ndarray:
    """Return which positions are won, can be given away, and are not decided by reading to the end."""
    return np.asarray((winning != 0) & (winning != legal_many(codes)) & (moves_left(codes) > EXACT), dtype=bool)


def held_out(codes: np.ndarray) -> np.ndarray:
    """Return which positions are kept out of the search, to judge what it finds: by the class of the board."""
    third = np.uint64(HELD_OUT_ONE_IN)
    return np.asarray(scatter(own_and_theirs(codes)) // third % third == 0, dtype=bool)


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
    return Scores(priority, points, specificity, against[legal] == ALLOWED, against[legal] == BARRED), legal


def effects(
    table: Table, fired: np.ndarray, priority: int, worths: Iterable[int], specificity: int
) -> Iterator[np.ndarray]:
    """Yield for each of these points what a pattern more would change, as outcome_changes says it. fired: its rows."""
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
