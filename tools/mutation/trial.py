"""Trying the mutants of one pattern: does one of its examples fail, or does a recorded decision change?"""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import decide
from rules.patternfile import Book
from rules.position import PASS
from rules.ruleset import LITTLE_GO
from tools.cache import Cache, digest
from tools.effects.parts import weight
from tools.knowledge.model import KnownPattern
from tools.knowledge.textfile import book_of_one, pattern_line
from tools.mutation.corpus import Corpus, Firings, members
from tools.mutation.laboratory import Laboratory, Setup, laboratory
from tools.mutation.mutants import Mutant
from tools.mutation.proofs import fires_alike, priority_is_moot
from tools.mutation.sameness import signature

EXAMPLE, DECISION, SURVIVED, PROVED, SAME = "example", "decision", "survived", "proved", "same"
CACHE = "mutation"
WHOLE = "0 of 1"


@dataclass(frozen=True)
class Fate:
    """What became of a mutant.

    fate: EXAMPLE or DECISION that killed it; SURVIVED; PROVED where it survived and is proved to be as good as
    the pattern; SAME where it is the pattern itself or an earlier mutant, drawn otherwise. by: the index of the
    example, or of the recorded decision.
    """

    pattern: str
    name: str
    kind: str
    fate: str
    by: int = -1


@dataclass(frozen=True)
class Request:
    """The mutants of a pattern, and the share of the recorded positions that they are tried on: every position
    whose index leaves the remainder `share` on division by `shares`."""

    setup: Setup
    pattern: str
    share: int = 0
    shares: int = 1


def fates_of(request: Request) -> list[Fate]:
    """Return the fate of every mutant, in the order of their making; each is kept as soon as it is known."""
    return _Trial(laboratory(request.setup), request).fates()


class _Trial:
    def __init__(self, lab: Laboratory, request: Request):
        self.lab = lab
        self.request = request
        self.share = f"{request.share} of {request.shares}"
        self.pattern = pattern = lab.patterns[request.pattern]
        self.cache = Cache(CACHE) if request.setup.cached else None
        self.book = book_of_one(pattern, LITTLE_GO)
        self.shown = Corpus([example.position() for example in pattern.examples])
        self.passing = [index for index in range(len(pattern.examples)) if not self._fails(index, self.book)]
        self.asked = repr([pattern.examples[index].asked for index in self.passing])
        self.before: dict[int, Firings] = {}

    def fates(self) -> list[Fate]:
        seen, found = {signature(self.book)}, []
        for mutant, known in self.lab.mutants(self.pattern.id):
            book = book_of_one(known, LITTLE_GO)
            drawn = signature(book)
            fate = (SAME, -1) if drawn in seen else self._fate(mutant, known, book)
            found.append(Fate(self.pattern.id, mutant.name, mutant.kind, *fate))
            seen.add(drawn)
        return found

    def _fate(self, mutant: Mutant, known: KnownPattern, book: Book) -> tuple[str, int]:
        """Return the fate of a mutant and what it is by, from an earlier run if nothing has changed since."""
        parts = self.lab.digest, pattern_line(known), self.asked
        fate = self._kept(digest(*parts, WHOLE)) or self._kept(digest(*parts, self.share))
        if fate is None:
            fate = self._tried(known, book)
            self._keep(digest(*parts, self.share), fate)
        return (PROVED, -1) if fate[0] == SURVIVED and self._is_proved(known, book) else tuple(fate)

    def _kept(self, key: str):
        return self.cache.get(key) if self.cache else None

    def _keep(self, key: str, value) -> None:
        if self.cache:
            self.cache.put(key, value)

    def _tried(self, known: KnownPattern, book: Book) -> tuple[str, int]:
        for index in self.passing:
            if self._fails(index, book):
                return EXAMPLE, index
        index = self._changed_decision(known, book)
        return (SURVIVED, -1) if index is None else (DECISION, index)

    def _fails(self, index: int, book: Book) -> bool:
        """Return whether an example of the pattern fails with the pattern as that book has it."""
        example, table = self.pattern.examples[index], self.shown.tables[index]
        moves = self.shown.firings(book, index)
        move = example.move if example.move in (None, PASS) else table[example.move]
        fired = bool(moves) if move is None else move in moves
        return fired != example.must_fire

    def _changed_decision(self, known: KnownPattern, book: Book) -> int | None:
        """Return the first recorded position of the share in which the mutant plays another move, or None.

        The one that was found with an earlier book is tried first: it nearly always still is one.
        """
        corpus, key = self.lab.corpus, digest("witness", pattern_line(known), self.share)
        hint = self._kept(key)
        if hint is not None and hint < len(corpus.positions) and self._changes(hint, book):
            return hint
        for index in members(corpus.different(self.book, book)):
            if index % self.request.shares == self.request.share and self._changes(index, book):
                self._keep(key, index)
                return index
        return None

    def _changes(self, index: int, book: Book) -> bool:
        """Return whether another move is played in a recorded position."""
        corpus, old, new = self.lab.corpus, self.book.patterns[0], book.patterns[0]
        if index not in self.before:
            self.before[index] = corpus.firings(self.book, index)
        before, after = self.before[index], corpus.firings(book, index)
        if before == after and (not after or weight(old) == weight(new)):
            return False
        standing = self.lab.standing(index)
        if not standing.may_change(old, new, before, after):
            return False
        return decide(corpus.positions[index], self.lab.with_pattern(book)).move != standing.move

    def _is_proved(self, known: KnownPattern, book: Book) -> bool:
        """Return whether the mutant is proved to be as good as the pattern.

        A condition less, or a cell that asks nothing, makes a pattern less specific, and a lower priority lets
        another one lead: that alone, which at most breaks ties otherwise, is no difference.
        """
        old, new = self.book.patterns[0], book.patterns[0]
        if known.points != self.pattern.points:
            return False
        if signature(book)[:-1] == signature(self.book)[:-1]:
            return weight(old)[1:] == weight(new)[1:] and priority_is_moot(old, new, self.lab.book)
        key = digest("alike", self.lab.prover, pattern_line(self.pattern), pattern_line(known))
        found = self._kept(key)
        if found is None:
            found = not self._fires_otherwise(book) and fires_alike(self.pattern, known)
            self._keep(key, found)
        return found

    def _fires_otherwise(self, book: Book) -> bool:
        """Return whether a recorded position shows a difference, which spares the search for one."""
        corpus = self.lab.corpus
        different = members(corpus.different(self.book, book))
        return any(corpus.firings(self.book, index) != corpus.firings(book, index) for index in different)
