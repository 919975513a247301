"""The command `mine`: patterns, and changes to patterns, that blunders ask for."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from tools.arguments import FINDINGS, FINE, ArgumentError, add_file, add_json, complaining, natural, positive, trying_to
from tools.data import LABELS
from tools.files import STANDARD_OUTPUT, write_json

TOP, LIMIT = 10, 120
EPILOG = """Learns from the working part of the labels alone, never from the test part. Two
thirds of it are searched; precision and its lower bound come from the last third,
and all bounds of one report hold together with 95% confidence. The patterns are
proposals: name and explain those that you keep, and look at `littlego diff`.
The same seed gives the same proposals unless --limit ends the search.
Exit status: 0 nothing to propose, 1 proposals, 2 could not run."""


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "mine",
        help="propose patterns, and changes to patterns, from the blunders in labelled positions",
        description="From positions in which the player gives a win away, propose the smallest patterns that keep it\n"
        "and are right elsewhere, and changes to the patterns there are.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_file(parser)
    parser.add_argument(
        "--labels", type=Path, default=LABELS, metavar="FILE", help="the labels (default: tools/data/labels.npz)"
    )
    parser.add_argument(
        "--from",
        dest="extra",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="learn from these positions too: failures as `prove --json` writes them, labels, or an "
        ".npz with codes and winning; may be repeated",
    )
    parser.add_argument(
        "--ids",
        nargs="+",
        default=[],
        metavar="ID",
        help="learn from the blunders that these patterns decide, and change these alone",
    )
    parser.add_argument(
        "--top",
        type=positive,
        default=TOP,
        metavar="N",
        help="propose N patterns at most, and N changes (default: %(default)s)",
    )
    parser.add_argument(
        "--precision",
        type=_share,
        metavar="P",
        help="the least lower bound, where it is searched, of the share of positions in which a "
        "pattern is right (default: 0.75, of a warning 0.5)",
    )
    parser.add_argument(
        "--limit",
        type=natural,
        default=LIMIT,
        metavar="SECONDS",
        help="search so long, 0 to the end (default: %(default)s)",
    )
    parser.add_argument("--no-changes", action="store_true", help="propose no changes to the patterns there are")
    parser.add_argument("--seed", type=natural, default=0, metavar="S", help="of the order of blunders (default: 0)")
    add_json(parser)
    parser.set_defaults(run=complaining(run_mine))


def _share(text: str) -> float:
    number = float(text)
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, found {text}")
    return number


def run_mine(args: argparse.Namespace) -> int:
    """Search, judge and show; return the exit status."""
    if args.json != STANDARD_OUTPUT:
        import_module("rich")  # should it be missing, say so before the work
    mine = _mine(args)
    report = _searched(mine, args)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, {**mine.as_json(), **report.as_json()})
    if args.json != STANDARD_OUTPUT:
        from tools.draw.terminal import console
        from tools.mining.text import shown

        screen = console(markup=False)
        for drawn in shown(mine, report, args.top):
            screen.print(drawn)
        for one in report.proposals:
            print(f"\n{one.as_yaml()}")
    return FINDINGS if any(report) else FINE


def _mine(args: argparse.Namespace):
    from tools.effects.books import read_knowledge
    from tools.knowledge.problems import no_such
    from tools.mining.mining import Mine
    from tools.mining.positions import positions

    knowledge = read_knowledge(args.patterns)
    known = {pattern.id for pattern in knowledge.book.patterns}
    for name in args.ids:
        if name not in known:
            raise ArgumentError(no_such("pattern", name, known))
    return Mine(positions(args.labels, args.extra), knowledge, args.seed, args.precision, args.ids)


def _searched(mine, args: argparse.Namespace):
    from tools.mining.mining import Report
    from tools.parallel import with_progress

    for _ in with_progress(mine.search.run(args.limit), len(mine.search.seeds), "seed"):
        pass
    proposals = mine.proposals(args.top)
    if args.no_changes:
        return Report(proposals, [], [])
    tried = with_progress(mine.changes(args.ids), len(mine.changeable(args.ids)), "pattern")
    changes = sorted(filter(None, tried), key=lambda one: (-one.gain, one.id))
    return Report(proposals, changes, mine.tuned())
