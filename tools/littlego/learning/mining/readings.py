"""Readings: what a pattern could ask of a move if there were a fact that reads it out; for numba.

No pattern asks them: `littlego dev weigh` shows what each would explain of the wins given away, before it becomes
a fact and costs something in every turn. Each says something of a board after a move, with the opponent to move: the
more, the better for who moved. A capture is read among the moves that a race is about: liberties of the chain, and of
attackers next to it; a defence from farther off, a stone that is joined or a threat elsewhere, is not seen. Life and
connection are read one reply and one answer deep, over all moves and the pass: two eyes, or a joint, whichever side
plays there first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from littlego.engines.compiled.board import (
    FULL,
    GRID,
    PRIMITIVES,
    State,
    around,
    compiled_source,
    count,
    flood,
    is_legal,
    jit,
    jit_as,
    jit_inlined,
    legal_moves,
    played,
)
from littlego.engines.compiled.facts import FACTS, fact
from littlego.engines.compiled.life import alive_stones, chains
from littlego.engines.compiled.states import parts
from littlego.rules import position
from littlego.rules.positionkey import PASS_POINT

MOST_CHAINS = 16  # of a colour: no more than 13 points of 5x5 lie apart from each other
AT_ONCE = 1 << 14  # rows in one call, so that Ctrl-C is soon heard

# -- captures ------------------------------------------------------------------------------------------------------


_liberties = compiled_source(position, PRIMITIVES, by=jit_inlined)["liberties"]


@jit
def near_captures(chain, own, theirs, most):
    """Return the liberties of their chains next to an own chain that have so many liberties at most, as a mask."""
    found = 0
    near = around(chain) & theirs
    while near:
        other = flood(near & -near, theirs)
        near &= ~other
        free = _liberties(other, theirs | own, GRID)
        if count(free) <= most:
            found |= free
    return found


@jit
def attacks(chain, own, theirs):
    """Return the moves with which own attacks their chain, as a mask: its liberties, and what saves an own attacker
    in atari, by its last liberty or by a capture next to it."""
    found = _liberties(chain, theirs | own, GRID)
    near = around(chain) & own
    while near:
        attacker = flood(near & -near, own)
        near &= ~attacker
        free = _liberties(attacker, own | theirs, GRID)
        if not free & (free - 1):
            found |= free
            found |= near_captures(attacker, own, theirs, 1)
    return found


@jit_as("boolean(boolean, int64, int64, int64, int64, int64)")
def falls(attacked, point, own, theirs, ko, moves):
    """Return whether the chain at `point` falls, own to move; attacked: it is theirs, and own has so many moves.

    Else it is own, and theirs has so many; then own may play anywhere else, too, and nothing saves it.
    """
    other = not attacked  # not a literal, nor is ko ^ ko: of a recursion with literals numba could not keep the code
    if attacked:
        chain = flood(point, theirs)
        if count(_liberties(chain, theirs | own, GRID)) > moves:
            return False
        tries = attacks(chain, own, theirs)
    else:
        chain = flood(point, own)
        if count(_liberties(chain, own | theirs, GRID)) > moves or not falls(other, point, theirs, own, ko ^ ko, moves):
            return False
        tries = _liberties(chain, own | theirs, GRID) | near_captures(chain, own, theirs, moves)
    while tries:
        move = tries & -tries
        tries ^= move
        if is_legal(move, own, theirs, ko):
            stones, rest, _, next_ko = played(move, own, theirs, GRID)
            if attacked and (not point & rest or falls(other, point, rest, stones, next_ko, moves - 1)):
                return True
            if not attacked and not falls(other, point, rest, stones, next_ko, moves):
                return False
    return not attacked


@jit
def stones_that_fall(own, theirs, ko, moves, attacked):
    """Return the stones of chains that fall, own to move, as a mask: theirs if `attacked`, else own; see falls."""
    found = 0
    for chain in chains(theirs if attacked else own, GRID):
        if falls(attacked, chain & -chain, own, theirs, ko, moves):
            found |= chain
    return found


# -- life and connection -------------------------------------------------------------------------------------------

_PASS = 1 << PASS_POINT


@jit_inlined
def _after(move, own, theirs):
    """Return (own, theirs, ko) after a move of own, the pass too."""
    if move == _PASS:
        return own, theirs, 0
    stones, rest, _, ko = played(move, own, theirs, GRID)
    return stones, rest, ko


@jit
def lives_anyhow(own, theirs, ko):
    """Return the own stones that one own answer to any move of theirs makes unconditionally alive, as a mask."""
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
    """Return whether two own chains are one, or one after one own answer to any move of theirs. one, other: points."""
    replies = legal_moves(theirs, own, ko) | _PASS
    while replies:
        reply = replies & -replies
        replies ^= reply
        attacker, defender, next_ko = _after(reply, theirs, own)
        if not one & defender or not other & defender:
            return False
        chain = flood(one, defender)
        joined = chain & other != 0
        answers = _liberties(chain, defender | attacker, GRID)
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
    """Return how many groups own has, theirs to move: chains that joined_anyhow joins, one by one, are a group."""
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


# -- who runs out of moves -----------------------------------------------------------------------------------------


_OWN_LIBERTIES, _THEIR_LIBERTIES = map([*FACTS].index, ("own_liberties", "their_liberties"))


@jit
def safe_fills(own, theirs):
    """Return on how many points own alone may play: with two liberties then, and theirs not, or with one liberty."""
    state = State(own, theirs, 0, 0, 0, 0, 0, 0, GRID)
    found = 0
    left = FULL & ~(own | theirs)
    while left:
        point = left & -left
        left ^= point
        found += fact(_OWN_LIBERTIES, state, 0, point, 0) > 1 >= fact(_THEIR_LIBERTIES, state, 0, point, 0)
    return found


# -- the readings --------------------------------------------------------------------------------------------------

FALLS, STANDS, LIVES, DENIES, JOINS, CUTS, FILLS, BLOCKS, OUTLASTS = range(9)


class Reading(NamedTuple):
    """What is read, with so many moves of the attacker if it is a capture, and what it promises, in one line."""

    kind: int
    moves: int
    promise: str


READINGS = {
    "falls_in_2": Reading(FALLS, 2, "Stones of theirs taken, or that fall to 2 more own moves, theirs first."),
    "falls_in_3": Reading(FALLS, 3, "Stones of theirs taken, or that fall to 3 more own moves, theirs first."),
    "falls_in_4": Reading(FALLS, 4, "Stones of theirs taken, or that fall to 4 more own moves, theirs first."),
    "stands_for_2": Reading(STANDS, 2, "One less for each own stone that falls to 2 moves of theirs, who go first."),
    "stands_for_3": Reading(STANDS, 3, "One less for each own stone that falls to 3 moves of theirs, who go first."),
    "stands_for_4": Reading(STANDS, 4, "One less for each own stone that falls to 4 moves of theirs, who go first."),
    "lives": Reading(LIVES, 0, "Own stones that one own answer to any reply makes unconditionally alive."),
    "denies_life": Reading(DENIES, 0, "One less for each stone of theirs that would live so if own moved once more."),
    "joined": Reading(JOINS, 0, "One less for each own group, of chains that one own answer to any reply joins."),
    "severed": Reading(CUTS, 0, "Groups of theirs, of such chains, that another own move would leave."),
    "fills": Reading(FILLS, 0, "Points where own has two liberties if it plays there, and theirs has not, or may not."),
    "blocks": Reading(BLOCKS, 0, "One less for each such point of theirs."),
    "outlasts": Reading(OUTLASTS, 0, "Moves left that own has such a point for, less those of theirs that have one."),
}


@jit
def _read(kind, moves, own, theirs, ko, left):
    """Return what a reading says of a board, theirs to move, with so many moves left in the game."""
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
    """Return by how much more a reading says after each move than after a pass, int16 [rows].

    positions, moves: of the rows; positions are indexes of codes, and ascend.
    """
    blocks = (slice(start, start + AT_ONCE) for start in range(0, moves.size, AT_ONCE))
    rows = ((positions[block].astype(np.int64), moves[block].astype(np.int64)) for block in blocks)
    return np.concatenate([_read_rows(codes, *some, reading.kind, reading.moves) for some in rows])
