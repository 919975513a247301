"""The command `grade-patterns`: the player and each of its patterns against the truth."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from tools.arguments import FINDINGS, FINE, ArgumentError, add_file, add_json, complaining, natural, trying_to
from tools.data import LABELS
from tools.files import STANDARD_OUTPUT, write_json
from tools.labels.sources import PARTS, SOURCES, TEST, WORKING

MOST, DRAWN = 20, 3
CENTRE_GAMES = "centre"
EPILOG = """The rate of the player is that of the positions in which it can give a win away
and does: the unweighted mean over the numbers of moves left, with 95% intervals.
Boards of the test part are not drawn: no pattern may be made with them in view.
Exit status: 0 done, 1 a rate is above --fail-over, 2 could not run."""


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "grade-patterns",
        help="grade the player and every pattern by labelled positions: wins kept and given away",
        description="Judge what the player decides, and each of its patterns, by the labels of `littlego label`.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="show just these patterns, in detail")
    add_file(parser)
    parser.add_argument(
        "--part",
        choices=PARTS,
        default=WORKING,
        help="the positions to learn from (default), or those that no pattern is tuned on",
    )
    parser.add_argument(
        "--source",
        choices=[*(name for name in SOURCES if name != CENTRE_GAMES), "all"],
        help="where the positions were met (default: met for the player, all for the patterns)",
    )
    parser.add_argument(
        "--openings", choices=[CENTRE_GAMES], help="just positions met as Black after opening in the centre"
    )
    parser.add_argument(
        "--worst",
        type=natural,
        metavar="N",
        help=f"draw N boards where a win was given away (default: 0; {DRAWN} for patterns in detail)",
    )
    parser.add_argument(
        "--most",
        type=natural,
        default=MOST,
        metavar="N",
        help="rows of the tables of patterns, 0 for all (default: %(default)s)",
    )
    parser.add_argument(
        "--fail-over",
        type=float,
        default=100.0,
        metavar="PERCENT",
        help="fail if either colour gives away a larger share of its wins",
    )
    parser.add_argument(
        "--labels", type=Path, default=LABELS, metavar="FILE", help="the labels (default: tools/data/labels.npz)"
    )
    parser.add_argument(
        "--overrides",
        "--exceptions",
        type=Path,
        metavar="FILE",
        help="measure with these as well (default: overrides.txt, if there is one)",
    )
    add_json(parser)
    parser.set_defaults(run=complaining(run_grade))


def run_grade(args: argparse.Namespace) -> int:
    """Grade and show; return the exit status."""
    if args.json != STANDARD_OUTPUT:
        import_module("rich")  # should it be missing, say so before the work
    if args.openings and args.source:
        raise ArgumentError("--openings is about the positions that our player met: leave --source out")
    if args.worst and args.part == TEST:
        raise ArgumentError("boards of the test part are not drawn: no pattern may be made with them in view")
    from tools.effects.books import read_knowledge
    from tools.grades.grading import grade, too_many
    from tools.knowledge.problems import no_such
    from tools.labels.overrides import asked_for

    knowledge = read_knowledge(args.patterns)
    known = {pattern.id for pattern in knowledge.book.patterns}
    for name in args.ids:
        if name not in known:
            raise ArgumentError(no_such("pattern", name, known))
    source = args.openings or args.source
    report = grade(knowledge.book, args.part, source, args.labels, asked_for(args.overrides))
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, {"patterns_file": knowledge.name, **report.as_json()})
    if args.json != STANDARD_OUTPUT:
        _print(report, args)
    return FINDINGS if too_many(report, args.fail_over) else FINE


def _print(report, args: argparse.Namespace) -> None:
    from tools.draw.terminal import console
    from tools.grades.text import shown

    worst = DRAWN if args.worst is None and args.ids and args.part == WORKING else args.worst or 0
    screen = console(markup=False)
    for drawn in shown(report, args.ids, args.most, worst):
        screen.print(drawn)
