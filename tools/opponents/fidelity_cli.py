"""The command `fidelity`."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from tools.arguments import ArgumentError, add_jobs, add_json, complaining, trying_to
from tools.data import REAL_GAMES
from tools.files import short_name, write_json
from tools.opponents.fidelity import ALL, FIT, HELD_OUT, Decision, Fidelity, lots, measured, recorded_decisions
from tools.opponents.roles import ROLES, SECOND_STAGE
from tools.parallel import each, with_progress

HEADER = f"{'role':12}  positions  agreement  95% interval    possible  by chance"


def add_parsers(subparsers) -> None:
    """Add this command to the `littlego` parser."""
    known = [*ROLES, *SECOND_STAGE]
    parser = subparsers.add_parser(
        "fidelity",
        help="how often our roles choose what the course's own players chose",
        description="Ask our roles in the positions of recorded games of the course's own players. Every different "
        "position counts once. agreement: how probably the role plays what was played; possible: in how many "
        "positions it could; by chance: how probably any legal move would agree.",
    )
    parser.add_argument("roles", nargs="*", metavar="ROLE", help=f"default: all; known are {', '.join(known)}")
    parser.add_argument(
        "--games",
        type=Path,
        default=REAL_GAMES,
        metavar="FILE",
        help="recorded games (default: tools/data/real_games.jsonl)",
    )
    parser.add_argument(
        "--part",
        choices=(FIT, HELD_OUT, ALL),
        default=ALL,
        help="the games that roles were fitted to, the others, or all (default)",
    )
    add_jobs(parser)
    add_json(parser)
    parser.set_defaults(run=complaining(run_fidelity))


def run_fidelity(args: argparse.Namespace) -> int:
    """Print one line a role."""
    known = [*ROLES, *SECOND_STAGE]
    for role in args.roles:
        if role not in known:
            raise ArgumentError(f"unknown role {role!r}; known are {', '.join(known)}")
    found = []
    for role in args.roles or known:
        with trying_to(f"read {short_name(args.games)}"):
            decisions = recorded_decisions(args.games, role, args.part)
        if not decisions:
            raise ArgumentError(f"{short_name(args.games)} holds no move of the real {role}")
        found.append(_asked(role, decisions, args.jobs))
        if args.json != "-":
            print(line(found[-1]) if len(found) > 1 else f"{HEADER}\n{line(found[-1])}", flush=True)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, {"part": args.part, "roles": [one._asdict() for one in found]})
    return 0


def _asked(role: str, decisions: list[Decision], jobs: int) -> Fidelity:
    positions = [decision.position for decision in decisions]
    answers = each(partial(_numbered, role), list(enumerate(positions)), jobs)
    chances = dict(result for _, result in with_progress(answers, len(positions), "position"))
    return measured(role, [(decision, chances[number]) for number, decision in enumerate(decisions)])


def _numbered(role: str, item: tuple) -> tuple:
    number, position = item
    return number, lots(role, position)


def line(found: Fidelity) -> str:
    """Return the line of one role."""
    interval = f"{100 * found.low:.1f} to {100 * found.high:.1f}%"
    return (
        f"{found.role:12}  {found.decisions:9}  {100 * found.agreement:8.1f}%  {interval:14}  "
        f"{100 * found.possible:7.1f}%  {100 * found.chance:8.1f}%"
    )
