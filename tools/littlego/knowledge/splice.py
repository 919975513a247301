"""Edits to a patterns file: new examples, new patterns and changed points.

An edit leaves the rest of the file unchanged, byte for byte. New lines have the indentation and the line ends of the
surrounding text. A comment stays below the line that it follows. The compiler checks the new text before the file is
replaced, so that no edit adds a mistake.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import yaml

from littlego.cli.arguments import ArgumentError, check_target, read_file, trying_to
from littlego.files import short_name, write_bytes
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.model import Example, KnowledgeBase
from littlego.knowledge.problems import Problem, in_one_line, no_such
from littlego.knowledge.source import BREAK, Source, compose
from littlego.knowledge.tablereader import block_of
from littlego.rules.patternfile import MAGIC

_LINE_ENDS = ("\r\n", "\n", "\r")
_LAYOUT = "write a list with `- ` before each item, each item on a new line, as `littlego new` prints it"


class Insertion(NamedTuple):
    """Lines to insert after a line of the text."""

    end: int  # text index of the line's end
    indent: str  # the prefix of each new line
    lines: list[str]


def add_examples(text: str, filename: str, examples: Mapping[str, Sequence[Example]]) -> str:
    """Return the text of a patterns file with each new example appended to its pattern's list.

    examples: {pattern id: new examples}. Raise ArgumentError for an unknown pattern, a list that cannot be extended, or
    an unreadable text.
    """
    source = Source(text, filename)
    patterns = {_scalar(_values(node), "id"): _values(node) for node in _patterns(source).value}
    insertions = []
    for name, wanted in examples.items():
        if name not in patterns:
            raise ArgumentError(f"{filename}: {no_such('pattern', name, patterns)}; nothing was written")
        for kind in dict.fromkeys(example.kind for example in wanted):
            drawn = [line for one in wanted if one.kind == kind for line in one.text().splitlines()]
            insertions.append(after_last(source, _example_list(source, patterns[name], kind), drawn))
    return _splice(source, insertions)


def add_pattern(text: str, filename: str, entry: str, kind: str) -> str:
    """Return the text of a patterns file with a new entry after the last pattern of its class.

    entry: a pattern as `littlego new` prints it. kind: the name of the class. If the class has no pattern, the entry
    goes to the end of the list. Raise ArgumentError for a list that cannot be extended or an unreadable text.
    """
    source = Source(text, filename)
    patterns = _patterns(source)
    alike = [number for number, node in enumerate(patterns.value, 1) if _scalar(_values(node), "class") == kind]
    lines = ["", *dedent(entry).splitlines()]
    return _splice(source, [after_last(source, patterns, lines, max(alike, default=None))])


def set_points(text: str, filename: str, points: Mapping[str, str]) -> str:
    """Return the text of a patterns file with new points.

    points: {pattern id: new points on one line}; in the file, a table gets one line per key. A pattern without points
    gets its new lines below its id. Comments below the old points are kept. Raise ArgumentError for an unknown pattern
    or an unreadable text.
    """
    source = Source(text, filename)
    patterns = {_scalar(_values(node), "id"): node for node in _patterns(source).value}
    for name in points:
        if name not in patterns:
            raise ArgumentError(f"{filename}: {no_such('pattern', name, patterns)}; nothing was written")
    spans = {name: _span_of(source, patterns[name], "points") for name in points}
    for name, span in sorted(spans.items(), key=lambda one: one[1] or (0, 0, 0), reverse=True):
        if span is not None:
            begin, end, column = span
            head, *lines = points_lines(points[name])
            drawn = "".join(line_end_at(text, end) + " " * column + line for line in lines)
            text = text[:begin] + head.removeprefix("points:") + drawn + text[end:]
    missing = [name for name, span in spans.items() if span is None]
    return _add_points(text, filename, {name: points[name] for name in missing}) if missing else text


def _span_of(source: Source, pattern: yaml.Node, name: str) -> tuple[int, int, int] | None:
    """Return (start of a key's value, end of the value, column of the key), or None if the key is missing.

    The start and the end are text indexes; the column is zero-based.
    """
    for key, value in pattern.value if isinstance(pattern, yaml.MappingNode) else ():
        if key.value == name:
            begin = source.text.index(":", key.end_mark.index) + 1
            return begin, end_of(source, value), source.place(key.start_mark.index)[1] - 1
    return None


def points_lines(points: str) -> list[str]:
    """Return the lines that set the key `points`. points: the value on one line."""
    block = block_of(points)
    return ["points:", *(f"  {line}" for line in block)] if block else [f"points: {points}"]


def _add_points(text: str, filename: str, points: Mapping[str, str]) -> str:
    """Return the text with new lines for the key `points` below the ids of some patterns.

    points: {pattern id: new points on one line}.
    """
    source = Source(text, filename)
    insertions = []
    for node in _patterns(source).value:
        values = _values(node)
        name = _scalar(values, "id")
        if name in points:
            column = source.place(node.start_mark.index)[1] - 1
            line = source.place(end_of(source, values["id"]))[0]
            end = source.starts[line - 1] + len(source.line(line))
            insertions.append(Insertion(end, " " * column, points_lines(points[name])))
    return _splice(source, insertions)


def rewrite(path: Path, edit: Callable[[str, str], str], read: str | None = None) -> KnowledgeBase:
    """Apply an edit to a patterns file, replace the file, and return its new patterns.

    The function `edit` gets the file's text and name, and returns the new text. read: the content on which the edit is
    based, or None to accept any content. Raise ArgumentError if the file is not UTF-8, has changed or cannot be
    written, or if the edit adds a problem. After an error, the file is unchanged.
    """
    check_rewritable(path)
    name, data = short_name(path), read_file(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArgumentError(
            f"{name}: the byte 0x{data[error.start]:02x}; expected UTF-8 text; save the file as UTF-8"
        ) from None
    if read is not None and read != text:
        raise ArgumentError(f"{name} was changed in the meantime; nothing was written: run the command again")
    edited = edit(text, name).encode("utf-8")
    base = _check_edited(data, edited, name)
    if read_file(path) != data:  # an editor or another of our commands changed the file in the meantime
        raise ArgumentError(f"{name} was changed in the meantime; nothing was written: run the command again")
    with trying_to(f"write {name}"):
        write_bytes(path, edited)
    return base


def check_rewritable(path: Path) -> None:
    """Raise ArgumentError if a file must not be edited: a patterns.txt, or a read-only file."""
    name = short_name(path)
    if read_file(path).startswith(MAGIC.encode()):
        raise ArgumentError(f"{name} is generated by `littlego compile`; expected its source, such as patterns.yaml")
    check_target(path)
    if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
        raise ArgumentError(f"cannot write {name}: it is read-only; run `chmod u+w`, or name another file")


def _check_edited(before: bytes, edited: bytes, name: str) -> KnowledgeBase:
    """Return the edited file's patterns. Raise ArgumentError for a problem that the file did not have before."""
    _, problems, base = compile_text(edited, name)
    if problems:
        known = Counter(map(_what, compile_text(before, name)[1]))
        fresh = []
        for problem in problems:
            known[_what(problem)] -= 1
            if known[_what(problem)] < 0:
                fresh.append(problem)
        if fresh:
            raise ArgumentError(f"nothing was written, because the result would have a mistake: {in_one_line(fresh)}")
    return base


def _what(problem: Problem) -> tuple[str, str, str]:
    """Return a problem's code, message and expectation, for comparisons that ignore the place in the file."""
    return problem.code, problem.message, problem.expected


def _patterns(source: Source) -> yaml.SequenceNode:
    root = compose(source)
    if root is None or source.problems:
        wrong = in_one_line(sorted(source.problems)) if source.problems else f"{source.filename}: an empty file"
        raise ArgumentError(f"{wrong}; nothing was written")
    return _list_in(source, root, "patterns")


def _example_list(source: Source, pattern: dict[str, yaml.Node], kind: str) -> yaml.SequenceNode:
    if "examples" not in pattern:
        raise _no_place(source, pattern["id"], "a pattern without `examples`", f"`examples:` with `{kind}:`")
    return _list_in(source, pattern["examples"], kind)


def _list_in(source: Source, node: yaml.Node, key: str) -> yaml.SequenceNode:
    """Return a key's list; raise ArgumentError if the list is missing, empty or not in block style."""
    found = _values(node).get(key)
    if isinstance(found, yaml.SequenceNode) and not found.flow_style and found.value:
        return found
    message = f"no `{key}`" if found is None else f"`{key}` is not a block list"
    raise _no_place(source, found or node, message, f"`{key}:` with a list of at least one item")


def _no_place(source: Source, node: yaml.Node, message: str, expected: str) -> ArgumentError:
    line, column = source.place(node.start_mark.index)
    return ArgumentError(
        f"{source.filename}:{line}:{column}: {message}; expected {expected}; {_LAYOUT}; nothing was written"
    )


def _values(node: yaml.Node) -> dict[str, yaml.Node]:
    """Return the values of a mapping by key, or {} for any other node."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return {str(key.value): value for key, value in pairs}


def _scalar(values: dict[str, yaml.Node], key: str) -> str:
    node = values.get(key)
    return " ".join(node.value.split()) if isinstance(node, yaml.ScalarNode) else ""


def after_last(source: Source, items: yaml.SequenceNode, lines: list[str], count: int | None = None) -> Insertion:
    """Return the Insertion that adds lines after an item of a block-style list.

    count: the one-based number of the item, by default the last item.
    """
    last: yaml.Node = items.value[(count or len(items.value)) - 1]
    column = source.place(items.start_mark.index)[1] - 1
    line = source.place(end_of(source, last))[0]
    while _is_comment_deeper(source, line + 1, column):
        line += 1
    return Insertion(source.starts[line - 1] + len(source.line(line)), " " * column, lines)


def _is_comment_deeper(source: Source, number: int, column: int) -> bool:
    """Return whether a line is a comment that belongs to an item of a list.

    Such a comment is indented more than the list. number: the one-based line number. column: the zero-based column of
    the list.
    """
    line = source.line(number) if number <= len(source.starts) else ""
    return line.lstrip().startswith("#") and len(line) - len(line.lstrip()) > column


def end_of(source: Source, node: yaml.Node) -> int:
    """Return the text index of a node's end; comments below the node are not part of the node."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return end_of(source, node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return end_of(source, node.value[-1])
    start, end = node.start_mark.index, node.end_mark.index
    return start + len(source.text[start:end].rstrip())


def _splice(source: Source, insertions: Iterable[Insertion]) -> str:
    """Return the source's text with all insertions."""
    text = source.text
    for insertion in sorted(insertions, reverse=True):
        text = text[: insertion.end] + lines_to_insert(text, insertion) + text[insertion.end :]
    return text


def lines_to_insert(text: str, insertion: Insertion) -> str:
    """Return the lines of an insertion, with the line ends of the surrounding text."""
    line_end = line_end_at(text, insertion.end)
    return "".join(line_end + (insertion.indent + line if line else "") for line in insertion.lines)


def line_end_at(text: str, index: int) -> str:
    """Return the line end at `index`, else the first line end of the text, else a line feed."""
    here = BREAK.match(text, index) or BREAK.search(text)
    return here[0] if here and here[0] in _LINE_ENDS else "\n"
