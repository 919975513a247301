"""The search that decides whether the mover wins.

The search is an alpha-beta search with two values, win and loss, so a winning move causes a cutoff. It combines
standard ideas: a transposition table, move ordering, a hint from the same board with two fewer moves left, a table
lookup of all children before the first child is searched, and bounds that need no search. docs/truth.md names the
sources of these ideas.

Black wins if its final lead before komi is at least `goal` stones. In Little-Go, `goal` is 3.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from littlego.engines.compiled.board import (
    FULL,
    around,
    captured_by,
    count,
    first_point,
    flood,
    jit,
    jit_as,
    jit_inlined,
    ko_after,
)
from littlego.engines.compiled.states import after, canonical, code_of, ends, moves_mask, parts
from littlego.rules.positionkey import LEFT_AT, PASS_POINT
from littlego.truth.solver.table import UNKNOWN, find, keep

STOPPED = 2  # result of a stopped search; the other results are 1 (won) and 0 (lost)
FOLDED = 10  # minimum moves left at which the table stores canonical images: see `folded`
HINTED = 7  # minimum moves left at which the move stored for the same board with two fewer moves left is tried first
PROBED = 5  # minimum moves left at which all children are looked up before a child is searched
KEPT = 3  # minimum moves left at which results are stored: with fewer moves left, searching is as fast as a look-up
MOST_MOVES = 26
MOST_WORN = 60
NODES, LIMIT = 0, 1  # indices in `meter`: nodes searched, and their limit
OWN, THEIRS, KO, MOVE, SCORE = range(5)  # columns of a list of children

SIGNATURE = (
    "int64(int64, int64, int64, int64, int64, int64, uint64[::1], int64[:,::1], int64[:,:,::1], int64[::1], int64[::1])"
)


def make_scratch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (history, lists, meter) for one thread's search: see `reward`, `list_children` and NODES."""
    history = np.zeros((2, MOST_MOVES), dtype=np.int64)
    return history, np.zeros((26, MOST_MOVES, 5), dtype=np.int64), np.array([0, 1 << 62], dtype=np.int64)


@jit_inlined
def folded(code):
    """Return the code under which the table stores a position.

    With few moves left, symmetric positions are rare, and computing the canonical image costs more time than it saves.
    """
    return code if code >> LEFT_AT < FOLDED else canonical(code)[0]


@jit_inlined
def margin2_of(own, theirs, left, goal):
    """Return the mover's lead minus the threshold for a win, in half stones; the result is never 0."""
    lead2 = 2 * (count(own) - count(theirs))
    limit2 = 2 * goal - 1
    return lead2 + limit2 if left & 1 else lead2 - limit2


@jit_inlined
def within_reach(stones, empty, moves):
    """Return the number of `stones` in chains that `moves` moves could capture, one move for each liberty."""
    found = 0
    while stones:
        chain = flood(stones & -stones, stones)
        stones ^= chain
        if count(around(chain) & empty) <= moves:
            found += count(chain)
    return found


@jit_inlined
def bound(own, theirs, left, margin2):
    """Return 1 (won) or 0 (lost) if the mover's result needs no search, else UNKNOWN.

    The result is 1 if the mover wins even by passing to the end, and 0 if the opponent wins even by passing to the end.
    In both cases, the side that does not pass is assumed to add a stone with each of its moves, and to capture every
    chain that has no more liberties than that side has moves left.
    """
    mine, his = (left + 1) // 2, left // 2
    empty = FULL & ~(own | theirs)
    if margin2 - 2 * his > 0 and margin2 - 2 * (his + within_reach(own, empty, his)) > 0:
        return 1
    if margin2 + 2 * mine < 0 and margin2 + 2 * (mine + within_reach(theirs, empty, mine)) < 0:
        return 0
    return UNKNOWN


@jit_inlined
def last_move_wins(own, theirs, ko, margin2):
    """Return whether the mover can win with the game's last move."""
    if margin2 > 0:
        return 1
    moves = FULL & ~(own | theirs | ko)
    while moves:
        move = moves & -moves
        moves ^= move
        taken = captured_by(move, own, theirs)
        enough = margin2 + 2 + 2 * count(taken) > 0
        if enough and (taken or around(flood(move, own | move)) & FULL & ~(own | theirs | move)):
            return 1
    return 0


@jit_inlined
def ordering(move, own, theirs, empty, taken, liberties, worn):
    """Return a move's score for the move ordering.

    Captures come first, then rescues, ataris, liberties, contact, and earlier cutoffs. liberties: the liberties of the
    move's chain after the move. worn: the move's history count, which grows with each cutoff that the move causes.
    """
    near = around(move)
    free = count(liberties)
    score = 1000 * count(taken) + 60 * free + 20 * count(near & theirs) + worn
    if free == 1 and not taken:
        score -= 300
    if not near & ~own:
        score -= 5000
    if free > 1:
        touched = near & own
        while touched:
            chain = flood(touched & -touched, own)
            touched &= ~chain
            if count(around(chain) & empty) == 1:
                score += 800 * count(chain)
        touched = near & theirs & ~taken
        while touched:
            chain = flood(touched & -touched, theirs)
            touched &= ~chain
            if count(around(chain) & empty) == 2:
                score += 100 * count(chain)
    return score


