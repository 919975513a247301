"""Patterns files by name, compiled: patterns.yaml, patterns.txt, or either of them as a revision of git has it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from rules.patternfile import MAGIC, PatternFileError, load
from rules.ruleset import LITTLE_GO
from tools.arguments import ArgumentError
from tools.files import short_name
from tools.knowledge.keys import MATCH
from tools.knowledge.model import KnowledgeBase
from tools.knowledge.problems import in_one_line
from tools.knowledge.revisions import read_data
from tools.large.book import load_large


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
        return _ruleset_of(self.compiled)


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


def _ruleset_of(compiled: bytes) -> str:
    """Return the name of the ruleset in the header of a patterns.txt, '' where there is no header."""
    fields = compiled.partition(b"\n")[0].split(b" ")
    return fields[2].decode("utf-8", "replace") if len(fields) > 2 else ""


def _count_patterns(data: bytes, name: str) -> int:
    """Return how many patterns a patterns.txt has; raise ArgumentError where the player could not read it."""
    with tempfile.TemporaryDirectory() as folder:  # the player's own reader wants a file
        path = Path(folder) / "patterns.txt"
        path.write_bytes(data)
        try:
            is_match = _ruleset_of(data) == MATCH.name
            return len((load_large(path, MATCH.name) if is_match else load(str(path), LITTLE_GO)).patterns)
        except PatternFileError as error:
            raise ArgumentError(str(error).replace(str(path), name)) from None


def compile_yaml(data: bytes, name: str) -> tuple[bytes, KnowledgeBase]:
    """Return a patterns.yaml compiled and read; raise ArgumentError, which says by that name what is wrong in it."""
    from tools.knowledge.compiler import compile_text  # a patterns.txt is read without it

    compiled, problems, base = compile_text(data, name, with_examples=False)
    if compiled is None:
        raise ArgumentError(in_one_line(problems))
    return compiled, base
