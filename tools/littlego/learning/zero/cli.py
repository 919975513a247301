"""The command group `zero`, which trains the learning player and measures it."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlego.cli.arguments import FINE, ArgumentError, check_target, trying_to, write_results
from littlego.cli.commandline import (
    NATURAL,
    POSITIVE,
    Entry,
    LazyGroup,
    PositiveNumber,
    command,
    jobs_option,
    json_option,
    labels_option,
    scheduler_option,
)
from littlego.files import STANDARD_OUTPUT, remove_abandoned, write_text
from littlego.truth.grades.cli import part_option, source_option

if TYPE_CHECKING:
    from littlego.learning.zero.checkpoint import Plan, State
    from littlego.players.zero.network import Network

HERE, TRAIN, MEASURE = "littlego.learning.zero.cli", "Train", "Measure"
COMMANDS = (
    Entry("train", TRAIN, f"{HERE}:train", "Train a network by self-play, or resume the training."),
    Entry("curve", TRAIN, f"{HERE}:curve", "Show a training curve."),
    Entry("grade", MEASURE, f"{HERE}:grade", "Measure how many wins a network gives away."),
    Entry(
        "doubts",
        MEASURE,
        "littlego.learning.zero.doubts_cli:doubts",
        "Find positions where a network expects the patterns to give a win away.",
    ),
)
SAVE_EVERY = 45.0  # seconds
WEIGHTS, PAGE = ".npz", ".html"  # suffixes appended to the checkpoint's name
DEFAULTS = {"game": "little-go", "seed": 1, "width": 256, "residuals": 4, "simulations": 16, "tasks": 4}
BATCH_GAMES, BATCH_POINTS = 256, 25  # games per batch on a board of 5x5; fewer on a larger board
REUSE, WINDOW = 4, 500_000
RESUME = "use the checkpoint's options, remove the checkpoint or name another FILE"


@click.group("zero", cls=LazyGroup, entries=COMMANDS, no_args_is_help=False)
def zero() -> None:
    """Train the learning player `zero` by self-play, and measure the player on solved positions."""


@command(
    "train",
    example="littlego zero train my.training --hours 1\nlittlego match zero:my.training.npz greedy",
    epilog="""To resume after Ctrl-C or a crash, run the same command again. Resumed training gives the same network as
uninterrupted training on the same machine.

Exit status: 0 for success; 2 if the command could not run.""",
)
@click.argument("file", metavar="FILE")
@click.option(
    "--game",
    metavar="GAME",
    help="Game to learn, such as little-go, little-go-7, match-9 or tic-tac-toe.  [default: little-go]",
)
@click.option(
    "--hours", type=PositiveNumber(), metavar="H", help="Stop after H hours of training, earlier runs included."
)
@click.option("--games", type=POSITIVE, metavar="N", help="Stop after at least N games, earlier runs included.")
@click.option("--seed", type=NATURAL, metavar="S", help="Seed of all random choices.  [default: 1]")
@click.option("--simulations", type=POSITIVE, metavar="N", help="Simulations per move of self-play.  [default: 16]")
@click.option("--width", type=click.IntRange(8, 512), metavar="N", help="Units per hidden layer.  [default: 256]")
@click.option("--residuals", type=click.IntRange(0, 20), metavar="N", help="Number of residual layers.  [default: 4]")
@click.option(
    "--tasks",
    type=POSITIVE,
    metavar="N",
    help="Batches of games per round; use at least one batch per worker.  [default: 4]",
)
@click.option(
    "--batch", type=POSITIVE, metavar="N", help="Games per batch.  [default: 256 on 5x5, fewer on larger boards]"
)
@click.option(
    "--save-every",
    type=PositiveNumber(),
    default=SAVE_EVERY,
    show_default=True,
    metavar="S",
    help="Save after the first round that ends more than S seconds after the last save.",
)
@jobs_option
@scheduler_option
def train(
    file: str,
    hours: float | None,
    games: int | None,
    batch: int | None,
    save_every: float,
    jobs: int,
    scheduler: str | None,
    **options: Any,
) -> int:
    """Train a network by self-play, and save a checkpoint of the training in FILE.

    The network learns from the rules of the game alone. The command also writes the network to FILE.npz, for the player
    zero:FILE.npz, and the training curve to FILE.html. Without --hours and --games, training continues until Ctrl-C.
    The learner uses a GPU if JAX finds one.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores
    check_target(file)
    training = _begin_or_resume(file, {**options, "games": batch}, jobs, scheduler)
    from littlego.learning.zero.report import format_heads
    from littlego.learning.zero.training import train as train_on

    def is_finished(state: State) -> bool:
        return bool(games and state.games >= games or hours and state.last.clock >= 3600 * hours)

    line = shlex.join(["littlego", *sys.argv[1:]])
    print(format_heads())
    try:
        train_on(
            training, lambda state: _save(file, state, line, games, hours, is_finished(state)), is_finished, save_every
        )
    except (KeyboardInterrupt, SystemExit, SystemError):  # numba wraps an interrupt in a SystemError
        print(
            f"\nsaved in {file} after {training.state.games:,} games; run the same command again to resume",
            file=sys.stderr,
        )
        raise
    return FINE


