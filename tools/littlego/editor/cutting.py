"""The text of a patterns file, cut into entries line by line, without a YAML parser.

Compiling a whole file takes a second or more, but compiling one entry takes only hundredths of a second. After most
keystrokes, only the changed entry is cut and compiled again. An entry starts at each `- ` in the column of the first
`- ` below `patterns:`. An excerpt is a Source with at most one entry. The excerpt reports each character's line and
column in the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from operator import add

from littlego.editor.merging import common_ends
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
    """The lines of one entry of `patterns`, without the blank lines and comments below the entry.

    number: the zero-based index of the entry in the list. first, last: one-based line numbers. begin, end: the bounds
    as indexes in the file's text, `end` exclusive.
    """

    number: int
    first: int
    last: int
    begin: int
    end: int

    def moved(self, lines: int, characters: int) -> Entry:
        """Return the entry with `lines` added to the line numbers and `characters` added to the bounds."""
        first, last = self.first + lines, self.last + lines
        return Entry(self.number, first, last, self.begin + characters, self.end + characters)


class Cut:
    """A file's text, cut into entries.

    starts: the index of each line's first character. indent: the zero-based column of the entries' dashes. texts: the
    text of each entry, including the end of its last line. before: the cut of an earlier text, which saves time if the
    texts differ in a single entry. edited: the number of the entry whose text has changed since `before`, or None if
    the whole text was cut.
    """

    def __init__(self, text: str, filename: str, before: Cut | None = None):
        self.text = text
        self.filename = filename
        self.edited = self._cut_again(before) if before else None
        if self.edited is None:
            self.has_rare_ends = any(end in text for end in RARE_ENDS)
            self.starts = line_starts(text)
            self.indent = 0
            self.entries = self._cut()
            self.texts = [text[entry.begin : entry.end] for entry in self.entries]

    def line_of(self, index: int) -> int:
        """Return the one-based line number of the character at an index."""
        return bisect_right(self.starts, index)

    def text_of(self, entry: Entry) -> str:
        """Return the text of an entry, including the end of its last line."""
        return self.texts[entry.number]

    def entry_at(self, line: int) -> Entry | None:
        """Return the entry that contains a line, or None. line: the one-based line number.

        Blank lines and comments below an entry count as lines of the entry.
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
        """Return an excerpt: the lines outside the entries and, unless `entry` is None, the lines of `entry`.

        Blank lines and comments outside the entry are omitted. shares: whether to keep the key `shares`. The method
        `offset` converts an index in the excerpt to an index in the file's text.
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

    def _cut_again(self, before: Cut) -> int | None:
        """Reuse the cut of an earlier text if the texts differ in a single entry; return the entry's number.

        Return None for an edit of the last entry, for a text with rare line ends, and for an edit that could move the
        start or the end of any other entry.
        """
        start, end, by = common_ends(before.text, self.text)
        number = bisect_right(before.entries, start, key=lambda entry: entry.begin) - 1
        if not 0 <= number < len(before.entries) - 1 or before.has_rare_ends:
            return None
        entry, below = before.entries[number : number + 2]
        lines = self.text[entry.begin : below.begin + by]
        is_inside = end <= below.begin and not before._has_outdented(before.text[entry.begin : below.begin])
        if not is_inside or not before._is_one_entry(lines):
            return None
        self.has_rare_ends, self.indent = False, before.indent
        starts = [entry.begin + start for start in line_starts(lines)[:-1]]
        self.starts = [*before.starts[: entry.first - 1], *starts, *map(by.__add__, before.starts[below.first - 1 :])]
        down = len(self.starts) - len(before.starts)
        self._list_end = before._list_end + down
        edited = self._entry(number, entry.first, below.first + down)
        moved = (one.moved(down, by) for one in before.entries[number + 1 :])
        self.entries = [*before.entries[:number], edited, *moved]
        self.texts = [*before.texts[:number], self.text[edited.begin : edited.end], *before.texts[number + 1 :]]
        return number

    def _is_one_entry(self, lines: str) -> bool:
        """Return whether the text `lines` has only whole lines and forms exactly one entry of the list."""
        is_begun = re.match(rf" {{{self.indent}}}-[ \n]", lines)
        is_plain = lines.endswith("\n") and not any(end in lines for end in RARE_ENDS)
        return bool(is_begun) and is_plain and not self._has_outdented(lines) and not self._dash.search(lines)

    def _has_outdented(self, lines: str) -> bool:
        return bool(self._outdented.search(lines))

    @cached_property
    def _outdented(self) -> re.Pattern[str]:
        """A regular expression for a line outside the list of entries.

        Such a line is less indented than the entries' dashes or, if the dashes are not indented, does not start with a
        dash. The list's first line never matches.
        """
        # A regular expression that starts with the line end is many times faster than one with `^`.
        indented = rf"\n( {{0,{self.indent - 1}}}[^\s#].*)"
        return re.compile(indented if self.indent else r"\n((?!- |-\r?(?:\n|\Z))[^\s#].*)")

    @cached_property
    def _dash(self) -> re.Pattern[str]:
        """A regular expression that matches the line end above an entry and the entry's dash."""
        return re.compile(rf"\n {{{self.indent}}}-(?=[ \r\n])")

    def _end_of_list(self, first: int) -> int:
        """Return the index at which the list of entries ends. first: the index at which the list starts.

        An outdented line (see `_outdented`) ends the list if it starts with a top-level key of patterns files, `---` or
        `...`, or with another key that no entry follows. Otherwise, the line is a mistake in the entry above it.
        """
        for line in self._outdented.finditer(self.text, first):
            if _OF_FILE.match(line[1]) or _KEY.match(line[1]) and not any(self._dashes(line.end(), len(self.text))):
                return line.start(1)
        return len(self.text)

    def _dashes(self, begin: int, end: int) -> Iterator[int]:
        """Yield the index of the first character of each line from `begin` to `end` that starts an entry.

        The file's first line is omitted.
        """
        return (found.start() + 1 for found in self._dash.finditer(self.text, begin - 1, end))

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
        """Return the numbers of the lines outside the entries, without blank lines and comments.

        shares: whether to include the lines of the key `shares`.
        """
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
    """Return the index of the first character of each line.

    A line ends at each line break of YAML, including the rare line breaks NEL, LS and PS.
    """
    if any(end in text for end in RARE_ENDS):
        return [0, *(line_end.end() for line_end in BREAK.finditer(text))]
    lengths = map(len, text.split("\n")[:-1])  # without a Python loop, because this runs after each keystroke
    return [0, *map(add, accumulate(lengths), count(1))]
