"""Placements of a pattern on the board: the required cells, and the expressions as programs.

A program is a compiled expression in which points of the board replace the labels. On a partial board, a program's
truth is 1, 0 or None (unknown), and a program's value is a Range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from operator import and_, or_
from typing import TYPE_CHECKING, Any, NamedTuple

from littlego.engines.large.vocabulary import small_facts
from littlego.knowledge.exact.bounds import Range, Term, View
from littlego.knowledge.exact.partial import Partial
from littlego.knowledge.model import KnownPattern
from littlego.rules.geometry import Table, image_of, symmetry_tables
from littlego.rules.matching import parse_shape, placements, point_bits
from littlego.rules.position import PASS
from littlego.rules.programs import CALL, NEGATE, NOT, OPERATE, PUSH, SPANS, parse_program

if TYPE_CHECKING:
    from littlego.rules.programs import Call

_NAMES = {fact.function: name for name, fact in small_facts().items()}
Steps = tuple[tuple[int, Any], ...]  # steps of rules.programs, with a Term for each call
_NEGATED = {"<": ">=", "<=": ">", "==": "!=", "!=": "==", ">=": "<", ">": "<="}


class Program(NamedTuple):
    """A postfix program about points of the board."""

    steps: Steps
    test: tuple[Term, str, int] | None  # (term, comparison, number) if the program only compares one fact

    @property
    def terms(self) -> list[Term]:
        """The facts that the program uses."""
        return [value for kind, value in self.steps if kind == CALL]


def bind(text: str, letters: str, bits: int, size: int, cells: int) -> Program:
    """Return a postfix program in which points replace the labels. cells: the packed placement (see rules.matching)."""

    def mask_at(shifts: Iterable[int]) -> int:
        points = {cells >> shift & (1 << bits) - 1 for shift in shifts}
        return sum(1 << point for point in points if point < size * size)

    def term(call: Call) -> Term:
        function, after_the_move, arguments, *_ = call
        masks = tuple((is_chain, mask_at(shifts)) for is_chain, shifts in arguments)
        return Term(_NAMES[function], mask_at([3 + bits]) if after_the_move else 0, masks)

    parsed = parse_program(text, letters, bits)
    return program(tuple((kind, term(value) if kind == CALL else value) for kind, value in parsed))


def program(steps: Steps) -> Program:
    """Return the Program with the given steps. The field `test` is set if the program only tests a single fact."""
    core, negated = steps, False
    while core[-1][0] == NOT:
        core, negated = core[:-1], not negated
    kinds = [kind for kind, _ in core]
    if kinds == [CALL]:
        term, comparison, number = core[0][1], "!=", 0
    elif kinds == [CALL, PUSH, OPERATE] and core[2][1] in _NEGATED:
        term, comparison, number = core[0][1], core[2][1], core[1][1]
    else:
        return Program(steps, None)
    return Program(steps, (term, _NEGATED[comparison] if negated else comparison, number))


def about(term: Term, comparison: str, number: int) -> Program:
    """Return the Program that compares a fact with a number."""
    return program(((CALL, term), (PUSH, number), (OPERATE, comparison)))


def legal(move: int) -> Program:
    """Return the Program that is true if a move is legal. move: a one-point mask."""
    return program(((CALL, Term("legal", 0, ((False, move),))),))


def key_of(asked: Program, view: View) -> tuple[object, ...] | None:
    """Return a cache key for a program, or None if View.key returns None for one of the program's facts.

    Programs with equal keys have equal values on every completion.
    """
    keys = tuple((kind, view.key(value) if kind == CALL else value) for kind, value in asked.steps)
    return None if (CALL, None) in keys else keys


def truth(asked: Program, view: View) -> int | None:
    """Return 1 if the program is proved true on all completions, 0 if proved false on all, else None."""
    if asked.test:
        term, comparison, number = asked.test
        first, last = _COMPARED[comparison](*view.ask(term), number, number)
        return first if first == last else None
    first, last = _as_truth(*value(asked, view))
    return first if first == last else view.truths.get(key_of(asked, view))


def narrow(asked: Program, wanted: int, view: View) -> Range | None:
    """Return a range that contains every value of the tested fact for which the test has the wanted truth.

    wanted: 1 for true, 0 for false. Return None if the range excludes no possible value.
    """
    assert asked.test
    term, comparison, number = asked.test
    answers = view.ask(term)
    allowed = _allowed(comparison if wanted else _NEGATED[comparison], number, *answers)
    return allowed if allowed != answers else None


def _allowed(comparison: str, number: int, low: int, high: int) -> Range:
    """Return a range with all values from `low` to `high` that pass a comparison with a number."""
    if comparison == "!=":  # the only comparison for which the passing answers do not form a single range
        return low + (low == number), high - (high == number)
    first, last = SPANS[comparison](number)
    return max(low, first), min(high, last)


def value(asked: Program, view: View) -> Range:
    """Return the bounds of a program's value."""
    stack: list[Range] = []
    for kind, step in asked.steps:
        if kind == CALL:
            stack.append(view.ask(step))
        elif kind == PUSH:
            stack.append((step, step))
        elif kind == OPERATE:
            second = stack.pop()
            stack[-1] = (_COMPARED.get(step) or _CALCULATED[step])(*stack[-1], *second)
        elif kind == NOT:
            low, high = _as_truth(*stack[-1])
            stack[-1] = 1 - high, 1 - low
        elif kind == NEGATE:
            stack[-1] = -stack[-1][1], -stack[-1][0]
    return stack[-1]


