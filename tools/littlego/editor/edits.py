"""Edits to an entry, as changes to the file's text; comments and layout are preserved.

A change replaces a range of characters, given as zero-based offsets in the whole text. The changes of one edit do not
overlap.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from copy import copy
from textwrap import dedent

import yaml

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import Change
from littlego.editor.cutting import Entry
from littlego.editor.entries import Entries, Nodes, skim, values_and_keys
from littlego.knowledge.keys import (
    BOARD,
    CHOICE,
    CONDITIONS,
    DIAGRAM,
    EXAMPLE_LIST,
    EXAMPLES,
    EXPRESSION,
    FLAG,
    INTEGER,
    LABELS,
    NAMES,
    NUMBERS,
    PAIR,
    PATTERN_KEYS,
    POINTS,
    SEQUENCE,
    TEXT,
    Key,
)
from littlego.knowledge.source import BREAK, Source, compose
from littlego.knowledge.splice import Insertion, after_last, end_of, line_end_at, lines_to_insert, points_lines
from littlego.knowledge.tablereader import block_of

BLOCKS = (DIAGRAM, SEQUENCE, LABELS, BOARD)
STEP = "  "  # one level of indentation
_PLAIN = (CHOICE, INTEGER, FLAG, NUMBERS, PAIR)
Value = str | int | bool | list[str]


class Editing:
    """An editor of one entry. The constructor raises ArgumentError unless the entry is a readable block of keys."""

    def __init__(self, entries: Entries, entry: Entry):
        self.entries, self.entry = entries, entry
        self.nodes: Nodes = entries.nodes(entry)
        self.source: Source = self.nodes.source
        if self.nodes.item is None or self.nodes.item.flow_style or self.source.repaired:
            where = f"{entries.filename}:{entry.first}"
            raise ArgumentError(f"{where}: the entry cannot be read as YAML; correct the text before using the form")
        self.values, self.keys, self.declared = self.nodes.values, self.nodes.keys, PATTERN_KEYS
        first = next(iter(self.keys.values()), self.nodes.item)
        self.column = self.source.place(first.start_mark.index)[1] - 1  # the keys' zero-based column

    def within(self, node: yaml.MappingNode, declared: Mapping[str, Key]) -> Editing:
        """Return an editor of a mapping inside the entry. declared: the keys that the mapping may have."""
        inner = copy(self)
        inner.values, inner.keys = values_and_keys(node)
        inner.declared = dict(declared)
        inner.column = self.source.place(node.start_mark.index)[1] - 1
        return inner

    def _key(self, name: str) -> Key:
        if name not in self.declared:
            raise ArgumentError(f"there is no key `{name}` here; expected one of {', '.join(self.declared)}")
        return self.declared[name]

    def change(self, begin: int, end: int, insert: str) -> Change:
        """Return the change to the file's text that replaces characters of the source.

        begin, end: the bounds of the replaced range as indexes in the source, `end` exclusive. insert: the new
        characters.
        """
        cut = self.entries.cut
        start = cut.offset(self.source, begin)
        return Change(start, start + end - begin, insert)

    def insert(self, insertion: Insertion) -> Change:
        """Return the change that inserts lines into the source."""
        return self.change(insertion.end, insertion.end, lines_to_insert(self.source.text, insertion))

    def set(self, name: str, value: Value) -> list[Change]:
        """Return the changes that set a key's value, or add the key and its value if the key is missing."""
        key = self._key(name)
        node = self.values.get(name)
        if node is None:
            return [self.insert(self.place_for(name, written(name, key, value)))]
        if key.kind in BLOCKS:
            return self.set_block(node, _rows(name, value))
        head, *lines = written(name, key, value)
        return [self._replace(self.keys[name], node, head.partition(":")[2].strip(), lines)]

    def _replace(self, key: yaml.Node, node: yaml.Node, text: str, lines: list[str]) -> Change:
        """Return the change that replaces a value with `lines` below the key or, without lines, with `text`.

        key, node: the nodes of the key and of the old value.
        """
        source, begin, end = self.source, node.start_mark.index, end_of(self.source, node)
        drawn = "".join(line_end_at(source.text, begin) + " " * self.column + line for line in lines)
        head = key.end_mark.index
        if source.place(begin)[0] > source.place(head)[0] and lines:  # the key's line may have a comment
            line_end = BREAK.search(source.text, head)
            return self.change(line_end.start() if line_end else head, end, drawn)
        if lines or end <= begin or source.place(begin)[0] > source.place(head)[0]:
            return self.change(head, max(end, source.text.index(":", head) + 1), f": {text}".rstrip() + drawn)
        return self.change(begin, end, text)

    def remove(self, name: str) -> list[Change]:
        """Return the changes that remove a key and its value."""
        if name not in self.values:
            raise ArgumentError(f"there is no `{name}` here; expected one of {', '.join(self.values)}")
        key, value = self.keys[name], self.values[name]
        start = key.start_mark.index
        line = self.source.place(start)[0]
        if not self.source.text[self.source.starts[line - 1] : start].strip():
            return [self.without_lines(start, end_of(self.source, value))]
        others = [one.start_mark.index for one in self.keys.values() if one.start_mark.index > start]
        if not others:
            raise ArgumentError(f"`{name}` is the only key here; delete the whole entry or example instead")
        return [self.change(start, min(others), "")]  # the next key moves to the line of the entry's dash

    def without_lines(self, begin: int, end: int) -> Change:
        """Return the change that removes all lines from the line at index `begin` through the line at `end`."""
        source = self.source
        first = source.starts[source.place(begin)[0] - 1]
        line_end = BREAK.search(source.text, max(end, begin))
        return self.change(first, line_end.end() if line_end else len(source.text), "")

    def items(self, name: str) -> list[yaml.Node]:
        """Return the nodes of a list's items; a single value counts as a list with one item."""
        node = self.values.get(name)
        return list(node.value) if isinstance(node, yaml.SequenceNode) else [node] if node else []

    def count(self, name: str) -> int:
        """Return the number of items of a list."""
        return len(self.items(name))

    def place(self, node: yaml.Node) -> tuple[int, int]:
        """Return the one-based line and column of a node in the file."""
        return self.source.place(node.start_mark.index)

    def set_item(self, name: str, index: int, text: str | None) -> list[Change]:
        """Return the changes that replace an item of a list, append an item, or remove an item.

        index: zero-based; an index equal to the number of items appends an item. text: the new item, or None to remove
        the item.
        """
        node = self.values.get(name)
        key = self._key(name)
        if key.kind not in (CONDITIONS, NAMES):
            raise ArgumentError(f"`{name}` is not a list; set its whole value")
        items = self.items(name)
        if not 0 <= index <= len(items) - (text is None):
            raise ArgumentError(f"`{name}` has {len(items)} items, numbered from 0; there is no item {index}")
        if text is None and len(items) == 1:
            return self.remove(name)
        if not isinstance(node, yaml.SequenceNode) or node.flow_style:
            values = [" ".join(str(one.value).split()) for one in items]
            values[index : index + 1] = [] if text is None else [text]
            return self.set(name, values)
        if index == len(items):
            return [self.insert(after_last(self.source, node, [f"- {scalar(text or '')}"]))]
        item = items[index]
        if text is None:
            return [self.without_lines(item.start_mark.index, end_of(self.source, item))]
        return [self.change(item.start_mark.index, end_of(self.source, item), scalar(text))]

    def set_block(self, node: yaml.Node, rows: Sequence[str]) -> list[Change]:
        """Return the changes that replace the rows of a block literal without changing the indentation."""
        source = self.source
        if not isinstance(node, yaml.ScalarNode) or node.style != "|":
            line, column = source.place(node.start_mark.index)
            raise ArgumentError(f"{source.filename}:{line}:{column}: expected a drawing with its rows below `|`")
        head = BREAK.search(source.text, node.start_mark.index)
        end = end_of(source, node)
        first = min(head.end() if head else end, end)
        begun = re.compile(r"[ \t]*").match(source.text, first)
        indent = begun[0] if begun and first < end else " " * (self.column + len(STEP))
        line_end = line_end_at(source.text, node.start_mark.index)
        return [self.change(first, end, line_end.join(indent + " ".join(row) for row in rows))]

    def place_for(self, name: str, lines: list[str]) -> Insertion:
        """Return the Insertion that adds the lines of a new key.

        The lines go below the entry's last key that precedes the new key in `declared`. If there is no such key, the
        lines go below the entry's first key.
        """
        order = list(self.declared)
        before = [key for key in self.values if key in order and order.index(key) < order.index(name)]
        last = max(before, key=lambda one: self.keys[one].start_mark.index, default="")
        nodes = self.values[last] if last else next(iter(self.values.values()))
        line = self.source.place(end_of(self.source, nodes))[0]
        end = self.source.starts[line - 1] + len(self.source.line(line))
        return Insertion(end, " " * self.column, lines)


