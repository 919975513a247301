"""The command `prove`: walk every position that the player can meet, and check each decision."""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path
from shutil import rmtree

from tools.arguments import FINDINGS, FINE, add_file, add_jobs, add_json, complaining, natural, trying_to
from tools.cache import FOLDER
from tools.files import STANDARD_OUTPUT, short_name, write_json

BITS, SMALLEST, LARGEST = 26, 14, 32
WALKS = FOLDER / "proof"
VALUES = "values"
MOST, DRAWN = 20, 4
SAMPLES = 10_000
SEARCHED_FROM = 22  # moves left
EPILOG = """Stopped at any time, it goes on where it was when it is started again. Who wins a
position is kept for every later walk, whoever plays: after an edit of the patterns
only positions never met before are solved.
Exit status: 0 complete and without failure, 1 failures, or not walked to the end,
2 could not run."""


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "prove",
        help="prove that the player never gives a win away, or find every position where it does",
        description="Walk every position that the player can meet, whatever the opponent plays, and check each "
        "decision by the solver.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--black",
        dest="colour",
        action="store_const",
        const="black",
        help="the player is Black, from the empty board on",
    )
    what.add_argument(
        "--white", dest="colour", action="store_const", const="white", help="the player is White, after any first move"
    )
    what.add_argument(
        "--check",
        type=Path,
        metavar="CERTIFICATE",
        help="look at samples of a walk again, in a second way, slow and simple",
    )
    parser.add_argument(
        "--samples",
        type=natural,
        default=SAMPLES,
        metavar="N",
        help="of each layer, for --check (default: %(default)s)",
    )
    add_file(parser)
    parser.add_argument(
        "--overrides", "--exceptions", type=Path, metavar="FILE", help="default: overrides.txt, if there is one"
    )
    parser.add_argument(
        "--no-overrides", "--no-exceptions", action="store_true", help="the player without its overrides"
    )
    parser.add_argument(
        "--overrides-out",
        "--exceptions-out",
        type=Path,
        metavar="FILE",
        help="write the overrides, and one more for each failure: with them there will be none",
    )
    parser.add_argument(
        "--down-to", type=natural, default=0, metavar="LEFT", help="stop after the layer with so many moves left"
    )
    parser.add_argument(
        "--certificate",
        type=Path,
        metavar="FILE",
        help="write the certificate here as well (it also lies beside the layers)",
    )
    parser.add_argument(
        "--most",
        type=natural,
        default=MOST,
        metavar="N",
        help="rows of the table of patterns, 0 for all (default: %(default)s)",
    )
    parser.add_argument(
        "--boards", type=natural, default=DRAWN, metavar="N", help="failures drawn (default: %(default)s)"
    )
    parser.add_argument(
        "--bits",
        type=_bits,
        default=BITS,
        metavar="BITS",
        help="the solver's table holds 2**BITS words of eight bytes (default: %(default)s)",
    )
    parser.add_argument("--checkpoint", type=Path, metavar="FILE", help="begin with what a solver has proved there")
    parser.add_argument(
        "--checkpoint-out",
        type=Path,
        metavar="FILE",
        help="keep what the solver knows there, at the end and after Ctrl-C",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=WALKS,
        metavar="DIR",
        help="where walks and values are kept (default: .cache/proof)",
    )
    parser.add_argument(
        "--search",
        type=natural,
        default=SEARCHED_FROM,
        metavar="LEFT",
        help="with so many moves left, find out by search whether a decision fails before walking on "
        "from it (default: %(default)s)",
    )
    parser.add_argument("--fresh", action="store_true", help="decide anew also where an earlier run has decided")
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=complaining(run_prove))


def _bits(text: str) -> int:
    number = int(text)
    if not SMALLEST <= number <= LARGEST:
        raise argparse.ArgumentTypeError(f"expected {SMALLEST} to {LARGEST}, found {number}")
    return number


def run_prove(args: argparse.Namespace) -> int:
    """Walk, tell, and write what is asked for; return the exit status."""
    if args.check:
        from tools.proof.check_cli import run_check

        return run_check(args, _solver(args))
    if args.json != STANDARD_OUTPUT:
        import_module("rich")  # should it be missing, say so before the work
    from tools.effects.books import read_knowledge
    from tools.labels.overrides import asked_for

    knowledge = read_knowledge(args.patterns)
    overrides = {} if args.no_overrides else asked_for(args.overrides)
    report = _walked(args, knowledge, overrides)
    if args.overrides_out:
        _write_overrides(args.overrides_out, {**overrides, **report.repaired()})
    for path in filter(None, [args.certificate, args.json]):
        _write(path, report.certificate() if path == args.certificate else report.as_json())
    if args.json != STANDARD_OUTPUT:
        _print(report, args)
    return FINE if report.complete and not report.failures else FINDINGS


def _walked(args: argparse.Namespace, knowledge, overrides: dict[int, int]):
    """Walk; keep the layers and the certificate; return the report."""
    from tools.labels.decider import Decider
    from tools.proof.certificate import decisions_name, player_of, walk_name
    from tools.proof.decisions import Decisions
    from tools.proof.kept_walk import CERTIFICATE, make_room, save_layer
    from tools.proof.proving import Report, roots_of
    from tools.proof.threads import Watch
    from tools.proof.values import Values
    from tools.proof.walk import Walk, is_complete

    player, roots, watch = player_of(knowledge, overrides), roots_of(args.colour), Watch()
    solver = _solver(args)
    with trying_to(f"keep the walk in {short_name(args.folder)}"):
        decided = make_room(args.folder / "decisions", decisions_name(knowledge))
        if args.fresh:
            rmtree(decided)
        decisions = Decisions(Decider(knowledge.book, overrides), decided, args.jobs, watch)
        walk = Walk(decisions, Values(solver, args.folder / VALUES, args.jobs, watch), args.jobs, watch, args.search)
        try:
            layers = walk.layers(roots, args.down_to, _Teller())
        finally:
            if args.checkpoint_out:
                solver.save(args.checkpoint_out)
        names = [pattern.id for pattern in knowledge.book.patterns]
        report = Report(args.colour, player, roots, names, layers, is_complete(layers, args.down_to))
        kept = make_room(args.folder / "walks", walk_name(args.colour, player))
        for layer in layers:
            save_layer(kept, layer)
        write_json(kept / CERTIFICATE, report.certificate())
    return report


def _solver(args: argparse.Namespace):
    from tools.solver.solver import Solver

    solver = Solver(args.bits)
    if args.checkpoint:
        print(f"{short_name(args.checkpoint)}: {solver.resume(args.checkpoint):,} results read", file=sys.stderr)
    return solver


class _Teller:
    """Says on standard error how far the walk is, and when."""

    def __init__(self):
        self.began = time.monotonic()

    def __call__(self, line: str) -> None:
        print(f"{time.monotonic() - self.began:7,.0f} s  {line}", file=sys.stderr, flush=True)


def _write_overrides(path: Path, moves: dict[int, int]) -> None:
    from tools.labels.overrides import write

    with trying_to(f"write {short_name(path)}"):
        number = write(path, moves)
    print(f"{short_name(path)}: {number:,} overrides", file=sys.stderr)


def _write(path, value: dict) -> None:
    with trying_to(f"write {path}"):
        write_json(path, value)


def _print(report, args: argparse.Namespace) -> None:
    from tools.draw.terminal import console
    from tools.proof.text import shown

    screen = console(markup=False)
    for drawn in shown(report, args.most, args.boards):
        screen.print(drawn)
