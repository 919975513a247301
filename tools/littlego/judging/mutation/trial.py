"""Trials of mutants: searches for an example that fails or a recorded decision that changes.

A laboratory contains the data that all trials share: a file's patterns, the recorded positions, and cached decisions in
these positions. With many patterns, several processes try the mutants of different patterns. The results of each
pattern are cached, so an interrupted run resumes with the remaining patterns.
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
    """The inputs of trials, in a form that can be sent to other processes and machines.

    text: the text of a valid patterns file. recorded: the text of the recorded decisions. filename: the name of
    the patterns file, for messages. snapshot: the path of the file of recorded decisions. games: the path of the stored
    games, to which the names of recorded match positions refer; other machines also need this file. cached: whether
    results are cached between runs.
    """

    text: str
    filename: str
    recorded: str
    snapshot: str
    games: str
    cached: bool = True

    @classmethod
    def read(cls, text: str, filename: str, ruleset: str, snapshot: Path | None = None, cached: bool = True) -> Self:
        """Return the setup for a patterns file's text and the recorded decisions in another file.

        ruleset: the name of the ruleset. snapshot: the path of the recorded decisions, or None for the shipped record.
        Raise OSError or RecordError for an unreadable file.
        """
        corpora = corpora_of(ruleset)
        snapshot = snapshot or corpora.record
        return cls(text, filename, read_text(snapshot), str(snapshot), str(corpora.games), cached)


class Laboratory:
    """The parsed inputs of a setup, with cached decisions and mutants."""

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
        self.code = digest(meaning_of(__name__), self.engine.signature())  # the engine is imported by name
        self.digest = digest(self.code, *self.record.names, *self.knowledge.lines)
        self._mutants: dict[str, list[tuple[Mutant, KnownPattern]]] = {}
        self._foresights: dict[int, Foresight] = {}

    @cached_property
    def positions(self) -> Sequence[Position]:
        """The recorded positions."""
        return self.record.positions()

    @cached_property
    def evidence(self) -> Evidence:
        """The Evidence that compares mutants with their patterns, for the setup's ruleset."""
        return EVIDENCE[self.ruleset](self.positions, self.book, Cache(CACHE) if self.setup.cached else None)

    def foresight(self, index: int) -> Foresight:
        """Return the Foresight for the decision in a recorded position.

        The Foresight predicts how a change of one pattern changes the move. index: the index in `positions`.
        """
        if index not in self._foresights:
            self._foresights[index] = Foresight(self.engine.decide(self.positions[index], self.book))
        return self._foresights[index]

    def places(self, pattern_id: str) -> Places:
        """Return the Places of a pattern, which locate the pattern's parts in the patterns file."""
        return Places(self.setup.text, self.patterns[pattern_id], self.patterns.values())

    def changes(self, pattern_id: str) -> list[Mutant]:
        """Return the mutants of a pattern, including mutants that the reader rejects.

        For a sequence, return only the mutants that the reader accepts.
        """
        if self.patterns[pattern_id].sequence:
            return [mutant for mutant, _ in self.mutants(pattern_id)]
        return mutants_of(self.patterns[pattern_id], self.priorities)

    def mutants(self, pattern_id: str) -> list[tuple[Mutant, KnownPattern]]:
        """Return (mutant, mutated pattern) for each of a pattern's mutants that the reader accepts.

        For a sequence, the mutated pattern is the pattern of the first move, with the other patterns as companions. The
        patterns of later moves have no mutants of their own.
        """
        if pattern_id not in self._mutants:
            self._mutants[pattern_id] = self._read_mutants(self.patterns[pattern_id])
        return self._mutants[pattern_id]

    def _read_mutants(self, pattern: KnownPattern) -> list[tuple[Mutant, KnownPattern]]:
        if pattern.sequence:
            if not pattern.examples:  # a later move of a sequence; the first move tries the whole sequence
                return []
            steps = [pattern, *pattern.companions]
            return sequence_mutants(steps, self.places(pattern.id), self.priorities, self.ruleset)
        drafted = [(mutant, read_draft(mutant.draft, self.ruleset)) for mutant in self.changes(pattern.id)]
        return [(mutant, known) for mutant, known in drafted if known is not None]


