"""The outline of a patterns file, and the studio's form for an entry: the value and place of each key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import yaml

from littlego.editor.cutting import Entry
from littlego.editor.drawings import read_block, rows_of
from littlego.editor.edits import BLOCKS
from littlego.editor.entries import Entries, skim, values_and_keys
from littlego.knowledge import fields
from littlego.knowledge.codes import SEVERITIES
from littlego.knowledge.keys import (
    CONDITIONS,
    EXAMPLE_KEYS,
    EXAMPLE_LIST,
    EXAMPLES,
    EXAMPLES_KEYS,
    NAMES,
    PATTERN_KEYS,
    POINTS,
    Key,
    keys_of,
)
from littlego.knowledge.model import MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH, KnownPattern
from littlego.knowledge.problems import Problem
from littlego.knowledge.source import Source
from littlego.knowledge.splice import end_of
from littlego.knowledge.tablereader import line_of

KINDS = (MATCHES, NO_MATCH, TODO_MATCH, TODO_NO_MATCH)  # kinds of examples in display order


def outline(entries: Entries, told: Mapping[int, Iterable[Problem]]) -> list[dict[str, Any]]:
    """Return the outline: the file's entries in order, then the shared patterns (see Entries.shared).

    told: the known problems of each entry, keyed by the entry's zero-based number. The entries are not parsed. `id` is
    the entry's id or, for an entry without an id, `#` and the entry's number, such as `#3`. `line` and `end` are the
    entry's first and last line. `sequence` states whether the entry is a sequence. `severity` is the severity of the
    worst problem ('' for none), and `problems` is the number of problems. Before the entry is compiled, `severity` and
    `problems` are null. For a shared pattern, which the form cannot edit, `shared` is true, and `number`, `line` and
    `end` are null. The other keys are `number`, `class`, `summary` and `priority`.
    """
    return [
        *(_outline_of(entries, entry, told.get(entry.number)) for entry in entries.all),
        *(_outline_of_shared(pattern) for pattern in entries.shared),
    ]


def _outline_of(entries: Entries, entry: Entry, problems: Iterable[Problem] | None) -> dict[str, Any]:
    text = entries.cut.text_of(entry)
    found = None if problems is None else list(problems)
    return {
        "number": entry.number,
        "id": entries.ids[entry.number],
        "class": skim(text, "class"),
        "summary": skim(text, "summary"),
        "priority": skim(text, "priority"),
        "line": entry.first,
        "end": entry.last,
        "sequence": bool(_has(text, "sequence")),
        "severity": None if found is None else worst(found),
        "problems": None if found is None else len(found),
        "shared": False,
    }


def _outline_of_shared(pattern: KnownPattern) -> dict[str, Any]:
    return {
        "number": None,
        "id": pattern.id,
        "class": pattern.kind,
        "summary": pattern.summary,
        "priority": str(pattern.priority),
        "line": None,
        "end": None,
        "sequence": bool(pattern.sequence),
        "severity": "",
        "problems": 0,
        "shared": True,
    }


def worst(problems: Iterable[Problem]) -> str:
    """Return the worst severity among problems; '' if there are none."""
    return min((problem.severity for problem in problems), key=SEVERITIES.index, default="")


@lru_cache(maxsize=1000)
def _has(text: str, key: str) -> bool:
    return f"\n{' ' * (len(text) - len(text.lstrip(' ')) + 2)}{key}:" in text


def form(entries: Entries, entry: Entry) -> dict[str, Any]:
    """Return the contents of the studio's form for an entry.

    `readable` states whether the entry is a mapping in valid YAML. Otherwise, `keys` and `examples` are empty, and
    `drawing` is null. For the keys and examples, see key_json and example_json. `drawing` is also null for a pattern
    without a drawing. A drawing has `key` (diagram or sequence), and `rows` and `labels` without spaces. The other keys
    are `number`, `id`, `line` and `end`.
    """
    nodes = entries.nodes(entry)
    is_readable = nodes.item is not None and not nodes.source.repaired
    answer = {"number": entry.number, "id": entries.ids[entry.number], "line": entry.first, "end": entry.last}
    if not is_readable:
        return answer | {"readable": False, "keys": [], "examples": [], "drawing": None}
    place = Place(entries, nodes.source)
    names = keys_of(PATTERN_KEYS, entries.ruleset.name)
    keys = [key_json(place, name, PATTERN_KEYS[name], nodes.keys.get(name), nodes.values.get(name)) for name in names]
    keys += [unknown_json(place, key) for name, key in nodes.keys.items() if name not in names]
    examples = [
        example_json(place, kind, index, item, entries.ruleset.name)
        for kind, items in example_nodes(nodes.values).items()
        for index, item in enumerate(items)
    ]
    return answer | {"readable": True, "keys": keys, "examples": examples, "drawing": _drawing(place, nodes.values)}


class Place:
    """A converter from the nodes of an entry to their places in the file."""

    def __init__(self, entries: Entries, source: Source):
        self.entries, self.source = entries, source

    def of(self, node: yaml.Node) -> dict[str, int]:
        """Return a node's one-based line and column, and its bounds `from` and `to` in the file's text."""
        line, column = self.source.place(node.start_mark.index)
        begin, end = node.start_mark.index, max(end_of(self.source, node), node.start_mark.index)
        start = self.entries.cut.offset(self.source, begin)
        return {"line": line, "column": column, "from": start, "to": start + end - begin}


def key_json(place: Place, name: str, key: Key, at: yaml.Node | None, node: yaml.Node | None) -> dict[str, Any]:
    """Return a JSON object for a key of the pattern language and the key's value in an entry.

    at, node: the YAML nodes of the key and of the value; None if the entry lacks the key. The answer has `key`, `kind`,
    `meaning`, `required`, `written` (whether the entry has the key) and `value` (see value_of). If the pattern language
    defines choices or limits for the key, the answer has `choices`, or `least` and `most`. A written key also has
    `key_line` (the line of the key), and `line`, `column`, `from` and `to` of its value. A list of conditions has
    `items`: the place of each condition.
    """
    said: dict[str, Any] = {"key": name, "kind": key.kind, "meaning": key.meaning, "required": key.required}
    if key.choices:
        said["choices"] = dict(key.choices)
    if key.least or key.most:
        said |= {"least": key.least, "most": key.most}
    if node is None or at is None:
        return said | {"written": False, "value": None}
    said |= {"written": True, "value": value_of(place.source, name, key, node), **place.of(node)}
    if key.kind == CONDITIONS and isinstance(node, yaml.SequenceNode):
        said["items"] = [place.of(item) for item in node.value]
    return said | {"key_line": place.of(at)["line"]}


def unknown_json(place: Place, key: yaml.Node) -> dict[str, Any]:
    """Return the JSON object of a key that patterns of this ruleset cannot have."""
    return {"key": str(key.value), "kind": "unknown", "written": True, "value": None, **place.of(key)}


def value_of(source: Source, name: str, key: Key, node: yaml.Node) -> Any:
    """Return the value of a key: a text, a list of texts, or a drawing's rows; None for any other value."""
    if key.kind in BLOCKS:
        return rows_of(read_block(source, node, name))
    if key.kind in (EXAMPLES, EXAMPLE_LIST):
        return None
    if key.kind == POINTS:
        return line_of(source, node)
    if isinstance(node, yaml.SequenceNode):
        return [" ".join(str(one.value).split()) for one in node.value if isinstance(one, yaml.ScalarNode)]
    text = " ".join(node.value.split()) if isinstance(node, yaml.ScalarNode) else None
    return [text] if key.kind in (CONDITIONS, NAMES) and text else text


