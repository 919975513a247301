"""Lints of patterns for large boards, based on the bounds of facts and on the drawings.

The module `proofs` searches all 5x5 boards, but there are too many larger boards for such a search. Every finding is
correct, but the lints miss some faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from littlego.knowledge.lint.pairs import outranks, points_are_zero, say_the_same
from littlego.knowledge.lint.texts import report
from littlego.knowledge.model import KnowledgeBase, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.programs import calls, infix
from littlego.rules.facts import FACTS
from littlego.rules.geometry import SYMMETRIES, count
from littlego.rules.matching import Shape, parse_shape
from littlego.rules.programs import FAR, SPANS

Span = tuple[int, int]
OF_STONES = ("size", "liberties")  # facts that are at least 1 for a chain on the board
NOT_ASKED = "whether each pattern can match, and whether each condition can fail: proofs cover only 5x5 boards"
_COMPARED = re.compile(r"(?P<call>.*\S) (?P<number>-?\d+) (?P<sign>[<>=]=?)")
_WIDE = 64  # more than twice the largest board size, so that a mask has a bit for every point around a move
_HERE = _WIDE // 2 * (_WIDE + 1)


def large_lints(base: KnowledgeBase, undecided: list[str]) -> Iterator[Problem]:
    """Yield the problems of a patterns file for large boards.

    Also append to `undecided` a line with the questions that have no answer on large boards.
    """
    undecided.append(NOT_ASKED)
    for pattern in base.patterns:
        yield from _lint_conditions(pattern, base)
    yield from _lint_pairs(base)


# -- conditions --------------------------------------------------------------------------------------------------


def span_of(program: str) -> tuple[str, Span] | None:
    """Return (call of the only fact in a condition, range of values that meet the condition), or None.

    For example, the result for `~A size 2 >=` is (`~A size`, (2, FAR)). The result is None for a condition with several
    facts, and for some conditions with a single fact.
    """
    asked = calls(program)
    if len(asked) != 1:
        return None
    call = asked[0][1]
    if program == call:  # facts about chains and points are never negative: see Fact.bounds
        return (call, (1, FAR)) if FACTS[call.split()[-1]].kinds else None
    if program == f"{call} not":
        return call, (0, 0)
    compared = _COMPARED.fullmatch(program)
    if compared and compared["call"] == call and compared["sign"] in SPANS:
        return call, SPANS[compared["sign"]](int(compared["number"]))
    return None


def _bounds_of(call: str, pattern: KnownPattern, points: int) -> Span:
    """Return the range of a fact's possible values on a board with `points` points."""
    *labels, name = call.split()
    low, high = FACTS[name].bounds(points)
    drawn = {
        symbol
        for letters, symbols in zip(pattern.label_rows, pattern.rows, strict=False)
        for letter, symbol in zip(letters, symbols, strict=True)
        if f"~{letter}" in labels
    }
    return (max(low, 1), high) if name in OF_STONES and drawn and drawn <= {"X", "O"} else (low, high)


def _lint_conditions(pattern: KnownPattern, base: KnowledgeBase) -> Iterator[Problem]:
    spans: dict[int, tuple[str, int, int]] = {}
    for number, program in enumerate(pattern.when):
        call, (low, high) = span_of(program) or ("", (0, 0))
        if not call:
            continue
        least, most = _bounds_of(call, pattern, base.ruleset.size**2)
        place, said = (pattern, base.filename, f"when {number}"), f"`{infix(program)}` is"
        if low > most or high < least:
            yield report(*place, "L211", f"{said} never true", "", "so the pattern never fires")
        elif low <= least and most <= high:
            yield report(*place, "L210", f"{said} always true", "", "remove it")
        else:
            spans[number] = call, low, high
    for (first, one), (second, other) in combinations(spans.items(), 2):
        if one[0] == other[0] and max(one[1], other[1]) > min(one[2], other[2]):
            said = f"`{infix(pattern.when[first])}` and `{infix(pattern.when[second])}` are never both true"
            yield report(pattern, base.filename, f"when {second}", "L201", f"`{pattern.id}` can never match: {said}")


# -- two patterns ------------------------------------------------------------------------------------------------


class Image(NamedTuple):
    """A pattern in one of eight orientations, with all points given relative to the move."""

    stones: tuple[int, int, int, int, int]  # masks of the points X, O, empty, X or empty, O or empty
    box: int  # all points of the drawing
    edges: frozenset[tuple[int, int]]  # (side, distance from the move) of each drawn board edge
    conditions: frozenset[str]  # programs with each label replaced by its points


