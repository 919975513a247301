"""Trying mutants: does an example of the pattern fail, or does a recorded decision change?

A laboratory holds what all trials share: a file's knowledge, the recorded positions, and the decisions there as far as
known. All mutants of many patterns are tried on several processes. Each result is kept at once: a stopped run goes on
where it ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Self

from littlego.cache import Cache, digest
from littlego.engines.choosing import engine_of
from littlego.engines.reasons.foresight import Foresight
from littlego.judging.corpora import corpora_of
from littlego.judging.mutation.evidence import EVIDENCE, Evidence
from littlego.judging.mutation.lines import Firings, Lines, firings_of, lines_of, moves_fired, pattern_of
from littlego.judging.mutation.mutants import Mutant, Places, mutants_of, read_draft
from littlego.judging.mutation.sequences import sequence_mutants
from littlego.judging.recorded import parse_record, read_text
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import outcome_of
from littlego.knowledge.files import knowledge_of
from littlego.knowledge.model import Example, KnownPattern
from littlego.knowledge.parts import weight
from littlego.meaning import meaning_of
from littlego.parallel import each, with_progress
from littlego.rules.engine import Firing
from littlego.rules.position import Position

EXAMPLE, DECISION, SURVIVED, PROVED, SAME = "example", "decision", "survived", "proved", "same"
CACHE = "mutation"
WHOLE = "0 of 1"


@dataclass(frozen=True)
class Setup:
    """What the mutants are tried on, in texts: another machine needs none of our files but the games of a match.

    text: of a patterns file in which there is no mistake. recorded: of the recorded decisions. filename, snapshot:
    the names of both files, for messages. games: the file of the games that the record may name. cached: whether
    results are kept between runs.
    """

    text: str
    filename: str
    recorded: str
    snapshot: str
    games: str
    cached: bool = True

    @classmethod
    def read(cls, text: str, filename: str, ruleset: str, snapshot: Path | None = None, cached: bool = True) -> Self:
        """Return the setup for patterns of a ruleset, by its name, with the recorded decisions of a file.

        snapshot: None for those of the repository. Raise OSError or RecordError.
        """
        corpora = corpora_of(ruleset)
        snapshot = snapshot or corpora.record
        return cls(text, filename, read_text(snapshot), str(snapshot), str(corpora.games), cached)


class Laboratory:
    """A setup, read."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        base = compile_text(setup.text, setup.filename, with_examples=False)[2]
        self.ruleset = base.ruleset.name
        self.patterns = {pattern.id: pattern for pattern in base.patterns}
        self.priorities = sorted({pattern.priority for pattern in base.ranked()})
        self.knowledge = knowledge_of(base, setup.filename)
        self.book = self.knowledge.book
        self.engine = engine_of(self.ruleset)
        self.record = parse_record(setup.recorded, setup.snapshot, Path(setup.games))
        self.code = meaning_of(__name__)
        self.digest = digest(self.code, *self.record.names, *self.knowledge.lines)
        self._mutants: dict[str, list[tuple[Mutant, KnownPattern]]] = {}
        self._foresights: dict[int, Foresight] = {}

    @cached_property
    def positions(self) -> Sequence[Position]:
        """The positions on record."""
        return self.record.positions()

    @cached_property
    def evidence(self) -> Evidence:
        """What is known of two patterns besides the examples and the decisions on record."""
        return EVIDENCE[self.ruleset](self.positions, self.book, Cache(CACHE) if self.setup.cached else None)

    def foresight(self, index: int) -> Foresight:
        """Return what tells the moves of the book, with one of its patterns changed, in a recorded position."""
        if index not in self._foresights:
            self._foresights[index] = Foresight(self.engine.decide(self.positions[index], self.book))
        return self._foresights[index]

    def places(self, pattern_id: str) -> Places:
        """Return the places of a pattern's parts in the file."""
        return Places(self.setup.text, self.patterns[pattern_id], self.patterns.values())

    def changes(self, pattern_id: str) -> list[Mutant]:
        """Return the mutants of a pattern, unread: those that the reader refuses may be among them.

        Those of a sequence are read.
        """
        if self.patterns[pattern_id].sequence:
            return [mutant for mutant, _ in self.mutants(pattern_id)]
        return mutants_of(self.patterns[pattern_id], self.priorities)

    def mutants(self, pattern_id: str) -> list[tuple[Mutant, KnownPattern]]:
        """Return the mutants of a pattern that the reader accepts, each with the pattern as it is then read.

        Those of a sequence are its first move's, and have the other moves as their companions.
        """
        if pattern_id not in self._mutants:
            self._mutants[pattern_id] = self._read_mutants(self.patterns[pattern_id])
        return self._mutants[pattern_id]

    def _read_mutants(self, pattern: KnownPattern) -> list[tuple[Mutant, KnownPattern]]:
        if pattern.sequence:
            if not pattern.examples:  # a later move
                return []
            steps = [pattern, *pattern.companions]
            return sequence_mutants(steps, self.places(pattern.id), self.priorities, self.ruleset)
        drafted = [(mutant, read_draft(mutant.draft, self.ruleset)) for mutant in self.changes(pattern.id)]
        return [(mutant, known) for mutant, known in drafted if known is not None]


