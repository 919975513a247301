"""The command `coverage`: what each pattern does in the examples, in recorded positions and in games."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from rules.patternfile import Book, Pattern
from tools.arguments import (
    FINDINGS,
    FINE,
    ArgumentError,
    add_file,
    add_jobs,
    add_json,
    complaining,
    natural,
    trying_to,
)
from tools.cache import Cache
from tools.data import DECISIONS, REAL_GAMES
from tools.effects.books import Knowledge, read_knowledge
from tools.effects.coverage import Survey, active_share, from_json, remarks_on
from tools.files import STANDARD_OUTPUT, short_name, write_json, write_text
from tools.knowledge.problems import no_such


def add_coverage(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "coverage",
        help="count how often each pattern fires, decides, changes the move and is vetoed",
        description="Show what each pattern does in the examples, the real games, the recorded positions and games "
        "against the roles. Exit status: 0 done, 1 fewer patterns than --fail-under asks for, 2 could not run.",
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="show just these patterns, in detail")
    add_file(parser)
    parser.add_argument("--games", type=natural, default=16, metavar="N", help="against each role (default: 16)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of these games (default: 0)")
    parser.add_argument(
        "--recorded", type=Path, default=REAL_GAMES, metavar="FILE", help="other games instead of the real ones"
    )
    parser.add_argument(
        "--snapshot",
        type=Path,
        default=DECISIONS,
        metavar="FILE",
        help="other recorded decisions (default: tools/data/decisions.txt)",
    )
    parser.add_argument(
        "--played",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="also the games that `littlego match --json FILE` wrote; may be repeated",
    )
    parser.add_argument(
        "--test-run", type=Path, metavar="FILE", help="also what a test run met: pytest --pattern-coverage-json FILE"
    )
    parser.add_argument("--wide", action="store_true", help="the counts of every corpus, for a wide terminal")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page with pictures")
    parser.add_argument(
        "--fail-under",
        type=float,
        default=0.0,
        metavar="PERCENT",
        help="fail if a smaller share of the patterns decides or changes a move in play",
    )
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=complaining(run_coverage))


def run_coverage(args: argparse.Namespace) -> int:
    """Count and show; return the exit status."""
    from tools.effects.sources import in_play

    for needed in (["rich"] if args.json != STANDARD_OUTPUT else []) + (["jinja2"] if args.html else []):
        import_module(needed)  # should it be missing, say so before the work
    knowledge = read_knowledge(args.patterns)
    patterns = _asked_for(knowledge.book, args.ids)
    found = _surveys(knowledge, args)
    games = in_play(found)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, as_json(knowledge, found, games))
    if args.html:
        from tools.effects.coverage_page import coverage_page

        with trying_to(f"write {args.html}"):
            write_text(args.html, coverage_page(knowledge, found, games))
    if args.json != STANDARD_OUTPUT:
        _print(knowledge.book, patterns, found, games, args.wide)
    return FINE if 100 * active_share(knowledge.book, games) >= args.fail_under else FINDINGS


def _asked_for(book: Book, ids: list[str]) -> list[Pattern]:
    known = {pattern.id: pattern for pattern in book.patterns}
    for name in ids:
        if name not in known:
            raise ArgumentError(no_such("pattern", name, known))
    return [known[name] for name in ids]


def _surveys(knowledge: Knowledge, args: argparse.Namespace) -> dict[str, Survey]:
    from tools.effects.sources import CACHE, surveys, tasks_for

    try:
        tasks = tasks_for(knowledge, args.recorded, args.snapshot, args.played, args.games, args.seed)
    except OSError as error:
        raise ArgumentError(f"cannot read {short_name(error.filename)}: {error.strerror}") from None
    return surveys(tasks, args.jobs, Cache(CACHE)) | (_test_run(args.test_run) if args.test_run else {})


def _test_run(path: Path) -> dict[str, Survey]:
    """Return what the tests of a run met, by test."""
    from tools.effects.sources import TEST_RUN

    with trying_to(f"read {short_name(path)}"):
        data = path.read_bytes()
    try:
        return {f"{TEST_RUN}{name}": from_json(one) for name, one in json.loads(data)["tests"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        expected = "expected what `pytest --pattern-coverage-json FILE` writes"
        raise ArgumentError(f"{short_name(path)} is no record of a test run: {expected}") from None


def as_json(knowledge: Knowledge, found: Mapping[str, Survey], games: Survey) -> dict:
    """Return all counts as plain values."""
    return {
        "patterns": knowledge.name,
        "active_percent": round(100 * active_share(knowledge.book, games), 2),
        "remarks": remarks_on(knowledge.book, games),
        "sources": {name: survey.as_json() for name, survey in found.items()},
    }


def _print(book: Book, patterns: list[Pattern], found: Mapping[str, Survey], games: Survey, wide: bool) -> None:
    from tools.draw.terminal import console
    from tools.effects import coverage_text

    details = [coverage_text.detail(pattern, book, found, games) for pattern in patterns]
    for drawn in details or [coverage_text.report(book, found, games, wide)]:
        console(markup=False).print(drawn)
