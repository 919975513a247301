"""Mutants of patterns for large boards: tried on the pattern's examples, then on decisions in positions of kept games.

Nothing is proved here: a survivor may be as good as its pattern. Every result is kept, as those of the course's game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from rules.engine import Firing
from rules.geometry import Mask, count
from rules.patternfile import Pattern
from rules.position import Position
from tools.arguments import trying_to
from tools.cache import Cache, digest
from tools.effects.books import knowledge_of
from tools.effects.large_survey import sampled_places
from tools.effects.parts import weight
from tools.files import short_name
from tools.knowledge.compiler import compile_text
from tools.knowledge.firing import large_hits, made_reading, read_large
from tools.knowledge.keys import MATCH
from tools.knowledge.model import MATCHES, NO_MATCH, Example, KnownPattern
from tools.knowledge.textfile import pattern_line
from tools.large.book import LargeBook
from tools.large.engine import decide_large
from tools.large.planes import LINE
from tools.large.reading import LargeReading
from tools.match.packed_games import read_packed
from tools.meaning import meaning_of
from tools.mutation.corpus import Firings
from tools.mutation.mutants import Mutant, read_draft
from tools.mutation.sequences import sequence_mutants
from tools.mutation.trial import (
    CACHE,
    DECISION,
    EXAMPLE,
    SAME,
    SURVIVED,
    Laboratory,
    Outcome,
    Setup,
    outcomes_of,
)
from tools.parallel import each, with_progress
from tools.reasons.foresight import Foresight

POSITIONS = 60  # of each board size that decisions are looked at in
Lines = tuple[str, ...]  # of patterns.txt: a pattern's, or one for each move of a sequence
ENOUGH = 20  # boards that tell a mutant from its pattern, of which the emptiest is taken


@dataclass(frozen=True)
class LargeSetup(Setup):
    """What the mutants of a match's file are tried on. recorded: nothing. snapshot: the name of a file of packed games.

    positions: how many are taken from these, of each board size.
    """

    positions: int = POSITIONS


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
        with trying_to(f"read {short_name(setup.snapshot)}"):
            games = sha256(Path(setup.snapshot).read_bytes()).hexdigest()
        self.digest = digest(self.code, games, str(setup.positions), *knowledge.lines)

    @cached_property
    def positions(self) -> list[Position]:
        """The positions in which decisions are looked at, the smallest boards first."""
        games = sampled_places(read_packed(Path(self.setup.snapshot)), self.setup.positions)
        return [position for _, places in sorted(games.items()) for one in places for position in one.positions()]

    def fired(self, line: str, index: int) -> Firings:
        """Return where a pattern fires in one of the positions, of each of which every answer is kept."""
        if index not in self._readings:
            self._readings[index] = made_reading(self.positions[index])
        return fired((line,), self.positions[index], self._readings[index])

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


def fired(lines: tuple[str, ...], position: Position, reading: LargeReading | None = None) -> Firings:
    """Return the moves that patterns, as lines of patterns.txt, fire for in a position, with their most points.

    reading: of the position, where it is at hand.
    """
    found: Firings = {}
    book = _book_of(lines, position.ruleset.size)
    for move, _, points, _ in large_hits(book, reading or read_large(position), position.legal()):
        found[move] = max(points, found.get(move, points))
    return found


_pattern_of = lru_cache(maxsize=256)(Pattern)


def _places(pattern: Pattern) -> tuple[object, ...]:
    """Return what decides where a pattern fires."""
    return pattern.rows, pattern.label_rows, pattern.when


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
        self.before: dict[tuple[int, str], Firings] = {}  # where the pattern itself fires in a position

    def outcomes(self) -> list[Outcome]:
        """Return the outcome of every mutant, in the order of their making."""
        seen = {tuple(map(signature, self.lines))}
        found = []
        for mutant, known in self.lab.mutants(self.pattern.id):
            lines = _lines_of(known)
            drawn = tuple(map(signature, lines))
            result, by = (SAME, -1) if drawn in seen else self._outcome(lines)
            found.append(Outcome(self.pattern.id, mutant.name, mutant.kind, result, by))
            seen.add(drawn)
        return found

    def _outcome(self, lines: Lines) -> tuple[str, int]:
        """Return a mutant's result and what it is by. What an example notices holds whatever the other patterns say."""
        failing = self._recall(digest(self.lab.code, self.asked, *lines), lambda: self._failing(lines))
        if failing is not None:
            return EXAMPLE, failing
        if not self.lab.setup.positions:
            return SURVIVED, -1
        changed = self._recall(digest(self.lab.digest, *self.lines, *lines), lambda: self._changed(lines))
        return (SURVIVED, -1) if changed is None else (DECISION, changed)

    def _recall(self, key: str, find: Callable[[], int | None]) -> int | None:
        """Return the index, or None, that an earlier run has kept under a key, else what is found now."""
        kept: list[int | None] | None = self.cache.get(key) if self.cache else None
        if kept is None:
            kept = [find()]
            if self.cache:
                self.cache.put(key, kept)
        return kept[0]

    def _failing(self, lines: Lines) -> int | None:
        return next((index for index in self.passing if self._fails(index, lines)), None)

    def _changed(self, lines: Lines) -> int | None:
        """Return the first position of the kept games in which the mutant plays another move, or None.

        The one that was found with an earlier book is tried first: it nearly always still is one.
        """
        hint_key, number = digest("witness", self.lab.code, *self.lines, *lines), len(self.lab.positions)
        hint = self.cache.get(hint_key) if self.cache else None
        if hint is not None and hint < number and self._changes(hint, lines):
            return int(hint)
        found = next((index for index in range(number) if self._changes(index, lines)), None)
        if found is not None and self.cache:
            self.cache.put(hint_key, found)
        return found

    def _fails(self, index: int, lines: Lines) -> bool:
        """Return whether an example fails with these lines in the place of the pattern's."""
        example, moves = self.examples[index], fired(lines, self.boards[index])
        return (bool(moves) if example.move is None else example.move in moves) != example.must_fire

    def _changes(self, index: int, lines: Lines) -> bool:
        """Return whether another move is played in a position of the kept games.

        Of a sequence, of which two moves seldom fire in one position, by the change of one of its moves.
        """
        pairs = [(old, new) for old, new in zip(self.lines, lines, strict=True) if old != new]
        return any(self._changes_by(index, old, new) for old, new in pairs)

    def _changes_by(self, index: int, old_line: str, new_line: str) -> bool:
        if (index, old_line) not in self.before:
            self.before[index, old_line] = self.lab.fired(old_line, index)
        before, old, new = self.before[index, old_line], _pattern_of(old_line), _pattern_of(new_line)
        if not before and _places(old) == _places(new):
            return False
        after = self.lab.fired(new_line, index)
        if before == after and (not after or weight(old) == weight(new)):
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
    lines, pins = _lines_of(lab.patterns[task.pattern]), {}
    for mutant, known in lab.mutants(task.pattern):
        if mutant.name in task.names:
            boards = _telling_boards(lines, _lines_of(known), lab.positions)
            if found := [board for board, _ in zip(boards, range(ENOUGH), strict=False)]:
                pins[mutant.name] = min(found, key=_busyness)
    return pins


def _busyness(example: Example) -> tuple[int, int]:
    stones: Mask = example.stones[0] | example.stones[1]
    return example.ruleset.size, count(stones)


def _telling_boards(lines: Lines, mutant: Lines, positions: Sequence[Position]) -> Iterator[Example]:
    """Yield examples, of positions in which a pattern and its mutant fire differently, that tell them apart."""
    for position in positions:
        before, after = (fired(one, position) for one in (lines, mutant))
        for move in sorted(before.keys() ^ after.keys()):
            kind = MATCHES if move in before else NO_MATCH
            example = replace(Example.of_position(kind, position, move), moves_left=0)
            drawn = example.position()
            moves = [move in fired(one, drawn) for one in (lines, mutant)]
            if moves == [example.must_fire, not example.must_fire]:
                yield example
