"""The text of a patterns file as YAML nodes that know their place: composed, not loaded, and going on after an error.

Every character, and every character of a scalar's value, knows its line and column. PyYAML's own reading of values
(`no`, `01210`, the last of two equal keys) does not happen. Aliases, anchors and tags are reported, since `*`, `&`
and `!` mean something else in diagrams and conditions.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import yaml

from tools.knowledge.problems import Problem, plural

BREAK = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")  # where YAML ends a line
_PLAIN = re.compile(r"\S")
_QUOTED = {
    "'": re.compile(r"''|\S"),
    '"': re.compile(r"\\(?:x.{2}|u.{4}|U.{8}|\r\n|.)|\S", re.DOTALL),
}
_ITEM = re.compile(r"( *)- ")
_PATTERN = re.compile(r"( *)- id:")
_VISIBLE = re.compile(r"[^\r\n\x85\u2028\u2029]")
_HINTS = (
    ("alias", "in YAML a value that starts with `*` is an alias: put it in quotes"),
    ("anchor", "in YAML a value that starts with `&` names an anchor: put it in quotes"),
    ("tag", "in YAML a value that starts with `!` is a tag: put it in quotes"),
    ("quoted scalar", "close the quote, and double a `'` inside single quotes"),
    ("'\\t'", "indent with spaces, not with tabs"),
    ("mapping values", "put a value that holds `: ` in quotes"),
    ("expected <block end>", "align the keys of one pattern, and quote values that start with a quote"),
    ("cannot start any token", "put the value in quotes"),
)
_OTHER_HINT = "compare with the patterns above, or put the value in quotes"


class Source:
    """The text of one patterns file, and the problems found in it so far.

    count: problems met, those included that follow from another one and are not kept.
    repaired: broken parts of the text were left out, so that what seems missing may be there.
    """

    def __init__(self, text: str, filename: str):
        self.text = text
        self.filename = filename
        self.problems: list[Problem] = []
        self.count = 0
        self.repaired = False
        self.settled: set[int] = set()  # where enough has been said: nothing that follows from it is reported
        self.starts = [0] + [line_end.end() for line_end in BREAK.finditer(text)]

    def place(self, index: int) -> tuple[int, int]:
        """Return the line and column, both from 1, of a character of the text."""
        line = bisect_right(self.starts, index)
        return line, index - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line of the text, counted from 1, without its end."""
        following = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : following].rstrip("\r\n\x85\u2028\u2029")

    def report(self, index: int, code: str, message: str, expected: str = "", hint: str = "") -> None:
        """Keep a problem at a character of the text."""
        self.count += 1
        if index not in self.settled:
            self.problems.append(Problem(self.filename, *self.place(index), code, message, expected, hint))

    def report_at(self, node: yaml.Node, code: str, message: str, expected: str = "", hint: str = "") -> None:
        """Keep a problem at the start of a node."""
        self.report(node.start_mark.index, code, message, expected, hint)

    def indexes(self, node: yaml.ScalarNode) -> list[int]:
        """Return where in the text each character of the scalar's value stands, and where its end does.

        White space, which YAML folds and cuts, is given the place after the character before it.
        """
        units = self._units(node)
        places, last = [], node.start_mark.index + (node.style in _QUOTED)
        for character in node.value:
            if character.isspace():
                places.append(last)
            else:
                start, last = next(units, (last, last))
                places.append(start)
        return [*places, last]

    def _units(self, node: yaml.ScalarNode) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of each piece of the text that stands for one visible character of the value."""
        start, end = node.start_mark.index, node.end_mark.index
        if node.style in _QUOTED:
            start, end = start + 1, end - 1
        elif node.style in ("|", ">"):
            header = BREAK.search(self.text, start)
            start = header.end() if header else end
        for unit in _QUOTED.get(node.style, _PLAIN).finditer(self.text, start, end):
            if not _is_white_escape(unit[0]):
                yield unit.span()


def _is_white_escape(unit: str) -> bool:
    """Return whether a piece of a double-quoted scalar stands for white space, or for nothing."""
    if len(unit) < 2 or unit[0] != "\\":
        return False
    return chr(int(unit[2:], 16)).isspace() if unit[1] in "xuU" else unit[1] in "tnvfrN_LP" or unit[1].isspace()


def compose(source: Source) -> yaml.Node | None:
    """Return the document's root node, or None where there is none.

    A syntax error is reported, the pattern that holds it blanked out and the rest read again, so that one run
    shows the errors of all patterns.
    """
    seen: set[int] = set()
    text: str | None = source.text
    while text is not None:
        known = len(source.problems)
        source.settled.clear()
        try:
            return _compose_root(text, source)
        except yaml.reader.ReaderError as error:
            source.report(
                error.position, "P002", f"the character U+{error.character:04X}", "printable text", "delete it"
            )
            return None
        except yaml.MarkedYAMLError as error:
            del source.problems[known:]  # the next reading finds them again
            index = _report_syntax(error, source)
        except RecursionError:
            source.report(
                0, "P003", "values nested too deeply", "at most a few levels", "draw patterns as the others are"
            )
            return None
        except (ValueError, OverflowError) as error:  # numbers that PyYAML does not check, as in "\UFFFFFFFF"
            source.report(0, "P003", f"unreadable YAML: {error}", "plain values", "look for escapes in double quotes")
            return None
        source.repaired = True
        text = None if index in seen else _blank_item(text, index, source)
        seen.add(index)
    return None


def _report_syntax(error: yaml.MarkedYAMLError, source: Source) -> int:
    """Keep a syntax error, and return the index that it is reported at."""
    context = error.context or ""
    scanning = context.startswith("while scanning a") and error.context_mark is not None
    mark = error.context_mark if scanning else error.problem_mark or error.context_mark
    problem = f"{context}: {error.problem}" if scanning else str(error.problem)
    hint = next((hint for part, hint in _HINTS if part in problem), _OTHER_HINT)
    index = min(mark.index, len(source.text)) if mark else 0
    if begun := _PATTERN.match(source.text, source.starts[source.place(index)[0] - 1]):
        hint = f"`- id:` of every pattern starts in one column; here it stands after {plural(len(begun[1]), 'space')}"
    source.report(index, "P003", f"broken YAML: {problem}", "", hint)
    return index


def _blank_item(text: str, index: int, source: Source) -> str | None:
    """Return the text with the pattern around the index blanked out, or None where there is none."""
    lines = [text[a:b] for a, b in pairwise([*source.starts, len(text)])]
    items = [(row, len(begun[1])) for row, line in enumerate(lines) if (begun := _ITEM.match(line))]
    starts = [row for row, indent in items if indent == items[0][1]]
    row = source.place(index)[0] - 1
    begin = max((start for start in starts if start <= row), default=None)
    if begin is None:
        return None
    end = min((start for start in starts if start > row), default=len(lines))
    return "".join([*lines[:begin], *(_VISIBLE.sub(" ", line) for line in lines[begin:end]), *lines[end:]])


class _Loader(yaml.SafeLoader):
    """PyYAML's reader in pure Python (its messages are the same everywhere), with aliases and tags reported."""

    def __init__(self, text: str, source: Source):
        super().__init__(text)
        self.source = source

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        events: Any = self  # PyYAML's stubs leave these methods and the marks untyped
        event = events.peek_event()
        if isinstance(event, yaml.AliasEvent):
            marks: Any = event.start_mark, event.end_mark
            events.get_event()
            self._refuse(event, f"the alias `*{event.anchor}`", "alias")
            return yaml.ScalarNode("", "", *marks)
        if event.anchor is not None:
            self._refuse(event, f"the anchor `&{event.anchor}`", "anchor")
            event.anchor = None
        if event.tag is not None:
            self._refuse(event, f"the tag `{event.tag}`", "tag")
        return super().compose_node(parent, index)

    def _refuse(self, event: Any, message: str, kind: str) -> None:
        self.source.report(event.start_mark.index, "P004", message, "a plain value", dict(_HINTS)[kind])
        self.source.settled.add(event.start_mark.index)


def _compose_root(text: str, source: Source) -> yaml.Node | None:
    loader = _Loader(text, source)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()
