"""Fixes, as changes to the text, for problems that can be corrected automatically."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import Change, applied, as_json
from littlego.editor.edits import Editing, Value
from littlego.editor.entries import Entries
from littlego.editor.example_edits import ExampleEdit
from littlego.knowledge.keys import EXAMPLES_KEYS, PATTERN_KEYS
from littlego.knowledge.model import MATCHES, NO_MATCH, SUMMARY_TO_WRITE, TODO_MATCH, TODO_NO_MATCH, USUAL
from littlego.knowledge.problems import Problem
from littlego.knowledge.source import BREAK

_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_FOUND = re.compile(r"`([^`]+)`")
_MISSING = re.compile(r"a pattern without `([a-z_]+)`")
_QUOTED = re.compile(r"([\"'])([^\"'\r\n]*)\1")
_RAGGED = re.compile(r"row \d+ of the \w+ has (\d+) symbols?")
_TABLE = re.compile(r"write `(\{.*\}|[^`]*)`")
_WIDTH = re.compile(r"(\d+) symbols?, as in row 1")
_DEFAULTS: dict[str, Value] = {
    "priority": USUAL,
    "class": "shape",
    "summary": SUMMARY_TO_WRITE,
    "diagram": ["*"],
}
TODO_OF = {"P070": (MATCHES, TODO_MATCH), "P071": (NO_MATCH, TODO_NO_MATCH)}
_ANSWERED = {TODO_MATCH: MATCHES, TODO_NO_MATCH: NO_MATCH}
# Codes whose fixes change no decision. The other fixes guess what the author meant, so an author chooses among them.
SAFE = frozenset(("L207", "L210", "L213", "L217"))
ROUNDS = 10  # maximum number of rounds, because a fix may reveal another problem
Fix = tuple[str, list[Change]]


def fix_of(entries: Entries, problem: Problem) -> dict[str, Any] | None:
    """Return a problem's fix, or None if there is none.

    The fix has the keys `title` and `changes`; the changes have the format of POST /api/edit.
    """
    found = _fix(entries, problem)
    return {"title": found[0], "changes": as_json(sorted(found[1]))} if found else None


def _fix(entries: Entries, problem: Problem) -> Fix | None:
    for find in (_meant, _missing, _unquoted, _ragged, _moved, _removed, _tabulated):
        with suppress(ArgumentError):  # the form cannot edit the entry, so there is no fix
            if found := find(entries, problem):
                return found
    return None


def apply_safe_fixes(text: str, filename: str, find: Callable[[str], Iterable[Problem]]) -> tuple[str, list[Problem]]:
    """Return (the text after all safe fixes, the fixed problems). find: a function that returns a text's problems."""
    fixed: list[Problem] = []
    for _ in range(ROUNDS):
        entries, taken = Entries(text, filename), list[Change]()
        for problem in find(text):
            changes = _fix(entries, problem) if problem.code in SAFE else None
            if changes and not any(change.touches(other) for change in changes[1] for other in taken):
                taken += changes[1]
                fixed.append(problem)
        if not taken:
            break
        text = applied(text, sorted(taken))
    return text, fixed


def offset_of(entries: Entries, problem: Problem) -> int:
    """Return the character offset of a problem in the text."""
    line = min(max(problem.line, 1), len(entries.cut.starts))
    return min(entries.cut.starts[line - 1] + problem.column - 1, len(entries.text))


def _editing(entries: Entries, problem: Problem) -> Editing | None:
    entry = entries.cut.entry_at(problem.line)
    return Editing(entries, entry) if entry else None


def _meant(entries: Entries, problem: Problem) -> Fix | None:
    """Return a fix that replaces a word with the word that the problem's hint suggests."""
    meant, found = _MEANT.search(problem.hint), _FOUND.search(problem.message)
    at = offset_of(entries, problem)
    if not meant or not found:
        return None
    at += entries.text[at : at + 1] in ("'", '"') and not found[1].startswith(("'", '"'))
    if not entries.text.startswith(found[1], at):
        return None
    return f"Write `{meant[1]}`", [Change(at, at + len(found[1]), meant[1])]


def _missing(entries: Entries, problem: Problem) -> Fix | None:
    """Return a fix that adds a required key with an initial value."""
    missing = _MISSING.fullmatch(problem.message)
    editing = _editing(entries, problem)
    if not missing or not editing or missing[1] not in _DEFAULTS or missing[1] in editing.values:
        return None
    assert missing[1] in PATTERN_KEYS
    return f"Add `{missing[1]}`", editing.set(missing[1], _DEFAULTS[missing[1]])


def _unquoted(entries: Entries, problem: Problem) -> Fix | None:
    at = offset_of(entries, problem)
    quoted = _QUOTED.match(entries.text, at)
    if problem.hint != "write it without quotes" or not quoted:
        return None
    return "Remove the quotes", [Change(at, quoted.end(), quoted[2])]


def _ragged(entries: Entries, problem: Problem) -> Fix | None:
    """Return a fix that gives a row the length of the first row, by appending `?` or removing symbols."""
    found, wanted = _RAGGED.fullmatch(problem.message), _WIDTH.fullmatch(problem.expected)
    if problem.code != "P020" or not found or not wanted:
        return None
    at, missing = offset_of(entries, problem), int(wanted[1]) - int(found[1])
    if missing > 0:
        return f"Fill the row with {missing} `?`", [Change(at, at, " ?" * missing)]
    line_end = BREAK.search(entries.text, at)
    end = line_end.start() if line_end else len(entries.text)
    begin = len(entries.text[:at].rstrip(" \t"))
    return "Cut the row", [Change(begin, end, "")]


def _moved(entries: Entries, problem: Problem) -> Fix | None:
    """Return a fix that moves an example between a usual key, such as `matches`, and its todo key.

    A failing example moves to the todo key; a passing todo example moves to the usual key.
    """
    editing = _editing(entries, problem)
    if editing is None or problem.code not in (*TODO_OF, "L213"):
        return None
    examples = ExampleEdit(editing)
    kind, index = examples.at_line(problem.line)
    if kind in EXAMPLES_KEYS and len(examples.nodes[kind]) == 1:  # each pattern needs at least one example of this kind
        return None
    to = TODO_OF[problem.code][1] if problem.code in TODO_OF else _ANSWERED[kind]
    return f"Move the example under `{to}`", examples.move_to(kind, index, to)


def _removed(entries: Entries, problem: Problem) -> Fix | None:
    """Return a fix that removes redundant labels, or a condition that is always true."""
    editing = _editing(entries, problem)
    if editing is None:
        return None
    if problem.code == "L207":
        return "Remove `labels`", editing.remove("labels")
    if problem.code != "L210":
        return None
    items = editing.items("when")
    at = [k for k, item in enumerate(items) if editing.place(item)[0] == problem.line]
    if len(at) != 1 or " and " in str(items[at[0]].value):  # the author must remove one part of an `and` by hand
        return None
    return "Remove the condition", editing.set_item("when", at[0], None)


def _tabulated(entries: Entries, problem: Problem) -> Fix | None:
    """Return a fix that replaces the points with the table in the problem's hint."""
    editing, table = _editing(entries, problem), _TABLE.fullmatch(problem.hint)
    if problem.code != "L217" or not editing or not table:
        return None
    return "Write a table", editing.set("points", table[1])
