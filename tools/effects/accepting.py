"""Changes that are approved of: put on record, and noted where nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tools.arguments import trying_to
from tools.cache import Cache
from tools.effects.changes import Change, remember_patterns
from tools.effects.diff import CACHE, RECORDED, Diff, read_record
from tools.effects.large_diff import accept_in_match
from tools.effects.recorded import accept_moves, position_text
from tools.effects.stale import note_accepted
from tools.files import short_name


def accept(diff: Diff, chosen: Sequence[Change], folder: Path, corpus: str, snapshot: Path) -> int:
    """Put some changes of a diff with the decisions on record there; return how many lines that changed.

    folder: where the player lies that has the new patterns. corpus: of the diff. snapshot: the file of the record.
    Where all are accepted in the whole of it, that is noted for whoever compares next. Raise ArgumentError or OSError.
    """
    if diff.names:  # of a match
        return accept_in_match(diff, chosen, snapshot)
    changed = _accept_changes(diff, chosen, snapshot)
    if len(chosen) == len(diff.changes) and corpus == RECORDED:
        _note_all_accepted(diff, snapshot)
        note_accepted(folder, diff.new, snapshot)
    return changed


def _accept_changes(diff: Diff, chosen: Sequence[Change], snapshot: Path) -> int:
    """Put these changes on record; return how many lines of the file that changed. Raise ArgumentError."""
    moves = {position_text(diff.positions[change.number]): change.after for change in chosen}
    with trying_to(f"write {short_name(snapshot)}"):
        return accept_moves(moves, snapshot)


def _note_all_accepted(diff: Diff, snapshot: Path) -> None:
    """Remember that the new patterns decide as is on record in the whole file: the next diff can start from them."""
    remember_patterns(read_record(snapshot), diff.new, Cache(CACHE))
