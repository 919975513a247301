"""Answers for the form in which a user edits entries.

The answers contain the outline, an entry, the id of the entry at an offset, or the text changes for an edit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers.firing import entry_of
from littlego.editor.changes import Change
from littlego.editor.drawings import DrawingEdit
from littlego.editor.edits import Editing, Value, without_entry
from littlego.editor.form import form, outline
from littlego.editor.methods import ask
from littlego.editor.session import Session

Operation = Literal["set", "remove", "set_item", "remove_item", "cell", "label", "edge", "grow", "shrink"]


@ask("outline")
def outline_of(session: Session) -> dict[str, Any]:
    """Return the file's entries (see form.outline), its ruleset, and the problems outside the entries.

    `size` is the board size of the ruleset. `outside` contains the first line of each problem outside the entries.
    """
    entries = session.entries
    told = {entry.number: known.problems for entry in entries.all if (known := entries.known(entry))}
    head, _ = entries.head
    return {
        "ruleset": entries.ruleset.name,
        "size": entries.ruleset.size,
        "entries": outline(entries, told),
        "outside": [problem.lines()[0] for problem in head],
    }


@ask("entry")
def entry(session: Session, *, pattern: str) -> dict[str, Any]:
    """Return an entry's keys, examples and drawing, for the form: see form.form."""
    return form(session.entries, entry_of(session, pattern))


@ask("entry_at")
def entry_at(session: Session, *, offset: int) -> dict[str, Any]:
    """Return the id and the index of the entry at a character offset.

    The keys are `pattern` (the id) and `number` (the zero-based index). Both are null if the offset lies outside all
    entries.
    """
    entries = session.entries
    found = entries.cut.entry_at(entries.cut.line_of(offset))
    return {"pattern": entries.ids[found.number] if found else None, "number": found.number if found else None}


def changes_json(changes: Iterable[Change]) -> dict[str, Any]:
    """Return changes in the format of the request POST /api/edit."""
    return {"changes": [change.as_json() for change in sorted(changes)]}


@ask("splice", channel="edit")
def splice(
    session: Session,
    *,
    pattern: str,
    op: Operation,
    key: str = "",
    value: str | int | bool | list[str] | None = None,
    index: int = -1,
    row: int = -1,
    column: int = -1,
    symbol: str = "",
    side: str = "",
) -> dict[str, Any]:
    """Return the text changes for one edit made in the form or the drawing; the changes are not applied.

    op: the operation. Each operation requires the parameters in parentheses: set (key, value), remove (key), set_item
    (key, index, value), remove_item (key, index), cell (row, column, symbol), label (row, column, symbol), edge (side),
    grow (side), shrink (side). `set_item` appends an item if `index` equals the number of items. `label` removes the
    label if `symbol` is ''. Rows and columns are zero-based; a drawn edge of the board counts as a row or column.
    """
    editing = Editing(session.entries, entry_of(session, pattern))
    if op == "set":
        return changes_json(editing.set(key, _needed(value)))
    if op == "remove":
        return changes_json(editing.remove(key))
    if op in ("set_item", "remove_item"):
        return changes_json(editing.set_item(key, index, str(_needed(value)) if op == "set_item" else None))
    drawing = DrawingEdit(editing)
    if op == "cell":
        return changes_json(drawing.cell(row, column, symbol))
    if op == "label":
        return changes_json(drawing.label(row, column, symbol))
    return changes_json({"edge": drawing.edge, "grow": drawing.grow, "shrink": drawing.shrink}[op](side))


def _needed(value: Value | None) -> Value:
    if value is None:
        raise ArgumentError("the parameter `value` is missing; expected the new value")
    return value


@ask("remove_pattern", channel="edit")
def remove_pattern(session: Session, *, pattern: str) -> dict[str, Any]:
    """Return the changes that remove an entry from the file."""
    return changes_json(without_entry(session.entries, entry_of(session, pattern)))
