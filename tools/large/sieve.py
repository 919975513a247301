"""Which placements remain once each condition on one labelled point has been asked of the whole board at once.

Most conditions compare a fact about one point, or about the chain through it, with a number. Such a condition holds on
a plane of points: shifted like the planes of stones, it strikes out placements without looking at each.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple

from rules.facts import FACTS
from rules.programs import game_conditions_hold

if TYPE_CHECKING:
    from rules.geometry import Mask
    from rules.patternfile import Pattern
    from rules.programs import Conditions, Test
    from tools.large.book import LargeBook
    from tools.large.planes import Template
    from tools.large.reading import LargeReading, Question

    Matched = tuple[Pattern, Conditions, int]


class Sifted(NamedTuple):
    """The conditions of a pattern. questions: what is asked of planes, each with the index of the point in a
    template's deltas, cheap facts first. rest: Conditions that still have to be asked of each placement."""

    questions: list[tuple[Question, int]]
    rest: Conditions


def sifted(conditions: Conditions, bits: int) -> Sifted:
    """Return the conditions of a pattern apart: those for planes, and those that are left."""
    alone = [test for test in conditions.tests if test[0][3]]  # of one label, and not about the board after the move
    alone.sort(key=_cost)
    questions = [
        ((function, is_chain, low, high), (shift - 3) // bits) for (function, _, _, shift, is_chain), low, high in alone
    ]
    rest = copy(conditions)
    rest.game_tests = []
    rest.tests = [test for test in conditions.tests if not test[0][3]]
    return Sifted(questions, rest)


def _cost(test: Test) -> int:
    return FACTS[test[0][0].__name__].cost


def matching(book: LargeBook, reading: LargeReading, legal: Mask) -> list[list[Matched]]:
    """Return, for each point and last for a pass, the placements to be asked the rest, in the order of their patterns.

    Each is (pattern, conditions that are left, cells); conditions on the game as a whole hold. legal: the moves that
    matter; with others there is none.
    """
    nowhere, state = reading.nowhere, reading.state
    matched: list[list[Matched]] = [[] for _ in range(nowhere + 1)]
    index, holds = -1, False
    for template, anchors in book.planes.found(state.own, state.theirs, legal):
        if template.pattern != index:
            index = template.pattern
            pattern, (questions, rest) = book.patterns[index], book.sifted(index)
            holds = game_conditions_hold(book.conditions(index), reading)
        if holds and (left := _sift(questions, template, anchors, reading)):
            base, unit = template.base, template.unit
            while left:
                low = left & -left
                left ^= low
                anchor = low.bit_length() - 1
                matched[anchor if template.has_move else nowhere].append((pattern, rest, base + unit * anchor))
    return matched


def _sift(questions: list[tuple[Question, int]], template: Template, anchors: Mask, reading: LargeReading) -> Mask:
    """Return the anchors at which every question's answer is as it should be."""
    for question, slot in questions:
        delta = template.deltas[slot]
        if delta is None:  # the move of a pattern that passes
            anchors = anchors if reading.holds_nowhere(question) else 0
        elif delta >= 0:
            anchors &= reading.holding(question, anchors << delta) >> delta
        else:
            anchors &= reading.holding(question, anchors >> -delta) << -delta
        if not anchors:
            break
    return anchors
