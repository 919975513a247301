"""Decisions that an edit changes, found by the functions of `littlego diff` in the order in which a page wants them.

The compiled engine tells at once where another move is played, and the labels whether that is for better or worse;
who is responsible is then found out change by change, those first that the truth condemns.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rules.geometry import Point
from rules.position import BLACK, Position
from rules.positionkey import unpack_move
from rules.ruleset import LITTLE_GO
from tools.cache import Cache
from tools.compiled.engine import codes_of, compile_book, decide_many, fired_many
from tools.draw.boards import board_rows, move_text
from tools.editor.positions import position_text
from tools.effects.books import Knowledge
from tools.effects.changes import Change, ChangesTask, group_changes, moves_of, task_changes
from tools.effects.diff import CACHE, Diff, find_edits, find_maker, read_record
from tools.effects.diff_report import edits_summary, verdicts_text
from tools.effects.recorded import Recorded
from tools.effects.recorded import position_text as recorded_text
from tools.effects.touched import EditedPatterns
from tools.files import short_name
from tools.labels.verdicts import BETTER, BOTH_LOSE, BOTH_WIN, HIDDEN, UNKNOWN, WORSE, verdicts
from tools.parallel import each

ORDER = (WORSE, BETTER, UNKNOWN, BOTH_WIN, BOTH_LOSE, HIDDEN)  # of the changes: what the truth loses or gains first
FIRST, PART = 2, 8  # changes that are looked at together: few at first, so that something is there at once
ALONE_UP_TO = 24  # changes that one process looks at; more are shared
Events = Generator[dict[str, Any], None, Diff]


@dataclass(frozen=True)
class Corpus:
    """Decisions on record. name: of their file; codes: of their positions, as the compiled engine takes them."""

    name: str
    recorded: list[Recorded]
    codes: np.ndarray

    @property
    def positions(self) -> list[Position]:
        return [one.position for one in self.recorded]


def corpus_at(path: Path) -> Corpus:
    """Return the decisions in a file, kept until the file changes; raise ArgumentError."""
    stamp = path.stat().st_mtime_ns if path.exists() else 0
    return _corpus(path, stamp)


@lru_cache(maxsize=2)
def _corpus(path: Path, _: int) -> Corpus:
    recorded = read_record(path)
    return Corpus(short_name(path), recorded, codes_of(one.position for one in recorded))


@lru_cache(maxsize=2)
def maker_of(path: Path, _: int) -> Knowledge | None:
    """Return the patterns that made the decisions in a file, where they can be found."""
    corpus = corpus_at(path)
    return find_maker(corpus.recorded, corpus.name, Cache(CACHE))


def changed_moves(corpus: Corpus, old: Knowledge | None, new: Knowledge) -> list[tuple[int, Point, Point]]:
    """Return (number, move before, move after) of the decisions that differ; old: None for the moves on record."""
    if old is not None:
        columns = (column.tolist() for column in EditedPatterns(old, new).changes(corpus.codes))
        return [(number, *map(unpack_move, moves)) for number, *moves in zip(*columns, strict=True)]
    moves = enumerate(zip(corpus.recorded, moves_of(new.book, corpus.positions), strict=True))
    return [(number, one.move, move) for number, (one, move) in moves if one.move != move]


def judged(corpus: Corpus, moves: Sequence[tuple[int, Point, Point]]) -> list[tuple[int, Point, Point, str]]:
    """Return the same with what the truth says of each, in the order of ORDER."""
    told = (
        verdicts([(corpus.recorded[number].position, before, after) for number, before, after in moves])
        if moves
        else []
    )
    found = [(*one, verdict) for one, verdict in zip(moves, told, strict=True)]
    return sorted(found, key=lambda one: (ORDER.index(one[3]), one[0]))


def load(path: Path, knowledge: Knowledge) -> None:
    """Load all that `compare` begins with and keeps: the decisions on record, the compiled engine, the labels."""
    corpus = corpus_at(path)
    if knowledge.ruleset == LITTLE_GO.name:
        program = compile_book(knowledge.book)
        for ask in (fired_many, decide_many):
            ask(corpus.codes[:0], program)
        judged(corpus, [(0, corpus.recorded[0].move, corpus.recorded[0].move)])


def compare(path: Path, old: Knowledge | None, new: Knowledge, jobs: int) -> Events:
    """Yield all changes, then the reasons for each; return the whole as `littlego diff` has it.

    path: of the decisions on record; old: None to compare with the moves there. result: changes (see change_json), or
    reasons: some changes as `littlego diff --json` has them, each with its number besides.
    """
    corpus = corpus_at(path)
    maker = old or maker_of(path, path.stat().st_mtime_ns)
    moves = changed_moves(corpus, maker, new)
    found = judged(corpus, moves)
    edits = None if maker is None else find_edits(maker, new)
    told = {number: verdict for number, *_, verdict in found if verdict}
    diff = Diff(maker, new, edits, corpus.positions, [], told)
    yield {"result": {"changes": [change_json(corpus.positions[one[0]], *one) for one in found]}}
    for done, changes in _reasons(diff, found, jobs):
        diff.changes.extend(changes)
        yield {"progress": [done, len(found)]}
        yield {"result": {"reasons": [{"number": one.number, **diff.change_json(one)} for one in changes]}}
    diff.changes.sort()
    return diff


def _reasons(
    diff: Diff, found: Sequence[tuple[int, Point, Point, str]], jobs: int
) -> Iterator[tuple[int, list[Change]]]:
    """Yield the changes with who is responsible, and how many were looked at."""
    edited = tuple(edit.id for edit in diff.edits or () if edit.decisive)
    starts = [0, *range(FIRST, len(found), PART)] if found else []
    lines = diff.old.lines if diff.old else None
    tasks = []
    ends = [*starts[1:], len(found)] if found else []
    for start, end in zip(starts, ends, strict=True):
        texts = tuple(recorded_text(diff.positions[one[0]]) for one in found[start:end])
        known = () if diff.old else tuple(one[1] for one in found[start:end])
        tasks.append(ChangesTask(lines, diff.new.lines, edited, start, texts, known))
    done = 0
    for task, changes in each(task_changes, tasks, jobs if len(found) > ALONE_UP_TO else 1):
        done += len(task.positions)
        yield done, [change._replace(number=found[change.number][0]) for change in changes]


def change_json(position: Position, number: int, before: Point, after: Point, verdict: str) -> dict[str, Any]:
    """Return a change for the page.

    number: of the position on record. position: as requests have it. rows: from the top, X Black. colour: who moves.
    before, after: `row,column` or PASS. verdict: what the truth says, '' where nobody knows.
    """
    size = position.ruleset.size
    return {
        "number": number,
        "position": position_text(position),
        "rows": board_rows(size, position.black, position.white),
        "colour": "black" if position.colour == BLACK else "white",
        "left": position.left,
        "before": move_text(before, size),
        "after": move_text(after, size),
        "verdict": verdict,
    }


def summary(diff: Diff) -> dict[str, Any]:
    """Return a diff as `littlego diff --json` has it, its changes apart, which were told; and in words.

    count: of the changes. said: lines. groups: why, pattern and count, as the command groups the changes.
    """
    told = {key: value for key, value in diff.as_json().items() if key != "changes"}
    count = len(diff.changes)
    said = [f"{count:,} of {len(diff.positions):,} decisions change."]
    if count and not diff.names:
        said += verdicts_text(diff.verdicts, count).splitlines()
    if diff.edits:
        said.insert(0, edits_summary(diff.edits))
    groups = [
        {"why": group.why, "pattern": group.pattern, "count": len(group.changes)}
        for group in group_changes(diff.changes)
    ]
    return {**told, "count": count, "said": said, "groups": groups}
