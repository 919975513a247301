"""Decisions that differ between two books, and the edited patterns that cause each difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from littlego.cache import Cache, digest
from littlego.engines.choosing import engine_of
from littlego.engines.reasons.contrast import contrast
from littlego.engines.reasons.foresight import Foresight
from littlego.judging.corpus import Corpus
from littlego.knowledge.files import Knowledge, book_of_lines, book_with
from littlego.knowledge.parts import Weight, weight
from littlego.meaning import meaning_of
from littlego.parallel import each
from littlego.rules.engine import Firing
from littlego.rules.geometry import Point
from littlego.rules.patternfile import Book
from littlego.rules.position import Position

ALONE, TOGETHER, DECIDES = "alone", "together", "decides"


class Change(NamedTuple):
    """A decision that differs between two books.

    number: the zero-based index of the position. before, after: the old and the new move. before_by, after_by: the
    patterns that decide or support these moves (see littlego.engines.reasons); before_by is empty if only the old move
    is known. responsible: the ids of the patterns that cause the change. why: ALONE, TOGETHER or DECIDES.

    ALONE: for each responsible pattern, the edit of this pattern alone leads to the new move, or undoing this edit
    alone restores the old move. If only the old moves are known, removing the pattern alone restores the old move.

    TOGETHER: the edits of all responsible patterns together change the move, but no single pattern meets the condition
    of ALONE.

    DECIDES: only the old moves are known, and no removal of a single pattern restores the old move. The patterns that
    decide or support the new move then count as responsible.
    """

    number: int
    before: Point
    after: Point
    before_by: tuple[str, ...]
    after_by: tuple[str, ...]
    why: str
    responsible: tuple[str, ...]


def change_since(number: int, position: Position, before: Point, new: Book) -> Change:
    """Return the change from the recorded move `before` to the move chosen by `new`.

    The old book is unknown.
    """
    after = engine_of(new.ruleset_name).decide(position, new)
    without = Foresight(after).moves_without()
    alone = tuple(sorted(name for name, move in without.items() if move == before))
    named = contrast(after).named
    return Change(number, before, after.move, (), named, ALONE if alone else DECIDES, alone or named)


def change_between(number: int, position: Position, old: Book, new: Book, edited: Iterable[str]) -> Change:
    """Return the change between the decisions of two books. edited: the ids of the edited patterns."""
    sides = _Side(position, old, edited), _Side(position, new, edited)
    before, after = (side.decision.move for side in sides)
    differing = _differing(*sides)
    # A pattern that fires unchanged for both moves does not change the order of the moves.
    near = [name for name, moves in differing.items() if before in moves or after in moves]
    alone = near if len(differing) == 1 else [name for name in near if _suffices(name, *sides)]
    why, who = (ALONE, alone) if alone else (TOGETHER, near)
    old_names, new_names = (contrast(side.decision).named for side in sides)
    return Change(number, before, after, old_names, new_names, why, tuple(sorted(who)))


class _Side:
    """One book's decision in a position. firings: {id of an edited pattern: {move: firing}}."""

    def __init__(self, position: Position, book: Book, edited: Iterable[str]) -> None:
        engine = engine_of(book.ruleset_name)
        self.decision = engine.decide(position, book)
        self.foresight = Foresight(self.decision)
        self.firings: dict[str, dict[Point, Firing]] = {}
        for move, firings in engine.firings(position, book_with(book, frozenset(edited))).items():
            for firing in firings:
                self.firings.setdefault(firing.pattern.id, {})[move] = firing


def _differing(side: _Side, other: _Side) -> dict[str, set[Point]]:
    """Return {pattern id: moves for which the edited pattern fires differently in the two books}."""
    moves: dict[str, set[Point]] = {}
    for name, move, *_ in _fired(side) ^ _fired(other):
        moves.setdefault(name, set()).add(move)
    return moves


def _fired(side: _Side) -> set[tuple[str, Point, int, Weight]]:
    """Return the firings of the edited patterns as tuples of all properties that a decision uses."""
    firings = ((name, *pair) for name, fired in side.firings.items() for pair in fired.items())
    return {(name, move, firing.points, weight(firing.pattern)) for name, move, firing in firings}


