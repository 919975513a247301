"""Where in its file a mutant is: the line and column of the cell, the condition or the number that it changes."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

from tools.knowledge import fields
from tools.knowledge.model import KnownPattern
from tools.knowledge.source import Source, compose
from tools.mutation.mutants import Mutant, split_conjuncts


class Places:
    """The places of one pattern's parts in the text of its file."""

    def __init__(self, text: str, pattern: KnownPattern, patterns: Iterable[KnownPattern]) -> None:
        lines = text.splitlines(keepends=True)
        end = min((one.line for one in patterns if one.line > pattern.line), default=len(lines) + 1)
        self.pattern = pattern
        self.source = Source("".join(lines[pattern.line - 1 : end - 1]), "")
        root = compose(self.source)
        item = root.value[0] if isinstance(root, yaml.SequenceNode) and root.value else None
        self.values = {key.value: node for key, node in item.value} if isinstance(item, yaml.MappingNode) else {}

    def of(self, mutant: Mutant) -> tuple[int, int]:
        """Return the line and column, from 1, of what a mutant changes."""
        node = self.values.get(mutant.key)
        if node is None:
            return self.pattern.line, self.pattern.column
        line, column = self.source.place(self._index(node, mutant))
        return self.pattern.line + line - 1, column

    def _index(self, node: yaml.Node, mutant: Mutant) -> int:
        if mutant.key == "diagram":
            cells = fields.block(self.source, node, "diagram")
            return cells[mutant.row][mutant.column][1] if cells else _start(node)
        if mutant.key == "when":
            return self._in_condition(node, mutant)
        if mutant.key == "points" and isinstance(node, yaml.ScalarNode):
            return self.source.indexes(node)[mutant.column]
        return _start(node)

    def _in_condition(self, node: yaml.Node, mutant: Mutant) -> int:
        """Return where a condition is; offsets are counted in visible letters, since white space is folded."""
        items = node.value if isinstance(node, yaml.SequenceNode) else [node]
        nodes = [item for item in items if isinstance(item, yaml.ScalarNode)]
        places = [(item, at) for item in nodes for at, _ in split_conjuncts(" ".join(item.value.split()))]
        item, at = places[mutant.row]
        before = " ".join(item.value.split())[: at + mutant.column].replace(" ", "")
        indexes = self.source.indexes(item)
        visible = [index for index, letter in zip(indexes, item.value, strict=False) if not letter.isspace()]
        return visible[min(len(before), len(visible) - 1)]


def _start(node: yaml.Node) -> int:
    index: int = node.start_mark.index
    return index
