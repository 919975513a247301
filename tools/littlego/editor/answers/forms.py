"""Answers for edits made in the form. An edit that adds a mistake to the entry raises ArgumentError."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal

from littlego.cli.arguments import ArgumentError
from littlego.editor.answers.editing import splice
from littlego.editor.answers.firing import entry_of
from littlego.editor.changes import Change, applied
from littlego.editor.cutting import Entry
from littlego.editor.entries import Entries
from littlego.editor.methods import ask
from littlego.editor.session import Session
from littlego.knowledge.problems import Problem


@ask("fill_in", channel="edit")
def fill_in(
    session: Session,
    *,
    pattern: str,
    op: Literal["set", "remove", "set_item", "remove_item"],
    key: str,
    value: str | int | bool | list[str] | None = None,
    index: int = -1,
) -> dict[str, Any]:
    """Return the changes, as from `splice`, that set or remove a key or an item of a key's list.

    Raise ArgumentError if the changes add a mistake. Existing mistakes do not block an edit, because the edit may
    correct them.
    """
    return without_mistake(
        session, pattern, key, splice(session, pattern=pattern, op=op, key=key, value=value, index=index)
    )


def without_mistake(session: Session, pattern: str, key: str, answer: dict[str, Any]) -> dict[str, Any]:
    """Return `answer`, the changes for an entry; raise ArgumentError if the changes add a mistake."""
    entries, entry = session.entries, entry_of(session, pattern)
    changes = [Change(one["from"], one["to"], one["insert"]) for one in answer["changes"]]
    after = Entries(applied(entries.text, changes), entries.filename, entries.kept)
    if len(after.all) != len(entries.all):
        raise ArgumentError(
            f"this value of `{key}` would end the entry or start another entry; expected a value within the entry"
        )
    if fresh := fresh_problem(entries, after, entry):
        raise ArgumentError(fresh.text)
    return answer


def fresh_problem(before: Entries, after: Entries, entry: Entry) -> Problem | None:
    """Return the first problem that an edit adds to an entry, or None if the edit adds no problem."""
    known = Counter(_what(problem) for problem in before.compiled(entry).problems)
    for problem in after.compiled(after.all[entry.number]).problems:
        if not known[_what(problem)]:
            return problem
        known[_what(problem)] -= 1
    return None


def _what(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.message, problem.expected
