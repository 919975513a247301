"""Patterns files by name: a patterns.yaml, a patterns.txt, or either of them as a revision of git has it.

No other module reads patterns files by name; littlego.engines.books has the files of our own player.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from littlego.cli.arguments import ArgumentError
from littlego.engines.books import describe_stale, tell_if_stale
from littlego.engines.choosing import engine_of, load_book, ruleset_in
from littlego.files import short_name
from littlego.knowledge.keys import RULESETS
from littlego.knowledge.model import KnowledgeBase, KnownPattern, by_rank
from littlego.knowledge.problems import in_one_line, no_such
from littlego.knowledge.revisions import read_data
from littlego.knowledge.textfile import pattern_line
from littlego.rules.patternfile import MAGIC, Book, Pattern, PatternFileError
from littlego.rules.ruleset import LITTLE_GO


class PatternsFile(NamedTuple):
    """A patterns file that was read.

    name: as messages call it. compiled: the patterns.txt that it is or makes. patterns: how many it has. base: what its
    author wrote; None where it is a patterns.txt.
    """

    name: str
    compiled: bytes
    patterns: int
    base: KnowledgeBase | None

    @property
    def ruleset(self) -> str:
        """The name of the ruleset that its patterns are for."""
        return ruleset_in(self.compiled)


def read_patterns_file(name: str | os.PathLike[str]) -> PatternsFile:
    """Return a file, or a revision's, read and compiled; raise ArgumentError, which says in a line what is wrong."""
    data, name = read_data(name), os.fspath(name) if ":" in os.fspath(name) else short_name(name)
    if data.startswith(MAGIC.encode()) or name.endswith(".txt"):
        return PatternsFile(name, data, _count_patterns(data, name), None)
    compiled, base = compile_yaml(data, name)
    return PatternsFile(name, compiled, len(base.ranked()), base)


def read_compiled(name: str | os.PathLike[str]) -> bytes:
    """Return the bytes of the patterns.txt that a file, or a revision's, is or makes; raise ArgumentError."""
    return read_patterns_file(name).compiled


def _count_patterns(data: bytes, name: str) -> int:
    """Return how many patterns a patterns.txt has; raise ArgumentError where the player could not read it."""
    try:
        return len(load_book(data, name).patterns)
    except PatternFileError as error:
        raise ArgumentError(str(error)) from None


def compile_yaml(data: bytes, name: str) -> tuple[bytes, KnowledgeBase]:
    """Return a patterns.yaml compiled and read; raise ArgumentError, which says by that name what is wrong in it."""
    from littlego.knowledge.compiler import compile_text  # a patterns.txt is read without it

    compiled, problems, base = compile_text(data, name, with_examples=False)
    if compiled is None:
        raise ArgumentError(in_one_line(problems))
    return compiled, base


@dataclass(frozen=True)
class Knowledge:
    """The patterns of a file. lines: as in patterns.txt, in its order. known: as the author wrote them, by id;
    empty where the file is a patterns.txt. ruleset: the name of the one that they are for."""

    name: str
    lines: tuple[str, ...]
    known: dict[str, KnownPattern]
    ruleset: str = LITTLE_GO.name

    @property
    def book(self) -> Book:
        """The book of these patterns."""
        return book_of_lines(self.lines, self.ruleset)

    def only(self, names: Collection[str]) -> Knowledge:
        """Return the patterns with these ids alone."""
        known = {name: pattern for name, pattern in self.known.items() if name in names}
        return replace(self, lines=tuple(line for line in self.lines if line.split("\t", 1)[0] in names), known=known)

    def with_pattern(self, name: str, other: KnownPattern | None) -> Knowledge:
        """Return the same patterns with another one, or none, in the place of that of an id."""
        known = {one: pattern for one, pattern in self.known.items() if one != name}
        if other is not None:
            known[name] = other
        return replace(self, lines=tuple(map(pattern_line, by_rank(known.values()))), known=known)

    def check_ids(self, ids: Iterable[str]) -> None:
        """Raise ArgumentError for an id that no pattern has."""
        known = {pattern.id for pattern in self.book.patterns}
        for name in ids:
            if name not in known:
                raise ArgumentError(no_such("pattern", name, known))


@lru_cache(maxsize=4)
def book_of_lines(lines: tuple[str, ...], ruleset: str = LITTLE_GO.name) -> Book:
    """Return the book of these lines of a patterns.txt; ruleset: the name in its header."""
    return engine_of(ruleset).book([Pattern(line) for line in lines], RULESETS[ruleset])


@lru_cache(maxsize=4)
def book_with(book: Book, names: frozenset[str]) -> Book:
    """Return the book of those patterns of a book that have these ids."""
    patterns = [pattern for pattern in book.patterns if pattern.id in names]
    return engine_of(book.ruleset_name).book(patterns, RULESETS[book.ruleset_name])


def knowledge_of(base: KnowledgeBase, name: str) -> Knowledge:
    """Return the knowledge in a patterns.yaml that was read."""
    ranked = base.ranked()
    return Knowledge(
        name, tuple(map(pattern_line, ranked)), {pattern.id: pattern for pattern in ranked}, base.ruleset.name
    )


def read_knowledge(name: str | os.PathLike[str]) -> Knowledge:
    """Return the knowledge in a file, or in a revision's; raise ArgumentError, which says in a line what is wrong."""
    found = read_patterns_file(name)
    if found.base is not None:
        return knowledge_of(found.base, found.name)
    lines = found.compiled.split(b"\n")[1 : 1 + found.patterns]
    return Knowledge(found.name, tuple(line.decode("utf-8") for line in lines), {}, found.ruleset)


def read_solvable(name: str | os.PathLike[str]) -> Knowledge:
    """Return the knowledge in a file for Little-Go, of which positions can be solved; raise ArgumentError."""
    knowledge = read_knowledge(name)
    if knowledge.ruleset != LITTLE_GO.name:
        what = f"{knowledge.name} is for {knowledge.ruleset}"
        raise ArgumentError(f"{what}; positions are solved of {LITTLE_GO.name} alone")
    return knowledge


def read_book(name: str) -> Book:
    """Return the book of a file; where it is a patterns.txt that is out of date, say so on standard error.

    The book of a patterns.yaml is read from the patterns.txt beside it where that was made from it: that is quicker.
    """
    compiled = os.path.splitext(name)[0] + ".txt"
    if name != compiled and os.path.exists(name) and os.path.exists(compiled) and not describe_stale(compiled):
        with suppress(ArgumentError):  # a damaged one does no harm
            return read_knowledge(compiled).book
    tell_if_stale(name)
    return read_knowledge(name).book
