"""A pattern as a line of patterns.txt, a sequence as a line for each move; and where such lines fire."""

from __future__ import annotations

from functools import lru_cache

from littlego.engines.choosing import engine_of
from littlego.knowledge.keys import RULESETS
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.textfile import pattern_line
from littlego.rules.patternfile import Book, Pattern
from littlego.rules.position import Position

Lines = tuple[str, ...]
Firings = dict[int, int]  # move, a point or PASS -> points

pattern_of = lru_cache(maxsize=256)(Pattern)  # by its line


def lines_of(pattern: KnownPattern) -> Lines:
    """Return a pattern as a line of patterns.txt, or the first of a sequence with the other moves as more lines."""
    return tuple(map(pattern_line, (pattern, *pattern.companions)))


def firings_of(lines: Lines, ruleset: str, position: Position) -> dict[str, Firings]:
    """Return for which moves each of some patterns fires in a position; nothing where it does not."""
    book, found = book_of_lines(lines, ruleset), dict[str, Firings]()
    line_of = {id(pattern): line for pattern, line in zip(book.patterns, lines, strict=True)}
    for move, firings in engine_of(ruleset).firings(position, book).items():
        for firing in firings:
            found.setdefault(line_of[id(firing.pattern)], {})[move] = firing.points
    return found


def moves_fired(lines: Lines, ruleset: str, position: Position) -> set[int]:
    """Return the moves that any of some patterns fires for in a position."""
    return set(engine_of(ruleset).firings(position, book_of_lines(lines, ruleset)))


@lru_cache(maxsize=64)
def book_of_lines(lines: Lines, ruleset: str) -> Book:
    """Return the book of some lines, in their order; ruleset: its name."""
    return engine_of(ruleset).book([Pattern(line) for line in lines], RULESETS[ruleset])
