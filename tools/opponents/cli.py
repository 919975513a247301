"""The commands `play` and `match`."""

from __future__ import annotations

import argparse
import signal
import sys
from functools import partial

from tools.arguments import (
    ArgumentError,
    add_json,
    check_target,
    complaining,
    jobs,
    opening_moves,
    positive,
    trying_to,
)
from tools.files import STANDARD_OUTPUT, write_json, write_text
from tools.match.referee import GameRecord, record_json
from tools.match.series import Pairing, pairings, play_all, play_game
from tools.match.sgf import record_sgf
from tools.opponents import registry
from tools.opponents.show import result_text, series_text, watch_game
from tools.parallel import with_progress


def add_parsers(subparsers) -> None:
    """Add this room's commands to the `littlego` parser."""
    _add_play(subparsers)
    _add_match(subparsers)


def _add_play(subparsers) -> None:
    play = subparsers.add_parser(
        "play",
        help="show a game move by move, with our reasons",
        description="Show a game move by move, with our reasons.",
        epilog="Players:" + registry.NAMES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    play.add_argument("--black", default="my_player3", metavar="PLAYER", help="default: %(default)s")
    play.add_argument("--white", default="random", metavar="PLAYER", help="default: %(default)s")
    play.add_argument("--seed", type=int, default=0, help="what all random choices depend on (default: 0)")
    play.add_argument("--openings", type=opening_moves, default=0, metavar="K", help="random opening of K moves")
    play.add_argument("--folder", help="one work folder for both file players, as the course's build.sh has it")
    play.add_argument("--brief", action="store_true", help="one line a move, no boards")
    add_json(play)
    play.add_argument("--sgf", metavar="FILE", help="also write the game as SGF, with the reasons as comments")
    play.set_defaults(run=complaining(run_play))


def _add_match(subparsers) -> None:
    match = subparsers.add_parser(
        "match",
        help="play many games between two players and sum them up",
        description="Play many games between two players, colours alternating, and sum\nthem up. Game i has the seed "
        "1000000 * S + i // 2; each pair of games has\nthe same seed and opening, colours swapped.",
        epilog="Players:" + registry.NAMES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    match.add_argument("first", metavar="A")
    match.add_argument("second", metavar="B")
    match.add_argument("--games", type=positive, default=100, metavar="N", help="default: %(default)s")
    match.add_argument("--seed", type=int, default=0, metavar="S", help="default: %(default)s")
    match.add_argument("--openings", type=opening_moves, default=0, metavar="K", help="random openings of K moves")
    match.add_argument("--jobs", type=positive, default=jobs(), metavar="N", help="games at once (default: one a core)")
    add_json(match)
    match.set_defaults(run=complaining(run_match))


def run_play(args: argparse.Namespace) -> int:
    """Show one game."""
    _checked(args.black, args.white)
    if args.sgf:
        check_target(args.sgf)
    shown = args.json != STANDARD_OUTPUT
    if not shown and "human" in (args.black, args.white):
        raise ArgumentError("a person plays on standard output: give --json a FILE")
    if shown:
        print(f"Little-Go: {args.black} is Black (X), {args.white} is White (O), seed {args.seed}.")
    watch = watch_game((args.black, args.white), not args.brief) if shown else None
    game = Pairing(0, args.black, args.white, args.seed, args.openings)
    record = play_game(game, partial(registry.player_for, folder=args.folder), watch)
    if shown:
        print(f"\n{result_text(record)}")
    _keep(record, args)
    return 0


def _keep(record: GameRecord, args: argparse.Namespace) -> None:
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, record_json(record))
    if args.sgf:
        with trying_to(f"write {args.sgf}"):
            write_text(args.sgf, record_sgf(record))


def run_match(args: argparse.Namespace) -> int:
    """Play a series; after Ctrl-C sum up the games that are done."""
    _checked(args.first, args.second)
    if "human" in (args.first, args.second):
        raise ArgumentError("a person plays one game at a time: use littlego play")
    processes = max(1, min(args.jobs, args.games))
    if processes > 1 and (registry.own_folder(args.first) or registry.own_folder(args.second)):
        print("one game at a time: a player with cwd= has only one folder", file=sys.stderr)
        processes = 1
    games = pairings(args.first, args.second, args.games, args.seed, args.openings)
    results: list[tuple[Pairing, GameRecord]] = []
    interrupted = False
    try:
        for result in with_progress(play_all(games, registry.player_for, processes), len(games), "game"):
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        print(f"\ninterrupted after {len(results)} of {len(games)} games", file=sys.stderr)
    if results and args.json != STANDARD_OUTPUT:
        print(series_text(results, args.first, args.second))
    if args.json:
        results.sort(key=lambda result: result[0].index)
        with trying_to(f"write {args.json}"):
            write_json(args.json, {"games": [record_json(record) for _, record in results]})
    return 128 + signal.SIGINT if interrupted else 0


def _checked(*names: str) -> None:
    for name in names:
        try:
            registry.check(name)
        except registry.UnknownPlayer as error:
            raise ArgumentError(str(error)) from None