@lru_cache(maxsize=2)
def laboratory(setup: Setup) -> Laboratory:
    """Return the Laboratory for a setup, made once a process."""
    return Laboratory(setup)


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
    """The mutants of one pattern, or sequence, being tried."""

    def __init__(self, lab: Laboratory, request: Request) -> None:
        self.lab, self.request = lab, request
        self.share = f"{request.share} of {request.shares}"
        self.pattern = pattern = lab.patterns[request.pattern]
        self.lines = lines_of(pattern)
        self.cache = Cache(CACHE) if request.setup.cached else None
        self.boards = [example.position() for example in pattern.examples]
        self.passing = [index for index in range(len(pattern.examples)) if not self._fails(index, self.lines)]
        self.asked = repr([pattern.examples[index].asked for index in self.passing])

    def outcomes(self) -> list[Outcome]:
        """Return the outcome of every mutant, in the order of their making."""
        seen = {self._form(self.lines)}
        tried: list[tuple[Mutant, KnownPattern, bool]] = []
        for mutant, known in self.lab.mutants(self.pattern.id):
            form = self._form(lines_of(known))
            tried.append((mutant, known, form not in seen))
            seen.add(form)
        results = self._results({lines_of(known): known for _, known, is_new in tried if is_new})
        return [
            Outcome(self.pattern.id, mutant.name, mutant.kind, *(results[lines_of(known)] if is_new else (SAME, -1)))
            for mutant, known, is_new in tried
        ]

    def _form(self, lines: Lines) -> tuple[object, ...]:
        """Return a value that is equal for patterns that do the same in every position."""
        patterns = map(pattern_of, lines)
        return tuple((self.lab.engine.form(pattern), weight(pattern)) for pattern in patterns)

    def _results(self, tried: Mapping[Lines, KnownPattern]) -> dict[Lines, tuple[str, int]]:
        """Return each mutant's result and what it is by. What an example notices holds whatever other patterns say."""
        results: dict[Lines, tuple[str, int]] = {}
        for lines in tried:
            key = digest(self.lab.code, self.asked, *lines)
            failing = self._recall(key) or self._keep(key, self._failing(lines))
            if failing[0] is not None:
                results[lines] = EXAMPLE, failing[0]
        for lines, changed in self._changed([lines for lines in tried if lines not in results]).items():
            if changed is not None:
                results[lines] = DECISION, changed
            else:
                results[lines] = PROVED if self._is_proved(tried[lines], lines) else SURVIVED, -1
        return results

    def _is_proved(self, known: KnownPattern, lines: Lines) -> bool:
        """Return whether a mutant is proved to be as good as the pattern, each of its moves as that of a sequence."""
        pairs = zip((self.pattern, *self.pattern.companions), (known, *known.companions), strict=True)
        changed = [pair for pair, old, new in zip(pairs, self.lines, lines, strict=True) if old != new]
        return all(self.lab.evidence.is_proved(*pair) for pair in changed)

    def _recall(self, key: str) -> list[int | None] | None:
        """Return what an earlier run has kept under a key, an index or None, in a list; None where there is nothing."""
        return self.cache.get(key) if self.cache else None

    def _keep(self, key: str, index: int | None) -> list[int | None]:
        if self.cache:
            self.cache.put(key, [index])
        return [index]

    def _failing(self, lines: Lines) -> int | None:
        return next((index for index in self.passing if self._fails(index, lines)), None)

    def _fails(self, index: int, lines: Lines) -> bool:
        """Return whether an example fails with these lines in the place of the pattern's."""
        example, moves = self.pattern.examples[index], moves_fired(lines, self.lab.ruleset, self.boards[index])
        return (bool(moves) if example.move is None else example.move in moves) != example.must_fire

    def _changed(self, mutants: Sequence[Lines]) -> dict[Lines, int | None]:
        """Return for each mutant the first position of the share in which it plays another move, or None."""
        keys = {lines: [self.lab.digest, *self.lines, *lines] for lines in mutants}
        known = {
            lines: self._recall(digest(*key, WHOLE)) or self._recall(digest(*key, self.share))
            for lines, key in keys.items()
        }
        missing = [lines for lines, kept in known.items() if kept is None]
        found = self._find_changed(missing)
        known |= {lines: self._keep(digest(*keys[lines], self.share), found.get(lines)) for lines in missing}
        return {lines: kept[0] for lines, kept in known.items() if kept is not None}

    def _find_changed(self, mutants: Sequence[Lines]) -> dict[Lines, int]:
        """Return the position for each mutant that has one.

        Those that were found with an earlier book are tried first: they nearly always still are some. All mutants
        are looked for at once, in one position after the other.
        """
        number, found = len(self.lab.positions), dict[Lines, int]()
        hints = {lines: digest("witness", self.lab.code, *self.lines, *lines, self.share) for lines in mutants}
        for lines, key in hints.items():
            hint = (self._recall(key) or [None])[0]
            if hint is not None and hint < number and self._changing(hint, [lines], (*self.lines, *lines)):
                found[lines] = hint
        left = [lines for lines in mutants if lines not in found]
        where = {lines: self.lab.evidence.may_differ(self.lines, lines) for lines in left}
        asked = tuple(dict.fromkeys(line for lines in (self.lines, *left) for line in lines))
        for index in range(self.request.share, number, self.request.shares):
            here = [lines for lines in left if index in where[lines]]
            for lines in self._changing(index, here, asked) if here else ():
                found[lines] = index
                self._keep(hints[lines], index)
            left = [lines for lines in left if lines not in found]
        return found

    def _changing(self, index: int, mutants: Sequence[Lines], asked: Lines) -> list[Lines]:
        """Return the mutants with which another move is played in a position. asked: the lines of all, and ours.

        Of a sequence, of which two moves seldom fire in one position, by the change of one of its moves.
        """
        fired = firings_of(asked, self.lab.ruleset, self.lab.positions[index])
        return [
            lines
            for lines in mutants
            if any(
                old != new and self._plays_another(index, old, new, fired)
                for old, new in zip(self.lines, lines, strict=True)
            )
        ]

    def _plays_another(self, index: int, old_line: str, new_line: str, fired: Mapping[str, Firings]) -> bool:
        """Return whether another move is played in a position with one pattern for another. fired: where they fire."""
        before, after, new = fired.get(old_line, {}), fired.get(new_line, {}), pattern_of(new_line)
        if before == after and (not after or weight(pattern_of(old_line)) == weight(new)):
            return False
        foresight = self.lab.foresight(index)
        firings = {move: Firing(new, points, 0) for move, points in after.items()}
        return foresight.move_with(new.id, firings) != foresight.decision.move


def try_all_mutants(setup: Setup, ids: Sequence[str], jobs: int, scheduler: str | None = None) -> list[Outcome]:
    """Return the outcomes of the mutants of some patterns, in the order of the ids.

    With fewer patterns than processes, each process takes a share of the recorded positions; on a cluster, see
    littlego.cluster, a pattern's mutants are tried together.
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
    return lab.evidence.find_pins(lab.patterns[request.pattern], named)


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
