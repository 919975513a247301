"""Positions whose result no decision of the player can change any more: a walk goes no further there.

With two moves left or fewer the player's choice is exact: it makes of a position at least what a pass makes of it. Call
its moves before that *free*: nothing is assumed of them. In a position with the player to move and M moves left let the
opponent have Q = M // 2 of them, and the player F = (M + 1) // 2 - 1 free ones and one that is exact.

Lemma 1. Each move adds one stone at most, so the opponent gains at most Q. A stone of the player's that is on the board
can be lost only when every liberty that its chain has now is filled, and each takes a move of the opponent's or a free
one: so chains with more than Q + F liberties stay. A stone placed later adds one and, if lost, takes back that one.
Hence the player's final lead is at least

    lead now - Q - stones of its chains with Q + F liberties or fewer

If that is above the komi, the player has won: the position is *settled*.

Lemma 2. With one free move left (M is 3 or 4) it can be tried out: if after each legal move, and after the pass, the
player has won even by passing on, the position is settled. There the bound is that of lemma 1 with F = 0.

Lemma 3. With the sides exchanged, and all M moves filling the opponent's liberties, the bound of lemma 1 settles a
position as lost. Then nothing can be given back any more.

What judges moves by the layer that they lead to stands here as well: numba would not notice that a function in another
file of this room has changed.
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import FULL, captured_by, count, first_point, jit, jit_inlined, legal_moves
from littlego.engines.compiled.states import after, canonical, ends, moves_mask, parts
from littlego.truth.solver.search import ended_won, margin2_of, within_reach

WON, OPEN, LOST = 1, 0, -1
ONE_FREE = 4  # moves left: all of the player's but the next are exact, or are its last


@jit
def settled_many(codes: np.ndarray, goal: int) -> np.ndarray:
    """Return for each position with the player to move, an array of int8, whether it has WON or LOST, else OPEN.

    goal: the lead of Black at the end, in stones without komi, that is a win for Black.
    """
    found = np.zeros(codes.size, dtype=np.int8)
    for index in range(codes.size):
        found[index] = settled(codes[index], goal)
    return found


@jit
def settled(code, goal):
    """Return the same for one position."""
    own, theirs, ko, passed, left = parts(code)
    margin2 = margin2_of(own, theirs, left, goal)
    empty = FULL & ~(own | theirs)
    mine, his = (left + 1) // 2, left // 2
    if left > ONE_FREE and _stays_won(own, empty, margin2, his, left - 1):
        return WON
    if left <= ONE_FREE and _every_move_wins(own, theirs, ko, passed, his, margin2):
        return WON
    if margin2 + 2 * mine < 0 and margin2 + 2 * (mine + within_reach(theirs, empty, left)) < 0:
        return LOST
    return OPEN


@jit_inlined
def _stays_won(own, empty, margin2, his, fillings):
    """Return whether own wins although the opponent places `his` stones and so many liberties may be filled."""
    return margin2 - 2 * his > 0 and margin2 - 2 * (his + within_reach(own, empty, fillings)) > 0


@jit_inlined
def _every_move_wins(own, theirs, ko, passed, his, margin2):
    """Return whether own wins by any move now and by passing after it."""
    if margin2 < 0 or not passed and not _stays_won(own, FULL & ~(own | theirs), margin2, his, his):
        return False
    moves = legal_moves(own, theirs, ko)
    while moves:
        move = moves & -moves
        moves ^= move
        taken = captured_by(move, own, theirs)
        empty = FULL & ~(own | move | theirs) | taken
        if not _stays_won(own | move, empty, margin2 + 2 + 2 * count(taken), his, his):
            return False
    return True


@jit
def judge(codes, moves, below, below_won, goal, kept):
    """Put into kept whether each move leaves no reply but such that lead to positions won for its mover.

    below: the codes of the next layer, sorted; below_won: which of them are won. What is not there is settled.
    """
    for index in range(codes.size):
        move = np.int64(moves[index])
        if ends(codes[index], move):
            kept[index] = ended_won(codes[index], move, goal)
        else:
            kept[index] = _all_won(after(codes[index], move), below, below_won, goal)


@jit
def _all_won(code, below, below_won, goal):
    """Return whether every move of the opponent leads to a position that the player wins."""
    moves = moves_mask(code)
    while moves:
        move = first_point(moves)
        moves &= moves - 1
        if ends(code, move):
            if ended_won(code, move, goal):
                return False
            continue
        reply = canonical(after(code, move))[0]
        at = _place(reply, below)
        if at < 0:
            if settled(reply, goal) != WON:
                return False
        elif not below_won[at]:
            return False
    return True


@jit_inlined
def _place(code, codes):
    """Return the index of a code among sorted ones, or -1."""
    low, high = 0, codes.size
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low if low < codes.size and codes[low] == code else -1
