"""rules/life for numba: ladders, eyes and unconditional life on 5x5.

Functions without lists and sets are compiled from rules/life itself (see `board`). In the other functions, generators
replace lists of chains, and Benson's algorithm represents sets of chains and regions as masks. A ladder search stores
visited and proved boards in arrays; one number encodes the stones and the ko point of a board.
"""

from __future__ import annotations

import numba
import numpy as np

from littlego.engines.compiled.board import (
    FULL,
    GRID,
    JIT,
    PRIMITIVES,
    around,
    compiled_source,
    first_point,
    flood,
    is_legal,
    jit,
    jit_as,
    jit_external,
    jit_inlined,
    played,
)
from littlego.rules import life
from littlego.rules.life import ANY_NUMBER, LADDER_ROUNDS
from littlego.rules.positionkey import KO_AT, WHITE_AT

_SOURCE = compiled_source(life, PRIMITIVES)
generator = numba.njit(**{**JIT, "cache": False})  # numba cannot compile a caller of a cached generator
rescue_tries = _SOURCE["rescue_tries"]
ROOM = 64  # initial capacity for the boards of a ladder, doubled when full; 300,000 random boards never needed more
_SEARCH = "int64(int64, int64, int64, int64, int64[::1], int64[::1], int64)"
_FOUND, _LOST, _FULL = 1, 0, -1  # results of a ladder: caught, not caught, no room for more boards


@generator
def chains(stones, grid):
    """Yield the chains of the stones, ordered by their first points."""
    while stones:
        chain = flood(stones & -stones, stones)
        stones ^= chain
        yield chain


@generator
def atari_chains(own, theirs, grid):
    """Yield the mover's chains with exactly one liberty."""
    empty = FULL & ~(own | theirs)
    stones = around(empty) & own
    while stones:
        chain = flood(stones & -stones, own)
        stones &= ~chain
        free = around(chain) & empty
        if not free & (free - 1):
            yield chain


@jit_inlined
def _with_two_eyes(living, own, theirs, regions):
    """Return a mask of the chains in `living` to which at least two of the regions are vital."""
    kept = 0
    while living:
        chain = flood(living & -living, own)
        living &= ~chain
        near = around(chain)
        vital, rest = 0, regions
        while rest and vital < 2:
            region = flood(rest & -rest, regions)
            rest &= ~region
            if near & region and not region & ~(theirs | near):
                vital += 1
        if vital == 2:
            kept |= chain
    return kept


@jit_external
def _alive_stones(own, theirs):
    """Return a mask of the mover's unconditionally alive stones (Benson 1976).

    A region can be vital to a chain only if all empty points of the region are liberties of the mover's stones; other
    regions are skipped.
    """
    outside = FULL & ~own
    near_own = around(own)
    inside, regions = 0, 0
    while outside:
        region = flood(outside & -outside, outside)
        outside ^= region
        if not region & ~(theirs | near_own):
            inside |= region
            regions += 1
    living = own if regions >= 2 else 0
    while living:
        dead = own & ~living  # a region that touches one of these stones is not an eye
        kept = _with_two_eyes(living, own, theirs, inside & ~flood(around(dead) & inside, inside))
        if kept == living:
            return living
        living = kept
    return 0


@jit_inlined
def _holds_board(boards, key):
    for k in range(1, boards[0] + 1):  # noqa: SIM110 - numba does not support any()
        if boards[k] == key:
            return True
    return False


@jit_inlined
def _add_board(boards, key):
    """Add a board to the array if there is room; return whether the board was added."""
    if boards[0] == boards.size - 1:
        return False
    boards[0] += 1
    boards[boards[0]] = key
    return True


@jit_inlined
def _answers(move, target, own, theirs):
    """Return (own, theirs, moves) after a move against the chain `target`.

    `moves` is a mask of the replies that could save the target, or -1 if the move does not give atari.
    """
    stones, rest, _, ko = played(move, own, theirs, GRID)
    last = around(target) & ~(stones | rest)
    if last & (last - 1):
        return stones, rest, -1
    return stones, rest, rescue_tries(target, last, rest, stones, ko, GRID)


@jit_as(_SEARCH)
def _catches(target, own, theirs, ko, proved, visited, depth):
    free = around(target) & ~(own | theirs)
    first = free & -free
    second = free ^ first
    if second & (second - 1):
        return _LOST
    if not second:
        return _FOUND if is_legal(first, own, theirs, ko) else _LOST
    key = own | theirs << WHITE_AT
    if ko:
        key |= (first_point(ko) + 1) << KO_AT
    if _holds_board(proved, key):
        return _FOUND
    if _holds_board(visited, key) or depth == LADDER_ROUNDS:
        return _LOST
    if not _add_board(visited, key):
        return _FULL
    for move in (first, second):
        if not is_legal(move, own, theirs, ko):
            continue
        stones, rest, tries = _answers(move, target, own, theirs)
        answer = _LOST if tries < 0 else _FOUND
        while tries and answer == _FOUND:
            escape = tries & -tries
            tries ^= escape
            defence, attack, _, next_ko = played(escape, rest, stones, GRID)
            answer = _catches(flood(target, defence), attack, defence, next_ko, proved, visited, depth + 1)
        if answer == _FOUND:
            return _FOUND if _add_board(proved, key) else _FULL
        if answer == _FULL:
            return _FULL
    return _LOST


@jit
def _search_again(target, own, theirs, ko, moves, room):
    """Return the result of a ladder search, one of _FOUND, _LOST and _FULL.

    The search is repeated as long as it fails but proves captures on new boards.

    room: the capacity for visited boards and for proved boards.
    """
    proved, visited = np.empty(room + 1, np.int64), np.empty(room + 1, np.int64)  # element 0 is the number of boards
    proved[0] = 0
    while True:
        before = proved[0]
        visited[0] = 0
        answer = _catches(target, own, theirs, ko, proved, visited, ANY_NUMBER - min(moves, ANY_NUMBER))
        if answer != _LOST or proved[0] == before:
            return answer


@jit_external
def _ladder(target, own, theirs, ko, moves):
    """Return 1 if the mover captures the opponent's chain `target` in a ladder, else 0.

    The search is the same as in life.catches.
    """
    free = around(target) & ~(own | theirs)
    rest = free & (free - 1)
    if rest & (rest - 1):
        return _LOST
    if not rest:
        return _FOUND if is_legal(free, own, theirs, ko) else _LOST
    room = ROOM
    answer = _FULL
    while answer == _FULL:
        answer = _search_again(target, own, theirs, ko, moves, room)
        room *= 2
    return answer


@jit_inlined
def alive_stones(own, theirs, grid):
    return _alive_stones(own, theirs)


@jit_inlined
def catches(target, own, theirs, ko, grid, moves=ANY_NUMBER):
    return _ladder(target, own, theirs, ko, moves) != _LOST


_SOURCE.update(chains=chains, atari_chains=atari_chains, alive_stones=alive_stones, catches=catches)
_rescuing = _SOURCE["rescues"]


@jit_external
def _rescues(target, own, theirs, ko, moves):
    return _rescuing(target, own, theirs, ko, GRID, moves)


@jit_inlined
def rescues(target, own, theirs, ko, grid, moves=ANY_NUMBER):
    return _rescues(target, own, theirs, ko, moves)


_SOURCE["rescues"] = rescues
captured_in_ladder, is_eye = _SOURCE["captured_in_ladder"], _SOURCE["is_eye"]
