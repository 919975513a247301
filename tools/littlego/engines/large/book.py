"""Books of patterns for large boards, where planes replace the lists of placements (see `planes`)."""

from __future__ import annotations

from functools import lru_cache

from littlego.engines.large.conditions import BoardConditions, board_conditions
from littlego.engines.large.planes import Planes
from littlego.rules.geometry import make_grid
from littlego.rules.patternfile import Book, Pattern, read_patterns


class LargeBook(Book):
    """A book for one board size, without lists of placements: `planes` finds the placements instead.

    `for_size` returns the book for another size; repeated calls with the same size return the same object.
    """

    __slots__ = ("_planes", "_board_conditions", "_sizes")

    def __init__(self, ruleset_name: str, size: int, patterns: list[Pattern]) -> None:
        make_grid(size)  # raises ValueError for an invalid size
        super().__init__(ruleset_name, size, patterns, [0] * (len(patterns) + 1), ((), (), ()))
        self._planes: Planes | None = None
        self._board_conditions: list[BoardConditions | None] = [None] * len(patterns)
        self._sizes: dict[int, LargeBook] = {size: self}

    @property
    def planes(self) -> Planes:
        """The templates of the patterns, built at the first access."""
        if self._planes is None:
            self._planes = Planes(self.patterns, self.size)
        return self._planes

    def board_conditions(self, index: int) -> BoardConditions:
        """Return the BoardConditions of patterns[index]: see littlego.engines.large.conditions."""
        kept = self._board_conditions[index]
        if kept is None:
            kept = board_conditions(self.conditions(index), self.bits, self.size)
            self._board_conditions[index] = kept
        return kept

    def for_size(self, size: int) -> LargeBook:
        """Return this book for another board size; raise ValueError for an invalid size."""
        if size not in self._sizes:
            other = LargeBook(self.ruleset_name, size, self.patterns)
            other._sizes = self._sizes
            self._sizes[size] = other
        return self._sizes[size]


@lru_cache(maxsize=32)
def large_book(book: Book) -> LargeBook:
    """Return a book's patterns as a LargeBook for the same size.

    A LargeBook is returned unchanged. The results for the 32 latest books are cached.
    """
    return book if isinstance(book, LargeBook) else LargeBook(book.ruleset_name, book.size, book.patterns)


def load_large(data: bytes, name: str) -> LargeBook:
    """Return the LargeBook in the bytes of a patterns.txt of any ruleset, without decoding placements.

    name: the file's name in messages. Raise PatternFileError if the file is damaged or was made for another version.
    """
    ruleset_name, size, patterns, _ = read_patterns(data, name)
    return LargeBook(ruleset_name, size, patterns)
