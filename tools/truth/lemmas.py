"""Positions whose result no move of either side can change any more: a walk goes no further there.

The lemma. In a position with M moves left, let the player have P of them and the opponent Q (P + Q = M). Each move adds
one stone at most, so the opponent gains at most Q stones. A stone of the player's that is on the board can be lost only
when every liberty that its chain has now is filled, by either side, and each takes a move: so chains with more than M
liberties stay. A stone placed later adds one and, if lost, takes back that one. Hence the final lead of the player is
at least

    lead now - Q - stones of its chains with M liberties or fewer

whatever both sides play, passes included (they only fill less). If that is above the komi, the position is *settled*:
the player has won. With the sides exchanged it is settled as lost: then nothing can be given back. The lemma says
nothing of what the player does, and so holds for every player.
"""

from __future__ import annotations

import numpy as np

from tools.compiled.board import FULL, compiled
from tools.compiled.states import parts
from tools.solver.search import margin2_of, within_reach

WON, OPEN, LOST = 1, 0, -1


def settled_many(codes: np.ndarray, goal: int) -> np.ndarray:
    """Return for each position, an array of int8, whether the mover has WON or LOST whatever happens, else OPEN.

    goal: the lead of Black at the end, in stones without komi, that is a win for Black.
    """
    return _settled_many(codes, goal)


@compiled
def settled(code, goal):
    """Return the same for one position."""
    own, theirs, _, _, left = parts(code)
    empty = FULL & ~(own | theirs)
    margin2 = margin2_of(own, theirs, left, goal)
    mine, his = (left + 1) // 2, left // 2
    if margin2 - 2 * his > 0 and margin2 - 2 * (his + within_reach(own, empty, left)) > 0:
        return WON
    if margin2 + 2 * mine < 0 and margin2 + 2 * (mine + within_reach(theirs, empty, left)) < 0:
        return LOST
    return OPEN


@compiled
def _settled_many(codes, goal):
    found = np.zeros(codes.size, dtype=np.int8)
    for index in range(codes.size):
        found[index] = settled(codes[index], goal)
    return found
