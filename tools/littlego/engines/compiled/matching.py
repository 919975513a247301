"""Buckets of placements: the placements to test for a move, given the stones next to its point.

A *bucket* is a point and the state of its neighbours. Each point has at most 81 buckets, since each of up to four
neighbours is empty, an own stone or an opposing stone. The last bucket is for the pass.
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import around, jit, jit_inlined
from littlego.rules.positionkey import POINTS

AREA = 25  # points of the board; the board word is own | theirs << AREA
STATES = 81
PASS_BUCKET = POINTS * STATES


@jit_inlined
def bucket_of(point, own, theirs):
    """Return the bucket of a move to a point; 25 is a pass."""
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

    placements: rows that start with care and value. moves: the point of each placement, 25 or more for a pass.
    """
    starts = np.zeros(PASS_BUCKET + 2, np.int32)
    order = np.empty(0, np.int32)
    for filling in (False, True):
        if filling:
            order = np.empty(starts[-1], np.int32)
        at = 0
        for point in range(POINTS + 1):
            here = np.flatnonzero(moves == point) if point < POINTS else np.flatnonzero(moves >= POINTS)
            for state in range(STATES if point < POINTS else 1):
                known, word = _surroundings(point, state)
                for placement in here:
                    if not (placements[placement, 1] ^ word) & placements[placement, 0] & known:
                        if filling:
                            order[at] = placement
                        at += 1
                starts[STATES * point + state + 1] = at
    return starts, order


@jit
def _surroundings(point, state):
    """Return (bits, values): the bits of a board word that a neighbour state fixes, and their values.

    Both are 0 for a pass. Digits of the state beyond the point's neighbours are ignored; `bucket_of` never sets them.
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
