"""Differences between two patterns files: the edits, key by key, and the decisions that change.

`diff_of` compares a file with another file or with the recorded decisions. A comparison with recorded decisions also
uses the patterns that produced the record, if these patterns are known. Exact values, where known, show whether a
changed decision is better or worse.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from littlego.cache import Cache
from littlego.cli.arguments import ArgumentError
from littlego.files import short_name
from littlego.games.boards import move_text
from littlego.judging.changes import Change, ChangesTask, find_reasons, recall_patterns, remember_patterns
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.judging.corpus import Corpus, Moved
from littlego.judging.deciding import CACHE, deciding
from littlego.knowledge.edits import Edit, find_edits
from littlego.knowledge.files import Knowledge, read_knowledge
from littlego.parallel import Returning, with_progress
from littlego.rules.position import Position
from littlego.truth.labels.verdicts import BETTER, BOTH_LOSE, BOTH_WIN, HIDDEN, UNKNOWN, WORSE

ORDER = (WORSE, BETTER, UNKNOWN, BOTH_WIN, BOTH_LOSE, HIDDEN)  # order of the changes: losses first, then gains
FIRST_PARTS = 4  # parts of a corpus in the first batch; each later batch is twice as large
FIRST, PART = 2, 8  # number of changes that the first task and each later task explain
ALONE_UP_TO = 24  # up to this many changes, one process determines all reasons


@dataclass(frozen=True)
class Diff:
    """The result of comparing a patterns file with another patterns file or with recorded moves.

    old, edits: None if only the recorded moves are known. corpus: the compared positions; its recorded moves, if any,
    are the old decisions. verdicts: {number of the position: verdict} for changes with a known verdict; None for a game
    without verdicts.
    """

    old: Knowledge | None
    new: Knowledge
    edits: list[Edit] | None
    corpus: Corpus
    positions: Sequence[Position]
    changes: list[Change]
    verdicts: dict[int, str] | None

    def as_json(self) -> dict[str, Any]:
        """Return the result of the comparison as a dictionary for JSON."""
        return {
            "old": self.old.name if self.old else None,
            "new": self.new.name,
            "positions": len(self.positions),
            "edits": None if self.edits is None else [vars(edit) for edit in self.edits],
            "changes": [self.change_json(change) for change in self.changes],
        }

    def change_json(self, change: Change) -> dict[str, Any]:
        """Return a changed decision as a dictionary for JSON."""
        size = self.positions[change.number].ruleset.size
        return {
            "position": self.corpus.names[change.number],
            "before": move_text(change.before, size),
            "after": move_text(change.after, size),
            "before_by": list(change.before_by),
            "after_by": list(change.after_by),
            "why": change.why,
            "responsible": list(change.responsible),
            "verdict": (self.verdicts or {}).get(change.number),
        }


def open_diff(old: Knowledge | None, new: Knowledge, corpus: Corpus) -> Diff:
    """Return a Diff without results: no decision is compared yet. old: None to compare with the recorded moves."""
    edits = None if old is None else find_edits(old, new)
    return Diff(old, new, edits, corpus, corpus.positions(), [], corpus.truth([]))


class Step(NamedTuple):
    """The progress of a comparison, and the results since the previous step.

    done, of: the number of finished units of work and the number of all known units. A unit of work is a part of the
    corpus in which to compute decisions, or a change to explain. moved: the newly found differing decisions. changes:
    the newly explained changes, each with the responsible patterns.
    """

    done: int
    of: int
    moved: list[Moved]
    changes: list[Change]


def compare_in_steps(diff: Diff, jobs: int) -> Iterator[Step]:
    """Compare the decisions of a Diff, add the changes to the Diff, and yield the progress.

    The function finds all differing decisions, then the reasons for each difference, beginning with the worst changes.
    At the end, the Diff contains the changes, sorted by position.
    """
    found: list[Moved] = []
    done = of = 0
    for done, of, since in find_moved(diff, jobs):
        found += since
        yield Step(done, of, since, [])
    tasks = _tasks(diff, in_order(found, diff.verdicts))
    for changes in find_reasons(tasks, jobs if len(found) > ALONE_UP_TO else 1, Cache(CACHE)):
        diff.changes.extend(changes)
        yield Step(done + len(diff.changes), of + len(found), [], changes)
    diff.changes.sort()


def in_order(moved: Iterable[Moved], verdicts: Mapping[int, str] | None) -> list[Moved]:
    """Return differing decisions sorted by verdict, in the order of ORDER.

    Changes for the worse come first. Changes with the same verdict are sorted by position.
    """
    told = verdicts or {}
    return sorted(moved, key=lambda one: (ORDER.index(told.get(one[0], UNKNOWN)), one[0]))


def find_moved(diff: Diff, jobs: int) -> Iterator[tuple[int, int, list[Moved]]]:
    """Yield (number of finished parts, number of all parts, newly found differing decisions).

    If the Diff has the old patterns, the function compares decisions only in the positions that `affected` returns. If
    the Diff's corpus has the old moves, the function does not recompute the old decisions; otherwise, it processes each
    part twice and counts the part twice. The function also adds the known verdicts on the differing decisions to the
    Diff.
    """
    old, new, known = diff.old, diff.new, diff.corpus.moves
    numbers = list(range(len(diff.positions))) if old is None else affected(old, new, diff.edits or (), diff.corpus)
    parts = diff.corpus.only(numbers).parts()
    of, done, start, size = len(parts) * (1 if known else 2), 0, 0, FIRST_PARTS
    rest = iter(numbers)
    while start < len(parts):  # a small first batch, decided in this process, gives early results
        some, share = parts[start : start + size], jobs if start else 1
        places = [list(islice(rest, len(part.names))) for part in some]
        before = {number: [known[place] for place in here] for number, here in enumerate(places) if known}
        for number, moves in deciding(old, some, share) if old is not None and not known else ():
            before[number] = moves
            done += 1
            yield done, of, []
        for number, moves in deciding(new, some, share):
            done += 1
            both = zip(places[number], before[number], moves, strict=True)
            moved = [one for one in both if one[1] != one[2]]
            if diff.verdicts is not None:
                diff.verdicts.update(diff.corpus.truth(moved) or {})
            yield done, of, moved
        start, size = start + size, 2 * size


def affected(old: Knowledge, new: Knowledge, edits: Iterable[Edit], corpus: Corpus) -> list[int]:
    """Return the indexes of positions in which an edited pattern of `old` or `new` fires.

    In all other positions, the decision is unchanged. Edits that cannot change a decision are ignored. Matching a few
    patterns is much faster than computing a decision.
    """
    names = {edit.id for edit in edits if edit.decisive}
    edited = [some.book for some in (old.only(names), new.only(names)) if some.lines]
    fired = [corpus.fires(book) for book in edited]
    return [number for number, here in enumerate(zip(*fired, strict=True)) if any(here)]


def _tasks(diff: Diff, moved: Sequence[Moved]) -> list[ChangesTask]:
    """Return the tasks that find the reasons for changes; the first task is small, so it finishes early."""
    edited = tuple(edit.id for edit in diff.edits or () if edit.decisive)
    lines = diff.old.lines if diff.old else None
    starts = [0, *range(FIRST, len(moved), PART)]
    numbers = [tuple(one[0] for one in moved[start:end]) for start, end in pairwise([*starts, len(moved)])]
    return [
        ChangesTask(lines, diff.new.lines, diff.new.ruleset, edited, some, diff.corpus.only(some))
        for some in numbers
        if some
    ]


def diff_of(old: str, after: Knowledge, corpus: str, snapshot: Path, jobs: int) -> Diff:
    """Return the differences between an old and a new patterns file in the positions of a corpus.

    old: a file's name, or RECORDED for the recorded decisions. snapshot: the file of the recorded decisions. The
    returned Diff includes the known verdicts on the changes. If no recorded decision changes and the old patterns are
    unknown, the function caches `after` as the record's patterns. Raise ArgumentError for an unreadable file.
    """
    corpora = corpora_of(after.ruleset)
    if old == RECORDED:
        record = corpora.on_record(corpus, snapshot)
        maker = Returning(find_maker(record, corpora.makers, after, short_name(snapshot), jobs))
        for _ in maker:
            pass
        diff = open_diff(maker.result, after, record)
    else:
        diff = open_diff(read_knowledge(old), after, corpora.named(corpus, snapshot).with_moves(()))
    for _ in with_progress(compare_in_steps(diff, jobs), None, "part"):
        pass
    if diff.old is None and not diff.changes:
        remember_patterns(diff.corpus, after, Cache(CACHE))
    return diff


def find_maker(
    record: Corpus, makers: Iterable[str], new: Knowledge, name: str, jobs: int
) -> Generator[tuple[int, int], None, Knowledge | None]:
    """Yield (number of finished parts, number of parts) during a search for a record's patterns.

    Return patterns that reproduce the record, or None. makers: the names of patterns files that may have produced the
    record; the function tries these files first, then the patterns that an earlier run cached. new: the patterns to
    compare with, for the same ruleset. name: the name of the record, for messages.
    """
    parts = record.parts()
    for known in _likely_makers(record, makers, new, name):
        for done, (number, played) in enumerate(deciding(known, parts, jobs), 1):
            if list(parts[number].moves) != played:
                break
            yield done, len(parts)
        else:
            return known
    return None


def _likely_makers(record: Corpus, makers: Iterable[str], new: Knowledge, name: str) -> Iterator[Knowledge]:
    for maker in makers:
        with suppress(ArgumentError):  # git is missing, or there is no commit
            yield read_knowledge(maker)
    if lines := recall_patterns(record, Cache(CACHE)):
        yield replace(new, name=name, lines=lines, known={})
