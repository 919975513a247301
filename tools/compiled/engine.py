"""The rule engine for numba: the same decision as rules.engine.decide, some fifty times as fast.

From Python: `decide_many`, `fired_many`, `scores_many` with the arrays that `compile_book` makes of a book. They hold
no lock, so threads may share a program. From compiled code: `decide_one(code, program, room)`, with `room` from
`new_room(program)`, one for each thread.

What is shared with rules/ and what is a second form, `shared` tells; this file is one, of rules/engine.
tests/tools/compiled hold all of it equal to rules/ on positions of random games, real games and walks.
"""

from __future__ import annotations

import numpy as np

from rules.engine import BUILT_IN, LAST_RESORT
from tools.compiled import facts
from tools.compiled.board import PASSED, POINTS, compiled, first_point, inlined, legal_moves
from tools.compiled.life import is_eye
from tools.compiled.matching import AREA, bucket_of
from tools.compiled.programs import (
    ASKED,
    CARE,
    CELLS,
    END,
    FORBID,
    HOW_MANY,
    LABELS,
    MOVE,
    NOTHING,
    PATTERN,
    PATTERN_ROW,
    PATTERNS,
    PRIORITY,
    SACRIFICE,
    SPECIFICITY,
    STARTS,
    VALUE,
    compile_book,
)
from tools.compiled.reading import (
    BY_PATTERN,
    CANDIDATE_ROW,
    CANDIDATES,
    FIRED,
    OF_A_PATTERN,
    OUT_OF_SEASON,
    address,
    begin,
    holds,
    new_room,
    of_pattern,
    worth_of,
)
from tools.compiled.safety import checked, loss_of, outcome
from tools.compiled.shared import GRID
from tools.compiled.states import canonical, image, parts

__all__ = ["compile_book", "decide_many", "decide_one", "fired_many", "new_room", "scores_many"]

# Of a candidate: its score, the row of its deciding pattern or -1, whether it is vetoed whatever the safety check says.
TOP, SUM, SPECIFIC, DECIDER, BARRED = range(CANDIDATE_ROW)
MOVES = POINTS + 1
NO_PATTERN = -1
ALLOWED, VETOED, BARRED_MOVE, ILLEGAL = range(4)  # what stands against a move in scores_many


@compiled
def decide_one(code, program, room):
    """Return (move, decider) for a code: 25 passes; decider: the index of the deciding pattern, or -1."""
    return _decided(code, address(program), address(room))


@compiled
def _decided(code, program, room):
    state, symmetry = _state_of(code)
    begin(state, program, room)
    moves = legal_moves(state[0], state[1], state[2]) | 1 << PASSED
    last = 0 < state[3] <= 2
    move = _exact_choice(state, moves, program, room) if last else _choice(state, moves, program, room)
    decider = _of(move, DECIDER, room)
    if decider != NO_PATTERN:
        decider = (decider - program[PATTERNS]) // PATTERN_ROW
    return _undone(move, symmetry), decider


@inlined
def _of(move, column, room):
    """Return what stands in a column of a candidate."""
    return room[CANDIDATES + CANDIDATE_ROW * move + column]


@compiled
def _state_of(code):
    """Return (state as facts read it, the symmetry that made its image)."""
    code, symmetry = canonical(code)
    own, theirs, ko, passed, left = parts(code)
    colour, bonus2 = (2, 5) if left & 1 else (1, -5)
    return (own, theirs, ko, left, 25 - left, colour, bonus2, passed, GRID), symmetry


@inlined
def _undone(move, symmetry):
    """Return a move on the board whose image under the symmetry it is on."""
    if move == PASSED:
        return move
    back = 11 - symmetry if symmetry == 5 or symmetry == 6 else symmetry  # the quarter turns undo each other
    return first_point(image(1 << move, back))


@compiled
def _choice(state, moves, program, room):
    """Return the best move that is not vetoed, or else the one with the smallest loss."""
    _score_all(moves, state, program, room)
    check = checked(state)
    losses = np.empty(MOVES, np.int64)
    rest = moves
    while rest:
        move = _best(rest, room)
        rest &= ~(1 << move)
        losses[move] = loss_of(state, check, move)
        if not _vetoed(move, losses[move], program, room):
            return move
    return _least_bad(moves, losses, room)


