"""Settled positions, whose result no later decision of the player can change. A walk stops at settled positions.

With at most two moves left, the player chooses an *exact* move, which is at least as good as a pass. The player's moves
before this exact move are called *free*; the lemmas assume nothing about free moves. Consider a position with the
player to move and M moves left. The opponent has Q = M // 2 moves. The player has F = (M + 1) // 2 - 1 free moves and
one exact move.

Lemma 1. Each move adds at most one stone, so the opponent adds at most Q stones. A stone of the player on the board can
be lost only if all present liberties of its chain are filled. Filling a liberty takes a move of the opponent or a free
move, so chains with more than Q + F liberties survive. A stone that the player places later adds one to the lead and,
if lost, subtracts one again. Hence the player's final lead is at least

lead now - Q - number of the player's stones in chains with at most Q + F liberties.

If the bound is above 0 with komi included, the player has won, and the position is *settled*.

Lemma 2. With one free move left (M is 3 or 4), this module tries every legal move and the pass as the free move, and
assumes that the player only passes afterwards. If the player wins after each of these moves, the position is settled.
The bound after the move is the bound of lemma 1 with F = 0.

Lemma 3. This is lemma 1 with the sides exchanged, except that all M moves can fill liberties of the opponent's chains.
If the bound shows that the opponent wins, the player has lost, and the position is settled.

The functions that judge moves are also in this module, because numba does not recompile a caller when a function in
another file of this package changes.
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled.board import FULL, captured_by, count, first_point, jit, jit_inlined, legal_moves
from littlego.engines.compiled.states import after, canonical, ends, moves_mask, parts
from littlego.truth.solver.search import ended_won, margin2_of, within_reach

WON, OPEN, LOST = 1, 0, -1
ONE_FREE = 4  # maximum moves left at which only the player's next move is free


@jit
def settled_many(codes: np.ndarray, goal: int) -> np.ndarray:
    """Return WON, LOST or OPEN for each position with the player to move, as int8.

    goal: the smallest final lead, in stones without komi, with which Black wins.
    """
    result = np.zeros(codes.size, dtype=np.int8)
    for index in range(codes.size):
        result[index] = settled(codes[index], goal)
    return result


@jit
def settled(code, goal):
    """Return WON, LOST or OPEN for one position: see settled_many."""
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
    """Return whether the bound of lemma 1 shows that the owner of `own` wins.

    The bound assumes that the opponent adds `his` stones and captures each chain of `own` with at most `fillings`
    liberties. The moves that fill these liberties can include the owner's free moves. margin2: see margin2_of.
    """
    return margin2 - 2 * his > 0 and margin2 - 2 * (his + within_reach(own, empty, fillings)) > 0


@jit_inlined
def _every_move_wins(own, theirs, ko, passed, his, margin2):
    """Return whether every move, including the pass, provably wins if the mover only passes afterwards.

    The proof is the bound of lemma 1, so the result can be False although the mover wins.
    """
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
    """Store in `kept` whether each move keeps the win, i.e. whether the mover wins after every reply.

    below: the codes of the next layer, sorted. below_won: whether each position of the next layer is won. Every
    position after a reply must be settled or in `below`.
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
    """Return the index of a code in a sorted array, or -1 if the array lacks the code."""
    low, high = 0, codes.size
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low if low < codes.size and codes[low] == code else -1
