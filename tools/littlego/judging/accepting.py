"""Acceptance of changed decisions: the new moves replace the recorded moves."""

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
    """Write the chosen changes of a diff to a record; return the number of changed lines.

    folder: the folder of the player with the new patterns. corpus: the name of the diff's corpus. snapshot: the file
    that contains the diff's recorded decisions. record: the file to write, created as a copy of `snapshot` if missing.
    If `chosen` contains all changes and the diff covers the whole record, the function also stores the new patterns in
    the cache as the patterns that reproduce the record. If, in addition, `record` is the player's own record, the
    function marks the record as current. Raise ArgumentError or OSError if a file cannot be read or written.
    """
    corpora = corpora_of(diff.new.ruleset)
    copy_record(snapshot, record)
    moves = {diff.corpus.names[change.number]: change.after for change in chosen}
    changed = accept_moves(moves, record, corpora.games)
    if len(chosen) == len(diff.changes) and corpus == RECORDED:
        remember_patterns(corpora.on_record(RECORDED, record), diff.new, Cache(CACHE))
        note_accepted(folder, diff.new, record)
    return changed
