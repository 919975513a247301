"""Drawings of rules: the diagram of a rule's pattern, and the labels of the chains in the conditions."""

from __future__ import annotations

from collections.abc import Sequence

from littlego.learning.mining.rules import CELL, CHAIN, EDGE, LETTERS, Rule

Span = tuple[int, int, bool, bool]  # first, last, whether the edge lies before `first`, whether it lies after `last`


def draw_rule(rule: Rule) -> tuple[list[str], list[str]]:
    """Return (rows, label rows) of a rule's diagram.

    There are no label rows if no condition is about a chain.
    """
    cells: dict[tuple[int, int], str] = {(0, 0): "*"}
    letters: dict[tuple[int, int], str] = {}
    for literal in rule:
        if literal[0] in (CELL, CHAIN):
            cells[literal[1], literal[2]] = literal[3]
        if literal[0] == CHAIN:
            letters[literal[1], literal[2]] = LETTERS[len(letters)]
    spans = [_span([at[axis] for at in cells], _find_edge(rule, axis)) for axis in (0, 1)]
    return _frame(cells, spans, "?"), _frame(letters, spans, ".") if letters else []


def _find_edge(rule: Rule, axis: int) -> tuple[bool, int] | None:
    """Return (whether the bottom or right edge is nearest, the move's distance from the nearest edge).

    Return None if the rule has no literal about the edges of this axis.
    """
    lines = (literal[2] for literal in rule if literal[:2] == (EDGE, axis))
    return next(((True, 4 - line) if line > 2 else (False, line) for line in lines), None)


def _span(places: list[int], edge: tuple[bool, int] | None) -> Span:
    """Return the Span of the diagram along one axis."""
    first, last = min(places), max(places)
    if edge is None:
        return first, last, False, False
    far, distance = edge
    return (first, distance, False, True) if far else (-distance, last, True, False)


def _frame(cells: dict[tuple[int, int], str], spans: Sequence[Span], blank: str) -> list[str]:
    (top, bottom, above, below), (left, right, before, after) = spans
    rows = [
        "|" * before + "".join(cells.get((row, column), blank) for column in range(left, right + 1)) + "|" * after
        for row in range(top, bottom + 1)
    ]
    rim = "+" * before + "-" * (right - left + 1) + "+" * after
    return [rim] * above + rows + [rim] * below
