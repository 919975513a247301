"""Comparisons of old and new decisions for the studio's page, as in `littlego diff`."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from littlego.editor.positions import position_text
from littlego.files import short_name
from littlego.games.boards import board_rows, move_text
from littlego.judging.changes import group_changes
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.judging.corpus import Corpus, Moved
from littlego.judging.diff import Diff, Step, compare_in_steps, find_maker, find_moved, in_order, open_diff
from littlego.judging.diff_words import edits_summary, verdicts_text
from littlego.knowledge.files import Knowledge
from littlego.parallel import Returning
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, Position

Events = Generator[dict[str, Any], None, Diff]
_makers: dict[tuple[Path, int], Knowledge | None] = {}  # key: a record's file and its modification time


def record_of(ruleset: str, folder: Path) -> Corpus:
    """Return the recorded decisions for a folder's patterns, cached until the record's file changes.

    Raise ArgumentError for an unreadable record.
    """
    return _record(ruleset, *_stamped(corpora_of(ruleset).record_for(folder)))


@lru_cache(maxsize=2)
def _record(ruleset: str, path: Path, _: int) -> Corpus:
    return corpora_of(ruleset).on_record(RECORDED, path)


def _stamped(path: Path) -> tuple[Path, int]:
    return path, path.stat().st_mtime_ns if path.exists() else 0


def load(knowledge: Knowledge, folder: Path) -> None:
    """Load the recorded decisions, the engine and the solved positions into the caches of `compare`."""
    first = record_of(knowledge.ruleset, folder).only([0])
    first.fires(knowledge.book)
    first.truth([(0, move, move) for move in first.decide(knowledge.book)])


def compare(old: Knowledge | None, new: Knowledge, folder: Path, jobs: int) -> Events:
    """Yield the progress and the changed decisions, then the reasons for the changes; return the Diff.

    old: the old patterns, or None for a comparison with the recorded decisions. folder: the folder of the patterns.
    Each event has the key `progress` or the key `result`. A result has either `changes` (see change_json) or `reasons`.
    Each of the `reasons` has `number` (see change_json) and the keys of a change in `littlego diff --json`.
    """
    record = record_of(new.ruleset, folder)
    if old is None:
        diff = open_diff((yield from _maker_of(record, new, folder, jobs)), new, record)
    else:
        diff = open_diff(old, new, record.with_moves(()))
    for step in compare_in_steps(diff, jobs):
        yield {"progress": [step.done, step.of]}
        yield from _results(diff, step)
    if not diff.changes:
        yield {"result": {"changes": []}}
    return diff


def _maker_of(
    record: Corpus, new: Knowledge, folder: Path, jobs: int
) -> Generator[dict[str, Any], None, Knowledge | None]:
    """Yield the progress; return the patterns that made the recorded decisions.

    The result is None if these patterns are unknown.
    """
    corpora = corpora_of(new.ruleset)
    path = corpora.record_for(folder)
    key = _stamped(path)
    if key not in _makers:
        search = Returning(find_maker(record, corpora.makers, new, short_name(path), jobs))
        for done, of in search:
            yield {"progress": [done, of]}
        _makers[key] = search.result
    return _makers[key]


def _results(diff: Diff, step: Step) -> Iterator[dict[str, Any]]:
    if step.moved:
        yield {"result": {"changes": changes_json(diff, step.moved)}}
    if step.changes:
        yield {"result": {"reasons": [{"number": one.number, **diff.change_json(one)} for one in step.changes]}}


def changes_json(diff: Diff, moved: list[Moved]) -> list[dict[str, Any]]:
    """Return the changed decisions in the format of change_json, worst verdicts first."""
    verdicts = diff.verdicts or {}
    return [change_json(diff.positions[one[0]], *one, verdicts.get(one[0], "")) for one in in_order(moved, verdicts)]


def flips(old: Knowledge, new: Knowledge, folder: Path, jobs: int) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """Yield (number of finished parts, total number of parts, changed decisions in the latest part).

    A part is a batch of the recorded positions that the edits can affect. Each part is counted twice: once for the old
    and once for the new decisions. See change_json for the format of a changed decision.
    """
    diff = open_diff(old, new, record_of(new.ruleset, folder).with_moves(()))
    for done, of, some in find_moved(diff, jobs):
        yield done, of, changes_json(diff, some)


def change_json(position: Position, number: int, before: Point, after: Point, verdict: str) -> dict[str, Any]:
    """Return a changed decision as a JSON object.

    `number` is the zero-based index of the recorded position. `verdict` is the verdict on the change, or '' if unknown.
    For the other keys, see moves_json.
    """
    return {"number": number, **moves_json(position, before, after), "verdict": verdict}


def moves_json(position: Position, before: Point, after: Point) -> dict[str, Any]:
    """Return the old and the new move in a position as a JSON object.

    `position` is the position in the syntax of editor.positions. `rows` lists the board's rows from the top, each as a
    string: X is Black, O is White, and `.` is empty. `colour` is the side to move, and `left` the number of moves left
    (0 in a match). `before` and `after` are the old and the new move, `row,column` or PASS.
    """
    size = position.ruleset.size
    return {
        "position": position_text(position),
        "rows": board_rows(size, position.black, position.white),
        "colour": "black" if position.colour == BLACK else "white",
        "left": position.left,
        "before": move_text(before, size),
        "after": move_text(after, size),
    }


def summary(diff: Diff) -> dict[str, Any]:
    """Return the JSON object of `littlego diff --json` with a summary in place of the changes.

    `count` is the number of changes. `said` lists the lines of the summary. `groups` lists the groups of changes with
    the same cause. Each group has `why` (the cause), `pattern` and `count`.
    """
    told = {key: value for key, value in diff.as_json().items() if key != "changes"}
    count = len(diff.changes)
    said = [f"{count:,} of {len(diff.positions):,} decisions change."]
    if count and diff.verdicts is not None:
        said += verdicts_text(diff.verdicts, count).splitlines()
    if diff.edits:
        said.insert(0, edits_summary(diff.edits))
    groups = [
        {"why": group.why, "pattern": group.pattern, "count": len(group.changes)}
        for group in group_changes(diff.changes)
    ]
    return {**told, "count": count, "said": said, "groups": groups}
