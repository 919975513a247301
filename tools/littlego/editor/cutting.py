"""The text of a patterns file cut into entries by lines, without a YAML parser.

Compiling a whole file takes a second or more, but compiling one entry takes only hundredths of a second. After a
keystroke, only the changed entry is compiled again. An entry starts at each `- ` in the column of the first `- ` below
`patterns:`. An excerpt, such as a single entry, is a Source that reports each character's line and column in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from operator import add

from littlego.knowledge.keys import FILE_KEYS
from littlego.knowledge.source import BREAK, Source

_LIST = re.compile(r"^[\"']?patterns[\"']?[ \t]*:[ \t]*(?:#.*)?\r?$", re.MULTILINE)
_FIRST = re.compile(r"^( *)-(?=[ \r\n])", re.MULTILINE)
_SILENT = re.compile(r"[ \t]*(?:#.*)?[\r\n\x85\u2028\u2029]*")  # a blank line or a comment
_OF_FILE = re.compile(rf"---|\.\.\.|[\"']?(?:{'|'.join(FILE_KEYS)})[\"']?[ \t]*:(?=\s|$)")
_KEY = re.compile(r"[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?=\s|$)")
_SHARES = re.compile(r"[\"']?shares[\"']?[ \t]*:")
RARE_ENDS = "\r", "\x85", "\u2028", "\u2029"  # rare line ends besides LF and CR LF


@dataclass(frozen=True)
class Entry:
    """The lines of one entry of `patterns`, without the blank lines and comments below it.

    number: the index of the entry in the list, from 0. first, last: line numbers from 1. begin, end: the bounds as
    indexes in the file's text.
    """

    number: int
    first: int
    last: int
    begin: int
    end: int


class Cut:
    """A file's text, cut into entries.

    starts: the index of each line's first character. indent: the column, from 0, of the entries' dashes.
    """

    def __init__(self, text: str, filename: str):
        self.text = text
        self.filename = filename
        self.starts = line_starts(text)
        self.indent = 0
        self.entries = self._cut()

    def line_of(self, index: int) -> int:
        """Return the line number, from 1, of the character at an index."""
        return bisect_right(self.starts, index)

    def text_of(self, entry: Entry) -> str:
        """Return the text of an entry, including the end of its last line."""
        return self.text[entry.begin : entry.end]

    def entry_at(self, line: int) -> Entry | None:
        """Return the entry that contains a line, or None. line: from 1.

        Comments below an entry count as lines of the entry.
        """
        before = bisect_right([entry.first for entry in self.entries], line)
        return self.entries[before - 1] if before and line <= self._list_end else None

    @cached_property
    def head(self) -> str:
        """The lines outside the entries, without `shares`, blank lines and comments.

        An entry's compiled patterns depend on these lines.
        """
        return "".join(self._line(number) for number in self._outside())

    @cached_property
    def outside(self) -> str:
        """The lines outside the entries, without blank lines and comments."""
        return "".join(self._line(number) for number in self._outside(shares=True))

    def excerpt(self, entry: Entry | None, shares: bool = False) -> Source:
        """Return an excerpt: this entry, or nothing if `entry` is None, and the lines outside the entries.

        Blank lines and comments outside the entry are omitted. shares: whether to keep the key `shares`. `offset`
        converts an index in the excerpt to an index in the file's text.
        """
        kept = set(self._outside(shares))
        if entry is not None:
            kept.update(range(entry.first, entry.last + 1))
        pieces: list[str] = []
        starts: list[int] = []
        length, line = 0, 1
        for number in sorted(kept):
            starts += [length] * (number - line + 1)  # an omitted line starts where the next line of the excerpt starts
            pieces.append(self._line(number))
            length, line = length + len(pieces[-1]), number + 1
        source = Source("".join(pieces), self.filename)
        source.starts = starts + [length] * (len(self.starts) - len(starts))
        return source

    def offset(self, source: Source, index: int) -> int:
        """Return the index in the file's text that corresponds to an index in an excerpt."""
        line, column = source.place(index)
        if index == len(source.text) and index:  # the end of the excerpt directly follows its last character
            return self.offset(source, index - 1) + 1
        return self.starts[line - 1] + column - 1

    def _line(self, number: int) -> str:
        following = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : following]

    def _cut(self) -> list[Entry]:
        self._list_end = 0
        begun = _LIST.search(self.text)
        first = _FIRST.search(self.text, begun.end()) if begun else None
        if not begun or not first or not self._is_silent(begun, first):
            return []
        self.indent = len(first[1])
        end = self._end_of_list(first.start())
        self._list_end = self.line_of(end - 1) if end else 0
        begins = [self.line_of(dash) for dash in self._dashes(first.start(), end)]
        ends = [*begins[1:], self._list_end + 1]
        return [self._entry(number, *pair) for number, pair in enumerate(zip(begins, ends, strict=True))]

    def _end_of_list(self, first: int) -> int:
        """Return the index at which the list of entries ends. first: the index at which it starts.

        A less indented line ends the list if it starts with a key of the file, `---` or `...`, or if it starts with any
        other key and no entry follows. Any other less indented text is a mistake in the entry above it.
        """
        # A regular expression that starts with the line end is many times faster than one with `^`.
        outdented = rf"\n( {{0,{self.indent - 1}}}[^\s#].*)" if self.indent else r"\n((?!- |-\r?(?:\n|\Z))[^\s#].*)"
        for line in re.compile(outdented).finditer(self.text, first):
            if _OF_FILE.match(line[1]) or _KEY.match(line[1]) and not any(self._dashes(line.end(), len(self.text))):
                return line.start(1)
        return len(self.text)

    def _dashes(self, begin: int, end: int) -> Iterator[int]:
        """Yield the index of each line between two indexes that starts an entry, except the file's first line."""
        dash = re.compile(rf"\n {{{self.indent}}}-(?=[ \r\n])")
        return (found.start() + 1 for found in dash.finditer(self.text, begin - 1, end))

    def _is_silent(self, begun: re.Match[str], first: re.Match[str]) -> bool:
        between = self.text[begun.end() : first.start()].splitlines()
        return all(_SILENT.fullmatch(line) for line in between)

    def _entry(self, number: int, first: int, following: int) -> Entry:
        last = following - 1
        while last > first and _SILENT.fullmatch(self._line(last)):
            last -= 1
        end = self.starts[last] if last < len(self.starts) else len(self.text)
        return Entry(number, first, last, self.starts[first - 1], end)

    def _outside(self, shares: bool = False) -> list[int]:
        """Return the numbers of the lines outside the entries, without blank lines and comments."""
        first = self.entries[0].first if self.entries else len(self.starts) + 1
        numbers, is_left_out = [], False
        for number in (*range(1, first), *range(max(self._list_end, first - 1) + 1, len(self.starts) + 1)):
            line = self._line(number)
            if _SILENT.fullmatch(line):
                continue
            is_left_out = not shares and bool(_SHARES.match(line) or (is_left_out and line[0] in " \t"))
            numbers += [] if is_left_out else [number]
        return numbers


def line_starts(text: str) -> list[int]:
    """Return the index of the first character of each line. Lines end as in YAML."""
    if any(end in text for end in RARE_ENDS):
        return [0, *(line_end.end() for line_end in BREAK.finditer(text))]
    lengths = map(len, text.split("\n")[:-1])  # each keystroke in a long file needs this, so it avoids a Python loop
    return [0, *map(add, accumulate(lengths), count(1))]
