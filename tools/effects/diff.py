"""What an edit of the patterns does to a whole corpus of decisions: in parts, on several cores, kept between runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tools.cache import Cache, code_digest, digest
from tools.effects.books import Knowledge, book_of_lines
from tools.effects.changes import Change, Pair, changes_from
from tools.effects.kept import results
from tools.effects.recorded import Recorded, position_text, read_position

PART = 150  # positions that one process takes at a time
CODE = ("rules", "tools/effects", "tools/knowledge/firing.py")  # what a result depends on besides its task


class Task(NamedTuple):
    """One part of a comparison. old, new: lines of patterns.txt, old being None where only its moves are known;
    edited: ids of the patterns that differ; start: of the part; positions: as texts; moves: known ones, else ()."""

    old: tuple[str, ...] | None
    new: tuple[str, ...]
    edited: tuple[str, ...]
    start: int
    positions: tuple[str, ...]
    moves: tuple[int, ...]

    def key(self, code: str) -> str:
        """Return what stands for the task and the code that does it."""
        known = self.old if self.old is not None else map(str, self.moves)
        return digest("changes", code, "\n".join(known), "\n".join(self.new), str(self.start), *self.positions)


def changes_of(task: Task) -> list[Change]:
    """Return the decisions of a part that differ, numbered as in the whole."""
    positions = [read_position(text) for text in task.positions]
    if task.old is None:
        found = changes_from(task.moves, positions, book_of_lines(task.new))
    else:
        found = _pair(task.old, task.new, task.edited).changes(positions)
    return [change._replace(index=task.start + change.index) for change in found]


@lru_cache(maxsize=1)
def _pair(old: tuple[str, ...], new: tuple[str, ...], edited: tuple[str, ...]) -> Pair:
    return Pair(book_of_lines(old), book_of_lines(new), edited)


def changes_between(
    old: Knowledge, new: Knowledge, edited: Iterable[str], texts: Sequence[str], jobs: int, cache: Cache
) -> list[Change]:
    """Return the decisions that differ between two files in these positions, each given as text."""
    pieces = ((start, part, ()) for start, part in _parts(texts))
    return _all([Task(old.lines, new.lines, tuple(edited), *piece) for piece in pieces], jobs, cache)


def changes_since(recorded: Sequence[Recorded], new: Knowledge, jobs: int, cache: Cache) -> list[Change]:
    """Return the decisions that differ from recorded ones whose patterns are not known."""
    texts = [position_text(one.position) for one in recorded]
    moves = [one.move for one in recorded]
    pieces = ((start, part, tuple(moves[start : start + len(part)])) for start, part in _parts(texts))
    return _all([Task(None, new.lines, (), *piece) for piece in pieces], jobs, cache)


def _parts(texts: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    return ((start, tuple(texts[start : start + PART])) for start in range(0, len(texts), PART))


def _all(tasks: list[Task], jobs: int, cache: Cache) -> list[Change]:
    found = results(changes_of, tasks, code_digest(*CODE), jobs, cache)
    return sorted(Change(*row[:6], tuple(row[6])) for rows in found.values() for row in rows)


def remember(recorded: Sequence[Recorded], knowledge: Knowledge, cache: Cache) -> None:
    """Keep which patterns decide as is on record in every position: the next comparison can start from them."""
    cache.put(_key_of(recorded), list(knowledge.lines))


def remembered(recorded: Sequence[Recorded], cache: Cache) -> tuple[str, ...] | None:
    """Return the lines of the patterns that are known to decide as is on record, or None."""
    lines = cache.get(_key_of(recorded))
    return tuple(lines) if lines else None


def _key_of(recorded: Sequence[Recorded]) -> str:
    told = (f"{position_text(one.position)} {one.move}" for one in recorded)
    return digest("recorded by", code_digest(*CODE), *told)
