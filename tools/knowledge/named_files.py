"""Patterns files by name, compiled: patterns.yaml, patterns.txt, or either of them as a revision of git has it."""

from __future__ import annotations

import os
from typing import NamedTuple

from rules.patternfile import MAGIC, PatternFileError, ruleset_in
from tools.arguments import ArgumentError
from tools.engines.choosing import load_book
from tools.files import short_name
from tools.knowledge.model import KnowledgeBase
from tools.knowledge.problems import in_one_line
from tools.knowledge.revisions import read_data


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
    from tools.knowledge.compiler import compile_text  # a patterns.txt is read without it

    compiled, problems, base = compile_text(data, name, with_examples=False)
    if compiled is None:
        raise ArgumentError(in_one_line(problems))
    return compiled, base
