"""A session: the open document at a revision, and what was compiled from its text."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from littlego.editor.entries import Entries, Kept
from littlego.editor.lines import Lines
from littlego.knowledge.files import Knowledge, book_of_lines, knowledge_of
from littlego.knowledge.model import KnowledgeBase
from littlego.knowledge.problems import Problem
from littlego.knowledge.testing import Runner
from littlego.rules.patternfile import Book

MOST_KEPT = 4  # texts whose patterns are kept: that of now, that of the disk, and two before

Compiled = tuple[list[Problem], KnowledgeBase]


@dataclass
class Snapshot:
    """The document at a revision, as the server tells its processes. filename: as people write it; path: all of it.

    players: those that the studio was started with, programs too, beside those that every page may play against.
    """

    revision: int = 0
    text: str = ""
    filename: str = "patterns.yaml"
    path: str = ""
    players: tuple[str, ...] = ()


@dataclass
class Session:
    """The document that is open, and the patterns in it. One lives in each worker and in each job."""

    snapshot: Snapshot = field(default_factory=Snapshot)
    runner: Runner = field(default_factory=Runner)  # of examples: what stayed the same is not run a second time
    _kept: Kept = field(default_factory=Kept)
    _entries: Entries | None = None
    _renamed: dict[str, str] = field(default_factory=dict)  # ids of entries that were edited, to those of now
    _compiled: OrderedDict[tuple[str, str], Compiled] = field(default_factory=OrderedDict)
    _lines: Lines = field(default_factory=Lines)
    _last_good: KnowledgeBase | None = None

    @property
    def text(self) -> str:
        """The text of the document at the revision."""
        return self.snapshot.text

    @property
    def filename(self) -> str:
        """The name of the document's file, as problems show it."""
        return self.snapshot.filename

    @property
    def ruleset_name(self) -> str:
        """The name of the ruleset that the patterns are for."""
        return self.base().ruleset.name

    def take(self, snapshot: Snapshot) -> None:
        """Go on with another revision, or another document."""
        if snapshot.path != self.snapshot.path:
            self._last_good = self._entries = None
            self._renamed.clear()
        self.snapshot = snapshot

    @property
    def entries(self) -> Entries:
        """The text cut into its entries, each compiled when it is first asked for and kept from text to text."""
        if self._entries is None or (self._entries.text, self._entries.filename) != (self.text, self.filename):
            before = self._entries.ids if self._entries else []
            self._entries = Entries(self.text, self.filename, self._kept)
            self._follow_ids(before, self._entries.ids)
        return self._entries

    def _follow_ids(self, before: list[str], now: list[str]) -> None:
        """Know an entry by the id that it had, where its own is the only one that is another now."""
        edited = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
        if len(before) != len(now) or len(edited) > 1:
            self._renamed.clear()
        elif edited:
            ((old, new),) = edited
            followed = {first: new if last == old else last for first, last in self._renamed.items()}
            self._renamed = {first: last for first, last in {**followed, old: new}.items() if first not in now}

    def now_called(self, name: str) -> str:
        """Return the id that an entry has now which had another when it was last asked about; else the same name."""
        entries = self.entries
        return name if name in entries.ids else self._renamed.get(name, name)

    def compiled(self) -> Compiled:
        """Return the problems of the text, examples apart, and the patterns that are in order."""
        return self.compiled_text(self.text, self.filename)

    def compiled_text(self, text: str, filename: str) -> Compiled:
        """Return the same of any text, such as that of the file on the disk: what they share is compiled once."""
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
        """Return the patterns of the last text without a mistake; before there was one, those that are in order."""
        problems, base = self.compiled()
        if not problems or self._last_good is None:
            self._last_good = base
        return self._last_good

    def knowledge(self) -> Knowledge:
        """Return the same patterns with their lines of patterns.txt, as `diff` and `explain` take them."""
        return knowledge_of(self.base(), self.filename)

    def book(self) -> Book:
        """Return the same patterns as the player reads them; kept by their lines (littlego.knowledge.files)."""
        lines = self._lines.of(self.entries, self.snapshot.path)
        return self.knowledge().book if lines is None else book_of_lines(lines, self.entries.ruleset.name)
