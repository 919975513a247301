"""Readings: candidate facts that look ahead. The functions are compiled by numba.

Patterns cannot use readings. `littlego dev weigh` shows how many given-away wins each reading could save. A reading
that could save many wins can become a fact, but each fact costs time in every turn. A reading evaluates a board after a
move, with the opponent to move: larger values are better for the side that moved ("our" side).

Readings of captures try only moves on liberties of the chain and on liberties of the adjacent attackers. Therefore
these readings miss distant defences, such as a connection to another stone or a threat elsewhere. Readings of life and
connection try every reply of the opponent, including the pass, and each possible answer of our side. Therefore these
readings detect life or a connection only if the opponent, moving first, cannot prevent it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from littlego.engines.compiled.board import (
    FULL,
    GRID,
    State,
    count,
    flood,
    is_legal,
    jit,
    jit_inlined,
    legal_moves,
    played,
)
from littlego.engines.compiled.captures import liberties, stones_that_fall
from littlego.engines.compiled.facts import FACTS, fact
from littlego.engines.compiled.life import alive_stones, chains
from littlego.engines.compiled.states import parts
from littlego.rules.positionkey import PASS_POINT

MOST_CHAINS = 16  # maximum number of chains of one colour: at most 13 points of 5x5 are pairwise non-adjacent
AT_ONCE = 1 << 14  # rows per compiled call, so that Ctrl-C takes effect soon

# -- life and connection -------------------------------------------------------------------------------------------

_PASS = 1 << PASS_POINT


@jit_inlined
def _after(move, own, theirs):
    """Return (own, theirs, ko) after a move or a pass of the side whose stones are `own`."""
    if move == _PASS:
        return own, theirs, 0
    stones, rest, _, ko = played(move, own, theirs, GRID)
    return stones, rest, ko


@jit
def lives_anyhow(own, theirs, ko):
    """Return the mask of our stones that live even if the opponent moves next.

    After every move or pass of the opponent, each of these stones is unconditionally alive, or some answer of our side
    makes it unconditionally alive. Different stones may need different answers.
    """
    alive = own
    replies = legal_moves(theirs, own, ko) | _PASS
    while replies and alive:
        reply = replies & -replies
        replies ^= reply
        attacker, defender, next_ko = _after(reply, theirs, own)
        made = alive_stones(defender, attacker, GRID)
        answers = legal_moves(defender, attacker, next_ko)
        while answers and alive & ~made:
            answer = answers & -answers
            answers ^= answer
            stones, rest, _, _ = played(answer, defender, attacker, GRID)
            made |= alive_stones(stones, rest, GRID)
        alive &= made
    return alive


@jit
def joined_anyhow(one, other, own, theirs, ko):
    """Return whether our side can join two of its own chains even if the opponent moves next.

    After every move or pass of the opponent, the two chains must be joined, or our side must have an answer that joins
    the chains. one, other: masks with a point of the first and of the second chain.
    """
    replies = legal_moves(theirs, own, ko) | _PASS
    while replies:
        reply = replies & -replies
        replies ^= reply
        attacker, defender, next_ko = _after(reply, theirs, own)
        if not one & defender or not other & defender:
            return False
        chain = flood(one, defender)
        joined = chain & other != 0
        answers = liberties(chain, defender | attacker, GRID)
        while answers and not joined:
            answer = answers & -answers
            answers ^= answer
            if is_legal(answer, defender, attacker, next_ko):
                stones, _, _, _ = played(answer, defender, attacker, GRID)
                joined = flood(one, stones) & other != 0
        if not joined:
            return False
    return True


@jit
def groups(own, theirs, ko):
    """Return the number of groups that our chains form if the opponent moves next.

    Two chains belong to the same group if joined_anyhow is true for them, or if a series of such pairs of our chains
    connects them.
    """
    points = np.zeros(MOST_CHAINS, np.int64)
    group = np.arange(MOST_CHAINS)
    number = 0
    for chain in chains(own, GRID):
        points[number] = chain & -chain
        number += 1
    many = number
    for first in range(number):
        for second in range(first + 1, number):
            if group[first] != group[second] and joined_anyhow(points[first], points[second], own, theirs, ko):
                group[group == group[second]] = group[first]
                many -= 1
    return many


# -- moves left to fill --------------------------------------------------------------------------------------------


_OWN_LIBERTIES, _THEIR_LIBERTIES = map([*FACTS].index, ("own_liberties", "their_liberties"))


@jit
def safe_fills(own, theirs):
    """Return the number of points where only our side can play safely.

    On each of these points, our stone would have at least two liberties, and an opposing stone at most one.
    """
    state = State(own, theirs, 0, 0, 0, 0, 0, 0, GRID)
    result = 0
    left = FULL & ~(own | theirs)
    while left:
        point = left & -left
        left ^= point
        result += fact(_OWN_LIBERTIES, state, 0, point, 0) > 1 >= fact(_THEIR_LIBERTIES, state, 0, point, 0)
    return result


# -- the readings --------------------------------------------------------------------------------------------------

FALLS, STANDS, LIVES, DENIES, JOINS, CUTS, FILLS, BLOCKS, OUTLASTS = range(9)


class Reading(NamedTuple):
    """A candidate fact that looks ahead after a move.

    kind: one of the constants from FALLS to OUTLASTS. moves: for a reading of captures, the number of the attacker's
    moves; else 0. promise: a one-line description.
    """

    kind: int
    moves: int
    promise: str


READINGS = {
    "falls_in_2": Reading(FALLS, 2, "Number of opposing stones that this move or our next 2 moves can capture."),
    "falls_in_3": Reading(FALLS, 3, "Number of opposing stones that this move or our next 3 moves can capture."),
    "falls_in_4": Reading(FALLS, 4, "Number of opposing stones that this move or our next 4 moves can capture."),
    "stands_for_2": Reading(STANDS, 2, "Minus the number of our stones that the opponent's next 2 moves can capture."),
    "stands_for_3": Reading(STANDS, 3, "Minus the number of our stones that the opponent's next 3 moves can capture."),
    "stands_for_4": Reading(STANDS, 4, "Minus the number of our stones that the opponent's next 4 moves can capture."),
    "lives": Reading(LIVES, 0, "Number of our stones that we can make unconditionally alive after any reply."),
    "denies_life": Reading(DENIES, 0, "Minus the number of opposing stones that can live whatever we play next."),
    "joined": Reading(JOINS, 0, "Minus the number of our groups: sets of chains that we can join after any reply."),
    "severed": Reading(CUTS, 0, "Number of opposing groups, counted as in `joined`, with our side to move."),
    "fills": Reading(
        FILLS, 0, "Number of points where our stone has 2 or more liberties and an opposing stone at most 1."
    ),
    "blocks": Reading(BLOCKS, 0, "Minus the value of `fills` for the opponent."),
    "outlasts": Reading(OUTLASTS, 0, "Number of `fills` points that our moves can fill, minus the opponent's number."),
}


@jit
def _read(kind, moves, own, theirs, ko, left):
    """Return the value of a reading on a board, with the opponent to move and `left` moves left.

    kind, moves: the fields of the Reading.
    """
    if kind == FALLS:
        return -count(theirs & ~stones_that_fall(theirs, own, ko, moves, False))
    if kind == STANDS:
        return -count(stones_that_fall(theirs, own, ko, moves, True))
    if kind == LIVES:
        return count(lives_anyhow(own, theirs, ko))
    if kind == DENIES:
        return -count(lives_anyhow(theirs, own, 0))
    if kind == JOINS:
        return -groups(own, theirs, ko)
    if kind == CUTS:
        return groups(theirs, own, 0)
    own_fills = 0 if kind == BLOCKS else safe_fills(own, theirs)
    their_fills = 0 if kind == FILLS else safe_fills(theirs, own)
    if kind != OUTLASTS:
        return own_fills - their_fills
    return min(own_fills, left // 2) - min(their_fills, left - left // 2)


@jit
def _read_rows(codes, positions, moves, kind, most):
    values = np.zeros(moves.size, np.int16)
    passed, last = 0, -1
    for row in range(moves.size):
        if moves[row] == PASS_POINT:
            continue
        own, theirs, _, _, left = parts(codes[positions[row]])
        if positions[row] != last:
            last = positions[row]
            passed = _read(kind, most, own, theirs, 0, left - 1)
        stones, rest, _, ko = played(1 << moves[row], own, theirs, GRID)
        values[row] = _read(kind, most, stones, rest, ko, left - 1) - passed
    return values


def reading_values(reading: Reading, codes: np.ndarray, positions: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """Return the value of a reading after each move minus the value after a pass, int16 [rows].

    positions: the position of each row, as an index in codes, ascending. moves: the move of each row.
    """
    blocks = (slice(start, start + AT_ONCE) for start in range(0, moves.size, AT_ONCE))
    rows = ((positions[block].astype(np.int64), moves[block].astype(np.int64)) for block in blocks)
    return np.concatenate([_read_rows(codes, *some, reading.kind, reading.moves) for some in rows])
