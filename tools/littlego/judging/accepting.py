"""Changes that are approved of: put on record, and noted where nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from littlego.cache import Cache
from littlego.judging.changes import Change, remember_patterns
from littlego.judging.corpora import RECORDED, corpora_of
from littlego.judging.deciding import CACHE
from littlego.judging.diff import Diff
from littlego.judging.recorded import accept_moves
from littlego.judging.stale import note_accepted


def accept(diff: Diff, chosen: Sequence[Change], folder: Path, corpus: str, snapshot: Path) -> int:
    """Put some changes of a diff with the decisions on record there; return how many lines that changed.

    folder: where the player lies that has the new patterns. corpus: of the diff. snapshot: the file of the record.
    Where all are accepted in the whole of it, that is noted for whoever compares next. Raise ArgumentError or OSError.
    """
    corpora = corpora_of(diff.new.ruleset)
    changed = accept_moves(
        {diff.corpus.names[change.number]: change.after for change in chosen}, snapshot, corpora.games
    )
    if len(chosen) == len(diff.changes) and corpus == RECORDED:
        remember_patterns(corpora.on_record(RECORDED, snapshot), diff.new, Cache(CACHE))
        note_accepted(folder, diff.new, snapshot)
    return changed
