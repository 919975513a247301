"""The command `studio`: the pattern studio in the browser."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import click
from click.core import ParameterSource

from littlego.cli.arguments import FINE, ArgumentError
from littlego.cli.commandline import command, patterns_argument, patterns_ruleset_option
from littlego.files import short_name
from littlego.players.registry import HUMAN, PlayerType

if TYPE_CHECKING:
    from littlego.studio.studio import Studio


@command(
    "studio",
    example="littlego studio\nlittlego studio --demo\nlittlego studio mine/patterns.yaml --pattern stand-between\n"
    "littlego studio --player 'gtp:gnugo --mode gtp --level 10'",
)
@patterns_argument
@patterns_ruleset_option
@click.option(
    "--demo",
    is_flag=True,
    help="Open a temporary copy of the tutorial's patterns, and a game that the player loses with these patterns.",
)
@click.option("--pattern", metavar="ID", help="Open this pattern.")
@click.option("--board", metavar="POSITION", help="Open this position: its rows from the top, separated by /.")
@click.option("--view", metavar="NAME", help="Open this view: pattern, board, effects or pages.")
@click.option(
    "--player",
    "players",
    type=PlayerType(),
    multiple=True,
    help="Add this opponent to the page; PLAYER may be a program (see `littlego play --help`). Repeatable.",
)
@click.option("--no-open", is_flag=True, help="Print the address without opening a browser.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the server.  [default: a free port]")
def studio(
    patterns: Path,
    demo: bool,
    pattern: str | None,
    board: str | None,
    view: str | None,
    players: tuple[str, ...],
    no_open: bool,
    port: int,
) -> int:
    """Edit patterns in the browser, play, and step through games with the reasons for each move.

    Only browsers on this machine can open the page. Ctrl-C stops the server.
    """
    from littlego.studio.demo import demo_folder
    from littlego.studio.studio import Studio
    from littlego.studio.unsaved import Drafts

    if HUMAN in players:
        raise ArgumentError(f"--player {HUMAN}: you can play on the page without this option; name another player")
    shown = {"view": view, "pattern": pattern, "board": board}
    if not demo:
        return _serve(Studio(patterns, players=players), port, shown, no_open)
    if click.get_current_context().get_parameter_source("patterns") is not ParameterSource.DEFAULT:
        raise ArgumentError(
            f"--demo with {short_name(patterns)}: the demo has its own patterns; omit --demo or the file"
        )
    with demo_folder() as path:
        print(f"The demo in {path.parent} is deleted when the studio ends: copy the files that you want to keep.")
        studio = Studio(path, Drafts(path.parent / "drafts"), is_demo=True, players=players)
        return _serve(studio, port, shown, no_open)


def _serve(studio: Studio, port: int, shown: Mapping[str, str | None], no_open: bool) -> int:
    """Serve a studio until Ctrl-C. shown: the page's initial state, as URL parameters."""
    from littlego.studio.server import StudioServer

    server = StudioServer(studio, port)
    parts = {name: value for name, value in shown.items() if value}
    url = server.url + (f"&{urlencode(parts, safe='/,')}" if parts else "")
    print(f"The studio is at {url}\nPress Ctrl-C to stop the studio.", flush=True)
    if not no_open:
        open_browser(url)
    server.run()
    return FINE


def open_browser(url: str) -> Thread:
    """Open a page in the browser from a new thread, and return the thread.

    A new thread is needed because some browsers block until closed.
    """
    thread = Thread(target=webbrowser.open, args=(url,), name="studio-browser", daemon=True)
    thread.start()
    return thread
