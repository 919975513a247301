"""Trying mutants: does an example of the pattern fail, or does a recorded decision change?

A laboratory holds what all trials share: a file's knowledge, the recorded positions, and the decisions there as far as
known. All mutants of many patterns are tried on several processes. Each result is kept at once: a stopped run goes on
where it ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from rules.engine import Firing, decide
from rules.geometry import inverse
from rules.patternfile import Book
from rules.position import PASS
from rules.ruleset import LITTLE_GO
from tools.cache import Cache, digest
from tools.data import DECISIONS
from tools.effects.books import knowledge_of
from tools.effects.parts import weight
from tools.effects.recorded import parse_record, read_text
from tools.knowledge.compiler import compile_text
from tools.knowledge.examples import outcome_of
from tools.knowledge.model import Example, KnownPattern
from tools.knowledge.textfile import book_for, pattern_line
from tools.meaning import meaning_of
from tools.mutation.corpus import Corpus, Firings, members
from tools.mutation.mutants import Mutant, Places, mutants_of, read_draft
from tools.mutation.proofs import find_pin, fires_alike, priority_is_moot
from tools.parallel import each, with_progress
from tools.reasons.foresight import Foresight

EXAMPLE, DECISION, SURVIVED, PROVED, SAME = "example", "decision", "survived", "proved", "same"
CACHE = "mutation"
WHOLE = "0 of 1"


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
    def read(cls, text: str, filename: str, snapshot: Path = DECISIONS, cached: bool = True) -> Self:
        """Return the setup with the recorded decisions of a file; raise OSError or RecordError."""
        return cls(text, filename, read_text(snapshot), str(snapshot), cached)


class Laboratory:
    """A setup, read."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        base = compile_text(setup.text, setup.filename, with_examples=False)[2]
        self.patterns = {pattern.id: pattern for pattern in base.patterns}
        self.priorities = sorted({pattern.priority for pattern in base.patterns})
        self.knowledge = knowledge_of(base, setup.filename)
        self.book = self.knowledge.book
        self.corpus = Corpus(parse_record(setup.recorded, setup.snapshot).positions())
        self._foresights: dict[int, Foresight] = {}
        self.prover = meaning_of("tools.mutation.proofs")
        code = meaning_of("tools.mutation.corpus", "tools.mutation.trial")
        self.digest = digest(code, setup.recorded, *self.knowledge.lines)

    def foresight(self, index: int) -> Foresight:
        """Return what tells the moves of the book, with one of its patterns changed, in a recorded position."""
        if index not in self._foresights:
            self._foresights[index] = Foresight(decide(self.corpus.positions[index], self.book))
        return self._foresights[index]

    def places(self, pattern_id: str) -> Places:
        """Return the places of a pattern's parts in the file."""
        return Places(self.setup.text, self.patterns[pattern_id], self.patterns.values())

    def changes(self, pattern_id: str) -> list[Mutant]:
        """Return the mutants of a pattern, unread: those that the reader refuses may be among them."""
        return mutants_of(self.patterns[pattern_id], self.priorities)

    def mutants(self, pattern_id: str) -> list[tuple[Mutant, KnownPattern]]:
        """Return the mutants of a pattern that the reader accepts, each with the pattern as it is then read."""
        drafted = [(mutant, read_draft(mutant.draft)) for mutant in self.changes(pattern_id)]
        return [(mutant, known) for mutant, known in drafted if known is not None]


@lru_cache(maxsize=2)
def laboratory(setup: Setup) -> Laboratory:
    """Return the Laboratory for a setup, made once a process."""
    return Laboratory(setup)


