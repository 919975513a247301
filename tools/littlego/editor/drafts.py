"""The patterns of an unfinished entry, available before the author has written every key.

Authors draw first and want to see the firings before they write the summary and the examples. Therefore required keys
other than the drawing get default values while they are missing or invalid. Only keys that affect the firings or the
points must be valid.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any

import yaml

from littlego.editor.cutting import Entry
from littlego.editor.entries import Entries, Nodes
from littlego.games.game import game_named
from littlego.knowledge.compiler import read_nodes
from littlego.knowledge.keys import PATTERN_KEYS
from littlego.knowledge.model import TODO_MATCH, TODO_NO_MATCH, KnownPattern
from littlego.knowledge.source import Source, compose

_PROOFS = ("examples", TODO_MATCH, TODO_NO_MATCH)
_DRAWN = ("id", "diagram", "sequence", "replies", "labels", "when", "points", "move", "forbid", "sacrifice", "risk")
_SHAPE = ("id", "diagram", "sequence", "replies", "labels", "move")
_NEEDED = ("id", "class", "summary", "priority", "examples")
_STUB = """\
ruleset: {ruleset}
patterns:
  - id: draft
    class: shape
    summary: a draft
    priority: 0
    examples:
      matches:
        - board: |
{board}
          move: {move}
      no_match:
        - board: |
{board}
"""


def drawn(entries: Entries, entry: Entry) -> list[KnownPattern]:
    """Return the patterns of an entry, or [] if a key that affects firings or points has a mistake.

    The keys that affect firings or points include the drawing and the conditions. Missing required keys get default
    values. If any other key has a mistake, the patterns have no examples, and even valid keys may get default values.
    """
    known = entries.compiled(entry)
    if known.patterns:
        return known.patterns
    nodes = entries.nodes(entry)
    kept = [key for key in PATTERN_KEYS if key not in _PROOFS]
    return (
        _read(entries, nodes, list(PATTERN_KEYS))
        or _read(entries, nodes, kept)
        or _read(entries, nodes, _DRAWN)
        or _read(entries, nodes, _DRAWN[1:])
    )


def shapes(entries: Entries, entry: Entry) -> list[KnownPattern]:
    """Return the patterns of an entry's drawing and labels; [] if the drawing or a label has a mistake.

    The patterns lack the entry's conditions and points.
    """
    return _read(entries, entries.nodes(entry), _SHAPE)


def _read(entries: Entries, nodes: Nodes, kept: Collection[str]) -> list[KnownPattern]:
    """Return the patterns compiled from the keys `kept` of an entry.

    Required keys that are missing or not in `kept` get default values. The result is [] if the entry is not a mapping,
    or if one of the keys in `kept` has a mistake.
    """
    if nodes.item is None or not isinstance(nodes.root, yaml.MappingNode):
        return []
    passes = isinstance(nodes.values.get("move"), yaml.ScalarNode)
    stub = _stub(entries.ruleset.name, passes)
    pairs = [(key, value) for key, value in nodes.item.value if key.value in kept]
    has = {key.value for key, _ in pairs}
    pairs += [(key, value) for key, value in stub if key.value in _NEEDED and key.value not in has]
    item = _like(nodes.item, pairs)
    top = [(key, _like(value, [item]) if key.value == "patterns" else value) for key, value in nodes.root.value]
    source = Source(nodes.source.text, entries.filename)
    source.starts = nodes.source.starts
    patterns = read_nodes(source, _like(nodes.root, top)).patterns
    if source.problems:
        return []
    return patterns if "examples" in has else [replace(pattern, examples=[]) for pattern in patterns]


def _like(node: yaml.Node, value: list[Any]) -> yaml.Node:
    """Return a copy of a YAML node with a different value."""
    made: yaml.Node = type(node)(node.tag, value, node.start_mark, node.end_mark)
    return made


@cache
def _stub(ruleset: str, passes: bool) -> list[tuple[yaml.Node, yaml.Node]]:
    """Return default nodes (key, value) for an entry's required keys. passes: whether the pattern's move is a pass."""
    size = game_named(ruleset).pattern_sizes.smallest
    board = "\n".join([" " * 12 + " ".join("." * size)] * size)
    root = compose(Source(_STUB.format(ruleset=ruleset, board=board, move="pass" if passes else "0,0"), "draft"))
    assert isinstance(root, yaml.MappingNode)
    pairs: list[tuple[yaml.Node, yaml.Node]] = root.value[1][1].value[0].value
    return pairs
