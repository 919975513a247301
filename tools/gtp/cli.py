"""The command `gtp`: our player for front ends that speak the Go Text Protocol."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version as version_of

import click

from rules.ruleset import Ruleset
from tools.arguments import FINE, ArgumentError
from tools.commandline import command
from tools.gtp.commands import COMMANDS
from tools.gtp.gogui import COMMANDS as GOGUI
from tools.gtp.kata import STREAMS as ANALYSES
from tools.gtp.protocol import LONGEST_MESSAGE, Engine, Handler, Lines, StreamHandler
from tools.gtp.session import Session
from tools.match.confinement import sandbox_option, warn_unconfined
from tools.match.ruleset_options import ruleset_options
from tools.opponents.ours import OURS
from tools.opponents.registry import HUMAN, PlayerType, make_player, parse
from tools.printable import printable

PACKAGE = "littlego"
READ_AT_ONCE = 65_536  # bytes
HANDLERS: dict[str, Handler[Session]] = {**COMMANDS, **GOGUI}
STREAMS: dict[str, StreamHandler[Session]] = {**ANALYSES}


def tell(text: str) -> None:
    """Say a line to whoever runs the engine: front ends show standard error, or keep it."""
    print(f"littlego: {printable(text)[:LONGEST_MESSAGE]}", file=sys.stderr, flush=True)


def engine_for(session: Session) -> Engine[Session]:
    """Return what answers all our commands with a session."""
    return Engine(session, HANDLERS, STREAMS, session.tell)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@command("gtp", example="littlego gtp\nlittlego gtp --ruleset match --size 9 --komi 7 --player ours")
@ruleset_options
@click.option("--player", type=PlayerType(), default=OURS, show_default=True, help="Who moves: see `littlego play -h`.")
@click.option("--seed", type=int, default=0, show_default=True, help="What all random choices depend on.")
@click.option("--name", default=PACKAGE, show_default=True, help="What the engine calls itself.")
@click.option("--version", help="Which version it says it is.  [default: that of littlego]")
@sandbox_option
def gtp(ruleset: Ruleset, player: str, seed: int, name: str, version: str | None) -> int:
    """Play for a front end that speaks the Go Text Protocol: Sabaki, GoGui, Lizzie (docs/gtp.md)."""
    if player == HUMAN:
        raise ArgumentError("--player human: standard input belongs to the front end; name another player")
    if parse(player).is_program:
        warn_unconfined()
    mover = make_player(player, seed)
    try:
        session = Session(ruleset, mover, name, version or version_of(PACKAGE), tell)
        engine_for(session).run(Lines(lambda: os.read(sys.stdin.fileno(), READ_AT_ONCE)), _write)
    finally:
        mover.close()
    return FINE
