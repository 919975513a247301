"""Solved positions as training choices: the moves are the options, and the winning moves are right.

The options are the legal moves for which a pattern fires, except moves that a pattern forbids or the safety check
vetoes. The positions come from the working part of the labels (see littlego.truth.labels) and optionally from files of
other solved positions, such as the failures that `prove --json` writes. If the safety check vetoes all winning moves,
the position has no right option, and points cannot save the win. The held-out boards, a third of all boards, are the
same as in the command `mine`. The other boards form three folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.engine import ALLOWED, compile_book, scores_many
from littlego.engines.compiled.reasons import firings_many
from littlego.knowledge.model import KnownPattern
from littlego.learning.fitting.options import Option, Options
from littlego.learning.fitting.points import Weight
from littlego.learning.fitting.samples import FOLDS, HELD_OUT
from littlego.learning.fitting.softmax import Flags, Floats, Integers
from littlego.learning.fitting.table import Rows, Table
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import PASS_POINT
from littlego.truth.labels.labels import Labels, moves_left
from littlego.truth.labels.positions import at_stake, folds, held_out, load_weighted

GROUPS = ["Black", "White"]  # the side to move
BLOCK = 4096  # positions whose firings are in memory at a time


def solved_positions(labels: Path, extra: Sequence[Path]) -> tuple[Labels, Floats]:
    """Return (the positions with both winning and losing moves, their weights).

    Raise ArgumentError if a file is invalid or if there is no such position.
    """
    positions, weights = load_weighted(labels, extra)
    stake = at_stake(positions.codes, positions.winning)
    if not stake.any():
        raise ArgumentError("none of these positions has both winning and losing moves; add positions with --from FILE")
    return positions.where(stake), weights[stake]


def folds_of(codes: Integers) -> Integers:
    """Return the fold of each position, 0 to FOLDS - 1, or HELD_OUT: int [codes]. Equal boards get the same fold."""
    return np.where(held_out(codes), HELD_OUT, folds(codes, FOLDS))


def solved_table(
    solved: tuple[Labels, Floats],
    book: Book,
    patterns: Sequence[KnownPattern],
    weights: Sequence[Weight],
    columns: Sequence[int],
) -> Table:
    """Return the training table of solved positions.

    solved: see solved_positions. book: the compiled `patterns`, in the same order. weights, columns: see
    points.weights_of.
    """
    positions, counts = solved
    assert [pattern.id for pattern in book.patterns] == [pattern.id for pattern in patterns]
    rows = Rows(patterns, weights, columns)
    winning = positions.winning.tolist()
    for index, options in enumerate(_options_many(positions.codes, book)):
        rows.add(options, points_of(winning[index]))
    group = moves_left(positions.codes) % 2
    return rows.table(counts, folds_of(positions.codes), group, GROUPS, "position")


def _options_many(codes: Integers, book: Book) -> Iterator[Options]:
    """Yield the options of each position; see Options."""
    program = compile_book(book)
    for start in range(0, codes.size, BLOCK):
        some = codes[start : start + BLOCK]
        scores, against = scores_many(some, program)
        firings = firings_many(some, program)
        ends = np.searchsorted(firings[:, 0], np.arange(some.size + 1))
        for index in range(some.size):
            here = firings[ends[index] : ends[index + 1]]
            yield _options(scores[index], against[index] == ALLOWED, here[:, 1:].tolist())


def _options(scores: Integers, allowed: Flags, firings: list[list[int]]) -> Options:
    """Return the options of one position.

    scores: int [moves, 3], the priority, points and specificity of each move. firings: [move, index of the pattern,
    points] for each firing.
    """
    by_move: dict[int, list[tuple[int, int]]] = {}
    for move, pattern, points in firings:
        by_move.setdefault(move, []).append((pattern, points))
    moves = [move for move in range(PASS_POINT + 1) if allowed[move] and move in by_move]
    moves.sort(key=lambda move: (-int(scores[move, 0]), -int(scores[move, 2]), move))
    return [Option(move, int(scores[move, 0]), tuple(by_move[move])) for move in moves]