@jit_inlined
def list_children(own, theirs, ko, passed, left, hint, worn, children):
    """Store in `children` each legal move and the opponent's view of the next board.

    Return the number of moves. A pass that ends the game is omitted. hint: the move to try first, or UNKNOWN.
    """
    empty = FULL & ~(own | theirs)
    found = 0
    moves = empty & ~ko
    while moves:
        move = moves & -moves
        moves ^= move
        taken = captured_by(move, own, theirs)
        liberties = around(flood(move, own | move)) & (empty | taken) & ~move
        if not liberties:
            continue
        point = first_point(move)
        child = children[found]
        child[OWN], child[THEIRS] = theirs & ~taken, own | move
        child[KO] = ko_after(move, taken, own | move, theirs & ~taken)
        child[MOVE] = point
        child[SCORE] = ordering(move, own, theirs, empty, taken, liberties, worn[point])
        if point == hint:
            child[SCORE] += 1 << 30
        found += 1
    if not passed:
        child = children[found]
        child[OWN], child[THEIRS], child[KO], child[MOVE] = theirs, own, 0, PASS_POINT
        child[SCORE] = 1 << 30 if hint == PASS_POINT else -4000
        found += 1
    return found


@jit_inlined
def bring_best_forward(children, at, number):
    """Swap children[at] with the child that has the highest score among children[at:number]."""
    best = at
    for other in range(at + 1, number):
        if children[other, SCORE] > children[best, SCORE]:
            best = other
    if best != at:
        for column in range(5):
            children[at, column], children[best, column] = children[best, column], children[at, column]


@jit_inlined
def probe_children(number, left, children, table):
    """Look up the children in the table. Return (a known winning move or UNKNOWN, number of remaining children).

    Moves that are known to lose are removed from `children`.
    """
    kept = 0
    for index in range(number):
        child = children[index]
        passing = int64(child[MOVE] == PASS_POINT)
        code = folded(code_of(child[OWN], child[THEIRS], child[KO], passing, left - 1))
        wins, _ = find(code, table)
        if wins == 0:
            return child[MOVE], 0
        if wins == UNKNOWN:
            if kept != index:
                for column in range(5):
                    children[kept, column] = child[column]
            kept += 1
    return int64(UNKNOWN), kept


@jit_inlined
def reward(worn, move, left):
    """Increase a move's history count after a cutoff. If the count exceeds MOST_WORN, halve all counts.

    The limit keeps a count from outweighing one or two liberties in the move ordering. With larger counts, the search
    needs up to five times as many nodes.
    """
    worn[move] += left * left
    if worn[move] > MOST_WORN:
        for other in range(MOST_MOVES):
            worn[other] >>= 1


@jit_as(SIGNATURE)
def search(own, theirs, ko, passed, left, goal, table, history, lists, meter, stop):
    """Return 1 if the mover wins, 0 if the mover loses, or STOPPED for a stopped search.

    The search is stopped if `stop` is set or the node limit is exceeded. stop: an array of one number, which another
    thread sets to stop this search. `left` must be at least 1. See make_scratch for the other arrays.
    """
    margin2 = margin2_of(own, theirs, left, goal)
    if left == 1:
        return last_move_wins(own, theirs, ko, margin2)
    known = bound(own, theirs, left, margin2)
    if known != UNKNOWN:
        return known
    if passed and margin2 > 0:
        return 1
    meter[NODES] += 1
    if meter[NODES] > meter[LIMIT] or stop[0]:
        return STOPPED
    code, hint = int64(0), int64(UNKNOWN)
    if left >= KEPT:
        code = code_of(own, theirs, ko, passed, left)
        if left >= FOLDED:
            code = canonical(code)[0]
            own, theirs, ko, _, _ = parts(code)
        known, hint = find(code, table)
        if known != UNKNOWN:
            return known
        hint = int64(UNKNOWN)
        if left >= HINTED:
            known, nearer = find(folded(code - (2 << LEFT_AT)), table)
            if known == 1:
                hint = nearer
    worn, children = history[left & 1], lists[left]
    number = list_children(own, theirs, ko, passed, left, hint, worn, children)
    if left >= PROBED:
        best, number = probe_children(number, left, children, table)
        if best != UNKNOWN:
            keep(code, 1, best, table)
            return 1
    for index in range(number):
        bring_best_forward(children, index, number)
        child = children[index]
        move = child[MOVE]
        passing = int64(move == PASS_POINT)
        reply = search(
            child[OWN], child[THEIRS], child[KO], passing, left - 1, goal, table, history, lists, meter, stop
        )
        if reply == STOPPED:
            return STOPPED
        if reply == 0:
            reward(worn, move, left)
            if left >= KEPT:
                keep(code, 1, move, table)
            return 1
    if left >= KEPT:
        keep(code, 0, 0, table)
    return 0


@jit
def ended_won(code, move, goal):
    """Return whether the side that makes `move`, which must end the game, wins the game."""
    own, theirs, _, _, left = parts(after(code, move))  # as the opponent sees the board
    return margin2_of(theirs, own, left + 1, goal) > 0


@jit
def winning_many(codes, goal, table, history, lists, meter, stop):
    """Return a mask of the winning moves for each code, as an int32 array; bit 25 is the pass.

    See `search` for the other arguments.
    """
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
                won = search(*parts(after(code, move)), goal, table, history, lists, meter, stop) == 0
            if won:
                masks[index] |= np.int32(int64(1) << move)
    return masks
