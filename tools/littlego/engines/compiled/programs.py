"""A book of patterns as one array of ints, so that a change of patterns.txt is a change of data and compiles nothing.

The array holds tables of rows. A row is known by where it begins, and `program[row + COLUMN]` is what stands in it.
What a pattern asks is ordered by what it depends on: the game as a whole (asked once a position), the move (once a
move), the labelled points (every placement).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from littlego.engines.compiled.matching import indexed
from littlego.engines.large.vocabulary import small_facts
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.programs import CALL, OPERATE, OPERATORS, PUSH, Conditions

if TYPE_CHECKING:
    from littlego.rules.programs import Argument, Call, Steps

# At the head of a program: where its patterns and the list of those that ask about the game begin, and how many.
PATTERNS, HOW_MANY, GAMED, GAMES = range(4)
STARTS = 4  # from here, for each bucket of `matching` and once more, where its list of placements begins
CARE, VALUE, CELLS, PATTERN = range(4)  # of a placement
# Of a pattern. The rows of its conditions: the game's from GAME, the move's from MOVE, the others from LABELS to END.
# Its points are NUMBER + FACTOR * the answer to the call ASKED, or where ASKED is A_PROGRAM that from FIRST to LAST.
PRIORITY, SPECIFICITY, FORBID, SACRIFICE, RISK, GAME, MOVE, LABELS, END, NUMBER, FACTOR, ASKED, FIRST, LAST = range(14)
PATTERN_ROW = LAST + 1
NOTHING, A_PROGRAM = -1, -2  # instead of a call
TEST, LOW, HIGH = range(3)  # of a condition: LOW <= the call TEST <= HIGH, or the program from row LOW to row HIGH
CONDITION_ROW = HIGH + 1
# Of a call: the fact; SINGLE answers are kept, at SLOT in a `reading`, and take the shift of a labelled point, or they
# take none; the others take the chains or points (see KIND) that stand from ONE to TWO and from TWO to REST.
FACT, SINGLE, SLOT, KIND, SHIFT, AFTER, ONE, TWO, REST = range(9)
NO_LABEL, POINT, CHAIN = range(3)  # a KIND
ARGUMENT_ROW = 2  # of an argument: its KIND and SHIFT
DOES, WITH = range(2)  # of a step: what it does; a number, a call or an operator by its place in the next line
PLUS, MINUS, TIMES, LESS, AT_MOST, EQUAL, UNEQUAL, AT_LEAST, MORE, BOTH, EITHER = range(len(OPERATORS))
STEP_ROW = WITH + 1
DEEPEST = 64  # steps that a program may have

BITS = 5
NOWHERE = (1 << BITS) - 1  # a "point" that is none: the move of a pattern that passes, the chain of an empty point
PLACES = NOWHERE + 1
MOVE_SHIFT = 3 + BITS  # brings the move of a placement's `cells` down to the lowest bits
FACTS = small_facts()
KEPT_AFTER = len(FACTS) * PLACES  # answers about a move come after those about a point: by fact, move and chain
_AFTER = [fact for fact in FACTS.values() if fact.after_the_move]
KEPT = KEPT_AFTER + len(_AFTER) * PLACES * PLACES

_FACT = {fact.function: fact for fact in FACTS.values()}
_NUMBER = {name: number for number, name in enumerate(FACTS)}
_OPERATOR = {sign: number for number, sign in enumerate(OPERATORS)}
_ON_THE_GAME, _ON_THE_MOVE, _ON_LABELS = range(3)


def compile_book(book: Book) -> np.ndarray:
    """Return the program of a book for 5x5; ValueError if it is for another size or a condition is too long."""
    if book.size != 5:
        raise ValueError(f"only a book for 5x5 is compiled, this one is for size {book.size}")
    tables = _Tables()
    patterns = [tables.pattern(pattern, book.conditions(index)) for index, pattern in enumerate(book.patterns)]
    gamed = [index for index, row in enumerate(patterns) if row[GAME] < row[MOVE]]
    owner = np.repeat(np.arange(len(patterns)), np.diff(book.starts))
    columns = [np.array(words, np.int64) for words in (book.cares, book.values, book.cells)]
    placements = np.stack([*columns, owner], axis=1)
    starts, order = indexed(placements, placements[:, CELLS] >> MOVE_SHIFT & NOWHERE)
    return _join_tables(tables, _table(patterns, PATTERN_ROW), np.array(gamed, np.int64), placements, starts, order)


def _join_tables(
    tables: _Tables,
    patterns: np.ndarray,
    gamed: np.ndarray,
    placements: np.ndarray,
    starts: np.ndarray,
    order: np.ndarray,
) -> np.ndarray:
    """Lay the tables end to end; numbers of rows become the places where the rows begin."""
    conditions = _table(tables.conditions, CONDITION_ROW)
    calls, steps = _table(tables.calls, REST + 1), _table(tables.steps, STEP_ROW)
    arguments = _table(tables.arguments, ARGUMENT_ROW)
    parts = [patterns, conditions, calls, steps, arguments, gamed, placements, order]
    begins = np.cumsum([STARTS + starts.size, *(part.size for part in parts)])
    at_patterns, at_conditions, at_calls, at_steps, at_arguments, at_gamed, at_placements, at_order = begins[:-1]
    patterns[:, GAME : END + 1] = at_conditions + CONDITION_ROW * patterns[:, GAME : END + 1]
    patterns[:, FIRST : LAST + 1] = at_steps + STEP_ROW * patterns[:, FIRST : LAST + 1]
    _place_rows(patterns[:, ASKED], patterns[:, ASKED] >= 0, at_calls, calls)
    programs = conditions[:, TEST] == A_PROGRAM
    conditions[programs, LOW:] = at_steps + STEP_ROW * conditions[programs, LOW:]
    _place_rows(conditions[:, TEST], ~programs, at_calls, calls)
    _place_rows(steps[:, WITH], steps[:, DOES] == CALL, at_calls, calls)
    calls[:, ONE:] = at_arguments + ARGUMENT_ROW * calls[:, ONE:]
    placements[:, PATTERN] = at_patterns + PATTERN_ROW * placements[:, PATTERN]
    head = [at_patterns, len(patterns), at_gamed, gamed.size]
    rows = [part.ravel() for part in parts[:-1]]
    return np.concatenate([head, at_order + starts, *rows, at_placements + placements.shape[1] * order])


def _place_rows(column: np.ndarray, which: np.ndarray, begin: int, table: np.ndarray) -> None:
    """Make numbers of a table's rows the places where they begin."""
    column[which] = begin + table.shape[1] * column[which]


