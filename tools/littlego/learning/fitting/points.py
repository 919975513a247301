"""Conversion between the points of patterns and the weights that a fit optimizes.

If the points are a number, the weight is the number divided by SCALE: SCALE more points make a move e times as likely.
If the points are an expression, such as `12 * size(A)`, or a table, the weight is a factor, initially 1. The factor
multiplies one number in each term of the expression, and every number of the table. An expression is fitted only if
each of its terms contains a number. All moves of a sequence share one weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from littlego.knowledge.expressions import Node, Number, Operation, parse
from littlego.knowledge.model import SCALE, USUAL, KnowledgeBase, KnownPattern
from littlego.knowledge.programs import is_number
from littlego.knowledge.tables import Points, one_line
from littlego.learning.fitting.softmax import Floats, Prior

MOST = 300  # largest absolute value of fitted points
MOST_FACTOR = 5.0


@dataclass(frozen=True)
class Weight:
    """The weight of a pattern or of a sequence. entry: the id in the patterns file.

    kind: the pattern's class. text: the present points, on one line. table: see KnownPattern. points: the present
    points as a number, or None for an expression or a table. warns: whether the pattern is a warning (priority below
    0), whose points must not be positive. is_price: whether the points must be at most -1.
    """

    entry: str
    kind: str
    text: str
    points: int | None
    warns: bool
    is_price: bool = False
    table: str = ""

    @property
    def start(self) -> float:
        """The weight that corresponds to the present points."""
        return 1.0 if self.points is None else self.points / SCALE

    def written(self, weight: float) -> str:
        """Return a weight as points in the author's notation."""
        if self.points is None:
            return scaled(Points.of(self.text, self.table), weight).line
        return str(round(SCALE * weight))

    def rounded(self, weight: float) -> float:
        """Return the weight that corresponds to the rounded points.

        The result is approximate if the factor multiplies several numbers.
        """
        if self.points is not None:
            return round(SCALE * weight) / SCALE
        points = Points.of(self.text, self.table)
        old, new = (sum(map(abs, numbers_of(one))) for one in (points, scaled(points, weight)))
        return new / old


def weights_of(base: KnowledgeBase) -> tuple[list[Weight], list[int]]:
    """Return (the weights to fit, the index of each pattern's weight).

    The indices are in the order of base.ranked(); -1 marks a pattern that is not fitted. The fit excludes patterns that
    forbid moves, patterns above the usual priority, patterns whose points come from another file or apply in two
    rulesets, and expressions and tables without a nonzero number to scale.
    """
    weights: dict[str, Weight] = {}
    shared = {pattern.id for pattern in base.shared}
    shared |= {pattern.id for pattern in base.patterns if shares_points(pattern)}
    columns = []
    for pattern in base.ranked():
        if pattern.id not in shared and _is_fitted(pattern) and pattern.entry not in weights:
            text = points_line(pattern)
            number, warns, table = plain_number(pattern), pattern.priority < 0, pattern.table
            weights[pattern.entry] = Weight(pattern.entry, pattern.kind, text, number, warns, pattern.risk, table)
        columns.append(pattern.entry if pattern.id not in shared and pattern.entry in weights else "")
    places = {entry: place for place, entry in enumerate(weights)}
    return list(weights.values()), [places.get(entry, -1) for entry in columns]


def shares_points(pattern: KnownPattern) -> bool:
    """Return whether a second ruleset uses the pattern's points.

    The effect of new points in the second ruleset is unknown.
    """
    return len(pattern.rulesets) > 1 and not pattern.shared_points


def points_line(pattern: KnownPattern) -> str:
    """Return a pattern's points in the author's notation, on one line."""
    return one_line(pattern.points_text)


def plain_number(pattern: KnownPattern) -> int | None:
    """Return a pattern's points as a number, or None for an expression or a table."""
    return int(pattern.points) if is_number(pattern.points) and not pattern.table else None


def _is_fitted(pattern: KnownPattern) -> bool:
    if pattern.forbid or pattern.priority > USUAL:
        return False
    if plain_number(pattern) is not None:
        return True
    return any(numbers_of(Points.of(pattern.points_text, pattern.table)))  # 0 times any factor stays 0


def coefficients(node: Node) -> list[Number] | None:
    """Return the coefficient of each term, or None if a term has no coefficient."""
    if isinstance(node, Number):
        return [node]
    if not isinstance(node, Operation):
        return None
    if node.operator == "*":
        return next(
            (result for result in map(coefficients, node.operands) if result is not None and len(result) == 1), None
        )
    if node.operator not in ("+", "-", "neg"):
        return None
    terms = [coefficients(operand) for operand in node.operands]
    return None if None in terms else [number for term in terms if term is not None for number in term]


def numbers_of(points: Points) -> list[int]:
    """Return the numbers that a factor multiplies: one in each term, and all numbers in the table.

    The result is empty if a term has no such number.
    """
    terms = coefficients(parse(points.each)) if points.each else []
    if terms is None:
        return []
    return [*(number.value for number in terms), *(number for row in points.rows for number in row)]


def scaled(points: Points, factor: float) -> Points:
    """Return points with each number from `numbers_of` multiplied by a factor and rounded."""
    rows = tuple(tuple(round(number * factor) for number in row) for row in points.rows)
    return replace(points, each=scale_text(points.each, factor) if points.each else "", rows=rows)


def scale_text(text: str, factor: float) -> str:
    """Return an expression with the number in each term multiplied by a factor and rounded.

    text: the expression, on one line.
    """
    for number in sorted(coefficients(parse(text)) or (), key=lambda number: -number.at):
        digits = len(str(number.value))
        while text[number.at : number.at + digits + 1].isdigit() and number.at + digits < len(text):
            digits += 1  # leading zeros
        text = text[: number.at] + str(round(number.value * factor)) + text[number.at + digits :]
    return text


class Belief(NamedTuple):
    """A prior belief about points: a normal distribution.

    deviation: the standard deviation, in points. from_present: whether the mean is the present points instead of 0.
    """

    deviation: float
    from_present: bool

    def __str__(self) -> str:
        centre = "their present values" if self.from_present else "0"
        return f"points lie around {centre} with a standard deviation of {self.deviation:g}"


def prior_of(weights: Sequence[Weight], typical: Floats, belief: Belief) -> Prior:
    """Convert a belief about points to the prior distribution of the weights.

    typical: the typical nonzero value of each weight's feature, float [weights]. A pattern's points for a move are
    weight times feature times SCALE.
    """
    is_factor = np.array([weight.points is None for weight in weights], dtype=bool)
    start = np.array([weight.start for weight in weights])
    high = np.where([weight.warns and weight.points is not None for weight in weights], 0.0, MOST / SCALE)
    high[[weight.is_price for weight in weights]] = -1 / SCALE
    return Prior(
        start if belief.from_present else np.zeros(start.size),
        belief.deviation / SCALE / typical,
        np.where(is_factor, 0.0, -MOST / SCALE),
        np.where(is_factor, MOST_FACTOR, high),
    )