def _suffices(name: str, side: _Side, other: _Side) -> bool:
    """Return whether the edit of a single pattern explains the change of the move.

    The edit alone must lead to the new move, or undoing this edit alone must restore the old move.
    """
    return any(
        one.foresight.move_with(name, another.firings.get(name, {})) == another.decision.move
        for one, another in ((side, other), (other, side))
    )


class Group(NamedTuple):
    """A group of changes with the same `why` (see Change) and the same `pattern`.

    pattern: for ALONE, the id of the responsible pattern; for DECIDES, the ids of all responsible patterns, separated
    by commas; for TOGETHER, ''. All TOGETHER changes form one group.
    """

    why: str
    pattern: str
    changes: list[Change]


def group_changes(changes: Sequence[Change]) -> list[Group]:
    """Return the changes in groups: first the groups of ALONE changes, then the other groups.

    Within each of these two parts, larger groups come first. Each change is in exactly one group. If several patterns
    each cause a change alone, the change belongs to the pattern that causes the largest number of changes
    not yet in a group.
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
    """A task that finds the reasons for a batch of differing decisions.

    old, new: lines of patterns.txt; old is None if only the old moves, in `corpus.moves`, are known. ruleset: the
    ruleset of both books. edited: the ids of the edited patterns. numbers: the indexes of the batch's positions in the
    whole corpus. corpus: the batch's positions.
    """

    old: tuple[str, ...] | None
    new: tuple[str, ...]
    ruleset: str
    edited: tuple[str, ...]
    numbers: tuple[int, ...]
    corpus: Corpus

    def key(self, code: str) -> str:
        """Return the cache key. code: a digest of the code that executes the task."""
        known = self.old if self.old is not None else map(str, self.corpus.moves)
        numbers = map(str, self.numbers)
        engine = engine_of(self.ruleset).signature()  # `code` omits the engine, which is imported by name
        return digest("changes", code, engine, "\n".join(known), "\n".join(self.new), *numbers, *self.corpus.names)


def task_changes(task: ChangesTask) -> list[Change]:
    """Return a Change, with the responsible patterns, for each position of the task."""
    places = zip(task.numbers, task.corpus.positions(), strict=True)
    new = book_of_lines(task.new, task.ruleset)
    if task.old is None:
        moves = zip(places, task.corpus.moves, strict=True)
        return [change_since(number, position, move, new) for (number, position), move in moves]
    old = book_of_lines(task.old, task.ruleset)
    return [change_between(number, position, old, new, task.edited) for number, position in places]


def _as_change(row: Sequence[Any]) -> Change:
    """Return the Change that a cached JSON row represents."""
    number, before, after, before_by, after_by, why, responsible = row
    return Change(number, before, after, tuple(before_by), tuple(after_by), why, tuple(responsible))


def find_reasons(tasks: Sequence[ChangesTask], jobs: int, cache: Cache) -> Iterator[list[Change]]:
    """Yield a list of Changes for each task.

    Tasks with cached results come first, then the other tasks in order of completion.
    """
    code = meaning_of(__name__)
    missing = []
    for task in tasks:
        rows = cache.get(task.key(code))
        if rows is None:
            missing.append(task)
        else:
            yield [_as_change(row) for row in rows]
    for task, changes in each(task_changes, missing, jobs):
        cache.put(task.key(code), changes)
        yield changes


def differing(record: Corpus, book: Book) -> list[int]:
    """Return the zero-based indexes of positions in which a book's move differs from the recorded move."""
    moves = zip(record.moves, record.decide(book), strict=True)
    return [number for number, (before, after) in enumerate(moves) if before != after]


def remember_patterns(record: Corpus, knowledge: Knowledge, cache: Cache) -> None:
    """Cache the lines of `knowledge`, whose patterns must reproduce every decision of the record."""
    cache.put(_record_key(record), list(knowledge.lines))


def recall_patterns(record: Corpus, cache: Cache) -> tuple[str, ...] | None:
    """Return the lines that `remember_patterns` cached for a record, or None if no lines are cached."""
    lines = cache.get(_record_key(record))
    return tuple(lines) if lines else None


def _record_key(record: Corpus) -> str:
    decisions = (f"{name} {move}" for name, move in zip(record.names, record.moves, strict=True))
    return digest("recorded by", meaning_of(__name__), *decisions)
