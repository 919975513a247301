"""Pattern files by name: patterns.yaml, patterns.txt, or either of them as a revision of git has it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rules.patternfile import MAGIC, Book, Pattern, PatternFileError, book_of, load
from rules.ruleset import LITTLE_GO
from tools.arguments import KNOWLEDGE, ArgumentError
from tools.data import CODE
from tools.files import short_name
from tools.knowledge.model import KnowledgeBase, KnownPattern
from tools.knowledge.problems import in_one_line, no_such
from tools.knowledge.textfile import pattern_line


@dataclass(frozen=True)
class Knowledge:
    """The patterns of a file. lines: as in patterns.txt, in its order. known: as the author wrote them, by id;
    empty where the file is a patterns.txt."""

    name: str
    lines: tuple[str, ...]
    known: dict[str, KnownPattern]

    @property
    def book(self) -> Book:
        """The book of these patterns."""
        return book_of_lines(self.lines)

    def check_ids(self, ids: Iterable[str]) -> None:
        """Raise ArgumentError for an id that no pattern has."""
        known = {pattern.id for pattern in self.book.patterns}
        for name in ids:
            if name not in known:
                raise ArgumentError(no_such("pattern", name, known))


@lru_cache(maxsize=4)
def book_of_lines(lines: tuple[str, ...]) -> Book:
    """Return the book of these lines of a patterns.txt."""
    return book_of(LITTLE_GO.name, LITTLE_GO.size, [Pattern(line) for line in lines])


def knowledge_of(base: KnowledgeBase, name: str) -> Knowledge:
    """Return the knowledge in a patterns.yaml that was read."""
    ranked = base.ranked()
    return Knowledge(name, tuple(map(pattern_line, ranked)), {pattern.id: pattern for pattern in ranked})


def read_knowledge(name: str | os.PathLike[str]) -> Knowledge:
    """Return the knowledge in a file, or in a revision's; raise ArgumentError, which says in a line what is wrong."""
    return _read_patterns(name)[1]


def read_book(name: str) -> Book:
    """Return the book of a file; where it is a patterns.txt that is out of date, say so on standard error.

    The book of a patterns.yaml is read from the patterns.txt beside it where that was made from it: that is quicker.
    """
    from tools.opponents.ours import describe_stale, tell_if_stale  # not for those who read other files

    compiled = os.path.splitext(name)[0] + ".txt"
    if name != compiled and os.path.exists(name) and os.path.exists(compiled) and not describe_stale(compiled):
        with suppress(ArgumentError):  # a damaged one does no harm
            return read_knowledge(compiled).book
    tell_if_stale(name)
    return read_knowledge(name).book


def read_author_patterns(name: str) -> list[KnownPattern]:
    """Return the patterns of a file as their author wrote them: of a patterns.txt, those of the YAML file beside it.

    Raise ArgumentError where there are none.
    """
    knowledge = read_knowledge(name)
    if not knowledge.known:
        knowledge = read_knowledge(os.path.splitext(name)[0] + ".yaml")
    return list(knowledge.known.values())


def read_compiled(name: str | os.PathLike[str]) -> bytes:
    """Return the bytes of the patterns.txt that a file, or a revision's, is or makes; raise ArgumentError."""
    return _read_patterns(name)[0]


def read_beside(name: str | os.PathLike[str], other: str) -> bytes:
    """Return what another file holds, in the folder and of the revision of a patterns file; b"" if there is none."""
    name = os.fspath(name)
    revision, colon, path = ("", "", name) if os.path.exists(name) else name.rpartition(":")
    try:
        return _read_data(revision + colon + os.path.join(os.path.dirname(path), other))
    except ArgumentError:
        return b""


def _read_patterns(name: str | os.PathLike[str]) -> tuple[bytes, Knowledge]:
    """Return the patterns.txt that a file is or makes, and its knowledge."""
    data, name = _read_data(name), os.fspath(name) if ":" in os.fspath(name) else short_name(name)
    if data.startswith(MAGIC.encode()) or name.endswith(".txt"):
        return data, _from_txt(data, name)
    compiled, base = compile_yaml(data, name)
    return compiled, knowledge_of(base, name)


def _read_data(name: str | os.PathLike[str]) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        if ":" in os.fspath(name):
            return _from_git(os.fspath(name))
        raise ArgumentError(f"cannot read {short_name(name)}: {error.strerror}; expected {KNOWLEDGE}") from None


def is_revision(name: str) -> bool:
    """Return whether git knows a commit of this name."""
    with suppress(OSError):
        words = ["git", "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
        return not subprocess.run(words, capture_output=True, cwd=_work_tree(), timeout=60).returncode
    return False


def _work_tree() -> Path:
    """Return the folder whose revisions are meant: this one where git keeps it, else the repository of the tools."""
    words = ["git", "rev-parse", "--is-inside-work-tree"]
    return CODE if subprocess.run(words, capture_output=True, timeout=60).returncode else Path.cwd()


def _from_git(name: str) -> bytes:
    try:
        done = subprocess.run(["git", "show", name], capture_output=True, cwd=_work_tree(), timeout=60)
    except OSError as error:
        raise ArgumentError(f"cannot read {name}: git: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["git show failed"]
        raise ArgumentError(f"cannot read {name}: {lines[0].removeprefix('fatal: ')}")
    return done.stdout


def _from_txt(data: bytes, name: str) -> Knowledge:
    with tempfile.TemporaryDirectory() as folder:  # the player's own reader wants a file
        path = Path(folder) / "patterns.txt"
        path.write_bytes(data)
        try:
            count = len(load(str(path), LITTLE_GO).patterns)
        except PatternFileError as error:
            raise ArgumentError(str(error).replace(str(path), name)) from None
    return Knowledge(name, tuple(line.decode("utf-8") for line in data.split(b"\n")[1 : 1 + count]), {})


def compile_yaml(data: bytes, name: str) -> tuple[bytes, KnowledgeBase]:
    """Return a patterns.yaml compiled and read; raise ArgumentError, which says by that name what is wrong in it."""
    from tools.knowledge.compiler import compile_text  # a patterns.txt is read without it

    compiled, problems, base = compile_text(data, name, with_examples=False)
    if compiled is None:
        raise ArgumentError(in_one_line(problems))
    return compiled, base
