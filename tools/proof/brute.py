"""The result of a position by playing everything out: no table, no pruning, no bound. For the last few moves."""

from __future__ import annotations

import numpy as np
from numba import njit

from rules.positionkey import PASS_POINT
from tools.compiled.board import JIT, compiled, count, first_point, legal_moves
from tools.compiled.states import after, ends, parts


@njit("int64(int64)", **JIT)
def final_lead(code):
    """Return the final lead of the mover in stones, komi not counted, when both sides play for the highest lead."""
    own, theirs, ko, _, _ = parts(code)
    best = -100
    moves = legal_moves(own, theirs, ko) | 1 << PASS_POINT
    while moves:
        move = first_point(moves)
        moves &= moves - 1
        child = after(code, move)
        if ends(code, move):
            own_after, theirs_after, _, _, _ = parts(child)  # as the opponent sees it
            lead = count(theirs_after) - count(own_after)
        else:
            lead = -final_lead(child)
        best = max(best, lead)
    return best


@compiled
def final_leads(codes):
    """Return final_lead of each code: int64 [n]."""
    found = np.empty(codes.size, dtype=np.int64)
    for index in range(codes.size):
        found[index] = final_lead(codes[index])
    return found
