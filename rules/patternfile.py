"""Reader of patterns.txt: the patterns, sorted by descending priority, and their placements.

The compiler in tools/littlego/knowledge generates the file. Line 1 is `littlego-patterns VERSION RULESET CRC32 SOURCE
COUNT SIZE`. SOURCE is a digest of the YAML source file. COUNT pattern lines of eleven tab-separated fields follow
(see Pattern), then COUNT lines of placements for boards of size SIZE (base64, see matching.pack_placements), then
`end`. If SIZE is above 5, the placement lines contain no placements. CRC32 covers every byte after line 1. If a pattern
applies only with certain numbers of moves left, its placement line starts with a hex mask of these numbers (1 <<
number) and a space. A player that knows the number of moves left can therefore skip patterns that cannot apply.
"""

from __future__ import annotations

import sys
from binascii import a2b_base64, crc32

from .geometry import make_grid
from .matching import PACKED, Lanes, parse_shape, placements, point_bits
from .programs import Conditions, Table, parse_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence, Tuple

    from .programs import Steps
    from .ruleset import Ruleset

    Words = Tuple[Sequence[int], Sequence[int], Sequence[int]]  # cares, values, cells

MAGIC, VERSION = "littlego-patterns", "2"
_NO_LETTERS = {ord(symbol): None for symbol in ".-|+"}  # removes all symbols except labels from a label row


class PatternFileError(Exception):
    """Raised if patterns.txt is unreadable or damaged, or was made for another version or ruleset.

    The message is one line.
    """


class Pattern:
    """A pattern as read from a line of patterns.txt; docs/patterns.md explains the keys of patterns.

    `kind` is the value of the key `class`; `points` and `when` contain postfix programs as text (see Book.conditions).
    `table` is the text of a programs.Table, or '' if the pattern has no table.
    """

    __slots__ = (
        "id",
        "kind",
        "priority",
        "specificity",
        "forbid",
        "sacrifice",
        "risk",
        "passes",
        "rare",
        "rows",
        "label_rows",
        "points",
        "table",
        "when",
        "summary",
    )

    def __init__(self, line: str) -> None:
        fields = line.split("\t")
        self.id, self.kind, priority, specificity, flags, rows, labels, *texts = fields
        self.points, self.table, when, self.summary = texts
        self.priority = int(priority)
        self.specificity = int(specificity)
        self.forbid = "f" in flags
        self.sacrifice = "s" in flags
        self.risk = "k" in flags
        self.passes = "p" in flags
        self.rare = "r" in flags
        self.rows = rows.split("/") if rows else []
        self.label_rows = labels.split("/") if labels else []
        self.when = when.split(" ; ") if when else []


class Book:
    """The patterns of a file, and their placements on boards of one size.

    The placements of patterns[k] are at the indexes starts[k] to starts[k + 1] - 1 of the parallel lists cares, values
    and cells.
    """

    __slots__ = (
        "ruleset_name",
        "size",
        "bits",
        "patterns",
        "starts",
        "cares",
        "values",
        "cells",
        "_conditions",
        "_lanes",
        "_parsed",
    )

    def __init__(self, ruleset_name: str, size: int, patterns: list[Pattern], starts: list[int], words: Words) -> None:
        self.ruleset_name = ruleset_name
        self.size = size
        self.bits = point_bits(size)
        self.patterns = patterns
        self.starts = starts
        self.cares, self.values, self.cells = words
        self._conditions: list[Conditions | None] = [None] * len(patterns)
        self._lanes: Lanes | None = None
        self._parsed: dict[tuple[str, str], Steps] = {}  # a cache, since patterns share many conditions

    def conditions(self, index: int) -> Conditions:
        """Return the Conditions of patterns[index]."""
        conditions = self._conditions[index]
        if conditions is None:
            pattern = self.patterns[index]
            letters = "".join(pattern.label_rows).translate(_NO_LETTERS)
            programs = [self._program(text, letters) for text in pattern.when]
            table = Table(pattern.table) if pattern.table else None
            conditions = self._conditions[index] = Conditions(self._program(pattern.points, letters), programs, table)
        return conditions

    def fits(self, word: int) -> bytes:
        """Return one byte for each placement: matching.FITS if the board `word` matches, else a smaller value."""
        if self._lanes is None:
            self._lanes = Lanes(self.size, self.cares, self.values)
        return self._lanes.fits(word)

    def _program(self, text: str, letters: str) -> Steps:
        key = text, letters
        if key not in self._parsed:
            self._parsed[key] = parse_program(text, letters, self.bits)
        return self._parsed[key]

    def for_size(self, size: int) -> Book:
        """Return a book of the same patterns, with their placements on boards of the given size."""
        if size == self.size:
            return self
        return book_of(self.ruleset_name, size, self.patterns)


