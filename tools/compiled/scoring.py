"""Candidates for numba: what the patterns that fire make of each move, the second form of rules/engine's Candidate."""

from __future__ import annotations

from rules.engine import BUILT_IN, LAST_RESORT
from tools.compiled import facts
from tools.compiled.board import PASSED, compiled, first_point, inlined
from tools.compiled.life import is_eye
from tools.compiled.matching import AREA, bucket_of
from tools.compiled.programs import (
    ASKED,
    CARE,
    CELLS,
    END,
    FORBID,
    LABELS,
    MOVE,
    NOTHING,
    PATTERN,
    PRIORITY,
    SPECIFICITY,
    STARTS,
    VALUE,
)
from tools.compiled.reading import CANDIDATE_ROW, CANDIDATES, FIRED, OUT_OF_SEASON, holds, of_pattern, worth_of
from tools.compiled.shared import GRID

# Of a candidate: its score, the row of its deciding pattern or -1, whether it is vetoed whatever the safety check says.
TOP, SUM, SPECIFIC, DECIDER, BARRED = range(CANDIDATE_ROW)
NO_PATTERN = -1


@inlined
def of(move, column, room):
    """Return what stands in a column of a candidate."""
    return room[CANDIDATES + CANDIDATE_ROW * move + column]


@compiled
def score_all(moves, state, program, room):
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


@compiled
def best_of(moves, room):
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
        if of(move, column, room) != of(other, column, room):
            return of(move, column, room) > of(other, column, room)
    return False