@inlined
def _vetoed(move, loss, program, room):
    if _of(move, BARRED, room):
        return True
    decider = _of(move, DECIDER, room)
    return loss > 0 and (decider == NO_PATTERN or not program[decider + SACRIFICE])


@compiled
def _best(moves, room):
    """Return the move of a mask that ranks first."""
    best = first_point(moves)
    rest = moves & (moves - 1)
    while rest:
        move = first_point(rest)
        rest &= rest - 1
        if _ranks_before(move, best, room):
            best = move
    return best


@inlined
def _ranks_before(move, other, room):
    """Return whether a move ranks before another one that comes earlier in point order, the pass being last."""
    for column in (TOP, SUM, SPECIFIC):
        if _of(move, column, room) != _of(other, column, room):
            return _of(move, column, room) > _of(other, column, room)
    return False


@compiled
def _least_bad(moves, losses, room):
    """Return the move with the smallest loss; of equals the one not barred, then the first in rank."""
    best, rest = -1, moves
    while rest:
        move = _best(rest, room)
        rest &= ~(1 << move)
        equal = best >= 0 and losses[move] == losses[best]
        if best < 0 or losses[move] < losses[best] or (equal and _of(move, BARRED, room) < _of(best, BARRED, room)):
            best = move
    return best


@compiled
def _exact_choice(state, moves, program, room):
    """Return the move with the best exact result, with at most two moves left."""
    best, equal, rest = -1000, 0, moves
    while rest:
        move = first_point(rest)
        rest &= rest - 1
        result2 = outcome(state, move)
        if result2 > best:
            best, equal = result2, 0
        if result2 == best:
            equal |= 1 << move
    _score_all(equal, state, program, room)
    free, rest = 0, equal
    while rest:
        move = first_point(rest)
        rest &= rest - 1
        if not _of(move, BARRED, room):
            free |= 1 << move
    return _best(free if free else equal, room)


@compiled
def _score_all(moves, state, program, room):
    rest = moves
    while rest:
        _score(first_point(rest), state, program, room)
        rest &= rest - 1


@compiled
def _score(move, state, program, room):
    """Fill in the candidate for a legal move: all its firings, each pattern once with its best placement."""
    word = state[0] | state[1] << AREA
    bucket = STARTS + bucket_of(move, state[0], state[1])
    decider, barred, total = NO_PATTERN, 0, 0
    pattern, may_fire, fired, most = NO_PATTERN, False, False, 0
    for k in range(program[bucket], program[bucket + 1]):
        placement = program[k]
        if word & program[placement + CARE] != program[placement + VALUE]:
            continue
        cells = program[placement + CELLS]
        if program[placement + PATTERN] != pattern:
            pattern, fired = program[placement + PATTERN], False
            may_fire = room[of_pattern(pattern, program) + OUT_OF_SEASON] == 0 and holds(
                program[pattern + MOVE], program[pattern + LABELS], cells, state, program, room
            )
        if not may_fire or (fired and program[pattern + ASKED] == NOTHING):
            continue
        if not holds(program[pattern + LABELS], program[pattern + END], cells, state, program, room):
            continue
        worth = worth_of(pattern, cells, state, program, room)
        if fired:
            total += max(worth - most, 0)
            most = max(worth, most)
            continue
        fired, most = True, worth
        total += worth
        room[of_pattern(pattern, program) + FIRED] |= 1 << move
        barred |= program[pattern + FORBID]
        if decider == NO_PATTERN or _decides(pattern, decider, program):
            decider = pattern
    if decider == NO_PATTERN:
        _score_built_in(move, state, room)
    else:
        _keep(move, program[decider + PRIORITY], total, program[decider + SPECIFICITY], decider, barred, room)


