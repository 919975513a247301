"""Mutants of patterns for large boards: tried on the pattern's examples, then on the decisions on record.

Little is proved here (see implied): a survivor may be as good as its pattern. Every result is kept, as those of the
course's game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Self

from rules.engine import Firing
from rules.geometry import Mask, count
from rules.patternfile import Pattern
from rules.position import Position
from tools.cache import Cache, digest
from tools.data import ENGINE_GAMES, MATCH_DECISIONS
from tools.effects.books import knowledge_of
from tools.effects.parts import weight
from tools.effects.recorded import parse_record
from tools.engines.large import hits, make_reading, read
from tools.knowledge.compiler import compile_text
from tools.knowledge.keys import MATCH
from tools.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern
from tools.knowledge.textfile import pattern_line
from tools.large.book import LargeBook
from tools.large.engine import decide_large
from tools.large.planes import LINE
from tools.large.reading import LargeReading
from tools.meaning import meaning_of
from tools.mutation.corpus import Firings
from tools.mutation.implied import cell_is_implied, priority_is_implied
from tools.mutation.mutants import Mutant, read_draft
from tools.mutation.sequences import sequence_mutants
from tools.mutation.trial import (
    CACHE,
    DECISION,
    EXAMPLE,
    PROVED,
    SAME,
    SURVIVED,
    Laboratory,
    Outcome,
    Setup,
    outcomes_of,
)
from tools.parallel import each, with_progress
from tools.reasons.foresight import Foresight

Lines = tuple[str, ...]  # of patterns.txt: a pattern's, or one for each move of a sequence
ENOUGH = 20  # boards that tell a mutant from its pattern, of which the emptiest is taken


@dataclass(frozen=True)
class LargeSetup(Setup):
    """What the mutants of a match's file are tried on. games: the name of the file with the games of the record."""

    games: str = ""

    @classmethod
    def read(cls, text: str, filename: str, snapshot: Path = MATCH_DECISIONS, cached: bool = True) -> Self:
        """Return the setup with the recorded decisions of a file, in our kept games; see Setup.read."""
        return replace(super().read(text, filename, snapshot, cached), games=str(ENGINE_GAMES))


class LargeLaboratory(Laboratory):
    """A LargeSetup, read."""

    setup: LargeSetup

    def __init__(self, setup: LargeSetup) -> None:
        self.setup = setup
        base = compile_text(setup.text, setup.filename, with_examples=False)[2]
        self.patterns = {pattern.id: pattern for pattern in base.patterns}
        self.priorities = sorted({pattern.priority for pattern in base.ranked()})
        knowledge = knowledge_of(base, setup.filename)
        self.large_book = LargeBook(MATCH.name, MATCH.size, [Pattern(line) for line in knowledge.lines])
        self._mutants: dict[str, list[tuple[Mutant, KnownPattern]]] = {}
        self._looked: dict[int, Foresight] = {}
        self._readings: dict[int, LargeReading] = {}
        self.code = meaning_of("tools.mutation.large")
        self.record = parse_record(setup.recorded, setup.snapshot, Path(setup.games))
        self.digest = digest(self.code, *self.record.names, *knowledge.lines)

    @cached_property
    def positions(self) -> Sequence[Position]:
        """The positions on record."""
        return self.record.positions()

    def fired(self, lines: Lines, index: int) -> dict[str, Firings]:
        """Return for which moves each of some patterns fires in one of the positions; nothing where it does not.

        What was found out about a position is kept.
        """
        if index not in self._readings:
            self._readings[index] = make_reading(self.positions[index])
        position, found = self.positions[index], dict[str, Firings]()
        book = _book_of(lines, position.ruleset.size)
        line_of = {id(pattern): line for pattern, line in zip(book.patterns, lines, strict=True)}
        for pattern, move, points in hits(book, self._readings[index], position.legal()):
            found.setdefault(line_of[id(pattern)], {})[move] = points
        return found

    def foresight(self, index: int) -> Foresight:
        """Return what tells the moves of the book, with one of its patterns changed, in a position."""
        if index not in self._looked:
            self._looked[index] = Foresight(decide_large(self.positions[index], self.large_book))
        return self._looked[index]

    def changes(self, pattern_id: str) -> list[Mutant]:
        """Return the mutants of a pattern, unread, or those of a sequence, read."""
        if self.patterns[pattern_id].sequence:
            return [mutant for mutant, _ in self.mutants(pattern_id)]
        return super().changes(pattern_id)

    def mutants(self, pattern_id: str) -> list[tuple[Mutant, KnownPattern]]:
        """Return the mutants of a pattern that the reader accepts, each with the pattern as it is then read.

        Those of a sequence are its first move's, and have the other moves as their companions.
        """
        if pattern_id not in self._mutants:
            self._mutants[pattern_id] = self._read_mutants(self.patterns[pattern_id])
        return self._mutants[pattern_id]

    def _read_mutants(self, pattern: KnownPattern) -> list[tuple[Mutant, KnownPattern]]:
        if pattern.sequence:
            steps = [pattern, *pattern.companions]
            if not pattern.examples:  # a later move
                return []
            return sequence_mutants(steps, self.places(pattern.id), self.priorities, MATCH.name)
        drafted = [(one, read_draft(one.draft, MATCH.name)) for one in self.changes(pattern.id)]
        return [(mutant, known) for mutant, known in drafted if known is not None]


