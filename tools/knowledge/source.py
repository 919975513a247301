"""A text in which every character, and every character of a YAML scalar's value, knows its line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tools.knowledge.problems import Problem

if TYPE_CHECKING:
    import yaml

BREAK = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")  # where YAML ends a line
_PLAIN = re.compile(r"\S")
_QUOTED = {
    "'": re.compile(r"''|\S"),
    '"': re.compile(r"\\(?:x.{2}|u.{4}|U.{8}|\r\n|.)|\S", re.DOTALL),
}


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
        self.starts = [0] + [found.end() for found in BREAK.finditer(text)]

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
        found, last = [], node.start_mark.index + (node.style in _QUOTED)
        for character in node.value:
            if character.isspace():
                found.append(last)
            else:
                start, last = next(units, (last, last))
                found.append(start)
        return found + [last]

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
    if unit[1] in "xuU":
        return chr(int(unit[2:], 16)).isspace()
    return unit[1] in "tnvfrN_LP" or unit[1].isspace()
