"""The command `arena report`: a tournament as a web page."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from tools.arena.losses import MOST_LEFT
from tools.arguments import FINE, ArgumentError, add_jobs, add_json, complaining, natural, trying_to
from tools.files import STANDARD_OUTPUT, short_name, write_json

if TYPE_CHECKING:
    from tools.arena.store import Store

MOST = 60  # lost games shown
FARTHEST = 20  # moves left: the solver would take hours from there on


def add_parser(commands) -> None:
    """Add the command to `littlego arena`."""
    text = "a tournament as a web page: tables, charts, the lost games and the moves that lost them"
    parser = commands.add_parser("report", help=text, description=text[0].upper() + text[1:] + ".")
    parser.add_argument("file", metavar="FILE", help="of the tournament")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: FILE's name and -report")
    parser.add_argument(
        "--most", type=natural, default=MOST, metavar="N", help="lost games shown, 0 for all (default: %(default)s)"
    )
    parser.add_argument(
        "--left",
        type=natural,
        default=MOST_LEFT,
        metavar="N",
        help="look for the move that lost a game as far back as N moves before its end; each more "
        f"takes twice as long (default: %(default)s, at most {FARTHEST}, 0: not at all)",
    )
    add_anchor(parser)
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=complaining(_report))


def add_anchor(parser: argparse.ArgumentParser) -> None:
    """Add `--anchor PLAYER`."""
    parser.add_argument(
        "--anchor", metavar="PLAYER", help="rate this player 0 (default: the mean of those that won and lost)"
    )


def check_anchor(anchor: str | None, store: Store) -> None:
    """Raise ArgumentError unless the player is one of the tournament's, or None."""
    names = store.plan().names
    if anchor is not None and anchor not in names:
        raise ArgumentError(f"--anchor {anchor}: no player of {store.name}; expected one of {', '.join(names)}")


def _report(args: argparse.Namespace) -> int:
    from tools.arena.report import write_report
    from tools.arena.store import Store

    if args.left > FARTHEST:
        raise ArgumentError(f"--left {args.left}: expected {FARTHEST} or less, which the solver can do in minutes")
    with Store(args.file) as store:
        folder = args.out or Path(args.file).with_name(Path(args.file).stem + "-report")
        check_anchor(args.anchor, store)
        path, lost = write_report(
            store, folder, most=args.most, most_left=args.left, jobs=args.jobs, anchor=args.anchor
        )
    if args.json != STANDARD_OUTPUT:
        print(f"{short_name(path)}: {path.stat().st_size:,} bytes")
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, [game.as_json() for game in lost])
    if args.open:
        webbrowser.open(path.resolve().as_uri())
    return FINE
