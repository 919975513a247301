"""A book of patterns as one array of ints, so that numba need not recompile for a changed book.

The array, called a program, contains tables of rows. A row is identified by its offset in the array, and the value in a
column is `program[row + COLUMN]`. A pattern's conditions form three groups. Conditions on the game as a whole are
tested once per position, conditions on the move are tested at most once per move, and conditions on the labelled points
are tested at most once per placement.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from littlego.engines.compiled.matching import BUCKETS, join_program
from littlego.engines.large.vocabulary import small_facts
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import BLACK, WHITE
from littlego.rules.positionkey import POINTS
from littlego.rules.programs import CALL, OPERATE, OPERATORS, PUSH, Conditions
from littlego.rules.ruleset import LITTLE_GO

if TYPE_CHECKING:
    import numpy as np

    from littlego.rules.programs import Argument, Call, Steps, Table

# Header of a program: start and length of its patterns, and of the list of patterns with conditions on the game.
PATTERNS, HOW_MANY, GAMED, GAMES = range(4)
STARTS = 4  # start of the table of buckets: the start of each bucket's placements, then the end of the last bucket
CARE, VALUE, CELLS, PATTERN = range(4)  # columns of a placement
# Columns of a pattern. Conditions on the game are in rows GAME to MOVE, conditions on the move in rows MOVE to LABELS,
# and all other conditions in rows LABELS to END. The points are NUMBER + FACTOR * the answer to the call ASKED; if
# ASKED is A_PROGRAM, the program in rows FIRST to LAST replaces FACTOR * the answer. Unless TABLE is NOTHING, the
# number at TABLE + moves left replaces NUMBER; the moves left determine the colour, too.
PRIORITY, SPECIFICITY, FORBID, SACRIFICE, RISK, GAME, MOVE, LABELS, END, NUMBER, FACTOR, ASKED, FIRST, LAST = range(14)
TABLE = LAST + 1
PATTERN_ROW = TABLE + 1
LEFTS = LITTLE_GO.length + 1  # columns of a table of points, one for each number of moves left
NOTHING, A_PROGRAM = -1, -2  # special values in place of a call
TEST, LOW, HIGH = range(3)  # a condition: LOW <= answer to the call TEST <= HIGH, or the program in rows LOW to HIGH
CONDITION_ROW = HIGH + 1
# Columns of a call. FACT is the number of the fact. A SINGLE call takes one labelled point (its shift is SHIFT) or
# none, and its answer is cached at SLOT in the scratch array (see reading). Other calls take the chains or points (see
# KIND) listed from ONE to TWO and from TWO to REST.
FACT, SINGLE, SLOT, KIND, SHIFT, AFTER, ONE, TWO, REST = range(9)
CALL_ROW = REST + 1
NO_LABEL, POINT, CHAIN = range(3)  # values of KIND
ARGUMENT_ROW = 2  # columns of an argument: KIND and SHIFT
DOES, WITH = range(2)  # columns of a step: its kind; its number, call or operator (an index in the next line)
PLUS, MINUS, TIMES, LESS, AT_MOST, EQUAL, UNEQUAL, AT_LEAST, MORE, BOTH, EITHER = range(len(OPERATORS))
STEP_ROW = WITH + 1
WIDTHS = PATTERN_ROW, CONDITION_ROW, CALL_ROW, STEP_ROW, ARGUMENT_ROW, LEFTS
DEEPEST = 64  # maximum number of steps of a program

BITS = 5
NOWHERE = (1 << BITS) - 1  # no point: the move of a pattern that passes, or the chain of an empty point
PLACES = NOWHERE + 1
MOVE_SHIFT = 3 + BITS  # right shift of a placement's `cells` that leaves the move in the lowest bits
FACTS = small_facts()
KEPT_AFTER = len(FACTS) * PLACES  # start of the answers that depend on a move, indexed by fact, move and chain
_AFTER = [fact for fact in FACTS.values() if fact.after_the_move]
KEPT = KEPT_AFTER + len(_AFTER) * PLACES * PLACES

# Layout of the scratch array: the cached answers, each with the stamp of its decision; the current stamp; the chain at
# each point; the first point of the chain at each point; a candidate for each move; for each pattern, whether
# conditions on the game rule out the pattern, and the moves for which the pattern fired (bit 25: the pass).
ANSWERS = 0
STAMP = KEPT
CHAINS = STAMP + 1
ROOTS = CHAINS + PLACES
CANDIDATES, CANDIDATE_ROW = ROOTS + PLACES, 5
BY_PATTERN, RULED_OUT, FIRED, OF_A_PATTERN = CANDIDATES + (POINTS + 1) * CANDIDATE_ROW, 0, 1, 2
# The last parts are the number of firings, and the move, pattern, points and placement cells of each firing.
FIRING_ROW = 4
FIRING_MOVE, FIRING_PATTERN, FIRING_POINTS, FIRING_CELLS = range(FIRING_ROW)

_FACT = {fact.function: fact for fact in FACTS.values()}
_NUMBER = {name: number for number, name in enumerate(FACTS)}
_OPERATOR = {sign: number for number, sign in enumerate(OPERATORS)}
_ON_THE_GAME, _ON_THE_MOVE, _ON_LABELS = range(3)


def scratch_size(patterns: int) -> int:
    """Return the length of the scratch array for a program with this number of patterns."""
    return BY_PATTERN + OF_A_PATTERN * patterns + 1 + FIRING_ROW * patterns * (POINTS + 1)


def compile_book(book: Book) -> np.ndarray:
    """Return the program of a book for 5x5.

    Raise ValueError if the book is for another size, or if a condition or an expression for points is too long.
    """
    if book.size != 5:
        raise ValueError(f"only a book for 5x5 can be compiled, not a book for size {book.size}")
    tables = _Tables()
    patterns = [list(tables.pattern(pattern, book.conditions(index))) for index, pattern in enumerate(book.patterns)]
    gamed = [index for index, row in enumerate(patterns) if row[GAME] < row[MOVE]]
    at_patterns = STARTS + BUCKETS + 1
    joined, at_gamed = _join_tables(tables, patterns, at_patterns)
    head = [at_patterns, len(patterns), at_gamed, len(gamed)]
    return join_program(head, joined + gamed, book, PATTERN_ROW)


def _join_tables(tables: _Tables, patterns: list[list[int]], at_patterns: int) -> tuple[list[int], int]:
    """Return (the concatenated tables, the tables' end offset).

    Row offsets replace row numbers in the tables. at_patterns: the offset of the first table.
    """
    conditions, calls, steps = ([list(row) for row in one] for one in (tables.conditions, tables.calls, tables.steps))
    joined: list[list[Any]] = [patterns, conditions, calls, steps, [*tables.arguments], [*tables.numbers]]
    sizes = [len(table) * width for table, width in zip(joined, WIDTHS, strict=True)]
    at_conditions, at_calls, at_steps, at_arguments, at_numbers, end = accumulate(
        sizes, initial=at_patterns + sizes.pop(0)
    )
    for row in patterns:
        row[GAME : END + 1] = [at_conditions + CONDITION_ROW * number for number in row[GAME : END + 1]]
        row[FIRST : LAST + 1] = [at_steps + STEP_ROW * number for number in row[FIRST : LAST + 1]]
        if row[ASKED] >= 0:
            row[ASKED] = at_calls + CALL_ROW * row[ASKED]
        if row[TABLE] != NOTHING:
            row[TABLE] = at_numbers + LEFTS * row[TABLE]
    for row in conditions:
        if row[TEST] == A_PROGRAM:
            row[LOW:] = [at_steps + STEP_ROW * number for number in row[LOW:]]
        else:
            row[TEST] = at_calls + CALL_ROW * row[TEST]
    for row in steps:
        if row[DOES] == CALL:
            row[WITH] = at_calls + CALL_ROW * row[WITH]
    for row in calls:
        row[ONE:] = [at_arguments + ARGUMENT_ROW * number for number in row[ONE:]]
    return [number for table in joined for row in table for number in row], end


class _Tables:
    """A builder of the tables that the patterns share, in which a number identifies each row."""

    def __init__(self) -> None:
        self.conditions: list[tuple[int, ...]] = []
        self.calls: list[tuple[int, ...]] = []
        self.arguments: list[tuple[int, int]] = []
        self.steps: list[tuple[int, int]] = []
        self.numbers: dict[tuple[int, ...], int] = {}  # the numbers of a table of points -> its row
        self._rows: dict[tuple[Any, ...], int] = {}  # call -> its row

    def pattern(self, pattern: Pattern, conditions: Conditions) -> tuple[int, ...]:
        """Add the conditions and points of a pattern to the tables and return the row of the pattern."""
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
        points = self._points(conditions)
        return *head, *borders, *points, self._table(conditions.table, points[0])

    def _points(self, conditions: Conditions) -> tuple[int, ...]:
        if conditions.product is None:
            return 0, 0, A_PROGRAM, *self._write_steps(conditions.points)
        number, factor, call = conditions.product
        return number, factor, NOTHING if call is None else self._call(call), 0, 0

    def _table(self, table: Table | None, number: int) -> int:
        """Return the row of a table of points, adding the table if it is new; NOTHING if `table` is None.

        number: a constant to add to each number of the table.
        """
        if table is None:
            return NOTHING
        numbers = tuple(number + table.number(WHITE if left % 2 else BLACK, left) for left in range(LEFTS))
        return self.numbers.setdefault(numbers, len(self.numbers))

    def _program(self, steps: Steps) -> tuple[int, int, tuple[int, ...]]:
        """Return (topic, cost, row) of a condition that is given as a postfix program. topic: see _topic."""
        calls = [call for kind, call in steps if kind == CALL]
        topic = max(map(_topic, calls), default=_ON_THE_GAME)
        return topic, sum(map(_cost, calls)), (A_PROGRAM, *self._write_steps(steps))

    def _write_steps(self, steps: Steps) -> tuple[int, int]:
        """Append a program to the table of steps; return (first row of the program, row after the last row)."""
        if len(steps) > DEEPEST:
            raise ValueError(f"a condition or a points expression has {len(steps)} steps; expected at most {DEEPEST}")
        first = len(self.steps)
        written = [(kind, self._operand(kind, value)) for kind, value in steps]
        self.steps += written
        return first, first + len(written)

    def _operand(self, kind: int, value: Any) -> int:
        if kind == CALL:
            return self._call(value)
        return _OPERATOR[value] if kind == OPERATE else int(value) if kind == PUSH else 0

    def _call(self, call: Call) -> int:
        """Return the row of a call in the table of calls, adding the call if it is new."""
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
        # The cache is indexed by fact and point, so it can store answers only for the declared kind of argument.
        single = len(arguments) == 1 and len(arguments[0][1]) == 1 and arguments[0][0] == (fact.kinds[0] == "chain")
        kind, shift = self.arguments[borders[0]] if single else (NO_LABEL, 0)
        return number, int(single), slot, kind, shift, int(fact.after_the_move), *borders


def _topic(call: Call) -> int:
    """Return the topic of a call: whether its answer depends on the game, the move or the labels."""
    shifts = {shift for _, shifts in call[2] for shift in shifts}
    return _ON_THE_GAME if not shifts else _ON_THE_MOVE if shifts == {MOVE_SHIFT} else _ON_LABELS


def _cost(call: Call) -> int:
    return _FACT[call[0]].cost
