"""Detection of stale overrides and recorded decisions, by computing the decisions again."""

from __future__ import annotations

import operator
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
MOST_LOOKED_AT = 20_000  # overrides to examine; in a file with n times as many, only every n-th override


def stale_with(diff: Diff, new: Path, against_record: bool) -> list[Stale]:
    """Return warnings about the player's files that the new patterns of a comparison make stale.

    new: the file of the new patterns; the result is empty unless this file exists and is named patterns.yaml or
    patterns.txt. against_record: whether the patterns were compared with the recorded decisions. If so, the function
    omits warnings about the recorded decisions, because the comparison already shows the changes. Raise ArgumentError
    for an unreadable file.
    """
    if not new.is_file() or new.with_suffix(".txt").name != PATTERNS:
        return []
    found = stale_after(new.parent, diff.new, diff.old)
    return [one for one in found if not (against_record and one.what == ON_DECISIONS)]


def stale_after(folder: Path, new: Knowledge, old: Knowledge | None) -> list[Stale]:
    """Return warnings about the files in a player's folder that the patterns `new` make stale.

    old: the patterns before the edit, or None if they are unknown. Without `old`, overrides that overrule an edited
    pattern are reported only from the cached result of an earlier check. Raise ArgumentError for an unreadable file.
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
    """Record in the cache that the new patterns choose the recorded moves in `snapshot`.

    The function does nothing unless `snapshot` is the player's own record. Raise OSError for an unreadable file.
    """
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
        f"{others:,} of {len(record.names):,} decisions in {short_name(path)} change; see "
        "them with `littlego diff`, and record the new moves with"
    )
    return [Stale(ON_DECISIONS, text, "littlego diff --accept")]


def _stale_overrides(path: Path, new: Knowledge, old: Knowledge | None) -> list[Stale]:
    from littlego.knowledge.overrides import load_overrides

    moves = load_overrides(path)
    every = max(1, len(moves) // MOST_LOOKED_AT)
    agreeing, overruling = (every * count for count in compare_overrides(dict([*moves.items()][::every]), new, old))
    about = "about " if every > 1 else ""
    number, judge = f"of {len(moves):,} overrides in {short_name(path)}", "littlego judge black"
    found = []
    if agreeing:
        text = (
            f"{about}{agreeing:,} {number} are now redundant, because the patterns choose the same moves; "
            "judge the edit with"
        )
        found.append(Stale("agreeing", text, judge))
    if overruling:
        text = (
            f"{about}{overruling:,} {number} overrule the moves that the edited patterns now choose; "
            "judge the edit with"
        )
        found.append(Stale("overruling", text, judge))
    return found


def compare_overrides(moves: Mapping[int, int], new: Knowledge, old: Knowledge | None) -> tuple[int, int]:
    """Return how many overrides agree with the patterns, and how many overrule an edited pattern.

    moves: {code of a position: move} from overrides.txt. The second number is 0 if `old` is None or has the same lines
    as `new`. Otherwise, both numbers count only the positions in which `old` and `new` choose different moves.
    """
    from littlego.engines.compiled.engine import compile_book, decide_many, fires_many
    from littlego.knowledge.affected import EditedPatterns

    codes = [*moves]
    if old is None or old.lines == new.lines:
        chosen, _ = decide_many(codes, compile_book(new.book))
        return sum(map(operator.eq, chosen, moves.values())), 0
    fired = [fires_many(codes, program) for program in EditedPatterns(old, new).programs]
    touched = [code for code, *some in zip(codes, *fired, strict=True) if any(some)]
    before, after = (decide_many(touched, compile_book(one.book))[0] for one in (old, new))
    differing = [(moves[code], now) for code, then, now in zip(touched, before, after, strict=True) if then != now]
    agrees = sum(played == now for played, now in differing)
    return agrees, len(differing) - agrees
