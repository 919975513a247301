"""The commands `serve` and `join`."""

from __future__ import annotations

import asyncio
import sys
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

import click

from littlego.cli.arguments import FINE, ArgumentError, trying_to
from littlego.cli.commandline import NATURAL, POSITIVE, PositiveNumber, command
from littlego.files import short_name
from littlego.games.match import MatchRuleset
from littlego.match.matchlog import LONGEST_NAME, MERCY_START
from littlego.match.referee import Player
from littlego.match.ruleset_options import match_options, minutes_option_with
from littlego.match.series import SEEDS
from littlego.players.registry import HUMAN, PlayerType, make_player, parse, players_help
from littlego.players.server.follower import Follower, FollowError
from littlego.players.server.game import ServedGame, Settings
from littlego.players.server.hall import Hall, Plan, Table
from littlego.players.server.joining import Joined, check_address
from littlego.players.server.messages import shorten
from littlego.players.server.operating import Operator
from littlego.players.server.report import Report
from littlego.players.server.sockets import GOING_AWAY, SERIES_OVER, Place, Serving
from littlego.players.server.store import Store
from littlego.players.server.terminal import Questions, read_lines, readable_input
from littlego.sandbox.confinement import sandbox_option, warn_unconfined

PORT = 8080  # the original server's port
MINUTES = 15.0
FOLDER = "checkpoints"
TABLES = click.IntRange(1, 100)


@command(
    "serve",
    example="littlego serve --auto-start\nlittlego serve --size 9 --minutes 5 --auto-start --games 10 --black ours",
)
@match_options
@minutes_option_with(f"{MINUTES:g}")
@click.option("--auto-start", "start", is_flag=True, help="Start each game when two players are connected.")
@click.option(
    "--black",
    metavar="NAME",
    default="",
    help="Name of Black in the first game.  [default: the first player to connect]",
)
@click.option(
    "--games",
    type=POSITIVE,
    metavar="N",
    help="Stop after N games at each table. With --auto-start, colours alternate.",
)
@click.option("--tables", type=TABLES, default=1, show_default=True, metavar="N", help="Number of simultaneous games.")
@click.option(
    "--mercy",
    type=NATURAL,
    default=0,
    metavar="P",
    help="End a game when a player leads by at least P points.  [default: never]",
)
@click.option(
    "--mercy-start",
    type=NATURAL,
    default=MERCY_START,
    show_default=True,
    metavar="M",
    help="Apply --mercy only after at least M moves.",
)
@click.option("--fresh", "clear", is_flag=True, help="Set an interrupted game aside and start a new game.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=FOLDER,
    show_default=True,
    help="Folder in which the server saves the games.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen on, 0 for any free port.",
)
@click.option(
    "--ping", type=PositiveNumber(), default=5.0, show_default=True, metavar="S", help="Seconds between heartbeats."
)
def serve(
    ruleset: MatchRuleset,
    minutes: float | None,
    start: bool,
    black: str,
    games: int | None,
    tables: int,
    mercy: int,
    mercy_start: int,
    clear: bool,
    folder: Path,
    host: str,
    port: int,
    ping: float,
) -> int:
    """Run a match server, to which players connect over WebSockets (docs/server.md).

    The operator enters commands on standard input; the command `help` lists all commands. The server saves each game
    after each move. A restarted server can resume the saved games.
    """
    settings = Settings(ruleset, round(60_000 * (minutes or MINUTES)), mercy, mercy_start)
    plan = Plan(start, shorten(black, LONGEST_NAME)[:LONGEST_NAME], games)
    report = Report(partial(print, flush=True))
    with ExitStack() as stack:
        stack.callback(report.close)
        stores = _open_stores(tables, folder, clear, stack)
        labelled = [(label, settings, store) for label, store in stores]
        asyncio.run(_serve(labelled, plan, Place(host, port, ping), report))
    return FINE