def written(name: str, key: Key, value: Value) -> list[str]:
    """Return the lines of a key and its value, unindented; raise ArgumentError for an invalid value."""
    if key.kind in BLOCKS:
        return [f"{name}: |", *(STEP + " ".join(row) for row in _rows(name, value))]
    if key.kind == CONDITIONS:
        return [f"{name}:", *(f"{STEP}- {scalar(one)}" for one in _texts(name, value))]
    if key.kind == NAMES:
        return [f"{name}: [{', '.join(scalar(one) for one in _texts(name, value))}]"]
    if isinstance(value, list):
        raise ArgumentError(f"found a list for `{name}`; expected a single value")
    if key.kind in (EXAMPLES, EXAMPLE_LIST):
        raise ArgumentError(f"`{name}` cannot be set as a whole; edit its examples one by one")
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if not text.strip() or BREAK.search(text):
        raise ArgumentError(f"`{name}` {'is empty' if not text.strip() else 'has several lines'}; expected one line")
    if key.kind == POINTS and block_of(text):
        return points_lines(text)
    if key.kind in _PLAIN or key.kind in (EXPRESSION, POINTS):
        return [f"{name}: {text if key.kind in _PLAIN else scalar(text)}"]
    return [f"{name}: {scalar(text, is_prose=key.kind == TEXT)}"]