def signature(book: Book) -> tuple[object, ...]:
    """Return a value that is equal for two books of one pattern each if these do the same in every position.

    Placements are compared by what matches and by the points that the conditions ask about, so that a mirror image
    is the same pattern.
    """
    pattern = book.patterns[0]
    programs = " ".join([pattern.points, *pattern.when]).split()
    letters = [letter for row in pattern.label_rows for letter in row if letter != "."]
    asked = [number for number, letter in enumerate(letters, 1) if {"@" + letter, "~" + letter} & set(programs)]
    ones = (1 << book.bits) - 1
    placed = set()
    for care, value, cells in zip(book.cares, book.values, book.cells, strict=True):
        points = cells >> 3 + book.bits
        labelled = sorted((letters[number - 1], points >> book.bits * number & ones) for number in asked)
        placed.add((care, value, points & ones, tuple(labelled)))
    return frozenset(placed), pattern.points, tuple(pattern.when), weight(pattern)


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    result: EXAMPLE or DECISION that killed it; SURVIVED; PROVED where it survived and is proved to be as good as
    the pattern; SAME where it is the pattern itself or an earlier mutant, drawn otherwise. by: the index of the
    example, or of the recorded decision.
    """

    pattern: str
    name: str
    kind: str
    result: str
    by: int = -1


@dataclass(frozen=True)
class Request:
    """The mutants of a pattern, and the share of the recorded positions that they are tried on: every position
    whose index leaves the remainder `share` on division by `shares`."""

    setup: Setup
    pattern: str
    share: int = 0
    shares: int = 1


def try_mutants(request: Request) -> list[Outcome]:
    """Return the outcome of every mutant, in the order of their making; each is kept as soon as it is known."""
    return _Trial(laboratory(request.setup), request).outcomes()


class _Trial:
    def __init__(self, lab: Laboratory, request: Request) -> None:
        self.lab = lab
        self.request = request
        self.share = f"{request.share} of {request.shares}"
        self.pattern = pattern = lab.patterns[request.pattern]
        self.cache = Cache(CACHE) if request.setup.cached else None
        self.book = book_for([pattern], LITTLE_GO)
        self.shown = Corpus([example.position() for example in pattern.examples])
        self.passing = [index for index in range(len(pattern.examples)) if not self._fails(index, self.book)]
        self.asked = repr([pattern.examples[index].asked for index in self.passing])
        self.before: dict[int, Firings] = {}

    def outcomes(self) -> list[Outcome]:
        seen = {signature(self.book)}
        outcomes: list[Outcome] = []
        for mutant, known in self.lab.mutants(self.pattern.id):
            book = book_for([known], LITTLE_GO)
            drawn = signature(book)
            result, by = (SAME, -1) if drawn in seen else self._outcome(known, book)
            outcomes.append(Outcome(self.pattern.id, mutant.name, mutant.kind, result, by))
            seen.add(drawn)
        return outcomes

    def _outcome(self, known: KnownPattern, book: Book) -> tuple[str, int]:
        """Return a mutant's result and what it is by, from an earlier run if nothing has changed since."""
        parts = self.lab.digest, pattern_line(known), self.asked
        outcome = self._recall(digest(*parts, WHOLE)) or self._recall(digest(*parts, self.share))
        if outcome is None:
            outcome = self._try(known, book)
            self._keep(digest(*parts, self.share), outcome)
        result, by = outcome
        return (PROVED, -1) if result == SURVIVED and self._is_proved(known, book) else (result, by)

    def _recall(self, key: str) -> Any:
        return self.cache.get(key) if self.cache else None

    def _keep(self, key: str, value: object) -> None:
        if self.cache:
            self.cache.put(key, value)

    def _try(self, known: KnownPattern, book: Book) -> tuple[str, int]:
        for index in self.passing:
            if self._fails(index, book):
                return EXAMPLE, index
        changed = self._changed_decision(known, book)
        return (SURVIVED, -1) if changed is None else (DECISION, changed)

    def _fails(self, index: int, book: Book) -> bool:
        """Return whether an example of the pattern fails with the pattern as that book has it."""
        example = self.pattern.examples[index]
        return self.shown.fires(book, index, example.move) != example.must_fire

    def _changed_decision(self, known: KnownPattern, book: Book) -> int | None:
        """Return the first recorded position of the share in which the mutant plays another move, or None.

        The one that was found with an earlier book is tried first: it nearly always still is one.
        """
        corpus, key = self.lab.corpus, digest("witness", pattern_line(known), self.share)
        hint: int | None = self._recall(key)
        if hint is not None and hint < len(corpus.positions) and self._changes(hint, book):
            return hint
        for index in members(corpus.find_differences(self.book, book)):
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
        foresight, undo = self.lab.foresight(index), inverse(corpus.tables[index])
        firings = {move if move == PASS else undo[move]: Firing(new, points, 0) for move, points in after.items()}
        return foresight.move_with(new.id, firings) != foresight.decision.move

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
        alike: bool | None = self._recall(key)
        if alike is None:
            refuted = any(self.lab.corpus.disagreements(self.book, book))  # which spares the search for a difference
            alike = not refuted and fires_alike(self.pattern, known)
            self._keep(key, alike)
        return alike