def _open_stores(number: int, folder: Path, clear: bool, stack: ExitStack) -> list[tuple[str, Store]]:
    """Return (label, store) for each table; if `clear` is true, first set the saved games aside.

    With several tables, the files of each table are in a separate subfolder of `folder`.

    Raise ArgumentError if a folder is not usable.
    """
    stores = []
    for table in range(1, number + 1):
        store = Store(folder if number == 1 else folder / f"table-{table}")
        stack.callback(store.close)
        if clear:
            with trying_to(f"set the game in {short_name(store.folder)} aside"):
                store.discard()
        stores.append(("" if number == 1 else f"table {table}: ", store))
    return stores


def make_serving(tables: list[tuple[str, Settings, Store]], plan: Plan, place: Place, report: Report) -> Serving:
    """Return a server for `tables`, a list of (label, settings, store). Call this function in a running event loop."""
    hall = Hall([], report)
    serving = Serving(hall, place, report)

    def done() -> None:
        if all(table.finished for table in hall.tables):
            serving.finish(SERIES_OVER)

    for label, settings, store in tables:
        game = ServedGame(settings, store, partial(_say_trouble, report, label))
        hall.tables.append(Table(label, game, plan, report, done))
    return serving


async def _serve(tables: list[tuple[str, Settings, Store]], plan: Plan, place: Place, report: Report) -> None:
    serving = make_serving(tables, plan, place, report)

    def ready(port: int) -> None:
        shown = f"[{place.host}]" if ":" in place.host else place.host
        report.say(f"listening on ws://{shown}:{port}")
        for table in serving.hall.tables:
            if table.game.begun:
                black, white = table.names
                name, made = table.game.position.ruleset.name, len(table.game.log.moves)
                table.say(
                    f"a game waits for {black} and {white}: {name}, {made} moves played; `clear` sets the game aside"
                )
        _take_commands(Operator(serving.hall, report, partial(serving.finish, GOING_AWAY)))

    await serving.run(ready)


def _say_trouble(report: Report, label: str, text: str) -> None:
    report.note(f"{label}{text}")


def _take_commands(operator: Operator) -> None:
    """Read the operator's commands, and run them in the event loop."""
    loop, descriptor = asyncio.get_running_loop(), readable_input()

    def take(line: str | None) -> None:
        if line is not None:
            with suppress(RuntimeError):  # the loop was closed in the meantime
                loop.call_soon_threadsafe(operator.do, line)

    if descriptor is not None:
        read_lines(descriptor, take)


@command(
    "join",
    example="littlego join ws://127.0.0.1:8080 --player ours\nlittlego join ws://127.0.0.1:8080 --player human",
    epilog=f"\b\nPlayers:\n{players_help()}",
)
@click.argument("address", metavar="ws://HOST:PORT")
@click.option("--player", type=PlayerType(), default="ours", show_default=True, help="Player to connect.")
@click.option("--name", metavar="NAME", help="Name of the player on the server.  [default: the value of --player]")
@click.option(
    "--games", type=POSITIVE, metavar="N", help="Disconnect after N games.  [default: stay until the server closes]"
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random choices.")
@click.option(
    "--timeout",
    "patience",
    type=PositiveNumber(),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Seconds to keep trying to connect.",
)
@sandbox_option
def join(address: str, player: str, name: str | None, games: int | None, seed: int, patience: float) -> int:
    """Connect a player to a match server.

    The server is `littlego serve`, or another server that uses version 1 of the match protocol (docs/server.md).
    """
    check_address(address)
    if parse(player).is_program:
        warn_unconfined()
    questions = _questions() if player == HUMAN else None
    follower = Follower((name if name is not None else player)[:LONGEST_NAME])
    joined = Joined(follower, partial(_make, player, seed), partial(print, flush=True), games, patience, questions)
    try:
        return asyncio.run(joined.run(address))
    except FollowError as error:
        raise ArgumentError(str(error)) from None


def _make(player: str, seed: int, number: int) -> Player:
    return make_player(player, SEEDS * seed + number)


def _questions() -> Questions:
    descriptor = readable_input()
    if descriptor is None:
        raise ArgumentError(f"--player {HUMAN}: no keyboard input; run the command in a terminal, in the foreground")
    print("Waiting for a game.", file=sys.stderr)
    return Questions(descriptor)
