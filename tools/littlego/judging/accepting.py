"""Acceptance of changed decisions: the update of the record, and a note that the player matches the record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from littlego.cache import Cache
from littlego.judging.changes import Change, remember_patterns
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.judging.deciding import CACHE
from littlego.judging.diff import Diff
from littlego.judging.recorded import accept_moves, copy_record
from littlego.judging.stale import note_accepted


def accept(diff: Diff, chosen: Sequence[Change], folder: Path, corpus: str, snapshot: Path, record: Path) -> int:
    """Record the chosen changes of a diff; return the number of lines changed in the record.

    folder: the folder of the player with the new patterns. corpus: the name of the diff's corpus. snapshot: the file of
    the recorded decisions that the diff compares with. record: the file to write; if it is missing, it starts as a copy
    of `snapshot`. If all changes in the corpus of recorded decisions are accepted, the function notes for later
    comparisons that the player matches the record. Raise ArgumentError or OSError if a file cannot be read or written.
    """
    corpora = corpora_of(diff.new.ruleset)
    copy_record(snapshot, record)
    moves = {diff.corpus.names[change.number]: change.after for change in chosen}
    changed = accept_moves(moves, record, corpora.games)
    if len(chosen) == len(diff.changes) and corpus == RECORDED:
        remember_patterns(corpora.on_record(RECORDED, record), diff.new, Cache(CACHE))
        note_accepted(folder, diff.new, record)
    return changed
