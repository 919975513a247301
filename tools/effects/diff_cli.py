"""The command `diff`: what an edit of the patterns changes, decision by decision, and what of it is accepted."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from rules.patternfile import Book
from rules.position import Position
from tools.arguments import (
    FINDINGS,
    FINE,
    ArgumentError,
    add_jobs,
    add_json,
    complaining,
    natural,
    trying_to,
)
from tools.cache import Cache
from tools.data import DECISIONS, PATTERNS_YAML, REAL_GAMES
from tools.draw.boards import move_text
from tools.effects.books import Knowledge, read_knowledge
from tools.effects.changes import Change
from tools.effects.edits import Edit, edits
from tools.effects.judging import judged, verdicts_text
from tools.effects.recorded import Recorded, accept, position_text, read
from tools.files import STANDARD_OUTPUT, short_name, write_json
from tools.labels.verdicts import verdicts
from tools.match.recorded_games import recorded_positions

SNAPSHOT, REAL, RECORDED = "snapshot", "real", "recorded"
COMMITTED = "HEAD:patterns.txt"
CACHE = "effects"
DRAWN = 3  # of each group's changes
ANSWERS = "accept? [y]es, [n]o, [a]ll the rest, [q]uit: "
EPILOG = """OLD and NEW are a patterns.yaml or a patterns.txt, in the working tree or in a
revision of git: HEAD:patterns.yaml. OLD may be the word `snapshot`: the
accepted decisions in tools/data/decisions.txt.
Exit status: 0 no decision changes, or all changes were accepted; 1 decisions
change; 2 could not run."""


@dataclass(frozen=True)
class Diff:
    """The result. old: None where only the moves on record are known; edits: then None too.

    verdicts: what the truth says of changes, by position; nothing where it is not known.
    """

    old: Knowledge | None
    new: Knowledge
    edits: list[Edit] | None
    positions: list[Position]
    changes: list[Change]
    verdicts: dict[int, str] = field(default_factory=dict)


def add_diff(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "diff",
        help="show which decisions an edit of the patterns changes, and accept them",
        description="Compare two pattern files: what they say, and every decision that changes over a corpus.",
        epilog=EPILOG,
    )
    parser.add_argument("old", nargs="?", default=SNAPSHOT, metavar="OLD", help="default: the snapshot")
    parser.add_argument("new", nargs="?", default=PATTERNS_YAML, metavar="NEW", help="default: patterns.yaml")
    parser.add_argument(
        "--corpus",
        default=RECORDED,
        metavar="real|recorded|FILE",
        help="the real games, all recorded positions (default), or a file of games or of decisions",
    )
    parser.add_argument(
        "--snapshot",
        type=Path,
        default=DECISIONS,
        metavar="FILE",
        help="recorded decisions (default: tools/data/decisions.txt)",
    )
    parser.add_argument("--accept", action="store_true", help="put the new moves on record in the snapshot")
    parser.add_argument("-i", "--interactive", action="store_true", help="with --accept: ask for each change")
    parser.add_argument(
        "--most",
        type=natural,
        default=DRAWN,
        metavar="N",
        help="changes drawn for each pattern responsible, 0 for all (default: %(default)s)",
    )
    parser.add_argument("--brief", action="store_true", help="draw nothing, just count")
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=complaining(run_diff), judge=verdicts)


def run_diff(args: argparse.Namespace) -> int:
    """Compare, show and accept; return the exit status."""
    if args.accept and args.old != SNAPSHOT:
        raise ArgumentError(f"--accept compares with the snapshot: leave OLD out, or say `{SNAPSHOT}` for it")
    if args.interactive and not args.accept:
        raise ArgumentError("--interactive asks what to accept: say --accept too")
    show = args.json != STANDARD_OUTPUT
    if show or args.interactive:
        import_module("rich")  # should it be missing, say so before the work
    found = _against_snapshot(args) if args.old == SNAPSHOT else _between(args)
    found.verdicts.update(judged(found.changes, found.positions, args.judge))
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, as_json(found))
    if show:
        _print(found, args)
    if not args.accept or not found.changes:
        return FINDINGS if found.changes else FINE
    return _accept(found, args, show)


def _between(args: argparse.Namespace) -> Diff:
    old, new = read_knowledge(args.old), read_knowledge(args.new)
    return _compared(old, new, _corpus(args.corpus, args.snapshot), args.jobs)


def _compared(old: Knowledge, new: Knowledge, positions: list[Position], jobs: int) -> Diff:
    from tools.effects.diff import changes_between

    found = edits(old, new)
    decisive = [edit.id for edit in found if edit.decisive]
    texts = [position_text(position) for position in positions]
    return Diff(old, new, found, positions, changes_between(old, new, decisive, texts, jobs, Cache(CACHE)))


def _against_snapshot(args: argparse.Namespace) -> Diff:
    """Compare with the decisions on record: with the patterns that made them, where those can be found."""
    from tools.effects.diff import changes_since, remember, remembered

    recorded, new, cache = _recorded(args), read_knowledge(args.new), Cache(CACHE)
    positions = [one.position for one in recorded]
    lines = remembered(recorded, cache)
    if lines is not None:
        return _compared(Knowledge(short_name(args.snapshot), lines, {}), new, positions, args.jobs)
    changes = changes_since(recorded, new, args.jobs, cache)
    if not changes:
        remember(recorded, new, cache)
        return Diff(new, new, [], positions, [])
    found = _from_committed(new, positions, changes, args.jobs)
    if found:
        remember(recorded, found.old, cache)
    return found or Diff(None, new, None, positions, changes)


def _from_committed(new: Knowledge, positions: list[Position], changes: list[Change], jobs: int) -> Diff | None:
    """Return what differs from the committed patterns if just these decisions do: then they made those on record."""
    try:
        found = _compared(read_knowledge(COMMITTED), new, positions, jobs)
    except ArgumentError:  # no git here, or nothing committed
        return None
    same = [change[:3] for change in found.changes] == [change[:3] for change in changes]
    return found if same else None


def _recorded(args: argparse.Namespace) -> list[Recorded]:
    recorded = _read_decisions(args.snapshot)
    if args.corpus == RECORDED:
        return recorded
    if args.corpus != REAL:
        raise ArgumentError(f"--corpus {args.corpus}: the snapshot has moves for its own positions only: name OLD too")
    real = {position_text(position) for position in recorded_positions()}
    return [one for one in recorded if position_text(one.position) in real]


def _read_decisions(path: Path) -> list[Recorded]:
    with trying_to(f"read {short_name(path)}"):
        return read(path)


def _corpus(name: str, snapshot: Path) -> list[Position]:
    """Return the positions of a corpus by its name, or those in a file of games or of decisions."""
    if name == RECORDED:
        return [one.position for one in _read_decisions(snapshot)]
    path = REAL_GAMES if name == REAL else Path(name)
    with trying_to(f"read {short_name(path)}"):
        if path.read_text(encoding="utf-8", errors="replace").lstrip()[:1] in "{[":
            return recorded_positions(path)
        return [one.position for one in read(path)]


def _print(found: Diff, args: argparse.Namespace) -> None:
    from tools.draw.terminal import console
    from tools.effects import diff_text
    from tools.effects.groups import grouped

    screen = console(markup=False)
    if found.edits is None:
        screen.print(
            f"{found.new.name} against the moves on record, whose patterns are not known; to see which edits "
            "are responsible, name the old file, for example: littlego diff HEAD:patterns.yaml"
        )
    else:
        screen.print(diff_text.edits_text(found.edits))
    screen.print()
    screen.print(f"{len(found.changes)} of {len(found.positions)} decisions change.", style="bold")
    if found.verdicts:
        screen.print(verdicts_text(found.verdicts, len(found.changes)))
    drawing = not (args.brief or args.interactive)
    for group in grouped(found.changes):
        most = min(args.most or len(group.changes), len(group.changes)) if drawing else len(group.changes)
        screen.print(diff_text.group_text(group, most))
        for number, change in enumerate(group.changes[:most] if drawing else (), 1):
            screen.print(_drawn(found, number, change))


def _drawn(found: Diff, number: int, change: Change):
    from tools.effects.diff_text import change_text

    old: Book | None = found.old.book if found.old else None
    verdict = found.verdicts.get(change.index, "")
    return change_text(number, change, found.positions[change.index], old, found.new.book, verdict)


def _accept(found: Diff, args: argparse.Namespace, show: bool) -> int:
    """Put changes on record; with --interactive those that the person accepts, even if an interrupt ends it."""
    chosen: list[Change] = []
    try:
        if args.interactive:
            _ask(found, chosen.append)
        else:
            chosen += found.changes
    finally:
        _record(found, chosen, args.snapshot, show)
    if len(chosen) < len(found.changes):
        return FINDINGS
    if args.corpus == RECORDED:
        from tools.effects.diff import remember

        remember(_read_decisions(args.snapshot), found.new, Cache(CACHE))
    return FINE


def _ask(found: Diff, take: Callable[[Change], None]) -> None:
    """Draw each change and ask whether it is accepted; without more answers, no more are."""
    from tools.draw.terminal import console

    screen, everything = console(markup=False), False
    for number, change in enumerate(_by_group(found.changes), 1):
        if not everything:
            screen.print(_drawn(found, number, change))
            answer = _answer()
            if answer == "q":
                return
            everything = answer == "a"
        if everything or answer == "y":
            take(change)


def _by_group(changes: Sequence[Change]) -> list[Change]:
    from tools.effects.groups import grouped

    return [change for group in grouped(changes) for change in group.changes]


def _answer() -> str:
    while True:
        try:
            answer = input(ANSWERS).strip().lower()[:1]
        except EOFError:
            print("no answer: the rest stays as it is")
            return "q"
        if answer and answer in "ynaq":
            return answer


def _record(found: Diff, chosen: Sequence[Change], path: Path, show: bool) -> None:
    moves = {position_text(found.positions[change.index]): change.after for change in chosen}
    with trying_to(f"write {short_name(path)}"):
        changed = accept(moves, path)
    if show:
        print(f"{short_name(path)}: {changed} of {len(found.changes)} changes accepted")


def as_json(found: Diff) -> dict:
    """Return the whole result as plain values."""
    return {
        "old": found.old.name if found.old else None,
        "new": found.new.name,
        "positions": len(found.positions),
        "edits": None if found.edits is None else [vars(edit) for edit in found.edits],
        "changes": [_change_json(change, found) for change in found.changes],
    }


def _change_json(change: Change, found: Diff) -> dict:
    position = found.positions[change.index]
    size = position.ruleset.size
    return {
        "position": position_text(position),
        "before": move_text(change.before, size),
        "after": move_text(change.after, size),
        "before_by": change.before_by or None,
        "after_by": change.after_by,
        "why": change.why,
        "responsible": list(change.responsible),
        "verdict": found.verdicts.get(change.index),
    }
