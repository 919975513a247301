"""The command `mutate`: does an example or a recorded decision notice a small change of a pattern?"""

from __future__ import annotations

import argparse
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from tools.arguments import (
    ArgumentError,
    add_file,
    add_jobs,
    add_json,
    add_scheduler,
    complaining,
    trying_to,
)
from tools.data import DECISIONS, PATTERNS_YAML
from tools.files import short_name, write_json
from tools.knowledge.problems import in_one_line, no_such

THRESHOLD = 90.0


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser("mutate", help="change each pattern a little and see whether anything notices")
    parser.add_argument("ids", nargs="*", metavar="ID", help="patterns by id, `*` for any letters (default: all)")
    add_file(parser, wanted="a patterns.yaml")
    add_jobs(parser)
    add_scheduler(parser)
    parser.add_argument("--survivors", action="store_true", help="draw each survivor, and a board that would kill it")
    parser.add_argument("--list", action="store_true", help="list the mutants without trying them")
    parser.add_argument(
        "--threshold", type=float, default=THRESHOLD, metavar="P", help="least score in percent (default: %(default)g)"
    )
    parser.add_argument(
        "--equivalent", type=Path, metavar="FILE", help="mutants that change nothing (default: those of patterns.yaml)"
    )
    parser.add_argument(
        "--snapshot",
        type=Path,
        default=DECISIONS,
        metavar="FILE",
        help="recorded decisions (default: tools/data/decisions.txt)",
    )
    parser.add_argument("--fresh", action="store_true", help="try again what is known from earlier runs")
    add_json(parser)
    parser.set_defaults(run=complaining(run_mutate))


def run_mutate(args: argparse.Namespace) -> int:
    """Try the mutants and print the scores; return 1 where the score is below the threshold."""
    from tools.mutation.laboratory import Setup, laboratory

    text = _read(args.patterns)
    with trying_to(f"read {short_name(args.snapshot)}"):
        setup = Setup.read(text, short_name(args.patterns), args.snapshot, cached=not args.fresh)
    lab = laboratory(setup)
    ids = _chosen(args.ids, list(lab.patterns))
    return _list(lab, ids, args) if args.list else _judge(lab, ids, args)


def _read(path: str | Path) -> str:
    """Return the text of a patterns file in which there is no mistake."""
    from tools.knowledge.compiler import compile_text

    with trying_to(f"read {short_name(path)}"):
        data = Path(path).read_bytes()
    _, problems, _ = compile_text(data, short_name(path), with_examples=False)
    if problems:
        raise ArgumentError(in_one_line(problems))
    return data.decode("utf-8")


def _chosen(wanted: list[str], known: list[str]) -> list[str]:
    """Return the ids that are asked for, in the order of the file."""
    for word in wanted:
        if not any(fnmatchcase(name, word) for name in known):
            raise ArgumentError(no_such("pattern", word, known))
    return [name for name in known if not wanted or any(fnmatchcase(name, word) for word in wanted)]


def _list(lab, ids: list[str], args: argparse.Namespace) -> int:
    from tools.mutation.places import Places

    rows = []
    for name in ids:
        places = Places(lab.setup.text, lab.patterns[name], lab.patterns.values())
        for mutant, _ in lab.mutants(name):
            line, column = places.of(mutant)
            rows.append({"pattern": name, "mutant": mutant.name, "kind": mutant.kind, "line": line, "column": column})
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, rows)
    else:
        for row in rows:
            print(f"{lab.setup.filename}:{row['line']}:{row['column']}: {row['pattern']}: {row['mutant']}")
    return 0


def _judge(lab, ids: list[str], args: argparse.Namespace) -> int:
    from tools.mutation.campaign import fates_of_all, pins_of_all
    from tools.mutation.equivalents import SHIPPED, read_equivalents
    from tools.mutation.report import Findings
    from tools.mutation.scores import excused, score_of, stale
    from tools.mutation.trial import SURVIVED

    setup = lab.setup
    path = args.equivalent or (SHIPPED if Path(args.patterns).resolve() == PATTERNS_YAML else None)
    equivalents = read_equivalents(path) if path else {}
    fates = fates_of_all(setup, ids, args.jobs, args.scheduler)
    complaints = stale(fates, equivalents, lab.patterns)
    fates = excused(fates, equivalents)
    shown = [fate for fate in fates if fate.fate == SURVIVED] if args.survivors or args.ids or args.json else []
    pins = pins_of_all(setup, shown, args.jobs, args.scheduler) if args.survivors or args.json else {}
    (_write_json if args.json else _print)(Findings(lab, fates, shown, pins), args)
    for complaint in complaints:
        print(f"{path}: {complaint}", file=sys.stderr)
    return int(bool(complaints) or score_of(fates).percent < args.threshold)


def _print(findings, args: argparse.Namespace) -> None:
    from tools.draw.terminal import console
    from tools.mutation.report import print_report

    print_report(console(), findings, drawn=args.survivors)


def _write_json(findings, args: argparse.Namespace) -> None:
    from tools.mutation.report import as_json

    with trying_to(f"write {args.json}"):
        write_json(args.json, as_json(findings))
