"""The 2-ply safety check for numba: rules/safety without replies and reasons.

Three parts are compiled from rules/: the cost of the worst reply, the loss of unconditional life, and the playout of
the last moves. Three parts are implemented again here: the loss in a verdict, the number of stones that can no longer
be saved, and the exact results of the last two moves.
"""

from __future__ import annotations

import numpy as np

from littlego.engines.compiled import life
from littlego.engines.compiled.board import (
    FULL,
    GRID,
    PRIMITIVES,
    State,
    around,
    captured_by,
    compiled_source,
    count,
    first_point,
    jit,
    jit_external,
    jit_inlined,
    legal_moves,
    played,
)
from littlego.engines.compiled.life import alive_stones, atari_chains, captured_in_ladder, rescues
from littlego.rules import playout, safety
from littlego.rules.positionkey import PASS_POINT, POINTS
from littlego.rules.safety import LOST_END, LOST_GAME, PLAYED_OUT

_SOURCE = compiled_source(
    safety, {**PRIMITIVES, "alive_stones": alive_stones, "atari_chains": atari_chains, "chains": life.chains}
)


@jit
def unsaved(counted, own, theirs, ko, moves, grid):
    """Return the number of `counted` stones in atari that are lost even after the mover's best move.

    moves: the number of moves that the opponent has left after the mover's move.
    """
    if not _in_atari(own, theirs, grid) & counted:
        return 0
    ways, stones, last = np.zeros(POINTS, np.int64), np.zeros(POINTS, np.int64), np.zeros(POINTS, np.int64)
    number, tries = 0, 0
    for chain in atari_chains(own, theirs, grid):
        stones[number] = count(chain & counted)
        if stones[number]:
            ways[number] = rescues(chain, own, theirs, ko, grid, moves)
            last[number] = first_point(around(chain) & FULL & ~(own | theirs))
            tries |= ways[number]
            number += 1
    least = _most_taken(number, stones, ways, last, 0, moves)
    while tries and least:
        least = min(least, _most_taken(number, stones, ways, last, tries & -tries, moves))
        tries &= tries - 1
    return least


@jit
def _most_taken(number, stones, ways, last, move, moves):
    """Return the largest number of counted stones that the opponent can capture after the mover's move.

    move: a mask of the mover's move, 0 for none. moves: the number of the opponent's moves. number: the number of
    chains in atari that contain counted stones. stones, ways, last: for each of these chains, the number of counted
    stones, the moves that save the chain, and the chain's last liberty.
    """
    taken = np.zeros(POINTS, np.int64)
    for chain in range(number):
        if not ways[chain] & move:
            taken[last[chain]] += stones[chain]
    total = 0
    for _ in range(min(moves, number)):
        best = taken.argmax()
        total += taken[best]
        taken[best] = 0
    return total


@jit
def _in_atari(own, theirs, grid):
    stones = 0
    for chain in atari_chains(own, theirs, grid):
        stones |= chain
    return stones


_SOURCE["_unsaved"] = unsaved
_worst_end = compiled_source(playout, PRIMITIVES)["worst_end"]
_life_given_up, _worst_reply = _SOURCE["life_given_up"], _SOURCE["worst_reply"]


@jit
def checked(state):
    """Return the masks (lost, own_alive) of safety.Check."""
    own, theirs, grid = state.own, state.theirs, state.grid
    return (
        captured_in_ladder(own, theirs, state.ko, grid, max(state.left // 2, 1)),
        alive_stones(own, theirs, grid),
    )


@jit_external
def _loss_of(before, other, left, bonus2, passed, lost, own_alive, move):
    own, theirs, taken, ko = before, other, 0, 0
    if move != PASS_POINT:
        own, theirs, taken, ko = played(1 << move, before, other, GRID)
    elif 2 * (count(before) - count(other)) + bonus2 <= 0:
        return LOST_GAME
    elif passed:
        return 0
    is_near = 2 < left <= PLAYED_OUT
    if is_near and _worst_end(own, theirs, ko, left - 1, int(move == PASS_POINT), bonus2, GRID)[0] > 0:
        return -count(taken)
    state = State(before, other, 0, left, 0, 0, bonus2, passed, GRID)  # `worst_reply` uses no field that is 0 here
    given_up = count(_life_given_up(own_alive, own, theirs, left, GRID)) if own_alive else 0
    loss = max(given_up, _worst_reply(state, lost, own, theirs, ko)[0]) - count(taken)
    return LOST_END + max(loss, 0) if is_near else loss


@jit_inlined
def loss_of(state, check, move):
    """Return the loss that safety.Check.vet reports for a legal move. move: a point, 25 for a pass."""
    lost, own_alive = check
    return _loss_of(state.own, state.theirs, state.left, state.bonus2, state.passed, lost, own_alive, move)


@jit
def outcome(state, move):
    """Return the mover's final lead after komi in half points: see safety.outcome.

    state: a State with at most two moves left.
    """
    own, theirs, ko = state.own, state.theirs, 0
    if move != PASS_POINT:
        own, theirs, _, ko = played(1 << move, own, theirs, state.grid)
    lead2 = 2 * (count(own) - count(theirs)) + state.bonus2
    if state.left == 1 or (move == PASS_POINT and state.passed):
        return lead2
    most = 0
    replies = legal_moves(theirs, own, ko)
    while replies:
        most = max(most, 1 + count(captured_by(replies & -replies, theirs, own)))
        replies &= replies - 1
    return lead2 - 2 * most
