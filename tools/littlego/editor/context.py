"""The key and entry at a place in a patterns file, determined by lines and indentation.

Half-written YAML cannot be parsed, but its lines and indentation can be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from littlego.editor.cutting import Cut, Entry
from littlego.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS, FILE_KEYS, PATTERN_KEYS, POINTS_KEYS, Key

_LINE = re.compile(
    r"(?P<lead> *(?:-(?: +|$))*)(?:(?P<key>[\w-]+)(?P<colon>[ \t]*:(?:[ \t]+|$)))?(?P<value>.*)", re.DOTALL
)
_WORD_BEFORE = re.compile(r"[\w-]*$")
_WORD_AFTER = re.compile(r"[\w-]*")
EXAMPLE_LISTS = ("matches", "no_match", "todo_match", "todo_no_match")


@dataclass(frozen=True)
class Spot:
    """A place in the text of a patterns file, with the entry, the keys and the word at the place.

    `entry` is None outside the entries. `path` has the keys that enclose the place, outermost first; if the place is in
    an entry, `path` has only keys of the entry. If the place is in a value, the last key is the value's key. `is_key`
    is true if the text at the place can be a key or a part of a key. `declared` contains the keys allowed in the
    mapping around the place.

    `begin` and `end` (exclusive) are the bounds of the word at the place, and `at` is the index of the place. `value`
    is the line's text after the key or after the item's dash, and `value_at` is the index at which `value` starts. If
    the place is in or before a key on its line, `value` starts with this key. `row` is the number of lines from the
    innermost key down to the place, 0 on the key's own line.
    """

    entry: Entry | None
    path: tuple[str, ...]
    is_key: bool
    declared: dict[str, Key]
    begin: int
    end: int
    at: int
    value: str
    value_at: int
    row: int

    @property
    def key(self) -> str:
        """The innermost key of `path`, or '' if `path` is empty."""
        return self.path[-1] if self.path else ""


def spot_at(cut: Cut, offset: int) -> Spot:
    """Return the Spot at a character offset of the text."""
    offset = min(max(offset, 0), len(cut.text))
    line = cut.line_of(offset)
    start = cut.starts[line - 1]
    text = cut.text[start:].split("\n", 1)[0].rstrip("\r") if line == len(cut.starts) else _line(cut, line)
    found = _LINE.match(text)
    assert found is not None  # the expression always matches, since every part of it may be empty
    before = _WORD_BEFORE.search(text[: offset - start])
    after = _WORD_AFTER.match(text, offset - start)
    begin = start + (before.start() if before else offset - start)
    end = start + (after.end() if after else offset - start)
    entry = cut.entry_at(line)
    column = found.end("lead")
    path, row = _path_above(cut, entry, line, column)
    in_value = bool(found["colon"]) and offset - start >= found.end("colon")
    has_colon = bool(found["colon"])
    if in_value:
        path, row = (*path, found["key"]), 0
    is_key = not in_value and (
        has_colon or not found["value"] or found["value"].strip() == text[begin - start : end - start]
    )
    declared = FILE_KEYS if entry is None else _declared(path[:-1] if in_value else path)
    value_at = start + (found.start("value") if not has_colon or in_value else column)
    return Spot(entry, path, is_key, dict(declared), begin, end, offset, text[value_at - start :], value_at, row)


def _line(cut: Cut, number: int) -> str:
    following = cut.starts[number] if number < len(cut.starts) else len(cut.text)
    return cut.text[cut.starts[number - 1] : following].rstrip("\r\n\x85\u2028\u2029")


def _path_above(cut: Cut, entry: Entry | None, line: int, column: int) -> tuple[tuple[str, ...], int]:
    """Return (the keys that enclose a place, the number of lines from the innermost key to the place)."""
    path: list[str] = []
    row, top = 0, cut.indent + 1 if entry else 0
    for number in range(line - 1, entry.first - 1 if entry else 0, -1):
        found = _LINE.match(_line(cut, number))
        if not found or not found["colon"] or found.end("lead") >= column:
            continue
        key_column = found.end("lead")
        if key_column < top:
            break
        path.insert(0, found["key"])
        row = row or line - number
        column = key_column
    return tuple(path), row


_NESTED = {("examples",): EXAMPLES_KEYS, ("points",): POINTS_KEYS}


def _declared(path: tuple[str, ...]) -> dict[str, Key]:
    """Return the keys allowed in the mapping at a path of keys, or {} if no mapping is allowed there."""
    if not path:
        return PATTERN_KEYS
    if path in _NESTED:
        return _NESTED[path]
    return EXAMPLE_KEYS if path[-1] in EXAMPLE_LISTS else {}
