"""The commands `play`, `match` and `explain`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator

from rules.position import BLACK, WHITE, Position, from_boards
from rules.ruleset import LITTLE_GO, little_go
from rules.turn import BadInput, least_moves_made, parse_input
from tools.arguments import natural, positive
from tools.draw.boards import BadBoard, parse_board
from tools.draw.reasons import decision_text
from tools.match.openings import random_opening
from tools.match.referee import Game, GameRecord, record_json
from tools.match.series import Pairing, pairings, play_all
from tools.opponents import registry
from tools.opponents.ours import PATTERNS, decided
from tools.opponents.show import result_text, series_text, watcher


class BadArgument(ValueError):
    """An argument that cannot be used; the message says what was found and what is expected."""


def _complaining(command: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Return the command with a BadArgument turned into a line on standard error and exit status 2."""

    def run(args: argparse.Namespace) -> int:
        try:
            return command(args)
        except BadArgument as error:
            print(f"littlego: {error}", file=sys.stderr)
            return 2

    return run


def add_parsers(subparsers) -> None:
    """Add this room's commands to the `littlego` parser."""
    _add_play(subparsers)
    _add_match(subparsers)
    explain = subparsers.add_parser("explain", help="show why the engine plays what it plays in a position")
    explain.add_argument("file", help="an input.txt, or a board drawn with X, O and . (rows may be spaced)")
    explain.add_argument("--colour", choices=("black", "white"), default="black", help="who moves on a drawn board")
    explain.add_argument("--left", type=int, help="moves left with this one (default: the most the stones allow)")
    explain.add_argument("--patterns", default=PATTERNS, help="another patterns.txt")
    explain.set_defaults(run=_complaining(run_explain))


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
    play.add_argument("--openings", type=natural, default=0, metavar="K", help="random opening of K moves")
    play.add_argument("--folder", help="one work folder for both file players, as the course's build.sh has it")
    play.add_argument("--brief", action="store_true", help="one line a move, no boards")
    play.add_argument("--json", metavar="FILE", help="also write the game to a file")
    play.set_defaults(run=_complaining(run_play))


def _add_match(subparsers) -> None:
    match = subparsers.add_parser(
        "match",
        help="play many games between two players and sum them up",
        description="Play many games between two players, colours alternating, and sum them up. Game i has the seed "
        "1000000 * S + i // 2; each pair of games has the same seed and opening, colours swapped.",
        epilog="Players:" + registry.NAMES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    match.add_argument("first", metavar="A")
    match.add_argument("second", metavar="B")
    match.add_argument("--games", type=positive, default=100, metavar="N", help="default: %(default)s")
    match.add_argument("--seed", type=int, default=0, metavar="S", help="default: %(default)s")
    match.add_argument("--openings", type=natural, default=0, metavar="K", help="random openings of K moves")
    match.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="games at once (default: all cores)")
    match.add_argument("--json", metavar="FILE", help="also write every game to a file")
    match.set_defaults(run=_complaining(run_match))


def run_play(args: argparse.Namespace) -> int:
    """Show one game."""
    _checked(args.black, args.white)
    given = random_opening(LITTLE_GO, args.openings, args.seed)
    print(f"Little-Go: {args.black} is Black (X), {args.white} is White (O), seed {args.seed}.")
    with registry.players(args.black, args.white, args.seed, args.folder) as both:
        watch = watcher((args.black, args.white), not args.brief)
        record = Game(both, LITTLE_GO, given, args.seed, watch).play()
    print(f"\n{result_text(record)}")
    if args.json:
        _write_json(args.json, record_json(record))
    return 0


def play_pairing(game: Pairing) -> GameRecord:
    """Play one game of a series on the course's board."""
    given = random_opening(LITTLE_GO, game.openings, game.seed)
    with registry.players(game.black, game.white, game.seed) as both:
        return Game(both, LITTLE_GO, given, game.seed).play()