def _drawing(place: Place, values: Mapping[str, yaml.Node]) -> dict[str, Any] | None:
    name = next((key for key in ("diagram", "sequence") if key in values), None)
    if name is None:
        return None
    labels = read_block(place.source, values.get("labels"), "labels")
    return {"key": name, "rows": rows_of(read_block(place.source, values[name], name)), "labels": rows_of(labels)}


def example_nodes(values: Mapping[str, yaml.Node]) -> dict[str, list[yaml.Node]]:
    """Return {kind: nodes of the examples of this kind} for an entry. A kind without a list is omitted."""
    drawn = values.get("examples")
    inner = values_and_keys(drawn)[0]
    lists = {kind: (inner if kind in EXAMPLES_KEYS else values).get(kind) for kind in KINDS}
    return {kind: list(node.value) for kind, node in lists.items() if isinstance(node, yaml.SequenceNode)}


def example_json(place: Place, kind: str, index: int, node: yaml.Node, ruleset: str) -> dict[str, Any]:
    """Return an example as a JSON object.

    The keys are `kind`, `index` (among the examples of this kind), `values`, `what` (the kind of YAML node, for
    messages), and the keys of Place.of. `values` has the value and the place of each key of the example.
    """
    values, _ = values_and_keys(node)
    names = keys_of(EXAMPLE_KEYS, ruleset)
    told = {
        name: {"value": value_of(place.source, name, EXAMPLE_KEYS[name], values[name]), **place.of(values[name])}
        for name in names
        if name in values
    }
    return {"kind": kind, "index": index, **place.of(node), "values": told, "what": fields.kind_of(node)}
