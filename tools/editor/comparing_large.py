"""Decisions that an edit of patterns for the match changes, in positions of kept games, as the page hears of them.

`tools.effects.large_diff` finds them, and keeps what was decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.data import ENGINE_GAMES
from tools.editor.comparing import Events, change_json
from tools.effects.books import Knowledge
from tools.effects.large_diff import (
    MATCH_DECISIONS,
    RECORDED_POSITIONS,
    compare_in_steps,
    maker_in_steps,
    moved,
    moves_on_record,
    sample,
    sides_of,
)
from tools.parallel import Returning


def compare_large(
    old: Knowledge | None, new: Knowledge, jobs: int, most: int = RECORDED_POSITIONS, record: Path = MATCH_DECISIONS
) -> Events:
    """Yield what `comparing.compare` does, of a sample of kept games; nobody knows the truth about them.

    old: None to compare with the decisions on record, in a file. most: else, positions of each board size.
    """
    known = None
    if old is None:
        places, known = moves_on_record(record, ENGINE_GAMES)
        maker = Returning(maker_in_steps(known, places, jobs))
        for done, of in maker:
            yield {"progress": [done, of]}
        old = maker.result
    else:
        places = sample(ENGINE_GAMES, most)
    diff = sides_of(old, new, places)
    yield {"result": {"changes": []}}
    for step in compare_in_steps(diff, places, known, jobs):
        yield {"progress": [step.done, step.of]}
        if step.moved:
            yield {"result": {"changes": [change_json(diff.positions[one[0]], *one, "") for one in step.moved]}}
        if step.changes:
            yield {"result": {"reasons": [{"number": one.number, **diff.change_json(one)} for one in step.changes]}}
    return diff


def flips(old: Knowledge, new: Knowledge, jobs: int, most: int) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """Yield (parts done, all, decisions of the sample that come out otherwise there: see change_json)."""
    places = sample(ENGINE_GAMES, most)
    diff = sides_of(old, new, places)
    for done, of, some in moved(diff, places, None, jobs):
        yield done, of, [change_json(diff.positions[one[0]], *one, "") for one in some]
