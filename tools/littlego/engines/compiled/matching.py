"""Buckets: the placements to test, for each move and each state of the neighbouring points.

A *bucket* contains the placements for one point and one state of its neighbours. Each point has 81 buckets, enough for
four neighbours that are each empty or have a stone of the mover or of the opponent. The last bucket is for the pass.
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import around, jit, jit_inlined
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import POINTS

AREA = 25  # points of the board; the board word is own | theirs << AREA
STATES = 81
PASS_BUCKET = POINTS * STATES
BUCKETS = PASS_BUCKET + 1


PLACEMENT_ROW = 4  # columns of a placement: care, value, cells and pattern
POINT_SHIFT, POINT_FIELD = 8, 31  # right shift and bit mask of the move in a placement's `cells`


def join_program(head: list[int], tables: list[int], book: Book, pattern_row: int) -> np.ndarray:
    """Return a book's program (see `programs`) as one array.

    The array consists of `head`, the table of buckets, `tables`, the placements, and their order in the buckets.
    head[0]: the offset of the patterns in the program. pattern_row: the size of a pattern's row.
    """
    owner = np.repeat(head[0] + pattern_row * np.arange(len(book.patterns)), np.diff(book.starts))
    columns = [np.array(words, np.int64) for words in (book.cares, book.values, book.cells)]
    placements = np.stack([*columns, owner], axis=1)
    starts, order = indexed(placements, columns[-1] >> POINT_SHIFT & POINT_FIELD)
    at_placements = len(head) + starts.size + len(tables)
    at_order = at_placements + placements.size
    parts = [head, at_order + starts, tables, placements.ravel(), at_placements + PLACEMENT_ROW * order]
    return np.concatenate([np.asarray(part, np.int64) for part in parts])


@jit_inlined
def bucket_of(point, own, theirs):
    """Return the index of the bucket for a move to a point; point 25 is a pass."""
    if point == POINTS:
        return PASS_BUCKET
    state = 0
    near = around(1 << point)
    while near:
        low = near & -near
        near ^= low
        state = 3 * state + (1 if own & low else 2 if theirs & low else 0)
    return STATES * point + state


@jit
def indexed(placements, moves):
    """Return (starts, order): the placements of bucket b are order[starts[b]:starts[b + 1]], ascending.

    placements: an array of rows whose first two columns are masks: the bits of the board word to compare, and the
    expected values of these bits. moves: the point of each placement's move, 25 or more for a pass.
    """
    begins, sorted_ = _sorted_by_point(moves)
    starts = np.zeros(PASS_BUCKET + 2, np.int32)
    order = np.empty(0, np.int32)
    for filling in (False, True):
        if filling:
            order = np.empty(starts[-1], np.int32)
        at = 0
        for point in range(POINTS + 1):
            for state in range(STATES if point < POINTS else 1):
                known, word = _surroundings(point, state)
                for k in range(begins[point], begins[point + 1]):
                    placement = sorted_[k]
                    if not (placements[placement, 1] ^ word) & placements[placement, 0] & known:
                        if filling:
                            order[at] = placement
                        at += 1
                starts[STATES * point + state + 1] = at
    return starts, order


@jit
def _sorted_by_point(moves):
    """Return (begins, placements), with the placements sorted by point.

    The placements of a point are placements[begins[point]:begins[point + 1]], ascending.
    """
    begins = np.zeros(POINTS + 2, np.int32)
    for move in moves:
        begins[min(move, POINTS) + 1] += 1
    for point in range(POINTS + 1):
        begins[point + 1] += begins[point]
    placements, at = np.empty(moves.size, np.int32), begins.copy()
    for placement in range(moves.size):
        point = min(moves[placement], POINTS)
        placements[at[point]] = placement
        at[point] += 1
    return begins, placements


@jit
def _surroundings(point, state):
    """Return (bits, values) for a state of a point's neighbours.

    bits: the bits of a board word that the state fixes. values: the values of these bits. For a pass, `bits` and
    `values` are 0. state: a number in base 3 with one digit for each neighbour (see `bucket_of`); further digits are
    ignored.
    """
    if point == POINTS:
        return 0, 0
    near = around(1 << point)
    known = near | near << AREA
    word = 0
    while near:  # `state` is a number in base 3 whose last digit is the last neighbour
        high = near
        while high & (high - 1):
            high &= high - 1
        near ^= high
        digit = state % 3
        state //= 3
        word |= high if digit == 1 else high << AREA if digit == 2 else 0
    return known, word
