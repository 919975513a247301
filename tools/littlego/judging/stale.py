"""What no longer holds after an edit, where positions have to be decided to tell: those on record, and single ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from littlego.cli.arguments import trying_to
from littlego.files import short_name
from littlego.judging.changes import differing
from littlego.judging.diff import Diff
from littlego.judging.recorded import read_record
from littlego.knowledge.files import Knowledge
from littlego.knowledge.overrides import NAME
from littlego.knowledge.stale import DECISIONS, PATTERNS, Files, Stale, is_proved, keep_found, kept_of, stale_files

OVERRIDES = Path(NAME)
ON_DECISIONS = "decisions"
MOST_LOOKED_AT = 20_000  # overrides, or nearly twice as many: of more, every second, third ... stands for the others


def stale_with(diff: Diff, new: Path, against_record: bool) -> list[Stale]:
    """Return what no longer holds of the player whose patterns are the new ones of a comparison; nothing where they are
    no player's.

    new: their file. against_record: the comparison is with the decisions on record, and tells itself how many change.
    Raise ArgumentError.
    """
    if not new.is_file() or new.with_suffix(".txt").name != PATTERNS:
        return []
    found = stale_after(new.parent, diff.new, diff.old)
    return [one for one in found if not (against_record and one.what == ON_DECISIONS)]


def stale_after(folder: Path, new: Knowledge, old: Knowledge | None) -> list[Stale]:
    """Return all that no longer holds of the player in a folder with these patterns. Raise ArgumentError.

    old: the patterns before. Where they are not known, None, an earlier look has told which overrides overrule an
    edited one, or nobody knows.
    """
    files = Files(folder, new.lines)
    with trying_to(f"read the files in {short_name(folder)}"):
        found = stale_files(files)
        if is_proved(files):
            return found
        for name, look in ((DECISIONS, _stale_record), (OVERRIDES, _stale_overrides)):
            if path := files.path(name):
                told = kept_of(files, name)
                if told is None or name == OVERRIDES and old is not None and old.lines != new.lines:
                    told = look(path, new, old)
                    keep_found(files, name, told)
                found += told
    return found


def note_accepted(folder: Path, new: Knowledge, snapshot: Path) -> None:
    """Note that a player with these patterns decides as is on record in a file, if that is its own. Raise OSError."""
    files = Files(folder, new.lines)
    path = files.path(DECISIONS)
    if path and path.samefile(snapshot):
        keep_found(files, DECISIONS, [])


def _stale_record(path: Path, new: Knowledge, _: Knowledge | None) -> list[Stale]:
    record = read_record(path)
    others = len(differing(record, new.book))
    if not others:
        return []
    text = (
        f"{others:,} of {len(record.names):,} decisions in {short_name(path)} are others now, the rest remain; see "
        "them with `littlego diff`, put the new moves on record with"
    )
    return [Stale(ON_DECISIONS, text, "littlego diff --accept")]


def _stale_overrides(path: Path, new: Knowledge, old: Knowledge | None) -> list[Stale]:
    from littlego.truth.labels.decider import load_overrides  # it takes a second to load

    moves = load_overrides(path)
    every = max(1, len(moves) // MOST_LOOKED_AT)
    agreeing, overruling = (every * count for count in compare_overrides(dict([*moves.items()][::every]), new, old))
    about = "about " if every > 1 else ""
    number, judge = f"of {len(moves):,} single positions in {short_name(path)}", "littlego judge black"
    found = []
    if agreeing:
        text = (
            f"{about}{agreeing:,} {number} agree with the patterns now, the rest are still needed; judge the edit with"
        )
        found.append(Stale("agreeing", text, judge))
    if overruling:
        text = f"{about}{overruling:,} {number} overrule what the edited patterns now choose there; judge the edit with"
        found.append(Stale("overruling", text, judge))
    return found


def compare_overrides(moves: Mapping[int, int], new: Knowledge, old: Knowledge | None) -> tuple[int, int]:
    """Return how many overrides have the move that the patterns choose, and how many overrule an edited pattern.

    moves: by code, as read from overrides.txt. With the old patterns only positions are decided in which an edited
    one fires, so that of the former only those count that did not agree before. Without them the second is 0.
    """
    import numpy as np

    from littlego.engines.compiled.engine import compile_book, decide_many
    from littlego.knowledge.affected import EditedPatterns

    codes, played = np.array([*moves], dtype=np.int64), np.array([*moves.values()], dtype=np.int8)
    if old is None or old.lines == new.lines:
        chosen, _ = decide_many(codes, compile_book(new.book))
        return int((chosen == played).sum()), 0
    changed, _, after = EditedPatterns(old, new).changes(codes)
    agrees = after == played[changed]
    return int(agrees.sum()), int((~agrees).sum())
