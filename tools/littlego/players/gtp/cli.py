"""The command `gtp`: our player for front ends that speak the Go Text Protocol."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version as version_of
from pathlib import Path

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError
from littlego.cli.commandline import command, encoding_option
from littlego.games.little_go import game_of
from littlego.match.conversation import Conversation
from littlego.match.ruleset_options import ruleset_options
from littlego.players.gtp.check import check_engine
from littlego.players.gtp.commands import COMMANDS
from littlego.players.gtp.gogui import COMMANDS as GOGUI
from littlego.players.gtp.kata import STREAMS as ANALYSES
from littlego.players.gtp.protocol import LONGEST_MESSAGE, Engine, Handler, Lines, StreamHandler
from littlego.players.gtp.regression import run_file
from littlego.players.gtp.session import Session
from littlego.players.gtp_player import GtpPlayer
from littlego.players.ours import OURS
from littlego.players.registry import GTP, HUMAN, PlayerType, make_player, parse, refuse_ruleset
from littlego.printable import printable
from littlego.rules.ruleset import Ruleset
from littlego.sandbox import sandbox
from littlego.sandbox.confinement import sandbox_option, warn_unconfined

PACKAGE = "littlego"
READ_AT_ONCE = 65_536  # bytes
MOST_WRONG = 20  # maximum number of printed faults of an engine
ANSWER_LIMIT = 60.0  # seconds for each answer of an engine under test
HANDLERS: dict[str, Handler[Session]] = {**COMMANDS, **GOGUI}
STREAMS: dict[str, StreamHandler[Session]] = {**ANALYSES}


def tell(text: str) -> None:
    """Print a line on standard error, which front ends show or log for the person who runs the engine."""
    print(f"littlego: {printable(text)[:LONGEST_MESSAGE]}", file=sys.stderr, flush=True)


def engine_for(session: Session) -> Engine[Session]:
    """Return the GTP engine of a session, with all our commands."""
    return Engine(session, HANDLERS, STREAMS, session.tell)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


@command(
    "gtp",
    example="littlego gtp\n"
    "littlego gtp --ruleset match --size 9 --komi 7 --player ours\n"
    "littlego gtp --check\n"
    'littlego gtp --check "gnugo --mode gtp"\n'
    "littlego gtp --regress ladders.tst",
)
@ruleset_options
@click.option(
    "--player", type=PlayerType(), default=OURS, show_default=True, help="The player (see `littlego play --help`)."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random choices.")
@click.option("--name", default=PACKAGE, show_default=True, help="Name of the engine.")
@click.option("--version", help="Version that the engine reports.  [default: the version of littlego]")
@click.option(
    "--check",
    is_flag=False,
    flag_value="",
    metavar="[COMMAND]",
    help="Test an engine with a front end's typical commands, and report errors; without COMMAND, test our engine.",
)
@click.option("--regress", metavar="FILE", type=click.Path(path_type=Path), help="Run the tests in a .tst file.")
@encoding_option
@sandbox_option
def gtp(
    ruleset: Ruleset,
    player: str,
    seed: int,
    name: str,
    version: str | None,
    check: str | None,
    regress: Path | None,
    encoding: str | None,
) -> int:
    """Play in Sabaki, GoGui, Lizzie or another front end, over the Go Text Protocol (docs/gtp.md)."""
    if check is not None and regress is not None:
        raise ArgumentError("--check and --regress exclude each other: omit --check or --regress")
    if player == HUMAN:
        raise ArgumentError("--player human: standard input belongs to the front end; name another player")
    refuse_ruleset([player], ruleset)
    if check is not None:
        return _check(check, ruleset, player, seed)
    known = parse(player)
    if known.is_program:
        warn_unconfined()
    mover = make_player(player, seed)
    try:
        session = Session(ruleset, mover, name, version or version_of(PACKAGE), tell, known.plays_all, encoding)
        if regress is not None:
            return FINE if run_file(regress, engine_for(session), print) else FINDINGS
        engine_for(session).run(Lines(lambda: os.read(sys.stdin.fileno(), READ_AT_ONCE)), _write)
    finally:
        mover.close()
    return FINE


def _check(other: str, ruleset: Ruleset, player: str, seed: int) -> int:
    """Test an engine, by default ours; print its faults and return the exit status.

    other: the engine's command, or '' for ours.
    """
    if other:
        warn_unconfined()
        engine = make_player(f"{GTP}:{other}", seed)
        assert isinstance(engine, GtpPlayer)  # an engine's name always parses to a player of this type
        command, sandboxed = engine.command, sandbox.is_used()
    else:
        words = [*game_of(ruleset).options_text.split(), "--player", parse(player).text, "--seed", str(seed)]
        command, sandboxed = [sys.executable, "-m", "littlego", "gtp", *words], False
    wrong = check_engine(lambda: Conversation(command, sandboxed), ruleset, ANSWER_LIMIT)
    more = [f"and {len(wrong) - MOST_WRONG} more"] if len(wrong) > MOST_WRONG else []
    print("\n".join([f"- {what}" for what in wrong[:MOST_WRONG]] + more) or "no errors")
    return FINDINGS if wrong else FINE
