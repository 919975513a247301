"""The command `label`: gather positions that matter and label them with the truth."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from tools.arguments import (
    FINE,
    ArgumentError,
    add_file,
    add_jobs,
    add_json,
    add_scheduler,
    complaining,
    natural,
    positive,
    trying_to,
)
from tools.cluster import try_scheduler
from tools.data import LABELS
from tools.files import STANDARD_OUTPUT, short_name, write_json
from tools.solver.cli import memory

# Positions to label in each part by moves left. Nearly all that White meets are won whatever it plays: to find
# enough where its move matters takes more of them.
NUMBERS = {
    **dict.fromkeys(range(1, 14, 2), 5000),
    2: 1500,
    4: 1300,
    **dict.fromkeys(range(6, 13, 2), 1000),
    14: 800,
    15: 1500,
    16: 100,
    17: 150,
    18: 15,
    19: 20,
}
GAMES = 250
TABLE_BITS = 24
EPILOG = """Stopped at any time, it goes on where it was when it is started again. Labels are
only ever added: run it after an edit of the patterns, and the positions that the
player meets now are added to those that it met before.
Exit status: 0 done, 2 could not run."""


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "label",
        help="gather positions and label them with their value and winning moves",
        description="Play games, take positions from them, from the real games and from those on record, and solve "
        "them: the labels that grade-patterns and mine judge by.",
        epilog=EPILOG,
    )
    add_file(parser)
    parser.add_argument(
        "--labels",
        type=Path,
        default=LABELS,
        metavar="FILE",
        help="the file to make or to add to (default: tools/data/labels.npz)",
    )
    parser.add_argument(
        "--games", type=positive, default=GAMES, metavar="N", help="of each kind and colour (default: %(default)s)"
    )
    parser.add_argument("--seed", type=natural, default=0, metavar="S", help="of these games (default: 0)")
    parser.add_argument(
        "--number",
        type=_numbers,
        action="append",
        default=[],
        metavar="LEFT=N",
        help="label N positions of the main sample in each part with LEFT moves left (13, or 3-12), "
        "and of the other samples in proportion; may be repeated, and is then all that is labelled",
    )
    parser.add_argument(
        "--memory",
        type=memory,
        default=TABLE_BITS,
        metavar="GIB",
        help="GiB for the solver's table, each worker's with --scheduler (default: 1/8)",
    )
    parser.add_argument(
        "--checkpoint", type=Path, metavar="FILE", help="start from what `littlego solve --checkpoint FILE` proved"
    )
    add_jobs(parser)
    add_scheduler(parser)
    add_json(parser)
    parser.set_defaults(run=complaining(run_label))


def _numbers(text: str) -> dict[int, int]:
    """Read `13=200` or `3-12=1000`: moves left -> number."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?=(\d+)", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last <= 24:
        raise argparse.ArgumentTypeError(f"expected LEFT=N such as 13=200 or 3-12=1000, LEFT 1 to 24, found {text}")
    return dict.fromkeys(range(first, last + 1), int(match[3]))


def run_label(args: argparse.Namespace) -> int:
    """Gather, label and count; return the exit status."""
    from tools.effects.books import read_knowledge
    from tools.labels.labelling import label, sampled
    from tools.labels.labels import known
    from tools.labels.positions import gathered
    from tools.labels.text import as_json, summary, table

    if args.json != STANDARD_OUTPUT:
        import_module("rich")  # should it be missing, say so before the work
    known(args.labels)  # likewise should a file be damaged
    solve = _solve(args)
    numbers = {left: number for one in args.number or [NUMBERS] for left, number in one.items()}
    knowledge = read_knowledge(args.patterns)
    wanted = sampled(gathered(knowledge, args.games, args.seed, args.jobs), numbers)
    with trying_to(f"write {short_name(args.labels)}"):
        labels = label(wanted, args.labels, solve, args.jobs, args.scheduler)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, as_json(labels))
    if args.json != STANDARD_OUTPUT:
        from tools.draw.terminal import console

        screen = console(markup=False)
        screen.print(table(labels))
        screen.print("\nlost: no move wins; free: every move does; open: some do; met: open, and met by our player.")
        screen.print(summary(labels))
    return FINE


def _solve(args: argparse.Namespace) -> Callable:
    """Return what solves positions: this process's solver, or one of each worker's own."""
    from tools.labels.labelling import solved_here
    from tools.solver.solver import Solver

    if args.scheduler:
        if args.checkpoint:
            raise ArgumentError("--checkpoint is read by this process only; leave it out with --scheduler")
        try_scheduler(args.scheduler)
        return partial(solved_here, args.memory)
    solver = Solver(args.memory)
    if args.checkpoint:
        solver.resume(args.checkpoint)
    return solver.winning_many
