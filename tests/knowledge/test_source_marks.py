"""Tests that our fast YAML reader gives the same positions as PyYAML's reader."""

from __future__ import annotations

import yaml
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from littlego.knowledge.source import Source, compose
from littlego.paths import PATTERNS_YAML

LINES = ["X . O", "  ? *", "", "  ", "é 漢", "\tx", "# no comment", "a\ufeffb", "\u2028"]
BLOCKS = st.lists(st.sampled_from(LINES), min_size=1, max_size=5)
ENDS = st.sampled_from(["\n", "\r\n", "\x85"])


def places(node: yaml.Node) -> list[object]:
    """Return every node's value and marks, in order."""
    marks = [(mark.index, mark.line, mark.column) for mark in (node.start_mark, node.end_mark)]
    children = node.value if isinstance(node.value, list) else []
    inner = [part for child in children for part in (child if isinstance(child, tuple) else (child,))]
    value = node.value if isinstance(node, yaml.ScalarNode) else len(inner)
    return [value, *marks, *(place for child in inner for place in places(child))]


def same_places(text: str) -> bool:
    found = compose(Source(text, "a.yaml"))
    return found is not None and places(found) == places(yaml.compose(text, Loader=yaml.SafeLoader))


def test_nodes_of_a_whole_file_stand_where_pyyaml_finds_them():
    text = PATTERNS_YAML.read_text(encoding="utf-8")
    assert same_places(text[: text.index("  - id:", 20_000)])


@settings(max_examples=60)
@given(BLOCKS, st.sampled_from(["|", "|-", "|+", ">", "|2"]), ENDS, st.booleans())
def test_nodes_around_any_block_stand_where_pyyaml_finds_them(lines, style, end, is_last):
    block = "".join(f"    {line}{end}" for line in lines)
    text = f"a:{end}  b: {style}{end}    x{end}{block}" + ("" if is_last else f"  c: 'it''s'{end}")
    try:
        yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        reject()
    assert same_places(text)
