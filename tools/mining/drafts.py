"""A mined rule as an entry of patterns.yaml: drawn, with its conditions, a draft of the rest, and real examples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import indent

from rules.positionkey import KO_AT, LEFT_AT, unpack
from tools.knowledge.model import Example
from tools.mining.rules import CELL, CHAIN, EDGE, FACT, GAME_FACTS, Rule

LETTERS = "ABCD"
WARNING = "avoid"
_QUIET = (1 << LEFT_AT) - (1 << KO_AT)  # bits of a code: the ko and whether a pass ends the game


@dataclass(frozen=True)
class Draft:
    """What an entry says besides the rule and its examples."""

    id: str
    kind: str
    summary: str
    priority: int
    points: int
    doubt: str


def entry(draft: Draft, rule: Rule, matches: Sequence[Example], others: Sequence[Example]) -> str:
    """Return the entry, indented as it stands under `patterns:`."""
    rows, labels = drawn(rule)
    lines = [
        f"  - id: {draft.id}",
        f"    class: {draft.kind}",
        f'    summary: "{draft.summary}"',
        f"    priority: {draft.priority}",
        f"    points: {draft.points}",
        *_block("diagram", rows),
        *_block("labels", labels),
        *_when(rule),
        f'    doubt: "{draft.doubt}"',
        "    examples:",
        "      matches:",
        *(indent(example.text(), " " * 8) for example in matches),
        "      no_match:",
        *(indent(example.text(), " " * 8) for example in others),
    ]
    return "\n".join(lines)


def _block(key: str, rows: Iterable[str]) -> list[str]:
    rows = [f"      {' '.join(row)}" for row in rows]
    return [f"    {key}: |", *rows] if rows else []


def _when(rule: Rule) -> list[str]:
    found = conditions(rule)
    return ["    when:", *(f"      - {condition}" for condition in found)] if found else []


def conditions(rule: Rule) -> list[str]:
    """Return the conditions of the pattern for a rule, its chains lettered in the order of the rule."""
    found = []
    letters = iter(LETTERS)
    for literal in rule:
        if literal[0] == CHAIN:
            found.append(f"{literal[4]}({next(letters)}) {literal[5]} {literal[6]}")
        elif literal[0] == FACT:
            argument = "" if literal[1] in GAME_FACTS else "(*)"
            found.append(f"{literal[1]}{argument} {literal[2]} {literal[3]}")
    return found


def drawn(rule: Rule) -> tuple[list[str], list[str]]:
    """Return the rows of the diagram and those of its labels, none if no chain is asked about."""
    cells, letters = {(0, 0): "*"}, {}
    for literal in rule:
        if literal[0] in (CELL, CHAIN):
            cells[literal[1:3]] = literal[3]
        if literal[0] == CHAIN:
            letters[literal[1:3]] = LETTERS[len(letters)]
    spans = [_span([at[axis] for at in cells], _edge(rule, axis)) for axis in (0, 1)]
    rows = _framed(cells, spans, "?")
    return rows, _framed(letters, spans, ".") if letters else []


def _edge(rule: Rule, axis: int) -> tuple[bool, int] | None:
    """Return (whether it is the far edge, its distance from the move), or None where no edge is asked for."""
    for literal in rule:
        if literal[0] == EDGE and literal[1] == axis:
            return (True, 4 - literal[2]) if literal[2] > 2 else (False, literal[2])
    return None


def _span(places: list[int], edge: tuple[bool, int] | None) -> tuple[int, int, bool, bool]:
    """Return (first, last, whether the edge lies before the first, and after the last) along one axis."""
    first, last = min(places), max(places)
    if edge is None:
        return first, last, False, False
    far, distance = edge
    return (first, distance, False, True) if far else (-distance, last, True, False)


def _framed(cells: dict[tuple[int, int], str], spans: list[tuple], blank: str) -> list[str]:
    (top, bottom, above, below), (left, right, before, after) = spans
    rows = [
        "|" * before + "".join(cells.get((row, column), blank) for column in range(left, right + 1)) + "|" * after
        for row in range(top, bottom + 1)
    ]
    rim = "+" * before + "-" * (right - left + 1) + "+" * after
    return [rim] * above + rows + [rim] * below


def is_quiet(code: int) -> bool:
    """Return whether a position has neither a ko nor a pass before it, so that the board alone draws it."""
    return not code & _QUIET


def example(kind: str, code: int, move: int) -> Example:
    """Return a real position as an example of a pattern's; kind: MATCHES or NO_MATCH."""
    position = unpack(code)
    stones = position.own, position.theirs
    return Example(kind, 0, 0, position.ruleset, stones, None, move, position.left, position.colour)