def contains(narrow: Image, wide: Image) -> bool:
    """Return whether `narrow` has all requirements of `wide`.

    If the result is True, `wide` matches wherever `narrow` matches.
    """
    x, o, empty, not_theirs, not_own = narrow.stones
    asked = wide.stones
    return (
        not asked[0] & ~x
        and not asked[1] & ~o
        and not asked[2] & ~empty
        and not asked[3] & ~(x | empty | not_theirs)
        and not asked[4] & ~(o | empty | not_own)
        and not wide.box & ~narrow.box
        and wide.edges <= narrow.edges
        and wide.conditions <= narrow.conditions
    )


class _Turned:
    """A pattern with its images in all eight orientations."""

    def __init__(self, pattern: KnownPattern, images: list[Image]) -> None:
        self.pattern, self.images, first = pattern, images, images[0]
        # A pattern that implies another pattern has at least as many required cells, edges and conditions of each kind.
        masks = *first.stones[:3], first.box
        self.amounts = *map(count, masks), len(first.edges), len(first.conditions)

    def is_within(self, other: _Turned) -> bool:
        """Return whether the images show that this pattern fires only where `other` fires."""
        if any(mine < others for mine, others in zip(self.amounts, other.amounts, strict=True)):
            return False  # a cheap test that excludes nearly all pairs before masks are compared
        return any(contains(self.images[0], image) for image in other.images)


def images_of(pattern: KnownPattern) -> list[Image]:
    """Return the eight images of a pattern, the drawn orientation first, or [] for a pattern that passes."""
    shape = parse_shape(pattern.rows, pattern.label_rows)
    if all(symbol != "*" for _, _, symbol in shape.cells):
        return []
    return [_image(pattern, shape.turned(symmetry)) for symmetry in range(SYMMETRIES)]


def _image(pattern: KnownPattern, shape: Shape) -> Image:
    move = next((row, column) for row, column, symbol in shape.cells if symbol == "*")

    def bit(row: int, column: int) -> int:
        return 1 << _HERE + _WIDE * (row - move[0]) + column - move[1]

    points = dict.fromkeys("XO.xo?", 0)
    for row, column, symbol in shape.cells:
        points["." if symbol == "*" else symbol] |= bit(row, column)
    labels = {"*": bit(*move)}
    for row, column, letter in shape.labels:
        labels[letter] = labels.get(letter, 0) | bit(row, column)
    stones = points["X"], points["O"], points["."], points["x"], points["o"]
    conditions = frozenset(_named_by_points(program, labels) for program in pattern.when)
    return Image(stones, sum(points.values()), _edges(shape, *move), conditions)


def _named_by_points(program: str, labels: dict[str, int]) -> str:
    tokens = program.split()
    return " ".join(f"{token[0]}{labels[token[1:]]:x}" if token[0] in "~@" else token for token in tokens)


def _edges(shape: Shape, row: int, column: int) -> frozenset[tuple[int, int]]:
    """Return (side, distance of the edge from the given cell) for each drawn edge."""
    distances = row, shape.height - 1 - row, column, shape.width - 1 - column
    return frozenset((side, distances[side]) for side, is_drawn in enumerate(shape.edges) if is_drawn)


def _lint_pairs(base: KnowledgeBase) -> Iterator[Problem]:
    """Yield the problems (L203, L204 and L205) of patterns that fire only where other patterns fire."""
    known = [_Turned(pattern, images) for pattern in base.ranked() if (images := images_of(pattern))]
    order = {one.pattern.id: number for number, one in enumerate(known)}
    own = {pattern.id for pattern in base.patterns}
    for turned_pattern in (one for one in known if one.pattern.id in own):
        pattern = turned_pattern.pattern
        wider_ones = [one for one in known if one is not turned_pattern and turned_pattern.is_within(one)]
        wider = [wider_one.pattern for wider_one in wider_ones]
        mutual = [wider_one.pattern for wider_one in wider_ones if wider_one.is_within(turned_pattern)]
        twins = [one for one in mutual if order[one.id] < order[pattern.id] and say_the_same(pattern, one)]
        forbidding = [one for one in wider if one.forbid and not pattern.forbid]
        is_worthless = points_are_zero(pattern)
        rivals = [one for one in wider if one not in mutual and outranks(one, pattern, is_worthless)]
        if forbidding:
            yield _report(
                pattern,
                base,
                "L204",
                "fires only for moves forbidden by",
                forbidding,
                "the patterns contradict each other",
            )
        elif twins:
            yield _report(pattern, base, "L205", "fires in exactly the same places as", twins, "merge them")
        elif rivals:
            yield _report(pattern, base, "L203", "has no effect: wherever it fires, it is outranked by", rivals, "")


def _report(
    pattern: KnownPattern, base: KnowledgeBase, code: str, words: str, others: list[KnownPattern], hint: str
) -> Problem:
    names = ", ".join(f"`{one.id}`" for one in others)
    return report(pattern, base.filename, "", code, f"`{pattern.id}` {words} {names}", "", hint)
