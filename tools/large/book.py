"""A book of patterns for large boards: without placements, which planes find when they are asked."""

from __future__ import annotations

import os
from binascii import crc32

from rules.geometry import make_grid
from rules.patternfile import MAGIC, VERSION, Book, Pattern, PatternFileError
from tools.large.conditions import BoardConditions, board_conditions
from tools.large.planes import Planes


class LargeBook(Book):
    """The patterns of a file for one board size; the parallel lists of placements are empty.

    for_size gives the book for another size, the same object each time.
    """

    __slots__ = ("_planes", "_board_conditions", "_sizes")

    def __init__(self, ruleset_name: str, size: int, patterns: list[Pattern]) -> None:
        make_grid(size)  # refuses sizes that no board has
        super().__init__(ruleset_name, size, patterns, [0] * (len(patterns) + 1), ((), (), ()))
        self._planes: Planes | None = None
        self._board_conditions: list[BoardConditions | None] = [None] * len(patterns)
        self._sizes: dict[int, LargeBook] = {size: self}

    @property
    def planes(self) -> Planes:
        """The templates of the patterns, made when they are first asked for."""
        if self._planes is None:
            self._planes = Planes(self.patterns, self.size)
        return self._planes

    def board_conditions(self, index: int) -> BoardConditions:
        """Return the conditions of patterns[index] in two parts: see tools.large.conditions."""
        kept = self._board_conditions[index]
        if kept is None:
            kept = board_conditions(self.conditions(index), self.bits, self.size)
            self._board_conditions[index] = kept
        return kept

    def for_size(self, size: int) -> LargeBook:
        """Return this book for another board size; ValueError for a size that no board has."""
        if size not in self._sizes:
            other = LargeBook(self.ruleset_name, size, self.patterns)
            other._sizes = self._sizes
            self._sizes[size] = other
        return self._sizes[size]


def large_book(book: Book) -> LargeBook:
    """Return a book's patterns as a LargeBook for the same size; the book itself if it is one already."""
    return book if isinstance(book, LargeBook) else LargeBook(book.ruleset_name, book.size, book.patterns)


def load_large(path: str | os.PathLike[str], ruleset_name: str | None = None) -> LargeBook:
    """Return the LargeBook in a patterns.txt of any ruleset, its placements left unread.

    ruleset_name: what its header must say, `match` for that of large boards; None takes any. Raise PatternFileError for
    any damage that rules.patternfile.load refuses, and for another ruleset.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise PatternFileError(f"cannot read {path}: {error.strerror}") from error
    head, _, body = data.partition(b"\n")
    fields = head.decode("utf-8", "replace").split(" ")
    if fields[0] != MAGIC or len(fields) != 7:
        raise PatternFileError(f"{path}: line 1 is not a header `{MAGIC} ...`")
    if fields[1] != VERSION:
        raise PatternFileError(f"{path}: format version {fields[1]}, expected {VERSION}")
    if f"{crc32(body):08x}" != fields[3]:
        raise PatternFileError(f"{path}: the checksum does not fit: truncated, or edited by hand")
    if ruleset_name not in (None, fields[2]):
        raise PatternFileError(f"{path}: made for {fields[2]}, expected {ruleset_name}")
    try:
        return _read_body(body, fields[2], int(fields[5]), int(fields[6]))
    except (ValueError, IndexError) as error:
        raise PatternFileError(f"{path}: cannot be understood: {error}") from error


def _read_body(body: bytes, ruleset_name: str, number: int, size: int) -> LargeBook:
    lines = body.split(b"\n")
    if len(lines) != 2 * number + 2 or lines[-2] != b"end":
        raise ValueError(f"{len(lines) - 1} lines, expected {2 * number + 1}")
    return LargeBook(ruleset_name, size, [Pattern(line.decode("utf-8")) for line in lines[:number]])
