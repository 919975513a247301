"""A book of patterns as arrays, so that a change of patterns.txt is a change of data and compiles nothing anew.

Every table is an array of rows; the names below say what stands in which column. What a pattern asks is ordered by
what it depends on: the game as a whole (asked once a position), the move (once a move), the labelled points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rules.patternfile import Book, Pattern
from rules.programs import CALL, OPERATE, OPERATORS, PUSH, Conditions
from rules.vocabulary import AFTER_THE_MOVE, FACTS
from tools.compiled.matching import indexed

CARE, VALUE, CELLS, PATTERN = range(4)  # of a placement
# Of a pattern. Its conditions stand together: the clock's from CLOCK, the move's from MOVE, the others from LABELS to
# END. Its worth is NUMBER + FACTOR * the call ASKED, or where ASKED is -2 the program from FIRST to LAST.
PRIORITY, SPECIFICITY, FORBID, SACRIFICE, CLOCK, MOVE, LABELS, END, NUMBER, FACTOR, ASKED, FIRST, LAST = range(13)
NOTHING, A_PROGRAM = -1, -2  # instead of a call
TEST, LOW, HIGH, FROM, TO = range(5)  # of a condition: LOW <= the call TEST <= HIGH, or the program from FROM to TO
FACT, SHAPE, KIND, SHIFT, AFTER, ONE_FROM, TWO_FROM, TWO_TO = range(8)  # of a call; its arguments in `shifts`
GAME, SINGLE, SEVERAL = range(3)  # the shape of a call: no argument, one labelled point, several points or arguments
POINT, CHAIN = range(2)  # the kind of an argument
# Of a step: what it does, and to what: a number, a call, or an operator by its place in this list.
PLUS, MINUS, TIMES, LESS, AT_MOST, EQUAL, UNEQUAL, AT_LEAST, MORE, BOTH, EITHER = range(len(OPERATORS))
DEEPEST = 64  # numbers that a program may have on its stack

BITS = 5
NOWHERE = (1 << BITS) - 1  # a "point" that is none: the move of a pattern that passes, the chain of an empty point
MOVE_SHIFT = 3 + BITS  # brings the move of a placement's `cells` down to the lowest bits
_FACT = {function: (number, name, kinds, cost) for number, (name, function, kinds, cost, _) in enumerate(FACTS)}
_OPERATOR = {sign: number for number, sign in enumerate(OPERATORS)}
_ON_THE_GAME, _ON_THE_MOVE, _ON_LABELS = range(3)


class Program(NamedTuple):
    """A compiled book. order[starts[b]:starts[b + 1]] are the placements to try in bucket b: see `matching`."""

    starts: np.ndarray
    order: np.ndarray
    placements: np.ndarray
    patterns: np.ndarray
    conditions: np.ndarray
    calls: np.ndarray
    shifts: np.ndarray
    steps: np.ndarray


def compile_book(book: Book) -> Program:
    """Return a book for 5x5 as arrays; ValueError if it is for another size or a program is too deep."""
    if book.size != 5:
        raise ValueError(f"only a book for 5x5 is compiled, this one is for size {book.size}")
    tables = _Tables()
    patterns = [tables.pattern(pattern, book.conditions(index)) for index, pattern in enumerate(book.patterns)]
    owner = np.repeat(np.arange(len(book.patterns)), np.diff(book.starts))
    columns = [np.array(words, np.int64) for words in (book.cares, book.values, book.cells)]
    placements = np.stack([*columns, owner], axis=1).astype(np.int64)
    starts, order = indexed(placements, placements[:, CELLS] >> MOVE_SHIFT & NOWHERE)
    return Program(
        starts,
        order,
        placements,
        _table(patterns, LAST + 1),
        _table(tables.conditions, TO + 1),
        _table(tables.calls, TWO_TO + 1),
        _table(tables.shifts, 2),
        _table(tables.steps, 2),
    )


def _table(rows: list[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(len(rows), width)


class _Tables:
    """The tables that the patterns share, while they grow."""

    def __init__(self) -> None:
        self.conditions: list[tuple[int, ...]] = []
        self.calls: list[tuple[int, ...]] = []
        self.shifts: list[tuple[int, int]] = []
        self.steps: list[tuple[int, int]] = []
        self._rows: dict[tuple, int] = {}  # where a call stands

    def pattern(self, pattern: Pattern, conditions: Conditions) -> tuple[int, ...]:
        """Add what a pattern asks to the tables and return its own row."""
        borders = [len(self.conditions)]
        asked = [self._test(*test) for test in conditions.clock + conditions.tests]
        asked += [self._program(steps) for steps in conditions.others]
        for topic in (_ON_THE_GAME, _ON_THE_MOVE, _ON_LABELS):
            cheapest_first = sorted((cost, row) for about, cost, row in asked if about == topic)
            self.conditions += [row for _, row in cheapest_first]
            borders.append(len(self.conditions))
        head = pattern.priority, pattern.specificity, int(pattern.forbid), int(pattern.sacrifice)
        return *head, *borders, *self._worth(conditions)

    def _worth(self, conditions: Conditions) -> tuple[int, ...]:
        if conditions.product is None:
            return 0, 0, A_PROGRAM, *self._written(conditions.worth)
        number, factor, call = conditions.product
        return number, factor, self._call(call) if factor else NOTHING, 0, 0

    def _test(self, call: tuple, low: int, high: int) -> tuple[int, int, tuple[int, ...]]:
        """Return (what a test depends on, its cost, its row)."""
        return _topic(call), _cost(call), (self._call(call), low, high, 0, 0)

    def _program(self, steps: list[tuple]) -> tuple[int, int, tuple[int, ...]]:
        """Return the same for a condition that is a program."""
        calls = [call for kind, call in steps if kind == CALL]
        topic = max(map(_topic, calls), default=_ON_THE_GAME)
        return topic, sum(map(_cost, calls)), (A_PROGRAM, 0, 0, *self._written(steps))

    def _written(self, steps: list[tuple]) -> tuple[int, int]:
        """Write a program into the table of steps and return its first row and the one after its last."""
        first = len(self.steps)
        if len(steps) > DEEPEST:
            raise ValueError(f"a program of {len(steps)} steps, expected {DEEPEST} at most")
        for kind, value in steps:
            self.steps.append((kind, self._operand(kind, value)))
        return first, len(self.steps)

    def _operand(self, kind: int, value) -> int:
        if kind == CALL:
            return self._call(value)
        return _OPERATOR[value] if kind == OPERATE else value if kind == PUSH else 0

    def _call(self, call: tuple) -> int:
        """Return the row of a call."""
        function, _, arguments, _, _ = call
        key = function, *arguments
        if key not in self._rows:
            self._rows[key] = len(self.calls)
            self.calls.append(self._call_row(function, arguments))
        return self._rows[key]

    def _call_row(self, function, arguments) -> tuple[int, ...]:
        number, name, kinds, _ = _FACT[function]
        borders = [len(self.shifts)]
        for is_chain, shifts in arguments:
            self.shifts += [(CHAIN if is_chain else POINT, shift) for shift in shifts]
            borders.append(len(self.shifts))
        borders += [borders[-1]] * (3 - len(borders))
        after = int(name in AFTER_THE_MOVE)
        # Answers are kept by fact and point: only for the kind of argument that the fact is declared for.
        single = len(arguments) == 1 and len(arguments[0][1]) == 1 and arguments[0][0] == (kinds[0] == "chain")
        shape = SINGLE if single else SEVERAL if arguments else GAME
        kind, shift = self.shifts[borders[0]] if single else (0, 0)
        return number, shape, kind, shift, after, *borders


def _topic(call: tuple) -> int:
    """Return what the answer to a call depends on."""
    shifts = {shift for _, shifts in call[2] for shift in shifts}
    if not shifts:
        return _ON_THE_GAME
    return _ON_THE_MOVE if shifts == {MOVE_SHIFT} else _ON_LABELS


def _cost(call: tuple) -> int:
    return _FACT[call[0]][3]
