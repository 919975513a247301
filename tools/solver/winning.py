"""The winning moves of many positions at once."""

from __future__ import annotations

import numpy as np
from numba import int64

from tools.compiled.board import compiled, first_point
from tools.compiled.states import after, ends, moves_mask, parts
from tools.solver.search import margin2_of, search


@compiled
def ended_won(code, move, goal):
    """Return whether the game that this move ends is won by its mover."""
    own, theirs, _, _, left = parts(after(code, move))  # as the opponent sees it
    return margin2_of(theirs, own, left + 1, goal) > 0


@compiled
def winning_many(codes, goal, table, history, lists, meter, stop):
    """Return a mask of winning moves for each code, bit 25 for the pass: int32 [n]. See search for the rest."""
    masks = np.zeros(codes.size, dtype=np.int32)
    for index in range(codes.size):
        code = codes[index]
        moves = moves_mask(code)
        while moves:
            move = first_point(moves)
            moves &= moves - 1
            if ends(code, move):
                won = ended_won(code, move, goal)
            else:
                reply = parts(after(code, move))
                won = search(*reply, goal, table, history, lists, meter, stop) == 0
            if won:
                masks[index] |= np.int32(int64(1) << move)
    return masks
