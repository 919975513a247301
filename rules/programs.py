"""Conditions and points: postfix programs over facts, parsed once and run for each placement.

Nearly every condition tests one fact, and the points of nearly every pattern are a number or a number times one fact. A
turn evaluates thousands of programs, so programs of these two forms are stored as tests and products, which need no
stack. Points may also have a table, which adds a number that depends only on the colour and the phase of the game.
"""

from __future__ import annotations

from .facts import FACTS
from .geometry import points_of
from .position import chains

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, List, Tuple

    from .facts import State
    from .geometry import Mask

    Argument = Tuple[bool, Tuple[int, ...]]  # (whether the argument is a chain, the shifts of its points)
    Call = Tuple[Callable[..., int], bool, Tuple[Argument, ...], int, bool]  # see _call
    Steps = List[Tuple[int, Any]]
    Test = Tuple[Call, int, int]  # the call, from, to

PUSH, CALL, OPERATE, NOT, NEGATE = range(5)
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "and": lambda a, b: a != 0 and b != 0,
    "or": lambda a, b: a != 0 or b != 0,
}
FAR = 1 << 40  # larger than any answer of a fact
SPANS: dict[str, Callable[[int], tuple[int, int]]] = {  # comparison -> the range of answers that satisfies it
    "<": lambda n: (-FAR, n - 1),
    "<=": lambda n: (-FAR, n),
    "==": lambda n: (n, n),
    ">=": lambda n: (n, FAR),
    ">": lambda n: (n + 1, FAR),
}

_KNOWN: dict[str, tuple[int, Any]] = {}  # cached steps of tokens, except facts that take labels


def parse_program(text: str, letters: str, bits: int) -> Steps:
    """Return the steps of a postfix program for `run`.

    letters: the pattern's label letters in the order of the labelled points. bits: see matching.point_bits. Raise
    ValueError or KeyError for an invalid token.
    """
    steps: Steps = []
    arguments: list[Argument] = []
    for token in text.split():
        step = None if arguments else _KNOWN.get(token)
        if step is not None:
            steps.append(step)
        elif token[0] in "@~":
            arguments.append((token[0] == "~", _shifts(token, letters, bits)))
        else:
            step = _step(token, arguments)
            steps.append(step)
            if not arguments:
                _KNOWN[token] = step
            elif step[0] == CALL:
                arguments = []
    return steps


def _step(token: str, arguments: list[Argument]) -> tuple[int, Any]:
    """Return the step of a token that is not a label. arguments: the labels that precede the token."""
    if token in FACTS:
        return CALL, _call(token, arguments)
    if token in OPERATORS:
        return OPERATE, token
    if token in ("not", "neg"):
        return (NOT if token == "not" else NEGATE), None
    return PUSH, int(token)


def _shifts(token: str, letters: str, bits: int) -> tuple[int, ...]:
    """Return the shifts of a label: `cells >> shift` has a point of the label in its lowest bits."""
    slots = [1] if token == "@*" else [k + 2 for k, letter in enumerate(letters) if letter == token[1:]]
    if not slots:
        raise KeyError("label " + token)
    return tuple([3 + bits * slot for slot in slots])


def _call(name: str, arguments: list[Argument]) -> Call:
    """Return the Call of a fact: (function, after_the_move, arguments, shift, is_chain).

    If the fact describes the position before the move and its only argument names one point, shift is the argument's
    shift, and is_chain is True if the argument is a chain. Otherwise shift is 0 and is_chain is False.
    """
    fact = FACTS[name]
    arity = len(fact.kinds)
    if arity != len(arguments):
        raise ValueError("%s takes %d labels, found %d" % (name, arity, len(arguments)))
    if arity == 1 and not fact.after_the_move and len(arguments[0][1]) == 1:
        return fact.function, False, tuple(arguments), arguments[0][1][0], arguments[0][0]
    return fact.function, fact.after_the_move, tuple(arguments), 0, False


class Table:
    """The numbers that a pattern adds to its points, by colour and phase of the game.

    bounds: the least number of moves left in each phase, the earliest phase first; the last bound is 1. rows: Black's
    numbers, then White's numbers, one for each phase.
    """

    __slots__ = ("bounds", "rows")

    def __init__(self, text: str) -> None:
        """Parse the bounds, Black's numbers and White's numbers, as in `13 7 5 1/4 19 23 13/-2 13 17 7`.

        Raise ValueError for an invalid text.
        """
        bounds, black, white = [tuple(map(int, part.split())) for part in text.split("/")]
        if not len(bounds) == len(black) == len(white) or bounds[-1] != 1:
            raise ValueError("a table of points " + text)
        self.bounds = bounds
        self.rows = black, white

    def number(self, colour: int, left: int) -> int:
        """Return the number for a colour (BLACK or WHITE) with `left` moves left."""
        phase = 0
        while left < self.bounds[phase] > 1:
            phase += 1
        return self.rows[colour - 1][phase]


class Conditions:
    """A pattern's `when` and `points` in the forms that are fastest to evaluate.

    game_tests: tests without labels, which have the same result for every placement. tests: tests with labels. A test
    is (call, from, to): the fact's answer must be between `from` and `to`, inclusive. others: conditions of any other
    form, as programs. product: (number, factor, call) if `points` is number + factor * the call's answer (call is None
    for a constant), else None. table: the Table whose number is added, or None.
    """

    __slots__ = ("game_tests", "tests", "others", "product", "points", "table")

    def __init__(self, points: Steps, programs: Iterable[Steps], table: Table | None = None) -> None:
        self.game_tests: list[Test] = []
        self.tests: list[Test] = []
        self.others: list[Steps] = []
        for steps in programs:
            test = _as_test(steps)
            if test is None:
                self.others.append(steps)
            else:
                (self.tests if test[0][2] else self.game_tests).append(test)
        self.points = points
        self.product = _as_product(points)
        self.table = table


