"""The command `coverage`: what each pattern does in recorded games and in games against the roles."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rules.patternfile import BadPatternFile, load
from tools.effects.corpora import REAL_GAMES, decisions_against, decisions_in, different, recorded_games
from tools.effects.coverage import Survey, survey, total
from tools.effects.diff_cli import add_diff
from tools.opponents.ours import PATTERNS
from tools.opponents.roles import ROLES


def add_parsers(subparsers) -> None:
    """Add the command to the `littlego` parser."""
    add_diff(subparsers)
    parser = subparsers.add_parser(
        "coverage", help="count how often each pattern fires, decides, changes the move and is vetoed"
    )
    parser.add_argument("--games", type=int, default=16, metavar="N", help="against each role (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of these games (default: %(default)s)")
    parser.add_argument("--recorded", type=Path, default=REAL_GAMES, help="recorded games (default: the real games)")
    parser.add_argument("--patterns", default=PATTERNS, help="another patterns.txt")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the counts to a file")
    parser.set_defaults(run=run_coverage)


def run_coverage(args: argparse.Namespace) -> int:
    """Print the tables; return 2 where a file cannot be read."""
    try:
        book = load(args.patterns)
        columns = {"recorded games": survey(decisions_in(different(recorded_games(args.recorded)), book), book)}
    except (BadPatternFile, OSError, ValueError, KeyError) as error:
        print(f"littlego: cannot read the patterns or the recorded games: {error}", file=sys.stderr)
        return 2
    for number, role in enumerate(ROLES):
        columns[f"against {role}"] = survey(decisions_against(role, book, args.games, args.seed + number), book)
    _print(book, columns)
    if args.json:
        args.json.write_text(json.dumps({name: found.as_json() for name, found in columns.items()}, indent=1) + "\n")
    return 0


def _print(book, columns: dict[str, Survey]) -> None:
    from tools.effects.coverage_text import class_table, lines_of, pattern_table

    recorded, *others = columns.values()
    shown = {"recorded games": recorded, "games against the roles": total(others)}
    print("positions: " + ", ".join(f"{found.positions} of {name}" for name, found in shown.items()), end="\n\n")
    print(*lines_of(class_table(book, recorded)), "", sep="\n")
    print(*lines_of(pattern_table(book, total(columns.values()), {"r": recorded, "g": total(others)})), sep="\n")