def _texts(name: str, value: Value) -> list[str]:
    if not isinstance(value, list) or not value or not all(isinstance(one, str) and one.strip() for one in value):
        raise ArgumentError(f"`{name}` is not a list of non-empty strings; expected at least one string")
    return value


def _rows(name: str, value: Value) -> list[str]:
    """Return the rows of a drawing without spaces."""
    rows = value.splitlines() if isinstance(value, str) else value if isinstance(value, list) else []
    rows = ["".join(str(row).split()) for row in rows]
    if not rows or not all(rows):
        raise ArgumentError(f"`{name}` has no rows or an empty row; expected rows of symbols")
    return rows


def scalar(text: str, is_prose: bool = False) -> str:
    """Return text as a one-line YAML scalar.

    The scalar is in quotes if the text is prose, or if YAML might misread the text without quotes.
    """
    text = " ".join(text.split())
    if not is_prose:
        source = Source(f"- {text}", "")
        root = compose(source)
        items = root.value if isinstance(root, yaml.SequenceNode) and not source.problems else []
        bare = len(items) == 1 and isinstance(items[0], yaml.ScalarNode) and items[0].style is None
        if bare and items[0].value == text and not _IN_FLOW.search(text):
            return text
    return json.dumps(text, ensure_ascii=False)


_IN_FLOW = re.compile(r"[\[\]{},]$|^[\[\]{}]| #|: ")


def new_entry(entries: Entries, text: str, kind: str) -> list[Change]:
    """Return the changes that add an entry below the last entry of the same class.

    If there is no entry of this class, the new entry goes to the end of the list. text: the text of the entry. kind:
    the class of the entry. Raise ArgumentError if the file has no patterns.
    """
    cut = entries.cut
    alike = [entry for entry in entries.all if skim(cut.text_of(entry), "class") == kind]
    before = (alike or entries.all)[-1:]
    if not before:
        where = "`patterns:`, followed by a line `- id:` for each pattern"
        raise ArgumentError(f"{entries.filename}: no list of patterns for the new entry; expected {where}")
    end = before[0].begin + len(cut.text_of(before[0]).rstrip("\r\n\x85\u2028\u2029"))
    insertion = Insertion(end, " " * cut.indent, ["", *dedent(text).splitlines()])
    return [Change(end, end, lines_to_insert(entries.text, insertion))]


def without_entry(entries: Entries, entry: Entry) -> list[Change]:
    """Return the changes that remove an entry and the blank line above it, if any.

    Raise ArgumentError if the file has no other entry.
    """
    begin, last = entry.begin, len(entries.all) == 1
    if last:
        raise ArgumentError("this is the only pattern; a file needs at least one pattern")
    above = entries.text[: entry.begin]
    blank = re.search(r"(?<=[\r\n])[ \t]*(?:\r\n|\n|\r)\Z", above)
    return [Change(blank.start() if blank else begin, entry.end, "")]