def book_of(ruleset_name: str, size: int, patterns: list[Pattern]) -> Book:
    """Return a Book of patterns, with placements computed from the patterns' shapes."""
    starts = [0]
    placed: list[tuple[int, int, int]] = []
    for pattern in patterns:
        placed += placements(parse_shape(pattern.rows, pattern.label_rows), size)
        starts.append(len(placed))
    cares, values, cells = ([placement[column] for placement in placed] for column in range(3))
    return Book(ruleset_name, size, patterns, starts, (cares, values, cells))


def empty_book(ruleset: Ruleset) -> Book:
    """Return a Book without patterns: the engine then plays only by its built-in rules."""
    return book_of(ruleset.name, ruleset.size, [])


def load(path: str, ruleset: Ruleset | None = None, left: int | None = None) -> Book:
    """Return the Book in a patterns.txt; raise PatternFileError if the file is unreadable or damaged.

    ruleset, left: see load_bytes.
    """
    return load_bytes(read_bytes(path), path, ruleset, left)


def read_bytes(path: str) -> bytes:
    """Return the content of a file; raise PatternFileError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise PatternFileError("cannot read %s: %s" % (path, error.strerror))


def load_bytes(data: bytes, name: str, ruleset: Ruleset | None = None, left: int | None = None) -> Book:
    """Return the Book that the bytes of a patterns.txt contain.

    name: the file's name in messages. ruleset: the required ruleset, or None for any ruleset. left: the number of moves
    left, or None if unknown; patterns that cannot apply with this number are skipped. Raise PatternFileError if the
    file is damaged, or was made for another version or ruleset.
    """
    ruleset_name, size, patterns, placed = read_patterns(data, name, ruleset, left)
    if sys.byteorder != "little" or point_bits(size) > 5:
        return book_of(ruleset_name, size, patterns)
    try:
        return _unpacked(ruleset_name, size, patterns, placed)
    except ValueError as error:
        raise _not_understood(name, error)


def read_patterns(
    data: bytes, name: str, ruleset: Ruleset | None = None, left: int | None = None
) -> tuple[str, int, list[Pattern], list[bytes]]:
    """Return (ruleset name, board size, patterns, base64 placements) of a patterns.txt: see load_bytes.

    Raise PatternFileError if the file is damaged, or was made for another version or ruleset. The placements are not
    decoded.
    """
    head, _, body = data.partition(b"\n")
    fields = head.decode("utf-8", "replace").split(" ")
    if fields[0] != MAGIC or len(fields) != 7:
        raise PatternFileError("%s: line 1 is not a header `%s ...`" % (name, MAGIC))
    if fields[1] != VERSION:
        raise PatternFileError("%s: format version %s, expected %s" % (name, fields[1], VERSION))
    if "%08x" % crc32(body) != fields[3]:
        raise PatternFileError("%s: the checksum is wrong: the file is truncated or was edited by hand" % name)
    if ruleset and (fields[2], fields[6]) != (ruleset.name, str(ruleset.size)):
        expected = ruleset.name, ruleset.size
        raise PatternFileError(
            "%s: made for %s on size %s, expected %s on size %d" % (name, fields[2], fields[6], *expected)
        )
    try:
        number, size = int(fields[5]), int(fields[6])
        make_grid(size)  # raises ValueError for an invalid size
        return (fields[2], size) + _read_body(body, number, left)
    except (ValueError, IndexError, KeyError) as error:
        raise _not_understood(name, error)


def _not_understood(name: str, error: Exception) -> PatternFileError:
    return PatternFileError("%s: cannot be understood: %s" % (name, error))


def _read_body(body: bytes, number: int, left: int | None) -> tuple[list[Pattern], list[bytes]]:
    lines = body.split(b"\n")
    if len(lines) != 2 * number + 2 or lines[-2] != b"end":
        raise ValueError("%d lines, expected %d" % (len(lines) - 1, 2 * number + 1))
    patterns: list[Pattern] = []
    placed: list[bytes] = []
    for line, placement in zip(lines[:number], lines[number:-2]):
        lefts, _, words = placement.rpartition(b" ")
        if left is None or not lefts or int(lefts, 16) >> left & 1:
            patterns.append(Pattern(line.decode("utf-8")))
            placed.append(words)
    return patterns, placed


def _unpacked(ruleset_name: str, size: int, patterns: list[Pattern], placed: list[bytes]) -> Book:
    """Return the Book of patterns and their placements; raise ValueError if the placements are damaged."""
    starts = [0]
    for words in placed:
        starts.append(starts[-1] + len(words) // 32)  # 24 bytes are 32 base64 characters, never padded
    packed = a2b_base64(b"".join(placed))
    if len(packed) != PACKED * starts[-1]:
        raise ValueError("the placements are incomplete")
    columns = memoryview(packed).cast("Q")  # a view instead of a copy, since a turn reads the placements only once
    return Book(ruleset_name, size, patterns, starts, (columns[0::3], columns[1::3], columns[2::3]))
