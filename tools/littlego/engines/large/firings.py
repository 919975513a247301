"""The firings of patterns on a large board: placements whose conditions hold, tested plane by plane.

Most conditions compare a fact about one point, or about the chain at the point, with a number. The points where such a
condition holds form a plane, which is shifted like the planes of stones (see `planes`). A placement outside this plane
is excluded without further tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlego.rules.engine import Firing
from littlego.rules.programs import game_conditions_hold, points_of_placement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from littlego.engines.large.book import LargeBook
    from littlego.engines.large.conditions import BoardConditions
    from littlego.engines.large.planes import Template
    from littlego.engines.large.reading import LargeReading, Question
    from littlego.rules.geometry import Mask


def remaining(book: LargeBook, reading: LargeReading, legal: Mask) -> Iterator[tuple[Template, Mask]]:
    """Yield each matching template, in order, with a mask of the anchors where the tested conditions hold.

    The mask may be 0. The tested conditions are the `questions` of BoardConditions and the conditions on the game as a
    whole. legal: the candidate moves as a mask; the anchors of a template with a move are among these moves.
    """
    state = reading.state
    index, holds = -1, False
    questions: list[tuple[Question, int]] = []
    for template, anchors in book.planes.found(state.own, state.theirs, legal):
        if template.pattern != index:
            index = template.pattern
            questions = book.board_conditions(index).questions
            holds = game_conditions_hold(book.conditions(index), reading)
        yield template, _holding(questions, template, anchors, reading) if holds else 0


class Firings:
    """The collected firings: for each pattern and move, the placement with the most points.

    On a tie, the first placement is kept. fired: lists of firings in the order of the patterns; fired[point] is for a
    move to a point, and fired[-1] for a pass. weighed: the number of patterns processed.
    """

    def __init__(self, book: LargeBook, reading: LargeReading) -> None:
        self.book = book
        self.reading = reading
        self.fired: list[list[Firing]] = [[] for _ in range(reading.nowhere + 1)]
        self.weighed = 0
        self._done: Mask = 0  # moves for which the current pattern has fired

    def fire_all(self, legal: Mask, look: Callable[[], None] = lambda: None) -> None:
        """Collect the firings of all patterns. legal: a mask of the moves to consider.

        look: called before each matching template; an exception from `look` ends the collection, and the firings
        collected so far remain.
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
        """Record a template's firings at those anchors where the remaining conditions hold."""
        pattern, conditions = self.book.patterns[template.pattern], self.book.board_conditions(template.pattern)
        if conditions.points is not None:  # all placements have equal points
            anchors &= ~self._done
            self._done |= anchors
        fired, nowhere, has_move = self.fired, self.reading.nowhere, template.has_move
        points_of = self._points_of(conditions, template)
        for anchor, cells in template.placed(anchors):
            points = points_of(anchor, cells)
            if points is None:
                continue
            firings = fired[anchor if has_move else nowhere]
            if not firings or firings[-1].pattern is not pattern:
                firings.append(Firing(pattern, points, cells))
            elif points > firings[-1].points:
                firings[-1] = Firing(pattern, points, cells)

    def _points_of(self, conditions: BoardConditions, template: Template) -> Callable[[int, int], int | None]:
        """Return a function of (anchor, cells) that returns a placement's points.

        If a condition fails, that function returns None.
        """
        reading, points, scaled = self.reading, conditions.points, conditions.scaled
        if points is not None:
            return lambda anchor, cells: points
        delta = template.deltas[scaled[3]] if scaled else None
        if scaled is None or delta is None:
            return lambda anchor, cells: points_of_placement(conditions.rest, reading, cells)
        number, factor, (function, is_chain), _ = scaled
        mask_at, answers = reading.chain_at if is_chain else reading.point_at, reading.answers[function]
        return lambda anchor, cells: number + factor * answers.get(mask_at[anchor + delta], 0)


def _holding(questions: list[tuple[Question, int]], template: Template, anchors: Mask, reading: LargeReading) -> Mask:
    """Return the anchors at which all conditions in `questions` hold."""
    for question, slot in questions:
        delta = template.deltas[slot]
        if delta is None:  # a pass has no point
            anchors = anchors if reading.holds_nowhere(question) else 0
        elif delta >= 0:
            anchors &= reading.holding(question, anchors << delta) >> delta
        else:
            anchors &= reading.holding(question, anchors >> -delta) << -delta
        if not anchors:
            break
    return anchors