def _table(rows: Sequence[tuple[int, ...]], width: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(len(rows), width)


class _Tables:
    """The tables that the patterns share, while they grow; rows are known by their numbers."""

    def __init__(self) -> None:
        self.conditions: list[tuple[int, ...]] = []
        self.calls: list[tuple[int, ...]] = []
        self.arguments: list[tuple[int, int]] = []
        self.steps: list[tuple[int, int]] = []
        self._rows: dict[tuple[Any, ...], int] = {}  # where a call stands

    def pattern(self, pattern: Pattern, conditions: Conditions) -> tuple[int, ...]:
        """Add what a pattern asks to the tables and return its own row."""
        borders = [len(self.conditions)]
        tests = conditions.game_tests + conditions.tests
        asked = [
            *((_topic(call), _cost(call), (self._call(call), low, high)) for call, low, high in tests),
            *map(self._program, conditions.others),
        ]
        for topic in (_ON_THE_GAME, _ON_THE_MOVE, _ON_LABELS):
            cheapest_first = sorted((cost, row) for about, cost, row in asked if about == topic)
            self.conditions += [row for _, row in cheapest_first]
            borders.append(len(self.conditions))
        head = pattern.priority, pattern.specificity, *map(int, (pattern.forbid, pattern.sacrifice, pattern.risk))
        return *head, *borders, *self._points(conditions)

    def _points(self, conditions: Conditions) -> tuple[int, ...]:
        if conditions.product is None:
            return 0, 0, A_PROGRAM, *self._write_steps(conditions.points)
        number, factor, call = conditions.product
        return number, factor, NOTHING if call is None else self._call(call), 0, 0

    def _program(self, steps: Steps) -> tuple[int, int, tuple[int, ...]]:
        """Return (what a condition that is a program depends on, its cost, its row)."""
        calls = [call for kind, call in steps if kind == CALL]
        topic = max(map(_topic, calls), default=_ON_THE_GAME)
        return topic, sum(map(_cost, calls)), (A_PROGRAM, *self._write_steps(steps))

    def _write_steps(self, steps: Steps) -> tuple[int, int]:
        """Write a program into the table of steps and return its first row and the one after its last."""
        if len(steps) > DEEPEST:
            raise ValueError(f"a condition or worth of {len(steps)} steps, expected {DEEPEST} at most")
        first = len(self.steps)
        written = [(kind, self._operand(kind, value)) for kind, value in steps]
        self.steps += written
        return first, first + len(written)

    def _operand(self, kind: int, value: Any) -> int:
        if kind == CALL:
            return self._call(value)
        return _OPERATOR[value] if kind == OPERATE else int(value) if kind == PUSH else 0

    def _call(self, call: Call) -> int:
        """Return the row of a call."""
        function, _, arguments, _, _ = call
        key = function, *arguments
        if key not in self._rows:
            self._rows[key] = len(self.calls)
            self.calls.append(self._call_row(function, arguments))
        return self._rows[key]

    def _call_row(self, function: Callable[..., int], arguments: tuple[Argument, ...]) -> tuple[int, ...]:
        fact = _FACT[function]
        number = _NUMBER[fact.name]
        borders = [len(self.arguments)]
        for is_chain, shifts in arguments:
            self.arguments += [(CHAIN if is_chain else POINT, shift) for shift in shifts]
            borders.append(len(self.arguments))
        borders += [borders[-1]] * (3 - len(borders))
        slot = KEPT_AFTER + _AFTER.index(fact) * PLACES * PLACES if fact.after_the_move else number * PLACES
        if not arguments:
            return number, 1, slot, NO_LABEL, 0, 0, *borders
        # An answer is kept by fact and point, so only for the kind of argument that the fact is declared for.
        single = len(arguments) == 1 and len(arguments[0][1]) == 1 and arguments[0][0] == (fact.kinds[0] == "chain")
        kind, shift = self.arguments[borders[0]] if single else (NO_LABEL, 0)
        return number, int(single), slot, kind, shift, int(fact.after_the_move), *borders


def _topic(call: Call) -> int:
    """Return what the answer to a call depends on."""
    shifts = {shift for _, shifts in call[2] for shift in shifts}
    return _ON_THE_GAME if not shifts else _ON_THE_MOVE if shifts == {MOVE_SHIFT} else _ON_LABELS


def _cost(call: Call) -> int:
    return _FACT[call[0]].cost