def _as_test(steps: Steps) -> Test | None:
    """Return (call, from, to) if the program tests whether one fact is in a range, else None."""
    kind, call = steps[0]
    if kind != CALL:
        return None
    if len(steps) == 1:  # facts about chains and points are never negative: see Fact.bounds
        return (call, 1, FAR) if call[2] else None
    if len(steps) == 2:
        return (call, 0, 0) if steps[1][0] == NOT else None
    (second, number), (third, sign) = steps[1:3]
    if len(steps) == 3 and second == PUSH and third == OPERATE and sign in SPANS:
        low, high = SPANS[sign](number)
        return call, low, high
    return None


def _as_product(steps: Steps) -> tuple[int, int, Call | None] | None:
    """Return (number, factor, call) if the program is a number, a fact or their product; else None.

    If the program is a number, the call is None.
    """
    kind, number = steps[0]
    if kind == CALL and len(steps) == 1:
        return 0, 1, number
    if kind != PUSH:
        return None
    if len(steps) == 1:
        return number, 0, None
    if len(steps) == 3 and steps[1][0] == CALL and steps[2] == (OPERATE, "*"):
        return 0, number, steps[1][1]
    return None


class Reading:
    """A State prepared for conditions: the chain and the mask at each point, and cached answers.

    numbers: {conditions: the number from their Table}, cached, because the number is the same for every placement.
    """

    __slots__ = ("state", "nowhere", "move_shift", "chain_at", "point_at", "answers", "numbers")

    def __init__(self, state: State, bits: int) -> None:
        self.state = state
        self.nowhere = (1 << bits) - 1
        self.move_shift = 3 + bits
        self.answers: dict[Callable[..., int], dict[Any, int]] = {fact.function: {} for fact in FACTS.values()}
        self.numbers: dict[Conditions, int] = {}
        full = state.grid[1]
        self.point_at = [1 << point & full for point in range(1 << bits)]
        self.chain_at = [0] * (1 << bits)
        for stones in (state.own, state.theirs):
            for chain in chains(stones, state.grid):
                for point in points_of(chain):
                    self.chain_at[point] = chain


def ask(call: Call, reading: Reading, cells: int) -> int:
    """Return a fact's answer for the labelled points or chains of a placement; cached answers are reused."""
    function, after_the_move, arguments, shift, is_chain = call
    known = reading.answers[function]
    if shift:
        key = (reading.chain_at if is_chain else reading.point_at)[cells >> shift & reading.nowhere]
        answer = known.get(key)
        if answer is None:
            answer = known[key] = function(reading.state, 0, key)
        return answer
    move = reading.point_at[cells >> reading.move_shift & reading.nowhere] if after_the_move else 0
    masks = (move,) + tuple([mask_of_label(is_chain, shifts, reading, cells) for is_chain, shifts in arguments])
    answer = known.get(masks)
    if answer is None:
        answer = known[masks] = function(reading.state, *masks)
    return answer


def mask_of_label(is_chain: bool, shifts: tuple[int, ...], reading: Reading, cells: int) -> Mask:
    """Return a mask of the points of a label, or of the chains at these points."""
    mask = 0
    for shift in shifts:
        mask |= (reading.chain_at if is_chain else reading.point_at)[cells >> shift & reading.nowhere]
    return mask


def points_of_placement(conditions: Conditions, reading: Reading, cells: int) -> int | None:
    """Return the points that a placement adds, or None if a condition fails.

    The function does not evaluate `game_tests`.
    """
    for call, low, high in conditions.tests:
        if not low <= ask(call, reading, cells) <= high:
            return None
    for steps in conditions.others:
        if not run(steps, reading, cells):
            return None
    if conditions.product is None:
        points = run(conditions.points, reading, cells)
    else:
        points, factor, asked = conditions.product
        if asked is not None:
            points += factor * ask(asked, reading, cells)
    return points if conditions.table is None else points + _number(conditions, conditions.table, reading)


def _number(conditions: Conditions, table: Table, reading: Reading) -> int:
    """Return the number from a pattern's table of points; a cached number is reused."""
    number = reading.numbers.get(conditions)
    if number is None:
        state = reading.state
        number = reading.numbers[conditions] = table.number(state.colour, state.left)
    return number


def game_conditions_hold(conditions: Conditions, reading: Reading) -> bool:
    """Return whether all `game_tests` of a pattern hold, for example tests of the number of moves left."""
    for call, low, high in conditions.game_tests:
        if not low <= ask(call, reading, 0) <= high:
            return False
    return True


def run(steps: Steps, reading: Reading, cells: int) -> int:
    """Return the int value of a program for the placement that `cells` describes."""
    stack: list[int] = []
    for kind, value in steps:
        if kind == CALL:
            stack.append(ask(value, reading, cells))
        elif kind == PUSH:
            stack.append(value)
        elif kind == OPERATE:
            second = stack.pop()
            stack[-1] = int(OPERATORS[value](stack[-1], second))
        elif kind == NOT:
            stack[-1] = int(stack[-1] == 0)
        else:
            stack[-1] = -stack[-1]
    return stack[-1]
