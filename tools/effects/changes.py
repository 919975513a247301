"""Decisions that differ between two books, over a whole corpus, and which edits of the patterns are responsible.

The compiled engine tells in moments where another move is played. Each of these positions is then looked at closely, on
several cores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from rules.engine import Decision, canonical, decide
from rules.geometry import Mask, Point, image_of, inverse
from rules.patternfile import Book
from rules.position import PASS, Position
from rules.positionkey import unpack_move
from rules.programs import Reading
from tools.cache import Cache, digest
from tools.effects.parts import Variants, Weight, firings_of, part_of, weight
from tools.effects.recorded import Recorded, position_text, read_position
from tools.knowledge.files import Knowledge, book_of_lines
from tools.meaning import meaning_of
from tools.parallel import cached_results
from tools.reasons.contrast import contrast
from tools.reasons.foresight import Foresight

PART = 50  # changes that one process takes at a time
ALONE, TOGETHER, DECIDES = "alone", "together", "decides"


class Change(NamedTuple):
    """A decision that differs.

    number: of the position among those asked about, from 0. before, after: moves. before_by, after_by: the patterns
    that decide or support them (see tools.reasons); none before where only the move is known. why: ALONE if each of
    `responsible` brings the change about by itself, or undoing it alone takes it back; TOGETHER if only several do;
    DECIDES if only the old moves are known and no pattern's removal takes the change back: then they are the patterns
    that decide now.
    """

    number: int
    before: Point
    after: Point
    before_by: tuple[str, ...]
    after_by: tuple[str, ...]
    why: str
    responsible: tuple[str, ...]


class _Side(Variants):
    """One of the two books, and those of its patterns that differ."""

    def __init__(self, book: Book, edited: Iterable[str]) -> None:
        super().__init__(book)
        self.edited = part_of(book, (self.index_of[name] for name in edited if name in self.index_of))
        self.weights = {pattern.id: weight(pattern) for pattern in self.edited.patterns}

    def firings(self, reading: Reading, legal: Mask) -> set[tuple[str, int, int, Weight]]:
        """Return what the patterns that differ do, with all that a decision takes from it."""
        return {
            (name, move, points, self.weights[name]) for name, move, points in firings_of(self.edited, reading, legal)
        }


class BookPair:
    """An old and a new book, in the order of patterns.txt, and the ids of the patterns that differ."""

    def __init__(self, old: Book, new: Book, edited: Iterable[str]) -> None:
        edited = list(edited)
        self.old, self.new = _Side(old, edited), _Side(new, edited)

    def changes(self, positions: Iterable[Position]) -> list[Change]:
        """Return the decisions that differ."""
        return [change for index, position in enumerate(positions) if (change := self._change(index, position))]

    def find_differences(self, position: Position) -> dict[str, set[int]]:
        """Return the patterns that do not fire alike in both books, by id, each with the moves in question."""
        table, state = canonical(position)
        legal = image_of(position.legal(), table)
        reading = Reading(state, self.new.book.bits)
        undo = inverse(table)
        moves: dict[str, set[int]] = {}
        for name, move, *_ in self.old.firings(reading, legal) ^ self.new.firings(reading, legal):
            moves.setdefault(name, set()).add(undo[move] if move != PASS else PASS)
        return moves

    def _change(self, index: int, position: Position) -> Change | None:
        differing = self.find_differences(position)
        if not differing:
            return None
        before, after = decide(position, self.old.book), decide(position, self.new.book)
        if before.move == after.move:
            return None
        # A pattern that fires for both moves as before leaves their order as it was.
        near = [name for name, moves in differing.items() if before.move in moves or after.move in moves]
        alone = near if len(differing) == 1 else [name for name in near if self._suffices(name, before, after)]
        why, who = (ALONE, alone) if alone else (TOGETHER, near)
        return Change(index, before.move, after.move, _names(before), _names(after), why, tuple(sorted(who)))

    def _suffices(self, name: str, before: Decision, after: Decision) -> bool:
        """Return whether this edit alone makes the change, or taking back this one alone undoes it."""
        return (
            self.old.move_with(before, name, self.new.entry(name)) == after.move
            or self.new.move_with(after, name, self.old.entry(name)) == before.move
        )


def changes_from(moves: Iterable[int], positions: Iterable[Position], new: Book) -> list[Change]:
    """Return the decisions that differ from known moves whose book is not known."""
    changes = []
    for index, (before, position) in enumerate(zip(moves, positions, strict=True)):
        after = decide(position, new)
        if after.move != before:
            without = Foresight(after).moves_without()
            alone = tuple(sorted(name for name, move in without.items() if move == before))
            named = _names(after)
            changes.append(Change(index, before, after.move, (), named, ALONE if alone else DECIDES, alone or named))
    return changes


def _names(decision: Decision) -> tuple[str, ...]:
    return contrast(decision).named


class Group(NamedTuple):
    """Changes of one kind (see Change.why) that one pattern is responsible for, several for DECIDES; '' where it takes
    several edits."""

    why: str
    pattern: str
    changes: list[Change]


def group_changes(changes: Sequence[Change]) -> list[Group]:
    """Return the changes, each in one group, the largest group first and those that take several patterns last.

    A change that several patterns bring about, each alone, goes to the one that explains most of the others.
    """
    rest = [change for change in changes if change.why == ALONE]
    groups = []
    while rest:
        counts = Counter(name for change in rest for name in change.responsible)
        leader = min(counts, key=lambda name: (-counts[name], name))
        groups.append(Group(ALONE, leader, [change for change in rest if leader in change.responsible]))
        rest = [change for change in rest if leader not in change.responsible]
    return groups + _group_others(changes)


def _group_others(changes: Sequence[Change]) -> list[Group]:
    by_key: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        if change.why != ALONE:
            name = ", ".join(change.responsible) if change.why == DECIDES else ""
            by_key.setdefault((change.why, name), []).append(change)
    return [Group(*key, by_key[key]) for key in sorted(by_key, key=lambda key: (-len(by_key[key]), key))]


class ChangesTask(NamedTuple):
    """One part of a comparison. old, new: lines of patterns.txt, old being None where only its moves are known;
    edited: ids of the patterns that differ; start: of the part; positions: as texts; moves: known ones, else ()."""

    old: tuple[str, ...] | None
    new: tuple[str, ...]
    edited: tuple[str, ...]
    start: int
    positions: tuple[str, ...]
    moves: tuple[int, ...]

    def key(self, code: str) -> str:
        """Return the cache key; code: a digest of the code that does the task."""
        known = self.old if self.old is not None else map(str, self.moves)
        return digest("changes", code, "\n".join(known), "\n".join(self.new), str(self.start), *self.positions)


def task_changes(task: ChangesTask) -> list[Change]:
    """Return the decisions of a part that differ, numbered as in the whole."""
    positions = [read_position(text) for text in task.positions]
    changes = (
        changes_from(task.moves, positions, book_of_lines(task.new))
        if task.old is None
        else _pair(task.old, task.new, task.edited).changes(positions)
    )
    return [change._replace(number=task.start + change.number) for change in changes]


@lru_cache(maxsize=1)
def _pair(old: tuple[str, ...], new: tuple[str, ...], edited: tuple[str, ...]) -> BookPair:
    return BookPair(book_of_lines(old), book_of_lines(new), edited)


def changes_between(
    old: Knowledge,
    new: Knowledge,
    edited: Iterable[str],
    positions: Sequence[Position],
    numbers: Sequence[int],
    jobs: int,
    cache: Cache,
) -> list[Change]:
    """Return what changes between two files in the positions with these numbers, where their decisions differ."""
    texts = tuple(position_text(positions[number]) for number in numbers)
    return _run_in_parts(ChangesTask(old.lines, new.lines, tuple(edited), 0, texts, ()), numbers, jobs, cache)


def changes_since(
    recorded: Sequence[Recorded], new: Knowledge, numbers: Sequence[int], jobs: int, cache: Cache
) -> list[Change]:
    """Return what changes since decisions were recorded whose patterns are not known, of those with these numbers."""
    texts = tuple(position_text(recorded[number].position) for number in numbers)
    before = tuple(recorded[number].move for number in numbers)
    return _run_in_parts(ChangesTask(None, new.lines, (), 0, texts, before), numbers, jobs, cache)


def differing(recorded: Sequence[Recorded], book: Book) -> list[int]:
    """Return the numbers, from 0, of the recorded decisions that a book makes otherwise."""
    moves = moves_of(book, [one.position for one in recorded])
    return [number for number, (one, move) in enumerate(zip(recorded, moves, strict=True)) if one.move != move]


def moves_of(book: Book, positions: Iterable[Position]) -> list[Point]:
    """Return the moves of a book in positions of Little-Go."""
    from tools.compiled.engine import codes_of, compile_book, decide_many  # numba takes a second to load

    moves, _ = decide_many(codes_of(positions), compile_book(book))
    return [unpack_move(move) for move in moves.tolist()]


def _run_in_parts(whole: ChangesTask, numbers: Sequence[int], jobs: int, cache: Cache) -> list[Change]:
    """Look at changed decisions; numbers: of the positions among those asked about."""
    parts = (slice(start, start + PART) for start in range(0, len(whole.positions), PART))
    tasks = [
        whole._replace(start=part.start, positions=whole.positions[part], moves=whole.moves[part]) for part in parts
    ]
    results = cached_results(task_changes, tasks, meaning_of(__name__), jobs, cache)
    changes = sorted(_as_change(row) for rows in results.values() for row in rows)
    return [change._replace(number=numbers[change.number]) for change in changes]


def _as_change(row: Sequence[Any]) -> Change:
    """Return a Change as JSON has kept it."""
    number, before, after, before_by, after_by, why, responsible = row
    return Change(number, before, after, tuple(before_by), tuple(after_by), why, tuple(responsible))


def remember_patterns(recorded: Sequence[Recorded], knowledge: Knowledge, cache: Cache) -> None:
    """Keep which patterns decide as is on record in every position: the next comparison can start from them."""
    cache.put(_record_key(recorded), list(knowledge.lines))


def recall_patterns(recorded: Sequence[Recorded], cache: Cache) -> tuple[str, ...] | None:
    """Return the lines of the patterns that are known to decide as is on record, or None."""
    lines = cache.get(_record_key(recorded))
    return tuple(lines) if lines else None


def _record_key(recorded: Sequence[Recorded]) -> str:
    decisions = (f"{position_text(one.position)} {one.move}" for one in recorded)
    return digest("recorded by", meaning_of(__name__), *decisions)
