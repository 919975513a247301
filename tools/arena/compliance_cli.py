"""The command `arena check`, and the check of a tournament's unknown programs before their first game."""

from __future__ import annotations

import argparse
import sys

from tools.arena.plan import Plan
from tools.arena.store import Store
from tools.arguments import FINDINGS, FINE, ArgumentError, add_json, complaining, trying_to
from tools.files import STANDARD_OUTPUT, write_json

TEXT = "does a player keep to the handout: format, legal moves, time, Python 3.7, no side effects?"


def add_parser(commands) -> None:
    """Add the command to `littlego arena`."""
    parser = commands.add_parser(
        "check",
        help=TEXT,
        description=TEXT[0].upper() + TEXT[1:],
        epilog="Exit status: 0 fine, 1 there are warnings or worse, 2 could not run.",
    )
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    add_json(parser)
    parser.set_defaults(run=complaining(_check))


def _check(args: argparse.Namespace) -> int:
    from tools.arena.compliance import NOTE, UNSEEN, findings
    from tools.arena.players import entrants

    found = {player.name: findings(player) for player in entrants(args.players)}
    if args.json != STANDARD_OUTPUT:
        print("\n".join(lines(found)))
        print(UNSEEN)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, {name: [one._asdict() for one in ones] for name, ones in found.items()})
    return FINDINGS if any(one.severity != NOTE for ones in found.values() for one in ones) else FINE


def lines(found: dict[str, list]) -> list[str]:
    """Return what was found about players as lines of text."""
    shown = []
    for name, ones in found.items():
        shown += [name, *(f"  {one.severity:8} {one.text}" for one in ones)]
    return shown


def fit(plan: Plan) -> dict[str, list]:
    """Check the unknown programs of a plan, warn, and return what was found; raise ArgumentError if unfit."""
    from tools.arena.compliance import FATAL, WARNING, unknown_findings

    found = unknown_findings(plan.players, plan.cpu_limit)
    if bad := {name: ones for name, ones in found.items() if any(one.severity == FATAL for one in ones)}:
        raise ArgumentError("\n".join(["a player would lose its games by faults:", *lines(bad)]))
    if doubtful := {name: ones for name, ones in found.items() if any(one.severity == WARNING for one in ones)}:
        print("\n".join(lines(doubtful)), file=sys.stderr)
    return found


def keep(store: Store, found: dict[str, list]) -> None:
    """Keep with a tournament what was found about its players."""
    for name, ones in found.items():
        store.keep_check(name, [tuple(one) for one in ones])