def run_match(args: argparse.Namespace) -> int:
    """Play a series; after Ctrl-C sum up the games that are done."""
    _checked(args.first, args.second)
    if "human" in (args.first, args.second):
        raise BadArgument("a person plays one game at a time: use littlego play")
    jobs = max(1, min(args.jobs, args.games))
    if jobs > 1 and (registry.own_folder(args.first) or registry.own_folder(args.second)):
        print("one game at a time: a player with cwd= has only one folder", file=sys.stderr)
        jobs = 1
    games = pairings(args.first, args.second, args.games, args.seed, args.openings)
    results: list[tuple[Pairing, GameRecord]] = []
    interrupted = False
    try:
        for result in _with_progress(play_all(play_pairing, games, jobs), len(games)):
            results.append(result)
    except KeyboardInterrupt:
        interrupted = True
        print(f"\ninterrupted after {len(results)} of {len(games)} games", file=sys.stderr)
    if results:
        print(series_text(results, args.first, args.second))
    if args.json:
        results.sort(key=lambda result: result[0].index)
        _write_json(args.json, {"games": [record_json(record) for _, record in results]})
    return 128 + signal.SIGINT if interrupted else 0


def _with_progress(results: Iterable, total: int) -> Iterator:
    """Pass results on under a progress bar: tqdm's, or a plain counter where it is not installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        tqdm = None
    if tqdm:
        yield from tqdm(results, total=total, unit="game", file=sys.stderr, disable=None)
        return
    for done, result in enumerate(results, 1):
        if sys.stderr.isatty():
            print(f"\r{done} of {total} games", end="" if done < total else "\n", file=sys.stderr, flush=True)
        yield result


def run_explain(args: argparse.Namespace) -> int:
    """Print the whole decision in a position."""
    try:
        with open(args.file, "rb") as file:
            data = file.read()
    except OSError as error:
        raise BadArgument(f"{args.file}: {error.strerror}") from None
    position = _position(data, args)
    print(decision_text(decided(position, args.patterns, complete=True)))
    return 0


def _position(data: bytes, args: argparse.Namespace) -> Position:
    drawn = data.decode("utf-8", "replace")
    if drawn.lstrip().startswith(("1", "2")):
        try:
            colour, previous, current = parse_input(data, LITTLE_GO.size)
        except BadInput as error:
            raise BadArgument(f"{args.file}: {error}") from None
        ruleset = LITTLE_GO
    else:
        try:
            size, black, white = parse_board(drawn)
        except BadBoard as error:
            line = "" if error.row is None else f", row {error.row}"
            column = "" if error.column is None else f", column {error.column}"
            raise BadArgument(f"{args.file}{line}{column}: {error}") from None
        ruleset, current = (LITTLE_GO if size == LITTLE_GO.size else little_go(size)), (black, white)
        colour = BLACK if args.colour == "black" else WHITE
        previous = None  # a drawing says nothing of the last move
    least = least_moves_made(current[0], current[1], colour)
    left = args.left if args.left is not None else max(1, ruleset.length - least)
    if not 1 <= left <= ruleset.length:
        raise BadArgument(f"--left {left}: expected 1 to {ruleset.length}")
    return from_boards(ruleset, previous, current, colour, left)


def _checked(*names: str) -> None:
    for name in names:
        try:
            registry.check(name)
        except registry.UnknownPlayer as error:
            raise BadArgument(str(error)) from None


def _write_json(path: str, value: dict) -> None:
    """Write a JSON file beside its name first, so that a failure leaves an older one whole."""
    plain = os.path.isfile(path) or not os.path.exists(path)  # renaming would put a file in a device's place
    temporary = f"{path}.tmp" if plain else path
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
            file.write("\n")
        if plain:
            os.replace(temporary, path)
    except OSError as error:
        raise BadArgument(f"--json {path}: {error.strerror}") from None
