"""Edits to examples, as changes to the text: add, duplicate, change, move and remove."""

from __future__ import annotations

from textwrap import dedent

import yaml

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import Change
from littlego.editor.drawings import read_block
from littlego.editor.edits import STEP, Editing, Value, written
from littlego.editor.form import KINDS, example_nodes
from littlego.knowledge.keys import EXAMPLE_KEYS, EXAMPLES_KEYS
from littlego.knowledge.model import Example
from littlego.knowledge.splice import Insertion, after_last, end_of

STONES = "XO."


class ExampleEdit:
    """An editor of an entry's examples. An example is identified by its kind, such as `no_match`, and its index."""

    def __init__(self, editing: Editing):
        self.editing = editing
        self.nodes = example_nodes(editing.values)

    def add(self, example: Example) -> list[Change]:
        """Return the changes that add an example after the last example of its kind.

        If the entry has no key for this kind, the changes also add the key.
        """
        return self._add(example.kind, example.text().splitlines())

    def duplicate(self, kind: str, index: int) -> list[Change]:
        """Return the changes that insert a copy of an example directly below the original."""
        node = self._node(kind, index)
        end, column, lines = self._end_of_line(node), self._dash(node), self._lines(node)
        return [self.editing.insert(Insertion(end, " " * column, lines))]

    def shift(self, kind: str, index: int, by: int) -> list[Change]:
        """Return the changes that swap an example with the previous (`by` is -1) or next example (`by` is 1).

        Comments directly above an example or on its lines move together with the example.
        """
        first, second = (self._node(kind, one) for one in sorted((index, index + by)))
        text, spans = self.editing.source.text, [self._span(first), self._span(second)]
        changes = zip(spans, reversed(spans), strict=True)
        return [self.editing.change(begin, end, text[other[0] : other[1]]) for (begin, end), other in changes]

    def _span(self, node: yaml.Node) -> tuple[int, int]:
        """Return (begin, end): the bounds of an example's lines and the comments directly above.

        If other text precedes the example on its line, return the bounds of the example alone.
        """
        source, at = self.editing.source, node.start_mark.index
        line, column = source.place(at)
        if source.line(line)[: column - 1].strip() != "-":
            return at, end_of(source, node)
        last = source.place(end_of(source, node))[0]
        while source.line(line - 1).lstrip().startswith("#"):
            line -= 1
        return source.starts[line - 1], source.starts[last - 1] + len(source.line(last))

    def remove(self, kind: str, index: int) -> list[Change]:
        """Return the changes that remove an example and each key that contains no other example."""
        node, editing = self._node(kind, index), self.editing
        if len(self.nodes[kind]) > 1:
            return [editing.without_lines(node.start_mark.index, end_of(editing.source, node))]
        if kind not in EXAMPLES_KEYS:
            return editing.remove(kind)
        if sum(map(len, (self.nodes.get(one, []) for one in EXAMPLES_KEYS))) == 1:
            return editing.remove("examples")
        return self._group().remove(kind)

    def move_to(self, kind: str, index: int, to: str) -> list[Change]:
        """Return the changes that move an example from `kind` to the kind `to`."""
        if to == kind:
            return []
        lines = self._lines(self._node(kind, index))
        return sorted([*self.remove(kind, index), *self._add(to, lines)])

    def set(self, kind: str, index: int, key: str, value: Value | None) -> list[Change]:
        """Return the changes that set a key of an example or, if `value` is None, remove the key.

        Setting `colour` also removes `moves_left`, whose value depends on the side to move.
        """
        inner = self._inner(kind, index)
        is_other = key == "colour" and value is not None and "moves_left" in inner.values
        if is_other and key not in inner.values:  # `colour` replaces `moves_left`
            begin, end = inner.keys["moves_left"].start_mark.index, end_of(inner.source, inner.values["moves_left"])
            return [inner.change(begin, end, *written(key, inner.declared[key], value or ""))]
        changes = inner.remove(key) if value is None else inner.set(key, value)
        return sorted([*changes, *inner.remove("moves_left")]) if is_other else changes

    def cell(self, kind: str, index: int, key: str, row: int, column: int, symbol: str) -> list[Change]:
        """Return the changes that put a symbol (X, O or `.`) on a point of an example. key: `board` or `previous`."""
        inner = self._inner(kind, index)
        cells = read_block(inner.source, inner.values.get(key), key) if key in ("board", "previous") else []
        if symbol not in STONES or not (0 <= row < len(cells) and 0 <= column < len(cells[row])):
            raise ArgumentError(
                f"cannot put `{symbol}` at {row},{column} of `{key}`; expected X, O or . on a point of a board"
            )
        at = cells[row][column][1]
        return [inner.change(at, at + 1, symbol)]

    def at_line(self, line: int) -> tuple[str, int]:
        """Return (kind, index) of the example at a one-based line; raise ArgumentError if there is none."""
        source = self.editing.source
        for kind, items in self.nodes.items():
            for index, node in enumerate(items):
                lines = (source.place(at)[0] for at in (node.start_mark.index, end_of(source, node)))
                if next(lines) <= line <= next(lines):
                    return kind, index
        raise ArgumentError(f"line {line} is not in an example")

    def _add(self, kind: str, lines: list[str]) -> list[Change]:
        editing = self.editing
        if kind not in KINDS:
            raise ArgumentError(f"unknown kind of examples `{kind}`; expected one of {', '.join(KINDS)}")
        if nodes := self.nodes.get(kind):
            home = editing.values["examples"] if kind in EXAMPLES_KEYS else None
            pairs = home.value if isinstance(home, yaml.MappingNode) else ()
            items = next((value for key, value in pairs if key.value == kind), editing.values.get(kind))
            assert isinstance(items, yaml.SequenceNode) and nodes
            self._check_layout(items)
            return [editing.insert(after_last(editing.source, items, lines))]
        below = [STEP + line for line in lines]
        if kind not in EXAMPLES_KEYS:
            return self._new_key(editing, kind, below)
        if "examples" not in editing.values:
            return self._new_key(editing, "examples", [f"{STEP}{kind}:", *(STEP + line for line in below)])
        return self._new_key(self._group(), kind, below)

    def _new_key(self, editing: Editing, key: str, lines: list[str]) -> list[Change]:
        if key in editing.values:  # the key exists and is empty
            node = editing.values[key]
            if end_of(editing.source, node) > node.start_mark.index:
                raise ArgumentError(f"`{key}` is not a list; write `- board: |` on a separate line below it")
            end = self._end_of_line(editing.keys[key])
            return [editing.insert(Insertion(end, " " * editing.column, lines))]
        return [editing.insert(editing.place_for(key, [f"{key}:", *lines]))]

    def _group(self) -> Editing:
        """Return an editor of the mapping `examples`."""
        node = self.editing.values.get("examples")
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            raise ArgumentError("`examples` is not a block of keys; write `matches:` and `no_match:` below it")
        return self.editing.within(node, EXAMPLES_KEYS)

    def _inner(self, kind: str, index: int) -> Editing:
        node = self._node(kind, index)
        if not isinstance(node, yaml.MappingNode) or node.flow_style:
            raise ArgumentError(
                f"{kind}[{index}] is not a block of keys; write its keys, such as `board: |`, on separate lines"
            )
        return self.editing.within(node, EXAMPLE_KEYS)

    def _node(self, kind: str, index: int) -> yaml.Node:
        items = self.nodes.get(kind, [])
        if not 0 <= index < len(items):
            raise ArgumentError(f"there is no example {kind}[{index}]; the entry has {len(items)} of this kind")
        return items[index]

    def _check_layout(self, items: yaml.SequenceNode) -> None:
        if items.flow_style:
            raise ArgumentError("the examples share a line; write each `- board: |` on a separate line")

    def _dash(self, node: yaml.Node) -> int:
        """Return the zero-based column of an item's dash."""
        source = self.editing.source
        line, column = source.place(node.start_mark.index)
        begun = source.line(line)[: column - 1]
        if begun.strip() != "-":
            raise ArgumentError(
                f"line {line}: no `- ` before the example; write `- ` before its first key, on the same line"
            )
        return begun.index("-")

    def _end_of_line(self, node: yaml.Node) -> int:
        source = self.editing.source
        line = source.place(end_of(source, node))[0]
        return source.starts[line - 1] + len(source.line(line))

    def _lines(self, node: yaml.Node) -> list[str]:
        """Return the lines of an item, including its dash, without indentation."""
        source, column = self.editing.source, self._dash(node)
        first, last = (source.place(at)[0] for at in (node.start_mark.index, end_of(source, node)))
        lines = [source.line(number) for number in range(first, last + 1)]
        return dedent("\n".join([" " * column + lines[0][column:], *lines[1:]])).split("\n")