def _begin_or_resume(file: str, options: dict[str, Any], jobs: int, scheduler: str | None) -> Any:
    """Return a Training that resumes from a checkpoint, or a new Training if there is no checkpoint.

    Raise ArgumentError if the options contradict the checkpoint or are invalid.
    """
    from littlego.games.kinds import UnknownRulesetError
    from littlego.players.zero.games import game_named

    given = {name: value for name, value in options.items() if value is not None}
    state = _load(file) if os.path.exists(file) else None
    if state:
        differing = [name for name, value in given.items() if getattr(state.plan, name) != value]
        if differing:
            found = ", ".join(f"{name} {getattr(state.plan, name)}" for name in differing)
            raise ArgumentError(f"{file} was trained with {found}: {RESUME}")
        print(f"resuming {file} after {state.games:,} games")
    try:
        plan = state.plan if state else _new_plan(game_named(given.get("game", DEFAULTS["game"])), given)
        from littlego.learning.zero.training import Training
    except UnknownRulesetError as error:
        raise ArgumentError(str(error)) from None
    if scheduler:
        from littlego.cluster import try_scheduler

        try_scheduler(scheduler)
    remove_abandoned(
        os.path.dirname(os.path.abspath(file)), [os.path.basename(file) + end for end in ("", WEIGHTS, PAGE)]
    )
    return Training(plan, state, jobs, scheduler)