@inlined
def _decides(pattern, other, program):
    """Return whether a pattern decides rather than one before it."""
    if program[pattern + PRIORITY] != program[other + PRIORITY]:
        return program[pattern + PRIORITY] > program[other + PRIORITY]
    return program[pattern + SPECIFICITY] > program[other + SPECIFICITY]


@inlined
def _keep(move, top, total, specific, decider, barred, room):
    at = CANDIDATES + CANDIDATE_ROW * move
    room[at + TOP] = top
    room[at + SUM] = total
    room[at + SPECIFIC] = specific
    room[at + DECIDER] = decider
    room[at + BARRED] = barred


@compiled
def _score_built_in(move, state, room):
    """Fill in a candidate that no pattern speaks for, as engine.decide does."""
    if move == PASSED:
        _keep(move, LAST_RESORT, 0, 0, NO_PATTERN, 0, room)
        return
    stone = 1 << move
    total = 100 * facts.captures(state, 0, stone) + facts.own_liberties(state, 0, stone)
    _keep(move, BUILT_IN, total, 0, NO_PATTERN, int(is_eye(stone, state[0], state[1], GRID)), room)


def decide_many(codes, program):
    """Return (moves int8, deciders int16) for an array of codes: 25 passes; -1 where no pattern decided."""
    return _decide_many(np.ascontiguousarray(codes, np.int64), program)


@compiled
def _decide_many(codes, program):
    room = new_room(program)
    moves, deciders = np.empty(codes.size, np.int8), np.empty(codes.size, np.int16)
    for k in range(codes.size):
        move, decider = decide_one(codes[k], program, room)
        moves[k], deciders[k] = move, decider
    return moves, deciders


def fired_many(codes, program):
    """Return int32 [codes, patterns]: the mask of legal moves that each pattern fires for, bit 25 the pass."""
    return _fired_many(np.ascontiguousarray(codes, np.int64), program)


@compiled
def _fired_many(codes, program):
    room = new_room(program)
    fired = np.zeros((codes.size, program[HOW_MANY]), np.int32)
    for k in range(codes.size):
        room[BY_PATTERN + FIRED :: OF_A_PATTERN] = 0
        symmetry = _score_position(codes[k], address(program), address(room))[1]
        for pattern in range(program[HOW_MANY]):
            rest = room[BY_PATTERN + OF_A_PATTERN * pattern + FIRED]
            while rest:
                fired[k, pattern] |= 1 << _undone(first_point(rest), symmetry)
                rest &= rest - 1
    return fired


@compiled
def _score_position(code, program, room):
    """Score every legal move and the pass; return (state, symmetry, the moves on the canonical image)."""
    state, symmetry = _state_of(code)
    begin(state, program, room)
    moves = legal_moves(state[0], state[1], state[2]) | 1 << PASSED
    _score_all(moves, state, program, room)
    return state, symmetry, moves


def scores_many(codes, program):
    """Return (scores int32 [codes, 26, 3], against int8 [codes, 26]) of every legal move and last of the pass.

    scores: priority, points, specificity; against: 0 nothing, 1 the safety check's veto, 2 a pattern's or an own eye,
    3 illegal. With two moves left or fewer the exact result decides first and the safety check has no say.
    """
    return _scores_many(np.ascontiguousarray(codes, np.int64), program)


@compiled
def _scores_many(codes, program):
    room = new_room(program)
    scores, against = np.zeros((codes.size, MOVES, 3), np.int32), np.full((codes.size, MOVES), ILLEGAL, np.int8)
    for k in range(codes.size):
        state, symmetry, moves = _score_position(codes[k], address(program), address(room))
        check = checked(state)
        while moves:
            move = first_point(moves)
            moves &= moves - 1
            real = _undone(move, symmetry)
            for column in (TOP, SUM, SPECIFIC):
                scores[k, real, column] = _of(move, column, address(room))
            loss = 0 if 0 < state[3] <= 2 else loss_of(state, check, move)
            vetoed = _vetoed(move, loss, address(program), address(room))
            against[k, real] = BARRED_MOVE if _of(move, BARRED, address(room)) else VETOED if vetoed else ALLOWED
    return scores, against
