"""Conditions and points bound to places on the board, and what they may say of a partial board.

The steps are those of rules.programs.parse_program, with each call of a fact replaced by its Term. Truth is 1, 0
or None for open; a number is a Range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from rules.programs import CALL, FUNCTIONS, NEGATE, NOT, OPERATE, PUSH, parse_program
from tools.exact.bounds import Range, Term, View

_NAMES = {function: name for name, (function, _) in FUNCTIONS.items()}
_ALLOWED = {  # what a comparison with the number n leaves of a range if it is true
    "<": lambda n, low, high: (low, min(high, n - 1)),
    "<=": lambda n, low, high: (low, min(high, n)),
    "==": lambda n, low, high: (max(low, n), min(high, n)),
    "!=": lambda n, low, high: (low + (low == n), high - (high == n)),
    ">=": lambda n, low, high: (max(low, n), high),
    ">": lambda n, low, high: (max(low, n + 1), high),
}
_NEGATED = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}


class Program(NamedTuple):
    """A postfix program about points of the board. test: (term, comparison, number) if it is just that."""

    steps: tuple
    test: tuple | None

    @property
    def terms(self) -> list[Term]:
        """The facts that the program asks."""
        return [value for kind, value in self.steps if kind == CALL]


def bind(text: str, letters: str, bits: int, size: int, cells: int) -> Program:
    """Return a postfix program, its labels those of the placement that `cells` packs (see rules.matching)."""
    nowhere = (1 << bits) - 1
    move_point = cells >> 3 + bits & nowhere
    move = 1 << move_point if move_point < size * size else 0

    def term(call: tuple) -> Term:
        function, after_the_move, arguments = call[:3]
        masks = []
        for is_chain, shifts in arguments:
            points = {cells >> shift & nowhere for shift in shifts}
            masks.append((is_chain, sum(1 << point for point in points if point < size * size)))
        return Term(_NAMES[function], move if after_the_move else 0, tuple(masks))

    parsed = parse_program(text, letters, bits)
    return program((kind, term(value) if kind == CALL else value) for kind, value in parsed)


def program(steps: Iterable[tuple]) -> Program:
    """Return the Program of these steps."""
    steps = tuple(steps)
    core, negated = steps, False
    while core[-1][0] == NOT:
        core, negated = core[:-1], not negated
    kinds = [kind for kind, _ in core]
    if kinds == [CALL]:
        term, comparison, number = core[0][1], "!=", 0
    elif kinds == [CALL, PUSH, OPERATE] and core[2][1] in _ALLOWED:
        term, comparison, number = core[0][1], core[2][1], core[1][1]
    else:
        return Program(steps, None)
    return Program(steps, (term, _NEGATED[comparison] if negated else comparison, number))


def about(term: Term, comparison: str, number: int) -> Program:
    """Return the Program that compares a fact with a number."""
    return program(((CALL, term), (PUSH, number), (OPERATE, comparison)))


def legal(move: int) -> Program:
    """Return the Program that own may play at the one-point mask."""
    return program(((CALL, Term("legal", 0, ((False, move),))),))


def key_of(asked: Program, view: View) -> tuple | None:
    """Return what two programs share if they must have the same value on every completion, None if unknown."""
    found = []
    for kind, value in asked.steps:
        key = view.key(value) if kind == CALL else value
        if kind == CALL and key is None:
            return None
        found.append((kind, key))
    return tuple(found)


def truth(asked: Program, view: View) -> int | None:
    """Return 1 or 0 if the program is true or false on every completion, else None."""
    if asked.test:
        term, comparison, number = asked.test
        return _truth_of(_COMPARED[comparison](*view.ask(term), number, number))
    low, high = value(asked, view)
    if low > 0 or high < 0:
        return 1
    if low == high == 0:
        return 0
    return view.assumed.get(key_of(asked, view))


def _truth_of(found: Range) -> int | None:
    return found[0] if found[0] == found[1] else None


def narrowed(asked: Program, wanted: int, view: View) -> Range | None:
    """Return the answers of a test's fact with which it is `wanted`, 1 or 0; None where all that are possible are."""
    term, comparison, number = asked.test
    found = view.ask(term)
    allowed = _ALLOWED[comparison if wanted else _NEGATED[comparison]](number, *found)
    return allowed if allowed != found else None


def value(asked: Program, view: View) -> Range:
    """Return the smallest and the largest value of a program."""
    stack: list[Range] = []
    for kind, step in asked.steps:
        if kind == CALL:
            stack.append(view.ask(step))
        elif kind == PUSH:
            stack.append((step, step))
        elif kind == OPERATE:
            second = stack.pop()
            stack[-1] = _COMPARED.get(step, _CALCULATED.get(step))(*stack[-1], *second)
        elif kind == NOT:
            low, high = _as_truth(*stack[-1])
            stack[-1] = 1 - high, 1 - low
        elif kind == NEGATE:
            stack[-1] = -stack[-1][1], -stack[-1][0]
    return stack[-1]


def _as_truth(low: int, high: int) -> Range:
    return int(low > 0 or high < 0), int(low != 0 or high != 0)


def _both(a: int, b: int, c: int, d: int) -> Range:
    (first, last), (other_first, other_last) = _as_truth(a, b), _as_truth(c, d)
    return first & other_first, last & other_last


def _either(a: int, b: int, c: int, d: int) -> Range:
    (first, last), (other_first, other_last) = _as_truth(a, b), _as_truth(c, d)
    return first | other_first, last | other_last


def _product(a: int, b: int, c: int, d: int) -> Range:
    corners = a * c, a * d, b * c, b * d
    return min(corners), max(corners)


_COMPARED: dict[str, Callable[[int, int, int, int], Range]] = {
    "<": lambda a, b, c, d: (int(b < c), int(a < d)),
    "<=": lambda a, b, c, d: (int(b <= c), int(a <= d)),
    "==": lambda a, b, c, d: (int(a == b == c == d), int(a <= d and c <= b)),
    "!=": lambda a, b, c, d: (int(b < c or d < a), int(not a == b == c == d)),
    ">=": lambda a, b, c, d: (int(a >= d), int(b >= c)),
    ">": lambda a, b, c, d: (int(a > d), int(b > c)),
}
_CALCULATED: dict[str, Callable[[int, int, int, int], Range]] = {
    "+": lambda a, b, c, d: (a + c, b + d),
    "-": lambda a, b, c, d: (a - d, b - c),
    "*": _product,
    "and": _both,
    "or": _either,
}
