"""Trying mutants: does an example of the pattern fail with it, or does a recorded decision change?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rules.engine import decide
from rules.patternfile import Book, Pattern, book_of
from rules.position import PASS
from rules.ruleset import LITTLE_GO
from tools.cache import Cache, code_digest, digest
from tools.effects.parts import indices_by_id, mixed, weight
from tools.effects.recorded import DECISIONS, read
from tools.knowledge.compiler import compile_text
from tools.knowledge.model import Example, KnownPattern
from tools.knowledge.textfile import book_of_one, pattern_line
from tools.mutation.corpus import Corpus, members
from tools.mutation.drafts import read_back
from tools.mutation.mutants import Mutant, mutants_of
from tools.mutation.pins import Pin, Pinner
from tools.mutation.sameness import signature
from tools.mutation.standing import Standing

EXAMPLE, DECISION, SURVIVED, SAME = "example", "decision", "survived", "same"
CACHE = "mutation"


@dataclass(frozen=True)
class Fate:
    """What became of a mutant.

    fate: EXAMPLE or DECISION that killed it, SURVIVED, or SAME where it is no other pattern: it fires and counts as
    the original or an earlier mutant does. by: the index of the example, or of the recorded decision.
    """

    pattern: str
    name: str
    kind: str
    fate: str
    by: int = -1


@dataclass(frozen=True)
class Request:
    """The mutants of which pattern of which file to try, and against which share of the recorded positions.

    share, shares: every position whose index leaves that remainder. cached: whether results are kept between runs.
    """

    text: str
    filename: str
    pattern: str
    share: int = 0
    shares: int = 1
    cached: bool = True


class Laboratory:
    """A file's knowledge, the recorded positions, and what is known so far of the decisions there."""

    def __init__(self, text: str, filename: str):
        self.text, self.filename = text, filename
        _, _, base = compile_text(text, filename, with_examples=False)
        ranked = base.ranked()
        self.patterns = {pattern.id: pattern for pattern in base.patterns}
        self.priorities = sorted({pattern.priority for pattern in ranked})
        lines = [pattern_line(pattern) for pattern in ranked]
        self.book = book_of(LITTLE_GO.name, LITTLE_GO.size, [Pattern(line) for line in lines])
        self.index = indices_by_id(self.book)
        self.corpus = Corpus([recorded.position for recorded in read()])
        self._standings: dict[int, Standing] = {}
        code = code_digest("rules", "tools/effects/parts.py", "tools/mutation")
        self.digest = digest(code, DECISIONS.read_text(encoding="utf-8"), *lines)

    def standing(self, index: int) -> Standing:
        """Return what the book decides in a recorded position."""
        if index not in self._standings:
            corpus = self.corpus
            seen = corpus.positions[index], corpus.tables[index], corpus.states[index]
            self._standings[index] = Standing(*seen, self.book)
        return self._standings[index]

    def with_pattern(self, mutated: Book) -> Book:
        """Return the book with one of its patterns replaced by that of a book of one."""
        gone = self.index[mutated.patterns[0].id]
        others = [(self.book, index) for index in range(len(self.book.patterns)) if index != gone]
        return mixed([*others, (mutated, 0)], self.book)

    def mutants(self, pattern: KnownPattern) -> list[tuple[Mutant, KnownPattern]]:
        """Return the mutants that the reader accepts, each with the pattern as it is read."""
        drafted = [(mutant, read_back(mutant.draft, pattern)) for mutant in mutants_of(pattern, self.priorities)]
        return [(mutant, known) for mutant, known in drafted if known is not None]


@lru_cache(maxsize=2)
def laboratory(text: str, filename: str) -> Laboratory:
    """Return the Laboratory for a file, made once a process."""
    return Laboratory(text, filename)


def fates_of(request: Request) -> list[Fate]:
    """Return the fate of every mutant, in the order of their making; each is kept as soon as it is known."""
    return _Trial(laboratory(request.text, request.filename), request).fates()