def try_all_mutants(setup: Setup, ids: Sequence[str], jobs: int, scheduler: str | None = None) -> list[Outcome]:
    """Return the outcomes of the mutants of some patterns, in the order of the ids.

    With fewer patterns than processes, each process takes a share of the recorded positions; on a cluster, see
    tools.cluster, a pattern's mutants are tried together.
    """
    laboratory(setup)  # before the processes are made, so that they need not make their own
    shares = 1 if scheduler else max(1, jobs // max(len(ids), 1))
    requests = [Request(setup, name, share, shares) for name in ids for share in range(shares)]
    tried = each(try_mutants, requests, min(jobs, len(requests)), scheduler)
    by_pattern: dict[str, list[list[Outcome]]] = {name: [] for name in ids}
    for request, outcomes in with_progress(tried, len(requests), "pattern"):
        by_pattern[request.pattern].append(outcomes)
    return [_merge_shares(shares) for name in ids for shares in zip(*by_pattern[name], strict=True)]


def _merge_shares(outcomes: Sequence[Outcome]) -> Outcome:
    """Return what became of a mutant in several shares: one that survived in all survived."""
    return next((outcome for outcome in outcomes if outcome.result == DECISION), outcomes[0])


def outcomes_of(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return the names of the mutants of each pattern, of outcomes in the order of their patterns."""
    by_pattern = groupby(outcomes, key=lambda outcome: outcome.pattern)
    return {pattern: [one.name for one in ones] for pattern, ones in by_pattern}


def find_pins(
    setup: Setup, survivors: Sequence[Outcome], jobs: int, scheduler: str | None = None
) -> dict[tuple[str, str], Example]:
    """Return by (pattern, mutant) the boards that would kill these survivors, where one was found."""
    wanted = [(Request(setup, pattern), frozenset(names)) for pattern, names in outcomes_of(survivors).items()]
    tried = each(_find_pins_of, wanted, min(jobs, max(len(wanted), 1)), scheduler)
    found = with_progress(tried, len(wanted), "pattern")
    return {(request.pattern, name): pin for (request, _), pins in found for name, pin in pins.items()}


def _find_pins_of(wanted: tuple[Request, frozenset[str]]) -> dict[str, Example]:
    """Return boards that would kill the named mutants of a pattern, where one was found."""
    request, names = wanted
    lab = laboratory(request.setup)
    named = {mutant.name: known for mutant, known in lab.mutants(request.pattern) if mutant.name in names}
    pins = {name: find_pin(lab.patterns[request.pattern], known, lab.corpus) for name, known in named.items()}
    return {name: pin for name, pin in pins.items() if pin is not None}


def fewest_pins(
    lab: Laboratory, survivors: Sequence[Outcome], pins: Mapping[tuple[str, str], Example]
) -> dict[str, list[Example]]:
    """Return by pattern the boards to add, so that each survivor with a board is killed: none that others spare."""
    chosen: dict[str, list[Example]] = {}
    known = {name: {mutant.name: one for mutant, one in lab.mutants(name)} for name, _ in pins}
    for outcome in survivors:
        pin = pins.get((outcome.pattern, outcome.name))
        added = chosen.setdefault(outcome.pattern, []) if pin else []
        if pin and all(outcome_of(known[outcome.pattern][outcome.name], example).passed for example in added):
            added.append(pin)
    return chosen
