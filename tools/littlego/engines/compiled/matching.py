"""Which placements of a book to try for a move: those of its point that the stones next to it do not rule out.

A *bucket* is a point and what stands next to it: up to 81 to a point, since each of up to four neighbours is empty, own
or theirs. The last bucket is that of the pass.
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import around, jit, jit_inlined
from littlego.rules.positionkey import POINTS

AREA = 25  # a board's word is own | theirs << AREA
STATES = 81
PASS_BUCKET = POINTS * STATES


@jit_inlined
def bucket_of(point, own, theirs):
    """Return the bucket of a move on a point; 25 passes."""
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
    """Return (starts, order): order[starts[b]:starts[b + 1]] are the placements of bucket b, in ascending order.

    placements: rows of care, value and more; moves: the point of each, 25 or more for a pass.
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
    """Return (the bits of a word that a bucket fixes, their values); all ones for a state that the point lacks."""
    if point == POINTS:
        return 0, 0
    near = around(1 << point)
    known = near | near << AREA
    word = 0
    while near:  # the last neighbour is the last digit
        high = near
        while high & (high - 1):
            high &= high - 1
        near ^= high
        digit = state % 3
        state //= 3
        word |= high if digit == 1 else high << AREA if digit == 2 else 0
    return known, word
