"""Decisions that an edit changes, found by the functions of `littlego diff` in the order in which a page wants them."""

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
from littlego.judging.diff_report import edits_summary, verdicts_text
from littlego.knowledge.files import Knowledge
from littlego.parallel import Returning
from littlego.rules.geometry import Point
from littlego.rules.position import BLACK, Position

Events = Generator[dict[str, Any], None, Diff]
_makers: dict[tuple[Path, int], Knowledge | None] = {}  # the patterns that made a record, by its file and time


def record_of(ruleset: str) -> Corpus:
    """Return the decisions on record of a game, kept until their file changes; raise ArgumentError."""
    return _record(ruleset, *_stamped(corpora_of(ruleset).record))


@lru_cache(maxsize=2)
def _record(ruleset: str, path: Path, _: int) -> Corpus:
    return corpora_of(ruleset).on_record(RECORDED, path)


def _stamped(path: Path) -> tuple[Path, int]:
    return path, path.stat().st_mtime_ns if path.exists() else 0


def load(knowledge: Knowledge) -> None:
    """Load all that `compare` begins with and keeps: the decisions on record, the engine, the labels."""
    first = record_of(knowledge.ruleset).only([0])
    first.fires(knowledge.book)
    first.truth([(0, move, move) for move in first.decide(knowledge.book)])


def compare(old: Knowledge | None, new: Knowledge, jobs: int) -> Events:
    """Yield all changes, then the reasons for each; return the whole as `littlego diff` has it.

    old: None to compare with the decisions on record. result: changes (see change_json), or reasons: some changes as
    `littlego diff --json` has them, each with its number besides.
    """
    record = record_of(new.ruleset)
    if old is None:
        diff = open_diff((yield from _maker_of(record, new, jobs)), new, record)
    else:
        diff = open_diff(old, new, record.with_moves(()))
    for step in compare_in_steps(diff, jobs):
        yield {"progress": [step.done, step.of]}
        yield from _results(diff, step)
    if not diff.changes:
        yield {"result": {"changes": []}}
    return diff


def _maker_of(record: Corpus, new: Knowledge, jobs: int) -> Generator[dict[str, Any], None, Knowledge | None]:
    """Yield how far it is; return the patterns that made the decisions on record, where they can be found."""
    corpora = corpora_of(new.ruleset)
    key = _stamped(corpora.record)
    if key not in _makers:
        search = Returning(find_maker(record, corpora.makers, new, short_name(corpora.record), jobs))
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
    """Return decisions that differ for the page, those first that the truth condemns: see change_json."""
    verdicts = diff.verdicts or {}
    return [change_json(diff.positions[one[0]], *one, verdicts.get(one[0], "")) for one in in_order(moved, verdicts)]


def flips(old: Knowledge, new: Knowledge, jobs: int) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """Yield (parts done, all, decisions in recorded positions that come out otherwise there: see change_json)."""
    diff = open_diff(old, new, record_of(new.ruleset).with_moves(()))
    for done, of, some in find_moved(diff, jobs):
        yield done, of, changes_json(diff, some)


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
    if count and diff.verdicts is not None:
        said += verdicts_text(diff.verdicts, count).splitlines()
    if diff.edits:
        said.insert(0, edits_summary(diff.edits))
    groups = [
        {"why": group.why, "pattern": group.pattern, "count": len(group.changes)}
        for group in group_changes(diff.changes)
    ]
    return {**told, "count": count, "said": said, "groups": groups}