laboratory = lru_cache(maxsize=2)(LargeLaboratory)  # by the setup, made once a process


@lru_cache(maxsize=64)
def _book_of(lines: tuple[str, ...], size: int) -> LargeBook:
    return LargeBook(MATCH.name, size, [Pattern(line) for line in lines])


def fired(lines: Lines, position: Position) -> set[int]:
    """Return the moves that any of some patterns, as lines of patterns.txt, fires for in a position."""
    book = _book_of(lines, position.ruleset.size)
    return {move for _, move, _ in hits(book, read(position), position.legal())}


_pattern_of = lru_cache(maxsize=256)(Pattern)


def signature(line: str) -> tuple[object, ...]:
    """Return a value that is equal for two patterns that do the same in every position of the largest board."""
    book = _book_of((line,), MATCH.size)
    pattern = book.patterns[0]
    asked = {token[1:] for token in " ".join([pattern.points, *pattern.when]).split() if token[0] in "~@"}
    letters = [letter for row in pattern.label_rows for letter in row if letter != "."]
    placed = set()
    for one in book.planes.templates:
        labels = sorted(
            (letter, -1 if delta is None else delta)
            for letter, delta in zip(letters, one.deltas[2:], strict=True)
            if letter in asked
        )
        keys = frozenset(key for key in one.keys if key[0] != LINE)
        placed.add((keys, one.anchors, one.has_move, tuple(labels)))
    return frozenset(placed), pattern.points, tuple(pattern.when), weight(pattern)


def _lines_of(pattern: KnownPattern) -> Lines:
    """Return a pattern as a line of patterns.txt, or the first of a sequence with the other moves as more lines."""
    return tuple(map(pattern_line, (pattern, *pattern.companions)))


class _Trial:
    """The mutants of one pattern, or sequence, being tried."""

    def __init__(self, lab: LargeLaboratory, name: str) -> None:
        self.lab, self.pattern = lab, lab.patterns[name]
        self.examples, self.lines = self.pattern.examples, _lines_of(self.pattern)
        self.boards = [example.position() for example in self.examples]
        self.passing = [index for index in range(len(self.examples)) if not self._fails(index, self.lines)]
        self.cache = Cache(CACHE) if lab.setup.cached else None
        self.asked = repr([self.examples[index].asked for index in self.passing])

    def outcomes(self) -> list[Outcome]:
        """Return the outcome of every mutant, in the order of their making."""
        seen = {tuple(map(signature, self.lines))}
        tried: list[tuple[Mutant, Lines | None]] = []
        for mutant, known in self.lab.mutants(self.pattern.id):
            lines = _lines_of(known)
            drawn = tuple(map(signature, lines))
            tried.append((mutant, None if drawn in seen else lines))
            seen.add(drawn)
        results = self._results([lines for _, lines in tried if lines is not None])
        return [
            Outcome(self.pattern.id, mutant.name, mutant.kind, *((SAME, -1) if lines is None else results[lines]))
            for mutant, lines in tried
        ]

    def _results(self, tried: Sequence[Lines]) -> dict[Lines, tuple[str, int]]:
        """Return each mutant's result and what it is by. What an example notices holds whatever other patterns say."""
        results = {}
        for lines in tried:
            failing = self._recall(digest(self.lab.code, self.asked, *lines))
            if failing is None:
                failing = self._keep(digest(self.lab.code, self.asked, *lines), self._failing(lines))
            if failing[0] is not None:
                results[lines] = EXAMPLE, failing[0]
        for lines, changed in self._changed([lines for lines in tried if lines not in results]).items():
            survived = PROVED if changed is None and self._is_implied(lines) else SURVIVED
            results[lines] = (survived, -1) if changed is None else (DECISION, changed)
        return results

    def _is_implied(self, lines: Lines) -> bool:
        """Return whether a mutant is proved to be as good as the pattern, each of its moves as that of a sequence."""
        pairs = [(_pattern_of(old), _pattern_of(new)) for old, new in zip(self.lines, lines, strict=True) if old != new]
        patterns = self.lab.large_book.patterns
        return all(cell_is_implied(*pair) or priority_is_implied(*pair, patterns) for pair in pairs)

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
        example, moves = self.examples[index], fired(lines, self.boards[index])
        return (bool(moves) if example.move is None else example.move in moves) != example.must_fire

    def _changed(self, mutants: Sequence[Lines]) -> dict[Lines, int | None]:
        """Return for each mutant the first position on record in which it plays another move, or None."""
        keys = {lines: digest(self.lab.digest, *self.lines, *lines) for lines in mutants}
        known = {lines: self._recall(key) for lines, key in keys.items()}
        missing = [lines for lines, kept in known.items() if kept is None]
        found = self._find_changed(missing)
        known |= {lines: self._keep(keys[lines], found.get(lines)) for lines in missing}
        return {lines: kept[0] for lines, kept in known.items() if kept is not None}

    def _find_changed(self, mutants: Sequence[Lines]) -> dict[Lines, int]:
        """Return the position for each mutant that has one.

        Those that were found with an earlier book are tried first: they nearly always still are some. All mutants
        are looked for at once, in one position after the other.
        """
        number, found = len(self.lab.positions), dict[Lines, int]()
        hints = {lines: digest("witness", self.lab.code, *self.lines, *lines) for lines in mutants}
        for lines, key in hints.items():
            hint = (self._recall(key) or [None])[0]
            if hint is not None and hint < number and self._changing(hint, [lines], (*self.lines, *lines)):
                found[lines] = hint
        left = [lines for lines in mutants if lines not in found]
        asked = tuple(dict.fromkeys(line for lines in (self.lines, *left) for line in lines))
        for index in range(number):
            if not left:
                break
            for lines in self._changing(index, left, asked):
                found[lines] = index
                self._keep(hints[lines], index)
            left = [lines for lines in left if lines not in found]
        return found

    def _changing(self, index: int, mutants: Sequence[Lines], asked: Lines) -> list[Lines]:
        """Return the mutants with which another move is played in a position. asked: the lines of all, and ours.

        Of a sequence, of which two moves seldom fire in one position, by the change of one of its moves.
        """
        fired = self.lab.fired(asked, index)
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
        before, after = fired.get(old_line, {}), fired.get(new_line, {})
        new = _pattern_of(new_line)
        if before == after and (not after or weight(_pattern_of(old_line)) == weight(new)):
            return False
        foresight = self.lab.foresight(index)
        firings = {move: Firing(new, points, 0) for move, points in after.items()}
        return foresight.move_with(new.id, firings) != foresight.decision.move