def _new_plan(game: Any, given: dict[str, Any]) -> Plan:
    from littlego.learning.zero.checkpoint import Plan

    games = max(1, BATCH_GAMES * BATCH_POINTS // max(BATCH_POINTS, game.points))
    return Plan(**{**DEFAULTS, "games": games, "reuse": REUSE, "window": WINDOW, **given})


def _load(file: str) -> State:
    from littlego.learning.zero.checkpoint import CheckpointError, load_state

    try:
        with trying_to(f"read {file}"):
            return load_state(file)
    except CheckpointError as error:
        raise ArgumentError(f"{error}; remove the file or name another FILE") from None


def _save(file: str, state: State, line: str, games: int | None, hours: float | None, is_finished: bool) -> None:
    """Write the checkpoint, the weights and the page of the curve, and print the curve's newest row."""
    from littlego.learning.zero.checkpoint import save_state
    from littlego.learning.zero.report import format_row, provenance_of, render_curve, rows_of, time_left
    from littlego.players.zero.network import Network

    with trying_to(f"write {file}"):
        save_state(file, state)
        Network(state.layers, provenance_of(state, line)).save(file + WEIGHTS)
        left = time_left(state, games, hours) if state.curve else float("inf")
        status = f"{state.games:,} games" + (f", {left / 60:.0f} minutes left" if 0 < left < float("inf") else "")
        write_text(file + PAGE, render_curve(os.path.basename(file), state, status, not is_finished))
    if rows := rows_of(state.curve):
        print(f"{format_row(rows[-1])}{time.strftime('  %H:%M:%S')}, {status}", flush=True)


@command("curve", example="littlego zero curve my.training")
@click.argument("file", metavar="FILE")
@json_option
def curve(file: str, json: str | None) -> int:
    """Show the training curve in FILE: games, CPU seconds, games per second and losses in nats."""
    from littlego.learning.zero.report import HEADS, format_heads, format_row, rows_of

    rows = rows_of(_load(file).curve)
    write_results(json, lambda: [dict(zip(HEADS, row, strict=True)) for row in rows])
    if json != STANDARD_OUTPUT:
        print(format_heads(), *map(format_row, rows), sep="\n")
    return FINE


class Simulations(click.ParamType[tuple[int, ...]]):
    """The parameter type of texts such as `0,16,64`, converted to a tuple of numbers of simulations."""

    name = "N,N,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(NATURAL.convert(part, param, ctx) for part in value.split(","))
        except click.BadParameter:
            self.fail(f"expected numbers of simulations such as 0,16,64; found {value}", param, ctx)


@command(
    "grade",
    example="littlego zero grade my.training.npz --simulations 0,16,64",
    epilog="""A position is at stake if some moves win and others lose. `given away` is the share of the positions at
stake in which the network's move loses. For each colour, the command prints the mean of the shares for 1 to 14 moves
left, with a 95% confidence interval, as `dev grade-patterns` does. `wrong value` is the share of all positions in which
the search expects the wrong winner.

Exit status: 0 for success; 2 if the command could not run.""",
)
@click.argument("file", metavar="FILE")
@click.option(
    "--simulations", type=Simulations(), default=(0, 16, 64, 256), help="Simulations per move.  [default: 0,16,64,256]"
)
@part_option()
@source_option("met")
@click.option(
    "--most",
    type=NATURAL,
    default=500,
    show_default=True,
    metavar="N",
    help="Use at most N positions for each number of moves left, 0 for all.",
)
@click.option(
    "--regret",
    type=NATURAL,
    default=0,
    metavar="N",
    help="Also compute how many stones the network's moves lose compared with the best moves, in at most N positions "
    "for each number of moves left up to 8.  [default: 0]",
)
@labels_option
@json_option
def grade(
    file: str,
    simulations: tuple[int, ...],
    part: str,
    source: str | None,
    most: int,
    regret: int,
    labels: Path,
    json: str | None,
) -> int:
    """Measure how many wins the network in FILE gives away in solved positions, by colour and moves left.

    FILE is a weights file or a checkpoint of `zero train`. For a tic-tac-toe network, the command uses all
    positions of tic-tac-toe and ignores all options except --simulations and --json.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads gain nothing on small batches
    from littlego.learning.zero.yardstick import format_grades, grade_network, labels_of
    from littlego.players.zero.tictactoe import TicTacToe

    network = read_network(file)
    if network.about["game"] == TicTacToe.name:
        return _grade_tictactoe(file, network, simulations, json)
    positions = labels_of(part, source, labels, most)
    grades = [grade_network(network, number, positions, regret) for number in simulations]
    write_results(json, lambda: {"file": file, "part": part, "grades": [one.as_json() for one in grades]})
    if json != STANDARD_OUTPUT:
        print(f"{len(positions.codes)} positions of the {part} part")
        print(format_grades(grades))
    return FINE


def _grade_tictactoe(file: str, network: Network, simulations: tuple[int, ...], json: str | None) -> int:
    from littlego.learning.zero.tictactoe_yardstick import format_tictactoe, grade_tictactoe

    grades = [grade_tictactoe(network, number) for number in simulations]
    write_results(json, lambda: {"file": file, "grades": [one.as_json() for one in grades]})
    if json != STANDARD_OUTPUT:
        print(format_tictactoe(grades))
    return FINE


def read_network(file: str) -> Network:
    """Return the network in a weights file or a checkpoint; raise ArgumentError for an invalid file."""
    from littlego.players.zero.network import Network, WeightsError, load_network

    try:
        with trying_to(f"read {file}"):
            if file.endswith(WEIGHTS):
                return load_network(file)
    except WeightsError as error:
        raise ArgumentError(str(error)) from None
    state = _load(file)
    return Network(state.layers, {"game": state.plan.game})