@lru_cache(maxsize=2)
def laboratory(setup: Setup) -> Laboratory:
    """Return the Laboratory for a setup; each process caches the laboratories of its last two setups."""
    return Laboratory(setup)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a mutant.

    result: SAME if the mutant differs only in form from the pattern or from an earlier mutant; EXAMPLE if an example
    killed the mutant; DECISION if a recorded decision killed the mutant; PROVED if nothing killed the mutant and the
    mutant is proved to be equivalent to the pattern; otherwise SURVIVED. For a mutant that is listed as equivalent,
    scores.excuse_listed replaces SURVIVED with scores.EQUIVALENT. by: the index of the example or of the recorded
    decision, -1 for other results.
    """

    pattern: str
    name: str
    kind: str
    result: str
    by: int = -1


@dataclass(frozen=True)
class Request:
    """A request to try a pattern's mutants on a share of the recorded positions.

    A position belongs to the share if the position's index modulo `shares` is `share`.
    """

    setup: Setup
    pattern: str
    share: int = 0
    shares: int = 1


def try_mutants(request: Request) -> list[Outcome]:
    """Try the mutants of a pattern, and return the outcomes in the order of Laboratory.mutants."""
    return _Trial(laboratory(request.setup), request).outcomes()


class _Trial:
    """The trial of the mutants of one pattern or sequence."""

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
        """Return the outcome of every mutant, in the order of Laboratory.mutants."""
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
        """Return the normal form of pattern lines.

        Lines with equal normal forms have the same effect in every position.
        """
        patterns = map(pattern_of, lines)
        return tuple((self.lab.engine.form(pattern), weight(pattern)) for pattern in patterns)

    def _results(self, tried: Mapping[Lines, KnownPattern]) -> dict[Lines, tuple[str, int]]:
        """Return {mutant: (result, by)}, with both values as in Outcome.

        The results of examples have separate cache entries, because other patterns do not affect these results.
        """
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
        """Return whether a mutant is proved to be equivalent.

        For a sequence, the pattern of each changed move must be proved to be equivalent.
        """
        pairs = zip((self.pattern, *self.pattern.companions), (known, *known.companions), strict=True)
        changed = [pair for pair, old, new in zip(pairs, self.lines, lines, strict=True) if old != new]
        return all(self.lab.evidence.is_proved(*pair) for pair in changed)

    def _recall(self, key: str) -> list[int | None] | None:
        """Return the list ([index] or [None]) that is cached under a key, or None if nothing is cached."""
        return self.cache.get(key) if self.cache else None

    def _keep(self, key: str, index: int | None) -> list[int | None]:
        if self.cache:
            self.cache.put(key, [index])
        return [index]

    def _failing(self, lines: Lines) -> int | None:
        return next((index for index in self.passing if self._fails(index, lines)), None)

    def _fails(self, index: int, lines: Lines) -> bool:
        """Return whether an example of the pattern fails if the given lines replace the pattern's lines."""
        example, moves = self.pattern.examples[index], moves_fired(lines, self.lab.ruleset, self.boards[index])
        return (bool(moves) if example.move is None else example.move in moves) != example.must_fire

    def _changed(self, mutants: Sequence[Lines]) -> dict[Lines, int | None]:
        """Return {mutant: the index of a recorded position in which the mutant changes the move, or None}.

        The index is None if the search found no such position. The search covers only the request's share of the
        positions.
        """
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
        """Return {mutant: the index of a position in which the mutant changes the move}; omit other mutants.

        For each mutant, the search first tries the position that last detected the mutant, even if the book has changed
        since. The search then visits each position of the share once, with all remaining mutants that may fire
        differently.
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
        """Return the mutants that change the move in a position. asked: the lines of the pattern and of the mutants.

        For a sequence, the function replaces one pattern at a time, because patterns of different moves seldom fire in
        the same position.
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
        """Return whether replacing one pattern line with another changes the move in a position.

        fired: the firings of the lines in the position.
        """
        before, after, new = fired.get(old_line, {}), fired.get(new_line, {}), pattern_of(new_line)
        if before == after and (not after or weight(pattern_of(old_line)) == weight(new)):
            return False
        foresight = self.lab.foresight(index)
        firings = {move: Firing(new, points, 0) for move, points in after.items()}
        return foresight.move_with(new.id, firings) != foresight.decision.move


