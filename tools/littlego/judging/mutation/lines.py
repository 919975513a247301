"""Lines of patterns.txt for patterns and sequences, and the firings of patterns given as lines."""

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

pattern_of = lru_cache(maxsize=256)(Pattern)  # keyed by line


def lines_of(pattern: KnownPattern) -> Lines:
    """Return the lines of patterns.txt for a pattern; a sequence has a line for each move."""
    return tuple(map(pattern_line, (pattern, *pattern.companions)))


def firings_of(lines: Lines, ruleset: str, position: Position) -> dict[str, Firings]:
    """Return {line: {move: points}}, with the moves for which each line's pattern fires in a position."""
    book, found = book_of_lines(lines, ruleset), dict[str, Firings]()
    line_of = {id(pattern): line for pattern, line in zip(book.patterns, lines, strict=True)}
    for move, firings in engine_of(ruleset).firings(position, book).items():
        for firing in firings:
            found.setdefault(line_of[id(firing.pattern)], {})[move] = firing.points
    return found


def moves_fired(lines: Lines, ruleset: str, position: Position) -> set[int]:
    """Return the moves for which the pattern of at least one of the given lines fires in a position."""
    return set(engine_of(ruleset).firings(position, book_of_lines(lines, ruleset)))


@lru_cache(maxsize=64)
def book_of_lines(lines: Lines, ruleset: str) -> Book:
    """Return a book with the patterns of the given lines, in order. ruleset: the name of the patterns' ruleset."""
    return engine_of(ruleset).book([Pattern(line) for line in lines], RULESETS[ruleset])
