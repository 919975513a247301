"""What all trials share: a file's knowledge, the recorded positions, and the decisions there as far as known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rules.patternfile import Book
from tools.cache import digest
from tools.data import DECISIONS
from tools.effects.books import knowledge_of
from tools.effects.parts import book_of_entries, indices_by_id
from tools.effects.recorded import parse_decisions, read_text
from tools.knowledge.compiler import compile_text
from tools.knowledge.model import KnownPattern
from tools.meaning import meaning_of
from tools.mutation.baseline import Baseline
from tools.mutation.corpus import Corpus
from tools.mutation.mutants import Mutant, mutants_of, read_draft


@dataclass(frozen=True)
class Setup:
    """What the mutants are tried on, in texts: another machine needs none of our files.

    text: of a patterns file in which there is no mistake. recorded: of the recorded decisions. filename, snapshot:
    the names of both files, for messages. cached: whether results are kept between runs.
    """

    text: str
    filename: str
    recorded: str
    snapshot: str
    cached: bool = True

    @classmethod
    def read(cls, text: str, filename: str, snapshot: Path = DECISIONS, cached: bool = True) -> Setup:
        """Return the setup with the recorded decisions of a file; raise OSError or RecordError."""
        return cls(text, filename, read_text(snapshot), str(snapshot), cached)


class Laboratory:
    """A setup, read."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        base = compile_text(setup.text, setup.filename, with_examples=False)[2]
        self.patterns = {pattern.id: pattern for pattern in base.patterns}
        self.priorities = sorted({pattern.priority for pattern in base.patterns})
        knowledge = knowledge_of(base, setup.filename)
        self.book = knowledge.book
        self.corpus = Corpus([recorded.position for recorded in parse_decisions(setup.recorded, setup.snapshot)])
        self._index = indices_by_id(self.book)
        self._baselines: dict[int, Baseline] = {}
        self.prover = meaning_of("tools.mutation.proofs")
        code = meaning_of("tools.mutation.corpus", "tools.mutation.baseline", "tools.mutation.trial")
        self.digest = digest(code, setup.recorded, *knowledge.lines)

    def baseline(self, index: int) -> Baseline:
        """Return what the book decides in a recorded position."""
        if index not in self._baselines:
            corpus = self.corpus
            seen = corpus.positions[index], corpus.tables[index], corpus.states[index]
            self._baselines[index] = Baseline(*seen, self.book)
        return self._baselines[index]

    def with_pattern(self, mutant: Book) -> Book:
        """Return the file's book with the pattern of that name replaced by the one of a book of one."""
        gone = self._index[mutant.patterns[0].id]
        others = [(self.book, index) for index in range(len(self.book.patterns)) if index != gone]
        return book_of_entries([*others, (mutant, 0)], self.book)

    def mutants(self, pattern_id: str) -> list[tuple[Mutant, KnownPattern]]:
        """Return the mutants of a pattern that the reader accepts, each with the pattern as it is then read."""
        pattern = self.patterns[pattern_id]
        drafted = [(mutant, read_draft(mutant.draft, pattern)) for mutant in mutants_of(pattern, self.priorities)]
        return [(mutant, known) for mutant, known in drafted if known is not None]


@lru_cache(maxsize=2)
def laboratory(setup: Setup) -> Laboratory:
    """Return the Laboratory for a setup, made once a process."""
    return Laboratory(setup)