def pins_of(request: Request, names: frozenset[str]) -> dict[str, Pin]:
    """Return boards that would kill the named mutants, where one was found."""
    lab = laboratory(request.text, request.filename)
    pattern = lab.patterns[request.pattern]
    pinner = Pinner(pattern, _book(pattern), lab.corpus)
    named = {mutant.name: _book(known) for mutant, known in lab.mutants(pattern) if mutant.name in names}
    pins = {name: pinner.pin(book) for name, book in named.items()}
    return {name: pin for name, pin in pins.items() if pin is not None}


def _book(pattern: KnownPattern) -> Book:
    return book_of_one(pattern, LITTLE_GO.size, LITTLE_GO.name)


class _Trial:
    """The mutants of one pattern on trial."""

    def __init__(self, lab: Laboratory, request: Request):
        self.lab = lab
        self.request = request
        self.pattern = pattern = lab.patterns[request.pattern]
        self.cache = Cache(CACHE) if request.cached else None
        self.book = _book(pattern)
        self.positions = Corpus([example.position() for example in pattern.examples])
        self.examples = [index for index in range(len(pattern.examples)) if not self._fails(index, self.book)]
        self.asked = repr([_asked(example) for example in pattern.examples])
        self.before: dict[int, dict[int, int]] = {}

    def fates(self) -> list[Fate]:
        seen, found = {signature(self.book)}, []
        for mutant, known in self.lab.mutants(self.pattern):
            book = _book(known)
            kept = signature(book)
            found.append(self._same(mutant) if kept in seen else self._fate(mutant, known, book))
            seen.add(kept)
        return found

    def _same(self, mutant: Mutant) -> Fate:
        return Fate(self.pattern.id, mutant.name, mutant.kind, SAME)

    def _fate(self, mutant: Mutant, known: KnownPattern, book: Book) -> Fate:
        parts = self.lab.digest, pattern_line(known), self.asked
        key = digest(*parts, f"{self.request.share} of {self.request.shares}")
        kept = self._known(digest(*parts, "0 of 1")) or self._known(key)
        if kept is None:
            kept = self._tried(known, book)
            self._keep(key, kept)
        return Fate(self.pattern.id, mutant.name, mutant.kind, *kept)

    def _known(self, key: str):
        return self.cache.get(key) if self.cache else None

    def _keep(self, key: str, value) -> None:
        if self.cache:
            self.cache.put(key, value)

    def _tried(self, known: KnownPattern, book: Book) -> tuple[str, int]:
        for index in self.examples:
            if self._fails(index, book):
                return EXAMPLE, index
        index = self._changed_decision(known, book)
        return (SURVIVED, -1) if index is None else (DECISION, index)

    def _fails(self, index: int, book: Book) -> bool:
        """Return whether an example fails with the pattern as that book has it."""
        example, table = self.pattern.examples[index], self.positions.tables[index]
        moves = self.positions.firings(book, index)
        move = example.move if example.move in (None, PASS) else table[example.move]
        fired = bool(moves) if move is None else move in moves
        return fired != example.must_fire

    def _changed_decision(self, known: KnownPattern, book: Book) -> int | None:
        """Return the first recorded position of the share in which the mutant plays another move, or None.

        One that was found with another book is tried first: it nearly always still is one.
        """
        share, shares = self.request.share, self.request.shares
        hint_key = digest("witness", pattern_line(known), f"{share} of {shares}")
        hint = self._known(hint_key)
        if hint is not None and hint < len(self.lab.corpus.positions) and self._changes(hint, book):
            return hint
        for index in members(self.lab.corpus.different(self.book, book)):
            if index % shares == share and self._changes(index, book):
                self._keep(hint_key, index)
                return index
        return None

    def _changes(self, index: int, book: Book) -> bool:
        """Return whether another move is played in a recorded position."""
        corpus = self.lab.corpus
        if index not in self.before:
            self.before[index] = corpus.firings(self.book, index)
        before, after = self.before[index], corpus.firings(book, index)
        old, new = self.book.patterns[0], book.patterns[0]
        if before == after and weight(old) == weight(new):
            return False
        standing = self.lab.standing(index)
        if not standing.may_change(old, new, before, after):
            return False
        return decide(corpus.positions[index], self.lab.with_pattern(book)).move != standing.move


def _asked(example: Example) -> tuple:
    """Return all of an example but its place in the file."""
    return example.must_fire, example.stones, example.previous, example.move, example.moves_left, example.colour
