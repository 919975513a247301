"""Which placements remain once each condition on one labelled point has been asked of the whole board at once.

Most conditions compare a fact about one point, or about the chain through it, with a number. Such a condition holds on
a plane of points: shifted like the planes of stones, it strikes out placements without looking at each.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple, cast

from rules.engine import Firing
from rules.facts import FACTS
from rules.programs import CALL, PUSH, game_conditions_hold, points_of_placement, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rules.geometry import Mask
    from rules.programs import Call, Conditions, Reading, Steps, Test
    from tools.large.book import LargeBook
    from tools.large.planes import Template
    from tools.large.reading import Asked, LargeReading, Question


class Sifted(NamedTuple):
    """The conditions of a pattern. questions: what is asked of planes, each with the index of the point in a
    template's deltas, cheap facts first. rest: Conditions that still have to be asked of each placement.

    Where nothing is left to ask but the points: points, what each placement brings; else scaled, (number, factor, fact
    about one label, index of its point), the points being number + factor * fact. None where they are not so.
    """

    questions: list[tuple[Question, int]]
    rest: Conditions
    points: int | None
    scaled: tuple[int, int, Asked, int] | None


def sifted(conditions: Conditions, bits: int, size: int) -> Sifted:
    """Return the conditions of a pattern apart: those for planes, and those that are left.

    size: of the board; points that only it decides are a number.
    """
    alone = [test for test in conditions.tests if test[0][3]]  # of one label, and not about the board after the move
    alone.sort(key=_cost)
    questions = [((_asked(call), low, high), (call[3] - 3) // bits) for call, low, high in alone]
    rest = copy(conditions)
    rest.game_tests = []
    rest.tests = [test for test in conditions.tests if not test[0][3]]
    if rest.product is None:
        rest.product = _by_size_alone(rest.points, size)
    if rest.tests or rest.others or rest.product is None:
        return Sifted(questions, rest, None, None)
    number, factor, call = rest.product
    if call is None:
        return Sifted(questions, rest, number, None)
    scaled = (number, factor, _asked(call), (call[3] - 3) // bits) if call[3] else None
    return Sifted(questions, rest, None, scaled)


def _by_size_alone(points: Steps, size: int) -> tuple[int, int, None] | None:
    """Return (number, 0, None), as Conditions.product has it, where points ask at most for the board's size."""
    asked = [value[0].__name__ for kind, value in points if kind == CALL]
    if any(name != "board_size" for name in asked):
        return None
    numbers = [(PUSH, size) if kind == CALL else (kind, value) for kind, value in points]
    return run(numbers, cast("Reading", None), 0), 0, None  # nothing is left to ask


def _asked(call: Call) -> Asked:
    return call[0], call[4]


def _cost(test: Test) -> int:
    return FACTS[test[0][0].__name__].cost


def remaining(book: LargeBook, reading: LargeReading, legal: Mask) -> Iterator[tuple[Template, Mask]]:
    """Yield each template that matches, in order, with the anchors, as a mask, at which its questions are answered.

    What patterns ask of the game as a whole holds there; the rest of their conditions is still to be asked. legal: the
    moves that matter; a template has no anchor at others.
    """
    state = reading.state
    index, holds = -1, False
    questions: list[tuple[Question, int]] = []
    for template, anchors in book.planes.found(state.own, state.theirs, legal):
        if template.pattern != index:
            index = template.pattern
            questions = book.sifted(index).questions
            holds = game_conditions_hold(book.conditions(index), reading)
        yield template, _sift(questions, template, anchors, reading) if holds else 0


class Firings:
    """The firings in the making: of each pattern and move the placement that brings most, the first of equals.

    fired: for each point, and last for a pass, the firings in the order of their patterns. weighed: how many patterns
    have been looked at.
    """

    def __init__(self, book: LargeBook, reading: LargeReading) -> None:
        self.book = book
        self.reading = reading
        self.fired: list[list[Firing]] = [[] for _ in range(reading.nowhere + 1)]
        self.weighed = 0
        self._done: Mask = 0  # moves for which the pattern has fired already

    def fire_all(self, legal: Mask, look: Callable[[], None] = lambda: None) -> None:
        """Let all patterns fire. legal: the moves that matter; for others none does.

        look: called before each template that matches; what it raises ends the work, with what has fired so far.
        """
        index = -1
        for template, anchors in remaining(self.book, self.reading, legal):
            look()
            if template.pattern != index:
                self.weighed = index = template.pattern
                self._done = 0
            if anchors:
                self._fire(template, anchors)
        self.weighed = len(self.book.patterns)

    def _fire(self, template: Template, anchors: Mask) -> None:
        """Let a pattern fire at anchors where its questions are answered, if the rest of its conditions holds."""
        pattern, sifted = self.book.patterns[template.pattern], self.book.sifted(template.pattern)
        if sifted.points is not None:  # the first placement is as good as any
            anchors &= ~self._done
            self._done |= anchors
        fired, nowhere, has_move = self.fired, self.reading.nowhere, template.has_move
        points_of = self._points_of(sifted, template)
        for anchor, cells in template.placed(anchors):
            points = points_of(anchor, cells)
            if points is None:
                continue
            firings = fired[anchor if has_move else nowhere]
            if not firings or firings[-1].pattern is not pattern:
                firings.append(Firing(pattern, points, cells))
            elif points > firings[-1].points:
                firings[-1] = Firing(pattern, points, cells)

    def _points_of(self, sifted: Sifted, template: Template) -> Callable[[int, int], int | None]:
        """Return what tells the points of a placement, None where a condition fails, by its anchor and cells."""
        reading, points, scaled = self.reading, sifted.points, sifted.scaled
        if points is not None:
            return lambda anchor, cells: points
        delta = template.deltas[scaled[3]] if scaled else None
        if scaled is None or delta is None:
            return lambda anchor, cells: points_of_placement(sifted.rest, reading, cells)
        number, factor, (function, is_chain), _ = scaled
        mask_at, answers = reading.chain_at if is_chain else reading.point_at, reading.answers[function]
        return lambda anchor, cells: number + factor * answers.get(mask_at[anchor + delta], 0)


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
