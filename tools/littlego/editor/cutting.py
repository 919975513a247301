"""The text of a patterns file cut into entries by lines, without a YAML parser.

A whole file takes a second and more to read, a single entry some hundredths: after a keystroke only the entry that it
falls into is read again. Where entries begin shows in the text: at each `- ` in the column of the first one below
`patterns:`. A part of the file is read as a Source in which all other lines are there, and are empty: so everything
keeps its true line and column.
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
_SILENT = re.compile(r"[ \t]*(?:#.*)?[\r\n\x85\u2028\u2029]*")  # a line that says nothing
_OF_FILE = re.compile(rf"---|\.\.\.|[\"']?(?:{'|'.join(FILE_KEYS)})[\"']?[ \t]*:(?=\s|$)")
_KEY = re.compile(r"[\"']?[A-Za-z_][\w-]*[\"']?[ \t]*:(?=\s|$)")
_SHARES = re.compile(r"[\"']?shares[\"']?[ \t]*:")
RARE_ENDS = "\r", "\x85", "\u2028", "\u2029"  # of lines; beside the usual one


@dataclass(frozen=True)
class Entry:
    """A part of the text: the lines of one entry of `patterns`, from 1, first and last; comments below it left out.

    begin, end: the same as indexes in the file's text. number: its place in the list, from 0.
    """

    number: int
    first: int
    last: int
    begin: int
    end: int


class Cut:
    """A file's text, cut. starts: where each line begins. indent: the column, from 0, of the entries' dashes."""

    def __init__(self, text: str, filename: str):
        self.text = text
        self.filename = filename
        self.starts = line_starts(text)
        self.indent = 0
        self.entries = self._cut()

    def line_of(self, index: int) -> int:
        """Return the line, from 1, of a character."""
        return bisect_right(self.starts, index)

    def text_of(self, entry: Entry) -> str:
        """Return the text of an entry, with its last line's end."""
        return self.text[entry.begin : entry.end]

    def entry_at(self, line: int) -> Entry | None:
        """Return the entry that a line, from 1, belongs to; comments below an entry are its own, too."""
        before = bisect_right([entry.first for entry in self.entries], line)
        return self.entries[before - 1] if before and line <= self._list_end else None

    @cached_property
    def head(self) -> str:
        """The lines outside the entries that say something, `shares` left out: what an entry is read below."""
        return "".join(self._line(number) for number in self._outside())

    @cached_property
    def outside(self) -> str:
        """All lines outside the entries that say something."""
        return "".join(self._line(number) for number in self._outside(shares=True))

    def excerpt(self, entry: Entry | None, shares: bool = False) -> Source:
        """Return the file with this entry alone, or none; shares: with the key `shares`. See `offset`."""
        kept = set(self._outside(shares))
        if entry is not None:
            kept.update(range(entry.first, entry.last + 1))
        pieces: list[str] = []
        starts: list[int] = []
        length, line = 0, 1
        for number in sorted(kept):
            starts += [length] * (number - line + 1)  # the lines left out begin where the next one does
            pieces.append(self._line(number))
            length, line = length + len(pieces[-1]), number + 1
        source = Source("".join(pieces), self.filename)
        source.starts = starts + [length] * (len(self.starts) - len(starts))
        return source

    def offset(self, source: Source, index: int) -> int:
        """Return where in the file's text a character of an excerpt stands."""
        line, column = source.place(index)
        if index == len(source.text) and index:  # its end: after the last character that is there
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
        """Return where the list of the entries ends that begins at a character.

        A line further out ends it that is a key of the file, or a key of any name below which no entry follows: what is
        typed at the margin within an entry is that entry's mistake, and no other's.
        """
        # A pattern that begins with the line's end is found many times faster than one with `^`.
        outdented = rf"\n( {{0,{self.indent - 1}}}[^\s#].*)" if self.indent else r"\n((?!- |-\r?(?:\n|\Z))[^\s#].*)"
        for line in re.compile(outdented).finditer(self.text, first):
            if _OF_FILE.match(line[1]) or _KEY.match(line[1]) and not any(self._dashes(line.end(), len(self.text))):
                return line.start(1)
        return len(self.text)

    def _dashes(self, begin: int, end: int) -> Iterator[int]:
        """Yield where lines begin with the dash of an entry, from a place on; the first line of the file has none."""
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
        """Return the numbers of the lines outside the entries that say something."""
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
    """Return where each line of a text begins, as YAML ends lines."""
    if any(end in text for end in RARE_ENDS):
        return [0, *(line_end.end() for line_end in BREAK.finditer(text))]
    lengths = map(len, text.split("\n")[:-1])  # one keystroke in a long file waits for this: no loop of our own
    return [0, *map(add, accumulate(lengths), count(1))]
