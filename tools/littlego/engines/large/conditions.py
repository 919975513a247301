"""The conditions of a pattern on a large board, tested for many points together or for each placement."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NamedTuple, cast

from littlego.rules.facts import FACTS
from littlego.rules.programs import CALL, PUSH, run

if TYPE_CHECKING:
    from littlego.engines.large.reading import Asked, Question
    from littlego.rules.programs import Call, Conditions, Reading, Steps, Test


class BoardConditions(NamedTuple):
    """A pattern's conditions and points, prepared for one board size.

    questions: conditions tested for many points together (see `firings`), cheap facts first; each is paired with the
    index of its point in `Template.deltas`. rest: the other conditions except Conditions.game_tests, tested for each
    placement.

    points: the pattern's points if they are the same for every placement, else None. scaled: (number, factor, fact,
    index of the fact's point) if the points are number + factor * fact with a fact about one label, else None. `points`
    and `scaled` are None if `rest` contains conditions or a table.
    """

    questions: list[tuple[Question, int]]
    rest: Conditions
    points: int | None
    scaled: tuple[int, int, Asked, int] | None


def board_conditions(conditions: Conditions, bits: int, size: int) -> BoardConditions:
    """Return a pattern's BoardConditions, without the tests in Conditions.game_tests.

    size: the board size; if the points depend only on this size, they become a number.
    """
    alone = [test for test in conditions.tests if test[0][3]]  # tests about one label, read before the move
    alone.sort(key=_cost)
    questions = [((_asked(call), low, high), (call[3] - 3) // bits) for call, low, high in alone]
    rest = copy(conditions)
    rest.game_tests = []
    rest.tests = [test for test in conditions.tests if not test[0][3]]
    if rest.product is None:
        rest.product = _by_size_alone(rest.points, size)
    if rest.tests or rest.others or rest.table or rest.product is None:
        return BoardConditions(questions, rest, None, None)
    number, factor, call = rest.product
    if call is None:
        return BoardConditions(questions, rest, number, None)
    scaled = (number, factor, _asked(call), (call[3] - 3) // bits) if call[3] else None
    return BoardConditions(questions, rest, None, scaled)


def _by_size_alone(points: Steps, size: int) -> tuple[int, int, None] | None:
    """Return (number, 0, None) if the points depend only on board_size, else None.

    For the meaning of the triple, see Conditions.product.
    """
    asked = [value[0].__name__ for kind, value in points if kind == CALL]
    if any(name != "board_size" for name in asked):
        return None
    numbers = [(PUSH, size) if kind == CALL else (kind, value) for kind, value in points]
    return run(numbers, cast("Reading", None), 0), 0, None  # no step uses the reading


def _asked(call: Call) -> Asked:
    return call[0], call[4]


def _cost(test: Test) -> int:
    return FACTS[test[0][0].__name__].cost
