"""The smallest changes that make a pattern fire for a move.

A cell that differs from the board gets a symbol that also matches the board's point. The number in a failing condition
is changed so that the condition holds, or the condition is removed. For each repair, the firings of the repaired
pattern on the same board are counted, so that the author can compare repairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import Change
from littlego.editor.drawings import DrawingEdit
from littlego.editor.edits import Editing
from littlego.editor.fires import fires
from littlego.editor.placements import ANYTHING, Placement, Placements
from littlego.judging.mutation.mutants import with_cell
from littlego.knowledge.diagrams import MOVE
from littlego.knowledge.expressions import ExpressionError, parse
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.programs import calls, fold, infix, postfix
from littlego.rules.position import Position

MOST_CHANGES = 4  # maximum number of clauses to change: more changes would make a different pattern
MOST_REPAIRS = 4
_WIDER = {("X", "."): "x", (".", "X"): "x", ("O", "."): "o", (".", "O"): "o"}  # (drawn, found) -> symbol for both
_LIMIT = re.compile(r"(?P<fact>.+?) *(?P<sign><=|>=|<|>) *(?P<number>-?[0-9]+)")
_REACHED = {">=": 0, "<=": 0, ">": -1, "<": 1}  # comparison -> limit minus value if the comparison just holds


@dataclass(frozen=True)
class Step:
    """A change of one clause of a pattern: a cell or a condition.

    cell: (row, column, new symbol). condition: (index of the condition, new text); '' removes the condition.
    """

    title: str
    cell: tuple[int, int, str] | None = None
    condition: tuple[int, str] | None = None


def repairs(editing: Editing, pattern: KnownPattern, position: Position, move: int) -> list[dict[str, Any]]:
    """Return at most MOST_REPAIRS repairs that make a pattern fire for a move, fewest firings first.

    A repair has `title` (a description), `steps` (the number of changed clauses), `count` and `moves` (the firings
    after the repair, see fires.fires), and `changes` (the changes to the text). Return [] if the pattern already fires
    for the move, or if no small change makes the pattern fire.
    """
    placements = Placements(pattern, position)
    here = [one for one in placements.placed if one.move == move and placements.is_legal(one)]
    if not here or any(one.move == move for one in placements.firing):
        return []
    counted = [(len(placements.wrong_cells(one)) + len(placements.false_conditions(one)), one) for one in here]
    least = min(number for number, _ in counted)
    found: dict[str, dict[str, Any]] = {}
    for number, placed in counted:
        if number == least <= MOST_CHANGES:
            for steps in _ways(placements, placed):
                told = _repair(editing, pattern, position, move, steps)
                if told:
                    found.setdefault(told["title"], told)
    return sorted(found.values(), key=lambda one: one["count"])[:MOST_REPAIRS]


def _ways(placements: Placements, placed: Placement) -> Iterable[tuple[Step, ...]]:
    """Return the ways to repair a placement, each with one step for each failing clause."""
    choices: list[list[Step]] = []
    for number in placements.wrong_cells(placed):
        cell, found = placements.cells[number], placements.board.symbol(placed.points[number])
        if cell.symbol == MOVE:
            return ()
        wider = _WIDER.get((cell.symbol, found), ANYTHING)
        title = f"draw {wider} instead of {cell.symbol} at {cell.row},{cell.column}"
        choices.append([Step(title, cell=(cell.row, cell.column, wider))])
    for number in placements.false_conditions(placed):
        text = infix(placements.pattern.when[number])
        looser = _loosened(placements, placed, number)
        steps = [Step(f"replace `{text}` with `{looser}`", condition=(number, looser))] if looser else []
        choices.append([*steps, Step(f"remove `{text}`", condition=(number, ""))])
    return product(*choices)


def _loosened(placements: Placements, placed: Placement, number: int) -> str:
    """Return a failing condition's text with the strictest limit for which the condition holds.

    Return '' if the condition does not compare one fact with a number.
    """
    program = placements.pattern.when[number]
    found, asked = _LIMIT.fullmatch(infix(program)), calls(program)
    if not found or len(asked) != 1 or asked[0][0] != found["fact"]:
        return ""
    limit = placements.value(asked[0][1], placed) + _REACHED[found["sign"]]
    return f"{found['fact']} {found['sign']} {limit}"


def _repair(
    editing: Editing, pattern: KnownPattern, position: Position, move: int, steps: tuple[Step, ...]
) -> dict[str, Any] | None:
    """Return the repair that consists of the given steps.

    The result is None if the steps cannot be applied, or if the pattern still does not fire for the move. For a pass,
    the function does not check whether the pattern fires.
    """
    try:
        changed = _changed(pattern, steps)
        changes = _changes(editing, pattern, steps)
    except (ArgumentError, ExpressionError):
        return None
    hits = fires(Placements(changed, position))
    size = position.ruleset.size
    if f"{move // size},{move % size}" not in [hit["move"] for hit in hits["moves"]] and move >= 0:
        return None
    title = "; ".join(step.title for step in steps)
    told = {"title": title, "steps": len(steps), "count": hits["count"], "moves": hits["moves"]}
    return told | {"changes": [change.as_json() for change in sorted(changes)]}


def _changed(pattern: KnownPattern, steps: tuple[Step, ...]) -> KnownPattern:
    """Return the pattern with the steps applied."""
    rows, when = pattern.rows, dict(enumerate(pattern.when))
    for step in steps:
        if step.cell:
            rows = with_cell(rows, *step.cell)
        if step.condition:
            number, text = step.condition
            del when[number]
            if text:
                when[number] = postfix(fold(parse(text)))
    return replace(pattern, rows=rows, when=list(when.values()), places={})


def _changes(editing: Editing, pattern: KnownPattern, steps: tuple[Step, ...]) -> list[Change]:
    """Return the changes to the text that apply the steps.

    Raise ArgumentError if a changed condition shares its `when` item with other conditions.
    """
    changes: list[Change] = []
    items: list[tuple[int, str]] = []
    for step in steps:
        if step.cell:
            changes += DrawingEdit(editing).cell(*step.cell)
        if step.condition:
            number, text = step.condition
            items.append((_item(editing, pattern, number), text))
    gone = sum(not text for _, text in items)
    if gone and gone == editing.count("when"):
        return changes + editing.remove("when")
    for index, text in items:
        changes += editing.set_item("when", index, text or None)
    return changes


def _item(editing: Editing, pattern: KnownPattern, number: int) -> int:
    """Return the index of a condition's `when` item. Raise ArgumentError if the item has several conditions."""
    nodes = editing.items("when")
    here = [k for k, node in enumerate(nodes) if editing.place(node) == pattern.places.get(f"when {number}")]
    if len(here) != 1 or postfix_of(str(nodes[here[0]].value)) != pattern.when[number]:
        raise ArgumentError("the condition shares an item of `when` with other conditions; edit the item's text")
    return here[0]


def postfix_of(text: str) -> str:
    """Return an expression as a postfix program; raise ExpressionError for an invalid expression."""
    return postfix(fold(parse(text)))
