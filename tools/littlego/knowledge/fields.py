"""Functions that read YAML nodes, one for each kind of value, such as mapping, list, text and integer.

Each of these functions reports mistakes to `source` and returns None for an unusable value, except that `items` returns
[]. The parameter `what` names the value in messages.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import yaml

from littlego.knowledge.keys import NAME_SHAPE
from littlego.knowledge.problems import did_you_mean, quoted
from littlego.knowledge.source import Source

_INTEGER = re.compile(r"-?[0-9]{1,9}")
_NAME = re.compile(NAME_SHAPE)
# Plain scalars that YAML 1.2 does not read as text. Most editors use YAML 1.2.
_NOT_TEXT = re.compile(
    r"~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
Cells = list[list[tuple[str, int]]]  # rows of (symbol, index in the text)
_KINDS: dict[type[yaml.Node], str] = {
    yaml.MappingNode: "a mapping",
    yaml.SequenceNode: "a list",
    yaml.ScalarNode: "a single value",
}


def kind_of(node: yaml.Node) -> str:
    """Return the name of a node's kind, for messages."""
    return "nothing" if isinstance(node, yaml.ScalarNode) and not node.value.strip() else _KINDS[type(node)]


def mapping(source: Source, node: yaml.Node, known: Collection[str], what: str) -> dict[str, yaml.Node] | None:
    """Return {key: node} for a mapping. Report and omit unknown and duplicate keys.

    The keys after a second `id` are omitted, because they probably belong to another pattern.
    """
    if not isinstance(node, yaml.MappingNode):
        source.report_at(node, "P009", f"{what} is {kind_of(node)}", "a mapping with `key: value` on each line")
        return None
    values: dict[str, yaml.Node] = {}
    lines: dict[str, int] = {}
    for key, value in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else None
        if name is None or name not in known:
            message = f"unknown key {quoted(name) if name is not None else f'that is {kind_of(key)}'} in {what}"
            source.report_at(key, "P006", message, "one of " + ", ".join(known), did_you_mean(name or "", known))
        elif name in values and name == "id":  # all following keys belong to another pattern
            source.report_at(
                key,
                "P007",
                f"a second `id` in {what}",
                expected="`- id:` at the start of another pattern",
                hint=f"the pattern of line {lines[name]} already has an id",
            )
            break
        elif name in values:
            source.report_at(
                key,
                "P007",
                f"duplicate key `{name}` in {what}",
                expected="each key once",
                hint=f"line {lines[name]} already sets the key: keep one of the two",
            )
        else:
            values[name], lines[name] = value, source.place(key.start_mark.index)[0]
    return values


def items(source: Source, node: yaml.Node, what: str, needed: str = "") -> list[yaml.Node]:
    """Return the nodes of a list, or report a mistake and return [].

    needed: the hint for an empty list if the key is required; '' if the key is optional.
    """
    if not isinstance(node, yaml.SequenceNode):
        source.report_at(node, "P009", f"{what} is {kind_of(node)}", "a list with `- ` before each item")
        return []
    nodes: list[yaml.Node] = node.value
    if not nodes:
        hint = needed or "leave the key out if the list is empty"
        source.report_at(node, "P010", f"{what} is an empty list", "at least one item", hint)
    return nodes


def text(source: Source, node: yaml.Node, what: str) -> str | None:
    """Return a scalar as one line of text, with each run of white space replaced by a single space."""
    if not isinstance(node, yaml.ScalarNode):
        source.report_at(node, "P009", f"{what} is {kind_of(node)}", "text on one line")
        return None
    line = " ".join(node.value.split())
    if not line:
        source.report_at(node, "P010", f"{what} is empty", "text on one line")
        return None
    if not node.style and _NOT_TEXT.fullmatch(line):
        message = f"{what} is {quoted(line)}, which YAML does not read as text"
        source.report_at(node, "P009", message, "text on one line", "put it in quotes")
        return None
    odd = next((k for k, one in enumerate(node.value) if not one.isprintable() and not one.isspace()), None)
    if odd is not None:
        message = f"the character U+{ord(node.value[odd]):04X} in {what}"
        source.report(source.indexes(node)[odd], "P002", message, "printable text", "delete it")
        return None
    return line


def word(source: Source, node: yaml.Node, what: str) -> str | None:
    """Return a scalar's text with its white space unchanged, for values from a fixed set of words."""
    return node.value if text(source, node, what) is not None else None


def name(source: Source, node: yaml.Node, what: str) -> str | None:
    """Return the text of a scalar that is a valid id, tag or phase name."""
    line = " ".join(node.value.split()) if isinstance(node, yaml.ScalarNode) else ""
    if line and not _NAME.fullmatch(line):
        source.report_at(node, "P012", f"{what} {quoted(line)}", "words of lowercase letters and digits, joined by `-`")
        return None
    return text(source, node, what)


def integer(source: Source, node: yaml.Node, what: str, least: int, most: int) -> int | None:
    """Return the value of a scalar that is a decimal integer from `least` to `most`."""
    value = kind_of(node)
    if isinstance(node, yaml.ScalarNode):
        if not node.style and _INTEGER.fullmatch(node.value) and least <= int(node.value) <= most:
            return int(node.value)
        value = quoted(node.value) if node.value.strip() else "empty"
    source.report_at(node, "P015", f"{what} is {value}", f"an integer from {least} to {most}", _unquote(node))
    return None


def boolean(source: Source, node: yaml.Node, what: str) -> bool | None:
    """Return True or False for a scalar that is `true` or `false`."""
    if isinstance(node, yaml.ScalarNode) and node.value in ("true", "false") and not node.style:
        return bool(node.value == "true")
    value = quoted(node.value) if isinstance(node, yaml.ScalarNode) and node.value else kind_of(node)
    source.report_at(node, "P016", f"{what} is {value}", "true or false", _unquote(node))
    return None


def _unquote(node: yaml.Node) -> str:
    """Return a hint to remove the quotes of a value such as '12', or '' if the hint does not apply.

    The hint applies to a value that is text only because of its quotes or its block style.
    """
    is_quoted = isinstance(node, yaml.ScalarNode) and node.style and _NOT_TEXT.fullmatch(node.value)
    return "write it without quotes" if is_quoted else ""


def block(source: Source, node: yaml.Node, what: str) -> Cells | None:
    """Return a drawn block literal as rows of (symbol, index in the text), without white space.

    Blank rows at the start and at the end are omitted. Only the style `|` is accepted, because YAML joins the lines of
    other styles.
    """
    if not isinstance(node, yaml.ScalarNode) or node.style != "|":
        value = kind_of(node) if not isinstance(node, yaml.ScalarNode) or not node.value else "not a block literal"
        source.report_at(node, "P028", f"{what} is {value}", f"`{what}: |`, then the rows on indented lines")
        return None
    rows: Cells = [[]]
    for symbol, place in zip(node.value, source.indexes(node), strict=False):
        if symbol in "\n\x85\u2028\u2029":
            rows.append([])
        elif not symbol.isspace():
            rows[-1].append((symbol, place))
    drawn = [number for number, row in enumerate(rows) if row]
    if not drawn:
        source.report_at(node, "P010", f"{what} is empty", "rows of symbols on indented lines below")
        return None
    return rows[drawn[0] : drawn[-1] + 1]
