"""Evaluation of conditions for numba: a second implementation of the interpreter in rules/programs.

Answers of facts are cached during a decision, as in rules.programs.Reading. The cache is part of a *scratch* array of
ints. Each thread has its own scratch array; the module `programs` in this package defines the layout.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

from littlego.engines.compiled.board import FULL, first_point, flood, jit, jit_inlined
from littlego.engines.compiled.facts import fact
from littlego.engines.compiled.programs import (
    A_PROGRAM,
    AFTER,
    ANSWERS,
    ARGUMENT_ROW,
    ASKED,
    AT_LEAST,
    AT_MOST,
    BOTH,
    BY_PATTERN,
    CHAIN,
    CHAINS,
    CONDITION_ROW,
    DEEPEST,
    DOES,
    EQUAL,
    FACT,
    FACTOR,
    FIRST,
    GAME,
    GAMED,
    GAMES,
    HIGH,
    HOW_MANY,
    KIND,
    LAST,
    LESS,
    LOW,
    MINUS,
    MORE,
    MOVE,
    MOVE_SHIFT,
    NO_LABEL,
    NOTHING,
    NOWHERE,
    NUMBER,
    OF_A_PATTERN,
    ONE,
    PATTERN_ROW,
    PATTERNS,
    PLACES,
    PLUS,
    REST,
    ROOTS,
    RULED_OUT,
    SHIFT,
    SINGLE,
    SLOT,
    STAMP,
    STEP_ROW,
    TABLE,
    TEST,
    TIMES,
    TWO,
    UNEQUAL,
    WITH,
    scratch_size,
)
from littlego.rules.programs import CALL, NOT, OPERATE, PUSH

_STAMPED, _ZERO = 20, 1 << 19  # bits of an answer; answers may be negative, so they are offset by 1 << 19


_scratch_size = jit_inlined(scratch_size)


@jit
def new_scratch(program):
    """Return a new scratch array for decisions with this program in one thread."""
    return np.zeros(_scratch_size(program[HOW_MANY]), np.int64)


@intrinsic
def address(typing_context, array):
    """Return the address of an array of ints, for access by index without reference counting."""

    def build(context, builder, signature, arguments):
        return context.make_array(array)(context, builder, arguments[0]).data

    return types.CPointer(types.int64)(array), build


@jit_inlined
def of_pattern(pattern, program):
    """Return the offset of a pattern's data in the scratch array. pattern: the pattern's row in the program."""
    return BY_PATTERN + (pattern - program[PATTERNS]) // PATTERN_ROW * OF_A_PATTERN


@jit_inlined
def firings_of(program):
    """Return the offset at which the scratch array stores the number of firings.

    The firings follow this number.
    """
    return BY_PATTERN + OF_A_PATTERN * program[HOW_MANY]


@jit
def begin(state, program, scratch):
    """Prepare the scratch array for a position.

    The function discards the cached answers and the firings, stores the chains, and marks the patterns that the
    position rules out. The masks in the column FIRED are not reset.
    """
    scratch[STAMP] += 1
    scratch[firings_of(program)] = 0
    for place in range(PLACES):
        scratch[CHAINS + place] = 0
        scratch[ROOTS + place] = NOWHERE
    _read_chains(state.own, scratch)
    _read_chains(state.theirs, scratch)
    for k in range(program[GAMED], program[GAMED] + program[GAMES]):
        pattern = program[PATTERNS] + PATTERN_ROW * program[k]
        allowed = holds(program[pattern + GAME], program[pattern + MOVE], 0, state, program, scratch)
        scratch[BY_PATTERN + OF_A_PATTERN * program[k] + RULED_OUT] = 0 if allowed else 1


@jit_inlined
def _read_chains(stones, scratch):
    rest = stones
    while rest:
        chain = flood(rest & -rest, stones)
        rest ^= chain
        root = first_point(chain)
        points = chain
        while points:
            point = first_point(points)
            points &= points - 1
            scratch[CHAINS + point] = chain
            scratch[ROOTS + point] = root


@jit_inlined
def holds(start, end, cells, state, program, scratch):
    """Return whether the conditions from row `start` to row `end` hold for a placement."""
    for row in range(start, end, CONDITION_ROW):
        test = program[row + TEST]
        if test == A_PROGRAM:
            if not _run(program[row + LOW], program[row + HIGH], cells, state, program, scratch):
                return False
        else:
            answer = _ask(test, cells, state, program, scratch)
            if answer < program[row + LOW] or answer > program[row + HIGH]:
                return False
    return True


@jit_inlined
def points_of_placement(pattern, cells, state, program, scratch):
    """Return the points that a placement adds to the score of its move."""
    asked, table = program[pattern + ASKED], program[pattern + TABLE]
    points = program[pattern + NUMBER] if table == NOTHING else program[table + state.left]
    if asked == NOTHING:
        return points
    if asked == A_PROGRAM:
        return points + _run(program[pattern + FIRST], program[pattern + LAST], cells, state, program, scratch)
    return points + program[pattern + FACTOR] * _ask(asked, cells, state, program, scratch)


@jit_inlined
def _ask(call, cells, state, program, scratch):
    """Return a fact's answer for the labelled points or chains of a placement.

    Use a cached answer if there is one.
    """
    if not program[call + SINGLE]:
        return _ask_several(call, cells, state, program, scratch)
    point, kind = cells >> program[call + SHIFT] & NOWHERE, program[call + KIND]
    at = ANSWERS + program[call + SLOT]
    if kind == CHAIN:
        at += scratch[ROOTS + point]
    elif kind != NO_LABEL:
        at += point
    move = 0
    if program[call + AFTER]:
        at += PLACES * (cells >> MOVE_SHIFT & NOWHERE)
        move = _mask(cells >> MOVE_SHIFT & NOWHERE)
    if scratch[at] >> _STAMPED == scratch[STAMP]:
        return (scratch[at] & (1 << _STAMPED) - 1) - _ZERO
    answer = fact(program[call + FACT], state, move, _masked(kind, point, scratch), 0)
    scratch[at] = scratch[STAMP] << _STAMPED | answer + _ZERO
    return answer


@jit_inlined
def _mask(point):
    return 1 << point & FULL


@jit_inlined
def _masked(kind, point, scratch):
    return scratch[CHAINS + point] if kind == CHAIN else _mask(point)


@jit
def _ask_several(call, cells, state, program, scratch):
    """Return a fact's answer for a call whose column SINGLE is 0; such answers are never cached."""
    first, second = 0, 0
    for row in range(program[call + ONE], program[call + REST], ARGUMENT_ROW):
        mask = _masked(program[row], cells >> program[row + 1] & NOWHERE, scratch)
        if row < program[call + TWO]:
            first |= mask
        else:
            second |= mask
    move = _mask(cells >> MOVE_SHIFT & NOWHERE) if program[call + AFTER] else 0
    return fact(program[call + FACT], state, move, first, second)


