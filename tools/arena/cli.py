"""The commands `arena ...`: tournaments begun and gone on with; what is done with their files is in other modules."""

from __future__ import annotations

import argparse
import signal
import sys
from importlib import import_module
from shlex import quote
from textwrap import fill

from tools.arena.plan import GAUNTLET, ROUND_ROBIN, SPRT, Plan
from tools.arguments import (
    FINDINGS,
    FINE,
    ArgumentError,
    add_jobs,
    add_json,
    add_scheduler,
    complaining,
    opening_moves,
    positive,
)
from tools.match.referee import CPU_LIMIT

HELP = "tournaments: many players, or two versions of one; statistics, reports, one machine or many"
STATUSES = """Every game is kept at once: stopped with Ctrl-C or by a crash, a tournament
goes on with the same command or `littlego arena continue FILE`.
Exit status: 0 complete and without faults, 1 a game was lost by a fault (crash,
time, illegal move), or sprt did not accept that NEW is stronger, 2 could not
run."""


def add_parsers(subparsers) -> None:
    """Add this room's commands to the `littlego` parser."""
    arena = subparsers.add_parser(
        "arena",
        help=HELP,
        description=_described(HELP),
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = arena.add_subparsers(dest="arena_command", metavar="WHAT", required=True)
    _add_round_robin(commands)
    _add_gauntlet(commands)
    _add_sprt(commands)
    _add_continue(commands)
    for module in ("reading_cli", "compliance_cli", "report_cli", "cost"):
        import_module(f"tools.arena.{module}").add_parser(commands)


def _described(text: str) -> str:
    return fill(f"{text[0].upper()}{text[1:]}.", 78)


def _add_round_robin(commands) -> None:
    parser = _playing(commands, ROUND_ROBIN, "every player meets every other", pairs=50, openings=4)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.set_defaults(run=complaining(lambda args: _begin(args, ROUND_ROBIN, args.players)))


def _add_gauntlet(commands) -> None:
    parser = _playing(commands, GAUNTLET, "one player meets all others", pairs=100, openings=0)
    parser.add_argument("player", metavar="PLAYER")
    parser.add_argument("opponents", nargs="+", metavar="OPPONENT")
    parser.set_defaults(run=complaining(lambda args: _begin(args, GAUNTLET, [args.player, *args.opponents])))


def _add_sprt(commands) -> None:
    parser = _playing(commands, SPRT, "is NEW stronger than OLD? Stops as soon as that is known", 10_000, 4)
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("old", metavar="OLD")
    for option, default, meaning in (
        ("--elo0", 0.0, "H0: NEW is so much stronger, or less"),
        ("--elo1", 10.0, "H1: so much stronger, or more"),
        ("--alpha", 0.05, "how often H1 may be accepted where H0 is true"),
        ("--beta", 0.05, "how often H0 may be accepted where H1 is true"),
    ):
        parser.add_argument(option, type=float, default=default, metavar="X", help=f"{meaning} (default: {default:g})")
    parser.set_defaults(run=complaining(lambda args: _begin(args, SPRT, [args.new, args.old])))


def _add_continue(commands) -> None:
    text = "go on with a tournament that was stopped, or play more pairs of one that is complete"
    parser = commands.add_parser(
        "continue",
        help=text,
        description=_described(text),
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--pairs", type=positive, metavar="N", help="for each pairing, in all (default: as planned)")
    _add_running(parser)
    parser.set_defaults(run=complaining(_continue))


def _playing(commands, name: str, text: str, pairs: int, openings: int) -> argparse.ArgumentParser:
    """Add a command that begins a tournament, without its players."""
    from tools.arena.players import KNOWN

    parser = commands.add_parser(
        name,
        help=text,
        description=_described(text),
        epilog=f"{STATUSES}\n\nPlayers:{KNOWN}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--file",
        metavar="FILE",
        help="where it is kept, a new file or the same tournament's (default: arena/..., named after the tournament)",
    )
    parser.add_argument(
        "--pairs",
        type=positive,
        default=pairs,
        metavar="N",
        help="pairs of games for each pairing, colours swapped (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="what all chance depends on (default: 0)")
    parser.add_argument(
        "--openings",
        type=opening_moves,
        default=openings,
        metavar="K",
        help="random moves before the players choose, the same for both games of a pair (default: %(default)s)",
    )
    parser.add_argument(
        "--cpu-limit",
        type=_seconds,
        default=CPU_LIMIT,
        metavar="SECONDS",
        help="CPU time a move (default: %(default)g)",
    )
    _add_running(parser)
    return parser


def _add_running(parser: argparse.ArgumentParser) -> None:
    add_jobs(parser)
    add_scheduler(parser)
    add_json(parser)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"expected seconds above 0, found {text}")
    return seconds


def _begin(args: argparse.Namespace, form: str, names: list[str]) -> int:
    from tools.arena.compliance_cli import fit, keep
    from tools.arena.run import begun, place_of

    plan = _plan(args, form, names)
    path, found = place_of(plan, args.file), fit(plan)
    with begun(plan, path) as store:
        keep(store, found)
        return _play(store, args)


def _plan(args: argparse.Namespace, form: str, names: list[str]) -> Plan:
    from tools.arena.elo import Hypothesis, wrong_with
    from tools.arena.players import entrants

    if len(names) < 2:
        raise ArgumentError(f"one player, {names[0]}: expected two or more")
    hypothesis = Hypothesis(args.elo0, args.elo1, args.alpha, args.beta) if form == SPRT else None
    if hypothesis and (wrong := wrong_with(hypothesis)):
        raise ArgumentError(wrong)
    return Plan(form, entrants(names), args.pairs, args.seed, args.openings, args.cpu_limit, hypothesis)


def _continue(args: argparse.Namespace) -> int:
    from tools.arena.compliance_cli import fit, keep
    from tools.arena.run import continued, refuse
    from tools.arena.store import Store

    with Store(args.file) as store:
        refuse(store, args.pairs)  # before the check, which takes its time and is about the players of today
        keep(store, fit(store.plan()))
        return _play(continued(store, args.pairs), args)


def _play(store, args: argparse.Namespace) -> int:
    """Play what is missing, show the table, and return the exit status; after Ctrl-C, of what is there."""
    from tools.arena.live import display
    from tools.arena.run import play_on
    from tools.arena.show import show_table
    from tools.knowledge.problems import plural

    plan, there = store.plan(), len(store.done())
    print(f"{store.name}: {there} of {plan.total} pairs are there", file=sys.stderr)
    try:
        with display(store) as show:
            played = play_on(store, args.jobs, args.scheduler, show)
    except KeyboardInterrupt:
        show_table(store, args.json)
        print(f"\ninterrupted; to go on: littlego arena continue {quote(store.name)}", file=sys.stderr)
        return 128 + signal.SIGINT
    print(f"{plural(played, 'pair')} played here", file=sys.stderr)
    show_table(store, args.json)
    return _status(store)


def _status(store) -> int:
    decision = store.decision()
    not_better = store.plan().format == SPRT and (decision is None or decision[1] != "H1")
    return FINDINGS if not_better or any(result.fault for result in store.results()) else FINE
