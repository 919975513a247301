"""Conditions and points: postfix programs over facts, parsed once and run for a placement.

Nearly every condition compares one fact with a number, and nearly every worth is a number times one fact;
these are kept as tests and products that need no stack, since a turn asks thousands of them.
"""

from rules.geometry import points_of
from rules.position import chains
from rules.vocabulary import AFTER_THE_MOVE, FACTS

FUNCTIONS = {name: (function, len(kinds)) for name, function, kinds, _, _ in FACTS}
PUSH, CALL, OPERATE, NOT, NEGATE = range(5)
OPERATORS = {
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
_FAR = 1 << 40  # beyond any answer of a fact
_SPANS = {  # the answers, from and to, that pass a comparison with a number
    "<": lambda n: (-_FAR, n - 1),
    "<=": lambda n: (-_FAR, n),
    "==": lambda n: (n, n),
    ">=": lambda n: (n, _FAR),
    ">": lambda n: (n + 1, _FAR),
}


def parse_program(text, letters, bits):
    """Return the steps of a postfix program, as `run` follows them.

    letters: the pattern's label letters in the order of the labelled points; bits: see matching.point_bits.
    Raise ValueError or KeyError for a bad token.
    """
    steps, arguments = [], []
    for token in text.split():
        if token[0] in "@~":
            arguments.append((token[0] == "~", _shifts(token, letters, bits)))
        elif token in FUNCTIONS:
            steps.append((CALL, _call(token, arguments)))
            arguments = []
        elif token in OPERATORS:
            steps.append((OPERATE, token))
        elif token in ("not", "neg"):
            steps.append((NOT if token == "not" else NEGATE, None))
        else:
            steps.append((PUSH, int(token)))
    return steps


def _shifts(token, letters, bits):
    """Return the shifts that bring the points of a label in `cells` down to the lowest bits."""
    slots = [1] if token == "@*" else [k + 2 for k, letter in enumerate(letters) if letter == token[1:]]
    if not slots:
        raise KeyError("label " + token)
    return tuple([3 + bits * slot for slot in slots])


def _call(name, arguments):
    """Return (function, after the move?, arguments, the only shift of its only argument or 0, is that a chain?)."""
    function, arity = FUNCTIONS[name]
    if arity != len(arguments):
        raise ValueError("%s takes %d labels, found %d" % (name, arity, len(arguments)))
    after_the_move = name in AFTER_THE_MOVE
    if arity == 1 and not after_the_move and len(arguments[0][1]) == 1:
        return function, after_the_move, arguments, arguments[0][1][0], arguments[0][0]
    return function, after_the_move, tuple(arguments), 0, False


class Conditions:
    """A pattern's `when` and `points`, in the forms in which they are quickest to ask.

    clock: tests that need no label, the same for every placement. tests: (call, from, to). others: programs.
    product: (number, factor, call or None), the worth being number + factor * fact; None where it is `worth`.
    """

    __slots__ = ("clock", "tests", "others", "product", "worth")

    def __init__(self, worth, programs):
        self.clock, self.tests, self.others = [], [], []
        for steps in programs:
            test = _as_test(steps)
            if test is None:
                self.others.append(steps)
            else:
                (self.tests if test[0][2] else self.clock).append(test)
        self.worth = worth
        self.product = _as_product(worth)


def _as_test(steps):
    """Return (call, from, to) if the program asks whether one fact lies between two numbers, else None."""
    kinds = [kind for kind, _ in steps]
    if kinds == [CALL, PUSH, OPERATE] and steps[2][1] in _SPANS:
        return (steps[0][1],) + _SPANS[steps[2][1]](steps[1][1])
    if kinds == [CALL, NOT]:
        return steps[0][1], 0, 0
    if kinds == [CALL] and steps[0][1][2]:  # facts about chains and points are never negative
        return steps[0][1], 1, _FAR
    return None


def _as_product(steps):
    kinds = [kind for kind, _ in steps]
    if kinds == [PUSH]:
        return steps[0][1], 0, None
    if kinds == [PUSH, CALL, OPERATE] and steps[2][1] == "*":
        return 0, steps[0][1], steps[1][1]
    return None


class Reading:
    """A state being asked about: the chain and the mask at each point, and the answers already found."""

    __slots__ = ("state", "nowhere", "move_shift", "chain_at", "point_at", "answers")

    def __init__(self, state, bits):
        self.state = state
        self.nowhere = (1 << bits) - 1
        self.move_shift = 3 + bits
        self.answers = {function: {} for function, _ in FUNCTIONS.values()}
        full = state[-1][1]
        self.point_at = [1 << point & full for point in range(1 << bits)]
        self.chain_at = [0] * (1 << bits)
        for stones in state[:2]:
            for chain in chains(stones, state[-1]):
                for point in points_of(chain):
                    self.chain_at[point] = chain


def ask(call, reading, cells):
    """Return what a fact says of the labelled points or chains of a placement, asking it only once."""
    function, after_the_move, arguments, shift, is_chain = call
    known = reading.answers[function]
    if shift:
        key = (reading.chain_at if is_chain else reading.point_at)[cells >> shift & reading.nowhere]
        answer = known.get(key)
        if answer is None:
            answer = known[key] = function(reading.state, 0, key)
        return answer
    move = reading.point_at[cells >> reading.move_shift & reading.nowhere] if after_the_move else 0
    key = (move,) + tuple([_mask(is_chain, shifts, reading, cells) for is_chain, shifts in arguments])
    answer = known.get(key)
    if answer is None:
        answer = known[key] = function(reading.state, *key)
    return answer


def _mask(is_chain, shifts, reading, cells):
    """Return the points of a label, or the chains through them."""
    mask = 0
    for shift in shifts:
        mask |= (reading.chain_at if is_chain else reading.point_at)[cells >> shift & reading.nowhere]
    return mask


def worth_of(conditions, reading, cells):
    """Return the points, an int, that a placement brings, or None where a condition fails; `clock` is not asked."""
    for call, low, high in conditions.tests:
        if not low <= ask(call, reading, cells) <= high:
            return None
    for steps in conditions.others:
        if not run(steps, reading, cells):
            return None
    if conditions.product is None:
        return run(conditions.worth, reading, cells)
    number, factor, call = conditions.product
    return number + factor * ask(call, reading, cells) if factor else number


def in_season(conditions, reading):
    """Return whether what a pattern asks of the game as a whole (moves left, lead, ko ban ...) holds."""
    for call, low, high in conditions.clock:
        if not low <= ask(call, reading, 0) <= high:
            return False
    return True


def run(steps, reading, cells):
    """Return the value of a program, an int, for the placement that `cells` describes."""
    stack = []
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