@jit
def _run(start, end, cells, state, program, scratch):
    """Return the value of the program from row `start` to row `end` for a placement."""
    stack = np.empty(DEEPEST, np.int64)
    top = -1
    for row in range(start, end, STEP_ROW):
        does, operand = program[row + DOES], program[row + WITH]
        if does == PUSH:
            top += 1
            stack[top] = operand
        elif does == CALL:
            top += 1
            stack[top] = _ask(operand, cells, state, program, scratch)
        elif does == OPERATE:
            top -= 1
            stack[top] = _operated(operand, stack[top], stack[top + 1])
        else:
            stack[top] = np.int64(stack[top] == 0) if does == NOT else -stack[top]
    return stack[top]


@jit
def _operated(operator, a, b):
    if operator == PLUS:
        return a + b
    if operator == MINUS:
        return a - b
    if operator == TIMES:
        return a * b
    return np.int64(_compared(operator, a, b))


@jit_inlined
def _compared(operator, a, b):
    if operator == LESS:
        return a < b
    if operator == AT_MOST:
        return a <= b
    if operator == EQUAL:
        return a == b
    if operator == UNEQUAL:
        return a != b
    if operator == AT_LEAST:
        return a >= b
    if operator == MORE:
        return a > b
    return (a != 0 and b != 0) if operator == BOTH else (a != 0 or b != 0)
