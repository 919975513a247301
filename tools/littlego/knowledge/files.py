"""The loader of patterns files: patterns.yaml or patterns.txt, from the disk or from a git revision."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
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
from littlego.knowledge.tables import unnamed
from littlego.knowledge.textfile import pattern_line
from littlego.rules.patternfile import MAGIC, Book, Pattern, PatternFileError
from littlego.rules.programs import Table
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.turn import as_written


class PatternsFile(NamedTuple):
    """A loaded patterns file: its compiled bytes and, for a patterns.yaml, its source patterns."""

    name: str  # for messages
    compiled: bytes  # the contents of a patterns.txt, read or compiled
    patterns: int  # number of patterns
    base: KnowledgeBase | None  # the contents of a patterns.yaml; None for a patterns.txt

    @property
    def ruleset(self) -> str:
        """The name of the patterns' ruleset."""
        return ruleset_in(self.compiled)


def read_patterns_file(name: str | os.PathLike[str]) -> PatternsFile:
    """Return a patterns file from the disk or a git revision; compile a patterns.yaml.

    Raise ArgumentError with a one-line message if the file cannot be read or compiled.
    """
    data, name = read_data(name), os.fspath(name) if ":" in os.fspath(name) else short_name(name)
    written = as_written(data)
    if written.startswith(MAGIC.encode()) or name.endswith(".txt"):
        return PatternsFile(name, written, _count_patterns(written, name), None)
    compiled, base = compile_yaml(data, name)
    return PatternsFile(name, compiled, len(base.ranked()), base)


def read_compiled(name: str | os.PathLike[str]) -> bytes:
    """Return the compiled bytes of a patterns file on the disk or in a git revision.

    Raise ArgumentError if the file cannot be read or compiled.
    """
    return read_patterns_file(name).compiled


def _count_patterns(data: bytes, name: str) -> int:
    """Return the number of patterns in a patterns.txt. Raise ArgumentError if the player cannot read the file."""
    try:
        return len(load_book(data, name).patterns)
    except PatternFileError as error:
        raise ArgumentError(str(error)) from None


def compile_yaml(data: bytes, name: str) -> tuple[bytes, KnowledgeBase]:
    """Return the compiled bytes and the patterns of a patterns.yaml.

    name: the file's name, for messages. Raise ArgumentError if the file has problems.
    """
    from littlego.knowledge.compiler import compile_text  # not needed for a patterns.txt

    compiled, problems, base = compile_text(data, name, with_examples=False)
    if compiled is None:
        raise ArgumentError(in_one_line(problems))
    return compiled, base


@dataclass(frozen=True)
class Knowledge:
    """The patterns of one file: compiled and, for a patterns.yaml, also as the author wrote them."""

    name: str  # the file's name, for messages
    lines: tuple[str, ...]  # the pattern lines of patterns.txt, in order
    known: dict[str, KnownPattern]  # the author's patterns by id; {} for a patterns.txt
    ruleset: str = LITTLE_GO.name
    phases: Mapping[str, int] = field(default_factory=dict)  # see KnowledgeBase; unnamed for a patterns.txt

    @property
    def book(self) -> Book:
        """The book of the file's patterns."""
        return book_of_lines(self.lines, self.ruleset)

    def only(self, names: Collection[str]) -> Knowledge:
        """Return a Knowledge that contains only the patterns whose ids are in `names`."""
        known = {name: pattern for name, pattern in self.known.items() if name in names}
        return replace(self, lines=tuple(line for line in self.lines if line.split("\t", 1)[0] in names), known=known)

    def with_pattern(self, name: str, other: KnownPattern | None) -> Knowledge:
        """Return a Knowledge with a pattern replaced by `other`, or removed if `other` is None.

        name: the pattern's id. The file must be a patterns.yaml.
        """
        known = {one: pattern for one, pattern in self.known.items() if one != name}
        if other is not None:
            known[name] = other
        return replace(self, lines=tuple(map(pattern_line, by_rank(known.values()))), known=known)

    def check_ids(self, ids: Iterable[str]) -> None:
        """Raise ArgumentError for an unknown id."""
        known = {pattern.id for pattern in self.book.patterns}
        for name in ids:
            if name not in known:
                raise ArgumentError(no_such("pattern", name, known))


@lru_cache(maxsize=4)
def book_of_lines(lines: tuple[str, ...], ruleset: str = LITTLE_GO.name) -> Book:
    """Return a book of the patterns that the given lines of a patterns.txt define.

    ruleset: the name of the ruleset.
    """
    return engine_of(ruleset).book([Pattern(line) for line in lines], RULESETS[ruleset])


@lru_cache(maxsize=4)
def book_with(book: Book, names: frozenset[str]) -> Book:
    """Return a book of those patterns of `book` whose ids are in `names`."""
    patterns = [pattern for pattern in book.patterns if pattern.id in names]
    return engine_of(book.ruleset_name).book(patterns, RULESETS[book.ruleset_name])


def knowledge_of(base: KnowledgeBase, name: str) -> Knowledge:
    """Return the Knowledge of the patterns in a patterns.yaml. name: the file's name, for messages."""
    ranked = base.ranked()
    known = {pattern.id: pattern for pattern in ranked}
    return Knowledge(name, tuple(map(pattern_line, ranked)), known, base.ruleset.name, base.phases)


def read_knowledge(name: str | os.PathLike[str]) -> Knowledge:
    """Return the Knowledge of a patterns file on the disk or in a git revision.

    Raise ArgumentError with a one-line message if the file cannot be read or compiled.
    """
    found = read_patterns_file(name)
    if found.base is not None:
        return knowledge_of(found.base, found.name)
    lines = found.compiled.split(b"\n")[1 : 1 + found.patterns]
    written = tuple(line.decode("utf-8") for line in lines)
    bounds = next((Table(table).bounds for table in map(_table_in, written) if table), ())
    return Knowledge(found.name, written, {}, found.ruleset, unnamed(bounds))


def _table_in(line: str) -> str:
    return Pattern(line).table


def read_solvable(name: str | os.PathLike[str]) -> Knowledge:
    """Return the Knowledge of a patterns file whose ruleset is Little-Go; see read_for."""
    return read_for(LITTLE_GO.name, name, "only its positions can be solved")


def read_for(ruleset: str, name: str | os.PathLike[str], why: str) -> Knowledge:
    """Return the Knowledge of a patterns file for a ruleset.

    why: the reason for requiring this ruleset, for the error message. Raise ArgumentError if the file cannot be read or
    compiled, or has another ruleset.
    """
    knowledge = read_knowledge(name)
    if knowledge.ruleset != ruleset:
        raise ArgumentError(
            f"{knowledge.name} is for {knowledge.ruleset}; expected patterns for {ruleset}, because {why}"
        )
    return knowledge


def read_book(name: str) -> Book:
    """Return the book of a patterns file. Warn on standard error about a stale patterns.txt.

    Instead of compiling a patterns.yaml, the function reads the patterns.txt beside the patterns.yaml if the
    patterns.txt is up to date.
    """
    compiled = os.path.splitext(name)[0] + ".txt"
    if name != compiled and os.path.exists(name) and os.path.exists(compiled) and not describe_stale(compiled):
        with suppress(ArgumentError):  # the compiled file is optional, so a damaged one is ignored
            return read_knowledge(compiled).book
    tell_if_stale(name)
    return read_knowledge(name).book