@dataclass(frozen=True)
class _Task:
    """A pattern whose mutants are to be tried, or boards found that would kill some of them, by name."""

    setup: LargeSetup
    pattern: str
    names: frozenset[str] = frozenset()


def _try_mutants(task: _Task) -> list[Outcome]:
    return _Trial(laboratory(task.setup), task.pattern).outcomes()


def try_large_mutants(setup: LargeSetup, ids: Sequence[str], jobs: int) -> list[Outcome]:
    """Return the outcomes of the mutants of some patterns, in the order of the ids. Raise what read_packed raises."""
    _ = laboratory(setup).positions  # before the processes are made, so that they need not make their own
    tried = each(_try_mutants, [_Task(setup, name) for name in ids], max(1, min(jobs, len(ids))))
    found = {task.pattern: outcomes for task, outcomes in with_progress(tried, len(ids), "pattern")}
    return [outcome for name in ids for outcome in found[name]]


def find_large_pins(setup: LargeSetup, survivors: Sequence[Outcome], jobs: int) -> dict[tuple[str, str], Example]:
    """Return by (pattern, mutant) the boards of kept games that would kill these survivors, where there is one."""
    tasks = [_Task(setup, name, frozenset(names)) for name, names in outcomes_of(survivors).items()]
    tried = each(_find_pins, tasks, max(1, min(jobs, len(tasks))))
    found = with_progress(tried, len(tasks), "pattern")
    return {(task.pattern, name): pin for task, pins in found for name, pin in pins.items()}


def _find_pins(task: _Task) -> dict[str, Example]:
    lab = laboratory(task.setup)
    lines, wanted = _lines_of(lab.patterns[task.pattern]), lab.mutants(task.pattern)
    mutants = {mutant.name: _lines_of(known) for mutant, known in wanted if mutant.name in task.names}
    asked = tuple(dict.fromkeys(line for one in (lines, *mutants.values()) for line in one))
    boards: dict[str, list[Example]] = {name: [] for name in mutants}
    for index, position in enumerate(lab.positions):
        left = [name for name, found in boards.items() if len(found) < ENOUGH]
        moves = lab.fired(asked, index) if left else {}
        for name in left:
            boards[name] += _telling_boards(lines, mutants[name], position, moves)
    return {name: min(found, key=_busyness) for name, found in boards.items() if found}


def _busyness(example: Example) -> tuple[int, int]:
    stones: Mask = example.stones[0] | example.stones[1]
    return example.ruleset.size, count(stones)


def _telling_boards(lines: Lines, mutant: Lines, position: Position, moves: Mapping[str, Firings]) -> Iterator[Example]:
    """Yield examples that tell a pattern and its mutant apart, where these fire differently in a position.

    moves: for which each of their lines fires there.
    """
    before, after = ({move for line in one for move in moves.get(line, ())} for one in (lines, mutant))
    for move in sorted(before ^ after):
        kind = MATCHES if move in before else NO_MATCH
        example = replace(Example.of_position(kind, position, move), moves_left=0)
        drawn = example.position()
        told = [move in fired(one, drawn) for one in (lines, mutant)]
        if told == [example.must_fire, not example.must_fire]:
            yield example