def _as_truth(low: int, high: int) -> Range:
    return int(low > 0 or high < 0), int(low != 0 or high != 0)


def _join_truths(join: Callable[[int, int], int], a: int, b: int, c: int, d: int) -> Range:
    first, last = map(join, _as_truth(a, b), _as_truth(c, d))
    return first, last


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
    "and": partial(_join_truths, and_),
    "or": partial(_join_truths, or_),
}


Image = tuple[int, ...]  # a placement's move, labelled points and masks after a symmetry


@dataclass(frozen=True)
class Placed:
    """One placement of a pattern on the board, with a mask for each kind of requirement."""

    own: int
    theirs: int
    empty: int
    not_own: int  # points that may be empty or contain an opponent's stone
    not_theirs: int  # points that may be empty or contain a stone of the mover
    move: int  # a point or PASS
    labelled: tuple[int, ...]  # the points of the labels in the drawing's reading order
    when: tuple[Program, ...]

    def on(self, board: Partial) -> Partial:
        """Return the board, restricted to completions on which all cells of the placement match."""
        return board.limit(
            own=~(self.theirs | self.empty | self.not_own),
            theirs=~(self.own | self.empty | self.not_theirs),
            empty=~(self.own | self.theirs),
        )

    def matches(self, board: Partial) -> int | None:
        """Return 1 if the cells match on every completion of the board, 0 if they match on none, else None."""
        if (
            self.own & ~board.own
            or self.theirs & ~board.theirs
            or self.empty & ~board.empty
            or self.not_own & board.known_own
            or self.not_theirs & board.known_theirs
        ):
            return 0
        return None if self.undecided(board) else 1

    def undecided(self, board: Partial) -> int:
        """Return a mask of the points whose cells fail to match on at least one completion."""
        return (
            self.own & ~board.known_own
            | self.theirs & ~board.known_theirs
            | self.empty & ~board.known_empty
            | self.not_own & board.own
            | self.not_theirs & board.theirs
        )

    def without(self, board: Partial, point: int) -> Partial:
        """Return the board, restricted to completions on which the cell at a point does not match.

        point: a one-point mask.
        """
        return board.limit(
            own=~(point & (self.own | self.not_theirs)),
            theirs=~(point & (self.theirs | self.not_own)),
            empty=~(point & (self.empty | self.not_own | self.not_theirs)),
        )


def placed_everywhere(pattern: KnownPattern, size: int) -> list[Placed]:
    """Return every placement of a pattern on boards of a size."""
    shape = parse_shape(pattern.rows, pattern.label_rows)
    return [_unpack(pattern, care, value, cells, size) for care, value, cells in placements(shape, size)]


def _unpack(pattern: KnownPattern, care: int, value: int, cells: int, size: int) -> Placed:
    """Return the placement that `care`, `value` and `cells` contain in packed form: see rules.matching."""
    area, bits, letters = size * size, point_bits(size), pattern.letters
    full, nowhere = (1 << area) - 1, (1 << bits) - 1
    care_own, care_theirs, own, theirs = care & full, care >> area, value & full, value >> area
    move, *labelled = (cells >> 3 + bits * slot & nowhere for slot in range(1, len(letters) + 2))
    return Placed(
        own=own,
        theirs=theirs,
        empty=care_own & care_theirs & ~own & ~theirs,
        not_own=care_own & ~care_theirs & ~own,
        not_theirs=care_theirs & ~care_own & ~theirs,
        move=PASS if move == nowhere else move,
        labelled=tuple(labelled),
        when=tuple(bind(text, letters, bits, size, cells) for text in pattern.when),
    )


def up_to_symmetry(placed: list[Placed], size: int) -> list[Placed]:
    """Return one placement from each group of placements that are rotations or reflections of each other.

    Rules and facts do not depend on the board's orientation, so an answer about one placement is valid for the whole
    group.
    """
    tables = symmetry_tables(size)
    kept: dict[Image, Placed] = {}
    for one in placed:
        kept.setdefault(min(_image(one, table) for table in tables), one)
    return list(kept.values())


def _image(one: Placed, table: Table) -> Image:
    """Return a placement's move, labelled points and masks on a rotated or reflected board."""
    move = one.move if one.move == PASS else table[one.move]
    masks = one.own, one.theirs, one.empty, one.not_own, one.not_theirs
    return move, *(table[point] for point in one.labelled), *(image_of(mask, table) for mask in masks)