def try_all_mutants(setup: Setup, ids: Sequence[str], jobs: int, scheduler: str | None = None) -> list[Outcome]:
    """Try the mutants of the patterns with the given ids, and return the outcomes in the order of the ids.

    If there are at least two processes for each pattern, a process tries a pattern's mutants on only a share of the
    recorded positions. On a cluster (see littlego.cluster), one process tries a pattern's mutants on all positions.
    """
    laboratory(setup)  # created before the fork, so that the processes share it
    shares = 1 if scheduler else max(1, jobs // max(len(ids), 1))
    requests = [Request(setup, name, share, shares) for name in ids for share in range(shares)]
    tried = each(try_mutants, requests, min(jobs, len(requests)), scheduler)
    by_pattern: dict[str, list[list[Outcome]]] = {name: [] for name in ids}
    for request, outcomes in with_progress(tried, len(requests), "pattern"):
        by_pattern[request.pattern].append(outcomes)
    return [_merge_shares(shares) for name in ids for shares in zip(*by_pattern[name], strict=True)]


def _merge_shares(outcomes: Sequence[Outcome]) -> Outcome:
    """Return a mutant's outcome over all shares: SURVIVED only if the mutant survived in every share."""
    return next((outcome for outcome in outcomes if outcome.result == DECISION), outcomes[0])


def outcomes_of(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return {pattern id: names of the pattern's mutants}.

    The outcomes must already be grouped by pattern.
    """
    by_pattern = groupby(outcomes, key=lambda outcome: outcome.pattern)
    return {pattern: [one.name for one in ones] for pattern, ones in by_pattern}


def find_pins(
    setup: Setup, survivors: Sequence[Outcome], jobs: int, scheduler: str | None = None
) -> dict[tuple[str, str], Example]:
    """Return {(pattern id, mutant name): example that kills the mutant} for `survivors`.

    Mutants for which no killing example is found are omitted.
    """
    wanted = [(Request(setup, pattern), frozenset(names)) for pattern, names in outcomes_of(survivors).items()]
    tried = each(_find_pins_of, wanted, min(jobs, max(len(wanted), 1)), scheduler)
    found = with_progress(tried, len(wanted), "pattern")
    return {(request.pattern, name): pin for (request, _), pins in found for name, pin in pins.items()}


def _find_pins_of(wanted: tuple[Request, frozenset[str]]) -> dict[str, Example]:
    """Return {mutant name: example that kills the mutant}; omit mutants for which no example is found."""
    request, names = wanted
    lab = laboratory(request.setup)
    named = {mutant.name: known for mutant, known in lab.mutants(request.pattern) if mutant.name in names}
    return lab.evidence.find_pins(lab.patterns[request.pattern], named)


def fewest_pins(
    lab: Laboratory, survivors: Sequence[Outcome], pins: Mapping[tuple[str, str], Example]
) -> dict[str, list[Example]]:
    """Return {pattern id: examples}: a few examples that together kill every survivor in `pins`.

    The function chooses the examples greedily from `pins`. pins: a result of find_pins.
    """
    chosen: dict[str, list[Example]] = {}
    known = {name: {mutant.name: one for mutant, one in lab.mutants(name)} for name, _ in pins}
    for outcome in survivors:
        pin = pins.get((outcome.pattern, outcome.name))
        added = chosen.setdefault(outcome.pattern, []) if pin else []
        if pin and all(outcome_of(known[outcome.pattern][outcome.name], example).passed for example in added):
            added.append(pin)
    return chosen
