"""Conversion of points that use the fact `colour` or `moves_left` into points with a table."""

from __future__ import annotations

from collections.abc import Iterator

from littlego.knowledge.expressions import ExpressionError, Node, Number, Operation, parse
from littlego.knowledge.programs import calls, fold, infix, postfix, worked_out
from littlego.knowledge.tables import Phases, Points
from littlego.rules.position import BLACK, WHITE

COLOUR, LEFT = "colour", "moves_left"
NO_LIMIT = 1 << 20  # the value of the fact `moves_left` in a game without a move limit
Term = tuple[int, Node]  # a sign, 1 or -1, and a part of a sum


class NotATable(Exception):
    """Raised if points cannot be written as a table. The one-line message says what to do."""


def asks_phase(program: str) -> bool:
    """Return whether a postfix program uses the fact `colour` or `moves_left`."""
    return bool({COLOUR, LEFT} & set(program.split()))


def tabulated(points: Points, phases: Phases, length: int) -> Points:
    """Return equivalent points without `colour` and `moves_left`, with a table if necessary.

    See `spread` and `compact`.
    """
    return compact(spread(points, phases, length))


def compact(points: Points) -> Points:
    """Return equivalent points without a table if the table's numbers are all equal.

    If the numbers differ or there is no table, return the points unchanged.
    """
    numbers = {number for row in points.rows for number in row}
    if len(numbers) != 1:
        return points
    number = numbers.pop()
    if not points.each:
        return Points(str(number))
    added = Operation(0, "+" if number > 0 else "-", (parse(points.each), Number(0, abs(number))))
    return Points(infix(postfix(added)) if number else points.each)


def spread(points: Points, phases: Phases, length: int) -> Points:
    """Return equivalent points that have a table, even if all numbers of the table are equal.

    phases: the phases of the file. length: the number of moves of a game, or 0 for games without a limit. Raise
    NotATable for an invalid expression, for missing phases, and for a term that combines `colour` or `moves_left` with
    another fact.
    """
    told, counted, constant = _split(points.each)
    lefts = {left: left for left in range(1, length + 1)} or dict.fromkeys(phases.values(), NO_LIMIT)
    values = {
        (colour, left): constant + _value(told, colour, asked)
        for colour in (BLACK, WHITE)
        for left, asked in lefts.items()
    }
    starts = {
        left for colour, left in values if values[colour, left] != values.get((colour, left - 1), values[colour, left])
    }
    missing = starts - set(phases.values())
    if missing or not phases:
        raise NotATable(_missing(sorted(missing, reverse=True)))
    bounds = tuple(phases.values())
    old = points.rows or ((0,) * len(bounds),) * 2
    rows = tuple(
        tuple(number + values[colour, left] for number, left in zip(row, bounds, strict=True))
        for colour, row in zip((BLACK, WHITE), old, strict=True)
    )
    return Points(infix(postfix(counted)) if counted else "", rows, bounds)


def _missing(starts: list[int]) -> str:
    known = ", ".join(map(str, starts))
    if not starts:
        return "declare `phases:` above `patterns:`, for example with the lines `opening: 13` and `end: 1`"
    return f"`phases` needs a phase with each of these minimum numbers of moves left: {known}"


def _split(text: str) -> tuple[list[Term], Node | None, int]:
    """Split a sum; return (terms with only `colour` or `moves_left`, sum of the other terms, constant).

    The sum of the other terms is None if there are no other terms. Raise NotATable for an invalid expression,
    and for a term that combines `colour` or `moves_left` with another fact.
    """
    told: list[Term] = []
    counted: Node | None = None
    constant = 0
    try:
        tree = fold(parse(text or "0"))
    except ExpressionError:
        raise NotATable("correct the expression first") from None
    for sign, term in _terms(tree, 1):
        names = {program.split()[-1] for _, program in calls(postfix(term))}
        if isinstance(term, Number):
            constant += sign * term.value
        elif names <= {COLOUR, LEFT}:
            told.append((sign, term))
        elif names & {COLOUR, LEFT}:
            raise NotATable(
                f"`{infix(postfix(term))}` combines `{COLOUR}` or `{LEFT}` with other facts: write one pattern per case"
            )
        elif worked_out(postfix(term), {}) != "0":
            counted = _joined(counted, sign, term)
    return told, counted, constant


def _terms(node: Node, sign: int) -> Iterator[Term]:
    """Yield (sign, term) for each term of a sum. sign: 1 or -1, the sign before the whole sum."""
    if isinstance(node, Operation) and node.operator in ("+", "-"):
        first, second = node.operands
        yield from _terms(first, sign)
        yield from _terms(second, sign if node.operator == "+" else -sign)
    elif isinstance(node, Operation) and node.operator == "neg":
        yield from _terms(node.operands[0], -sign)
    else:
        yield sign, node


def _joined(counted: Node | None, sign: int, term: Node) -> Node:
    if counted is None:
        return term if sign > 0 else Operation(term.at, "neg", (term,))
    return Operation(term.at, "+" if sign > 0 else "-", (counted, term))


def _value(told: list[Term], colour: int, left: int) -> int:
    """Return the sum of the terms `told` for a colour and a number of moves left."""
    known = {COLOUR: colour, LEFT: left}
    return sum(sign * int(worked_out(postfix(term), known)) for sign, term in told)
