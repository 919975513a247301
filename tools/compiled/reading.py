"""A position being asked about, for numba: the second form of the interpreter in rules/programs.

What a fact said of a point or of the chain through it is kept for the decision, as programs.Reading does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rules.programs import CALL, NOT, OPERATE, PUSH
from rules.vocabulary import FACTS
from tools.compiled.board import FULL, compiled, first_point, flood, inlined
from tools.compiled.facts import fact
from tools.compiled.numbered import LADDER
from tools.compiled.programs import (
    A_PROGRAM,
    AFTER,
    ASKED,
    AT_LEAST,
    AT_MOST,
    BOTH,
    CHAIN,
    CLOCK,
    DEEPEST,
    EQUAL,
    FACT,
    FACTOR,
    FIRST,
    FROM,
    GAME,
    HIGH,
    KIND,
    LAST,
    LESS,
    LOW,
    MINUS,
    MORE,
    MOVE,
    MOVE_SHIFT,
    NOTHING,
    NOWHERE,
    NUMBER,
    ONE_FROM,
    PLUS,
    SHAPE,
    SHIFT,
    SINGLE,
    TEST,
    TIMES,
    TO,
    TWO_FROM,
    TWO_TO,
    UNEQUAL,
)

ALL_FACTS = len(FACTS)
UNKNOWN = -(1 << 30)


class Reading(NamedTuple):
    """What is kept while one position is decided; made once, used again for the next.

    answers: by fact and point (a chain's is its first); after: by fact (ladder, liberties_after), move and chain;
    chains, roots: by point, the chain there and its first point; season: by pattern, whether its clock holds.
    """

    answers: np.ndarray
    after: np.ndarray
    chains: np.ndarray
    roots: np.ndarray
    season: np.ndarray


@compiled
def new_reading(patterns):
    """Return the room to read positions with a book of so many patterns."""
    points = NOWHERE + 1
    return Reading(
        np.empty((ALL_FACTS, points), np.int32),
        np.empty((2, points, points), np.int32),
        np.empty(points, np.int64),
        np.empty(points, np.int64),
        np.empty(patterns, np.bool_),
    )


@compiled
def begin(state, program, reading):
    """Forget the last position and read this one's chains and the patterns that its clock lets fire."""
    reading.answers[:] = UNKNOWN
    reading.after[:] = UNKNOWN
    reading.chains[:] = 0
    reading.roots[:] = NOWHERE
    _read_chains(state[0], reading.chains, reading.roots)
    _read_chains(state[1], reading.chains, reading.roots)
    for k in range(reading.season.size):
        first, last = program.patterns[k, CLOCK], program.patterns[k, MOVE]
        reading.season[k] = first == last or holds(first, last, 0, state, program, reading)


@inlined
def _read_chains(stones, chains, roots):
    rest = stones
    while rest:
        chain = flood(rest & -rest, stones)
        rest ^= chain
        root = first_point(chain)
        points = chain
        while points:
            point = first_point(points)
            points &= points - 1
            chains[point] = chain
            roots[point] = root


@compiled
def holds(start, end, cells, state, program, reading):
    """Return whether the conditions from row `start` to row `end` hold for a placement."""
    for k in range(start, end):
        test = program.conditions[k, TEST]
        if test == A_PROGRAM:
            if not _run(program.conditions[k, FROM], program.conditions[k, TO], cells, state, program, reading):
                return False
        else:
            answer = _ask(test, cells, state, program, reading)
            if answer < program.conditions[k, LOW] or answer > program.conditions[k, HIGH]:
                return False
    return True


@compiled
def worth_of(pattern, cells, state, program, reading):
    """Return the points that a placement brings."""
    asked = program.patterns[pattern, ASKED]
    if asked == A_PROGRAM:
        first, last = program.patterns[pattern, FIRST], program.patterns[pattern, LAST]
        return _run(first, last, cells, state, program, reading)
    number = program.patterns[pattern, NUMBER]
    if asked == NOTHING:
        return number
    return number + program.patterns[pattern, FACTOR] * _ask(asked, cells, state, program, reading)


@inlined
def _ask(call, cells, state, program, reading):
    """Return what a fact says of the labelled points or chains of a placement, asking it only once."""
    number, shape = program.calls[call, FACT], program.calls[call, SHAPE]
    if shape == GAME:
        return fact(number, state, 0, 0, 0)
    if shape != SINGLE:
        return _ask_several(call, cells, state, program, reading)
    point, kind = cells >> program.calls[call, SHIFT] & NOWHERE, program.calls[call, KIND]
    at = reading.roots[point] if kind == CHAIN else point
    if program.calls[call, AFTER]:
        return _ask_after(number, cells >> MOVE_SHIFT & NOWHERE, kind, point, at, state, reading)
    answer = np.int64(reading.answers[number, at])
    if answer == UNKNOWN:
        answer = fact(number, state, 0, _masked(kind, point, reading), 0)
        reading.answers[number, at] = answer
    return answer


@compiled
def _ask_after(number, move, kind, point, at, state, reading):
    """Return what a fact says of a chain after the pattern's move."""
    which = 1 if number == LADDER else 0
    answer = np.int64(reading.after[which, move, at])
    if answer == UNKNOWN:
        answer = fact(number, state, _mask(move), _masked(kind, point, reading), 0)
        reading.after[which, move, at] = answer
    return answer


@inlined
def _mask(point):
    return 1 << point & FULL


@inlined
def _masked(kind, point, reading):
    return reading.chains[point] if kind == CHAIN else _mask(point)


@compiled
def _ask_several(call, cells, state, program, reading):
    """Return what a fact says where a label names several points, or where it takes two of them."""
    first, second = 0, 0
    for k in range(program.calls[call, ONE_FROM], program.calls[call, TWO_TO]):
        mask = _masked(program.shifts[k, 0], cells >> program.shifts[k, 1] & NOWHERE, reading)
        if k < program.calls[call, TWO_FROM]:
            first |= mask
        else:
            second |= mask
    move = _mask(cells >> MOVE_SHIFT & NOWHERE) if program.calls[call, AFTER] else 0
    return fact(program.calls[call, FACT], state, move, first, second)


@compiled
def _run(start, end, cells, state, program, reading):
    """Return the value of the program from row `start` to row `end` for a placement."""
    stack = np.empty(DEEPEST, np.int64)
    top = -1
    for k in range(start, end):
        kind, value = program.steps[k, 0], program.steps[k, 1]
        if kind == PUSH:
            top += 1
            stack[top] = value
        elif kind == CALL:
            top += 1
            stack[top] = _ask(value, cells, state, program, reading)
        elif kind == OPERATE:
            top -= 1
            stack[top] = _operated(value, stack[top], stack[top + 1])
        else:
            stack[top] = np.int64(stack[top] == 0) if kind == NOT else -stack[top]
    return stack[top]


@compiled
def _operated(operator, a, b):
    if operator == PLUS:
        return a + b
    if operator == MINUS:
        return a - b
    if operator == TIMES:
        return a * b
    return np.int64(_compared(operator, a, b))


@inlined
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
    return a != 0 and b != 0 if operator == BOTH else a != 0 or b != 0
