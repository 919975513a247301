"""A session: the open document at a revision, and the cached results of compiling its text."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from littlego.editor.entries import Entries, Kept
from littlego.editor.lines import Lines
from littlego.knowledge.files import Knowledge, book_of_lines, knowledge_of
from littlego.knowledge.model import KnowledgeBase
from littlego.knowledge.problems import Problem
from littlego.knowledge.testing import Runner
from littlego.rules.patternfile import Book

MOST_KEPT = 4  # maximum number of texts with cached patterns, such as the current text and the file on disk

Compiled = tuple[list[Problem], KnowledgeBase]


@dataclass
class Snapshot:
    """The document at a revision, as sent to the worker processes.

    filename: the file's name for messages. path: the full path. players: the players named by `--player`, which may be
    programs; pages may also use the built-in players. start: the text that comparisons use if the file does not exist
    yet, or None. opened: the file's text when the studio opened the file, or None if no studio opened the file.
    """

    revision: int = 0
    text: str = ""
    filename: str = "patterns.yaml"
    path: str = ""
    players: tuple[str, ...] = ()
    start: str | None = None
    opened: str | None = None

    def changes_since(self, before: Snapshot) -> dict[str, Any]:
        """Return {name: value} for the fields that differ from an earlier snapshot."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in values.items() if value != getattr(before, name)}


@dataclass
class Session:
    """The open document and its patterns; each worker process and each job process has its own session."""

    snapshot: Snapshot = field(default_factory=Snapshot)
    runner: Runner = field(default_factory=Runner)  # caches the outcomes of unchanged examples
    _kept: Kept = field(default_factory=Kept)
    _entries: Entries | None = None  # of the last text, which may be the text of another document
    _is_opened: bool = False  # whether the document was opened after `_entries` was computed
    _renamed: dict[str, str] = field(default_factory=dict)  # old ids of edited entries -> their current ids
    _compiled: OrderedDict[tuple[str, str], Compiled] = field(default_factory=OrderedDict)
    _lines: Lines = field(default_factory=Lines)
    _last_good: KnowledgeBase | None = None

    @property
    def text(self) -> str:
        """The document's text."""
        return self.snapshot.text

    @property
    def filename(self) -> str:
        """The document's file name, as shown in problems."""
        return self.snapshot.filename

    @property
    def folder(self) -> Path:
        """The folder of the document's file."""
        return Path(self.snapshot.path).parent

    @property
    def ruleset_name(self) -> str:
        """The name of the patterns' ruleset."""
        return self.base().ruleset.name

    def take(self, snapshot: Snapshot) -> None:
        """Switch to another revision or document."""
        if snapshot.path != self.snapshot.path:
            self._last_good, self._is_opened = None, True
            self._renamed.clear()
        self.snapshot = snapshot

    @property
    def entries(self) -> Entries:
        """The entries of the text; each is compiled lazily and cached for later texts."""
        if (
            self._entries is None
            or self._is_opened
            or (self._entries.text, self._entries.filename) != (self.text, self.filename)
        ):
            before = self._entries
            self._entries = Entries(self.text, self.filename, self._kept, before)
            self._follow_ids(before.ids if before and not self._is_opened else [], self._entries.ids)
            self._is_opened = False
        return self._entries

    def _follow_ids(self, before: list[str], now: list[str]) -> None:
        """Record a rename if exactly one id changed.

        Forget all renames if several ids or the number of ids changed.
        """
        edited = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
        if len(before) != len(now) or len(edited) > 1:
            self._renamed.clear()
        elif edited:
            ((old, new),) = edited
            followed = {first: new if last == old else last for first, last in self._renamed.items()}
            self._renamed = {first: last for first, last in {**followed, old: new}.items() if first not in now}

    def now_called(self, name: str) -> str:
        """Return the current id of the entry called `name`, even if the entry has been renamed since."""
        entries = self.entries
        return name if name in entries.ids else self._renamed.get(name, name)

    def compiled(self) -> Compiled:
        """Return the problems that the compiler finds in the text, and the valid patterns."""
        return self.compiled_text(self.text, self.filename)

    def compiled_text(self, text: str, filename: str) -> Compiled:
        """Return the problems that the compiler finds in a given text, and the valid patterns.

        An entry that occurs in several texts of the same file is compiled only once.
        """
        key = text, filename
        if key not in self._compiled:
            is_open = key == (self.text, self.filename)
            base, problems = (self.entries if is_open else Entries(text, filename, self._kept)).base()
            self._compiled[key] = problems, base
            while len(self._compiled) > MOST_KEPT:
                self._compiled.popitem(last=False)
        self._compiled.move_to_end(key)
        return self._compiled[key]

    def base(self) -> KnowledgeBase:
        """Return the patterns of the last valid text.

        If no text of the file was valid, return the valid patterns of the first text.
        """
        problems, base = self.compiled()
        if not problems or self._last_good is None:
            self._last_good = base
        return self._last_good

    def knowledge(self) -> Knowledge:
        """Return the patterns of `base` with their lines in patterns.txt."""
        return knowledge_of(self.base(), self.filename)

    def book(self) -> Book:
        """Return the patterns of the last valid text as a book; see Lines.of."""
        lines = self._lines.of(self.entries, self.snapshot.path)
        return self.knowledge().book if lines is None else book_of_lines(lines, self.entries.ruleset.name)
