"""The points of patterns as weights that can be fitted, and weights as points that an author can read.

Points that are a number are a weight themselves: SCALE points make a move e times as likely. Points that are an
expression, such as `12 * size(A)`, have one factor as their weight, 1 as they stand, where each term of the sum begins
with a number that can be multiplied by it; others stay as they are. The moves of a sequence have one weight together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from littlego.knowledge.expressions import Node, Number, Operation, parse
from littlego.knowledge.model import SCALE, USUAL, KnowledgeBase, KnownPattern
from littlego.knowledge.programs import is_number
from littlego.learning.fitting.softmax import Floats, Prior

MOST = 300  # points either way that are ever fitted
MOST_FACTOR = 5.0


@dataclass(frozen=True)
class Weight:
    """What is fitted of a pattern, or of a sequence, by the id that its author wrote.

    kind: its class. text: its points as they stand, on one line. points: these as a number, None where they are an
    expression. warns: it stands below priority 0, and may only take points away. is_price: it must, by one at least.
    """

    entry: str
    kind: str
    text: str
    points: int | None
    warns: bool
    is_price: bool = False

    @property
    def start(self) -> float:
        """The weight as the points stand."""
        return 1.0 if self.points is None else self.points / SCALE

    def written(self, weight: float) -> str:
        """Return the points of another weight as their author writes them."""
        if self.points is None:
            return scale_text(self.text, weight)
        return str(round(SCALE * weight))

    def rounded(self, weight: float) -> float:
        """Return the weight that the written points have; for a sum of several terms about so."""
        if self.points is not None:
            return round(SCALE * weight) / SCALE
        old = [number.value for number in coefficients(parse(self.text)) or ()]
        new = [number.value for number in coefficients(parse(self.written(weight))) or ()]
        return sum(new) / sum(old)


def weights_of(base: KnowledgeBase) -> tuple[list[Weight], list[int]]:
    """Return what can be fitted of a file's patterns, and for each pattern of base.ranked() its place there, or -1.

    Left out are patterns that forbid, those above the usual priority, those that two games share, whichever file has
    them, and expressions that have no factor.
    """
    weights: dict[str, Weight] = {}
    shared = {pattern.id for pattern in base.shared}
    shared |= {pattern.id for pattern in base.patterns if shares_points(pattern)}
    columns = []
    for pattern in base.ranked():
        if pattern.id not in shared and _is_fitted(pattern) and pattern.entry not in weights:
            text = points_line(pattern)
            number = int(pattern.points) if is_number(pattern.points) else None
            warns = pattern.priority < 0
            weights[pattern.entry] = Weight(pattern.entry, pattern.kind, text, number, warns, pattern.risk)
        columns.append(pattern.entry if pattern.id not in shared and pattern.entry in weights else "")
    places = {entry: place for place, entry in enumerate(weights)}
    return list(weights.values()), [places.get(entry, -1) for entry in columns]


def shares_points(pattern: KnownPattern) -> bool:
    """Return whether the points of a pattern count in another game too, where nothing is known of what they change."""
    return len(pattern.rulesets) > 1 and not pattern.shared_points


def points_line(pattern: KnownPattern) -> str:
    """Return the points as their author wrote them, on one line."""
    return " ".join(pattern.points_text.split())


def _is_fitted(pattern: KnownPattern) -> bool:
    if pattern.forbid or pattern.priority > USUAL:
        return False
    factors = coefficients(parse(pattern.points_text)) or ()
    return is_number(pattern.points) or any(number.value for number in factors)  # 0 times anything stays 0


def coefficients(node: Node) -> list[Number] | None:
    """Return the first number of each term of a sum; None where a term has none, so that no factor can be written."""
    if isinstance(node, Number):
        return [node]
    if not isinstance(node, Operation):
        return None
    if node.operator == "*":
        return next(
            (found for found in map(coefficients, node.operands) if found is not None and len(found) == 1), None
        )
    if node.operator not in ("+", "-", "neg"):
        return None
    terms = [coefficients(operand) for operand in node.operands]
    return None if None in terms else [number for term in terms if term is not None for number in term]


def scale_text(text: str, factor: float) -> str:
    """Return an expression with the number of each term multiplied by a factor, and rounded; text: on one line."""
    for number in sorted(coefficients(parse(text)) or (), key=lambda number: -number.at):
        digits = len(str(number.value))
        while text[number.at : number.at + digits + 1].isdigit() and number.at + digits < len(text):
            digits += 1  # leading zeros
        text = text[: number.at] + str(round(number.value * factor)) + text[number.at + digits :]
    return text


class Belief(NamedTuple):
    """What points are taken for before any game is seen: normal around 0 or, where `from_present`, around what they
    are, with a standard deviation in points."""

    deviation: float
    from_present: bool

    def __str__(self) -> str:
        return f"points lie around {'what they are' if self.from_present else '0'}, deviation {self.deviation:g}"


def prior_of(weights: Sequence[Weight], typical: Floats, belief: Belief) -> Prior:
    """Return a belief in points as one in weights.

    typical: of each weight, what its feature is where it fires, float [weights]: points are a product of both.
    """
    is_factor = np.array([one.points is None for one in weights], dtype=bool)
    start = np.array([one.start for one in weights])
    high = np.where([one.warns and one.points is not None for one in weights], 0.0, MOST / SCALE)
    high[[one.is_price for one in weights]] = -1 / SCALE
    return Prior(
        start if belief.from_present else np.zeros(start.size),
        belief.deviation / SCALE / typical,
        np.where(is_factor, 0.0, -MOST / SCALE),
        np.where(is_factor, MOST_FACTOR, high),
    )
