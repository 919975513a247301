"""Changes to a text: functions that read changes from requests, apply changes, and compare texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from littlego.editor.lineends import normal
from littlego.editor.merging import common_ends, regions
from littlego.editor.methods import Refusal

KEYS = {"from", "to", "insert"}
SHOWN = 60  # maximum characters of a quoted value


@dataclass(frozen=True, order=True)
class Change:
    """An edit that replaces `text[start:end]` with `insert`; the offsets count code points."""

    start: int
    end: int
    insert: str

    def touches(self, other: Change) -> bool:
        """Return whether two changes overlap or are adjacent."""
        return self.start <= other.end and other.start <= self.end

    def as_json(self) -> dict[str, Any]:
        """Return the change in the page's format."""
        return {"from": self.start, "to": self.end, "insert": self.insert}


def read_changes(found: Any, length: int) -> list[Change]:
    """Return the changes that a page sent, in text order; raise Refusal for invalid changes.

    length: the text's length.
    """
    if not isinstance(found, list):
        raise Refusal("invalid", '"changes" is not a list; expected a list of {"from", "to", "insert"}')
    changes = sorted(map(_read_change, found), key=lambda change: (change.start, change.end))
    end = 0
    for change in changes:
        if not end <= change.start <= change.end <= length:
            said = f"the change to characters {change.start} to {change.end} ends before it starts, overlaps another"
            raise Refusal("invalid", f"{said} change, or goes beyond the text's {length} characters")
        end = change.end
    return changes


def _read_change(found: Any) -> Change:
    if not isinstance(found, dict) or set(found) != KEYS:
        wanted = 'an object with exactly the keys "from", "to" and "insert"'
        raise Refusal("invalid", f"found the change {str(found)[:SHOWN]!r}; expected {wanted}")
    start, end, insert = found["from"], found["to"], found["insert"]
    if not (type(start) is type(end) is int and isinstance(insert, str)):
        wanted = 'whole numbers as "from" and "to", and a string as "insert"'
        raise Refusal("invalid", f"found the change {str(found)[:SHOWN]!r}; expected {wanted}")
    change = Change(start, end, normal(insert))
    try:
        change.insert.encode("utf-8")
    except UnicodeEncodeError:
        text = "a change inserts half a surrogate pair, which cannot be saved in a file: send whole characters"
        raise Refusal("invalid", text) from None
    return change


def applied(text: str, changes: Sequence[Change]) -> str:
    """Return the text after changes are applied.

    changes: the changes in text order; their offsets refer to the original text.
    """
    parts, end = [], 0
    for change in changes:
        parts += [text[end : change.start], change.insert]
        end = change.end
    return "".join([*parts, text[end:]])


def difference(before: str, after: str) -> list[Change]:
    """Return the changes of whole lines that turn one text into another.

    No change covers an unchanged line, so cursors in unchanged lines do not move.
    """
    changes, at = [], 0
    lines = before.splitlines(keepends=True)
    for old, new, _ in regions(lines, after.splitlines(keepends=True), lines):
        length = sum(map(len, old))
        if old != new:
            changes.append(Change(at, at + length, "".join(new)))
        at += length
    return changes


def changed_part(before: str, after: str) -> Change:
    """Return the change that replaces everything between the common start and the common end of two texts."""
    start, end, by = common_ends(before, after)
    return Change(start, end, after[start : end + by])


def as_json(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """Return changes in the page's format."""
    return [change.as_json() for change in changes]
