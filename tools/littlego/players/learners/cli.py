"""The command `littlego dev tictactoe` (the course handout's example), and learner options."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from typing import Any

import click

from littlego.cli.arguments import FINE, ArgumentError, write_results
from littlego.cli.commandline import POSITIVE, Function, command, json_option
from littlego.files import STANDARD_OUTPUT
from littlego.parallel import with_progress
from littlego.players.learners.qlearner import QLearner, Settings
from littlego.players.learners.tictactoe import SEATS, Score, scores, train

DEFAULTS = Settings(alpha=0.3, gamma=0.9, win=1.0, draw=0.5, lose=0.0, initial_q=0.6, explore=0.0)
TRAINING_GAMES = (1000, 100_000)
GAMES = 500  # number of games against each opponent in each seat
SEAT_NAMES = ("first", "second")
HEADING = "QLearner against  moves    wins draws losses   win rate  draw rate  loss rate"


_OPTIONS: dict[str, tuple[click.ParamType[float], str]] = {
    "alpha": (click.FloatRange(0, 1, min_open=True), "Learning rate."),
    "gamma": (click.FloatRange(0, 1), "Discount factor per turn."),
    "win": (click.FLOAT, "Reward for a win."),
    "draw": (click.FLOAT, "Reward for a draw."),
    "lose": (click.FLOAT, "Reward for a loss."),
    "initial_q": (click.FLOAT, "Value of an untried action."),
    "explore": (click.FloatRange(0, 1), "Share of random moves in training."),
}


def settings_options(defaults: Settings) -> Callable[[Function], Callable[..., Any]]:
    """Return a decorator that adds an option for each learner setting to a command.

    The decorated command receives the Settings as the argument `settings`. defaults: the default values of the options.
    """

    def decorate(function: Function) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*args: Any, **options: Any) -> Any:
            settings = Settings(*(options.pop(name) for name in Settings._fields))
            _check_rewards(settings)
            return function(*args, settings=settings, **options)

        for name in reversed(Settings._fields):
            kind, text = _OPTIONS[name]
            shown: dict[str, Any] = {"default": getattr(defaults, name), "show_default": True, "help": text}
            flag = f"--{name.replace('_', '-')}"
            run = click.option(flag, type=kind, metavar="X", callback=_check_finite, **shown)(run)
        return run

    return decorate


def _check_finite(ctx: click.Context, param: click.Parameter, number: float) -> float:
    if not math.isfinite(number):  # click's ranges do not reject nan and inf
        raise click.BadParameter(f"{number} is not a finite number.")
    return number


def _check_rewards(settings: Settings) -> None:
    """Raise ArgumentError unless lose <= draw <= win and lose < win."""
    if not settings.lose <= settings.draw <= settings.win or settings.lose == settings.win:
        raise ArgumentError(
            f"--win {settings.win:g} --draw {settings.draw:g} --lose {settings.lose:g}: "
            "expected lose <= draw <= win and lose < win"
        )


@command("tictactoe", example="littlego dev tictactoe 1000 20000 --explore 0.1")
@click.argument("numbers", metavar="[N]...", nargs=-1, type=POSITIVE)
@settings_options(DEFAULTS)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random choices.")
@json_option
def tictactoe(numbers: tuple[int, ...], settings: Settings, seed: int, json: str | None) -> int:
    """Run the handout's example of Q-learning, tic-tac-toe.

    A Q-learner trains for N games (GAME_NUM in the handout) against three opponents in rotation: RandomPlayer,
    SmartPlayer and PerfectPlayer. Then the learner plays 500 test games against each opponent as the first player, and
    500 as the second player. With several values of N, the training pauses at each value for the test games, and then
    continues. N defaults to 1000 and 100000.
    """
    learner, rng, done = QLearner(settings), random.Random(seed), 0
    results: list[tuple[int, int, list[Score]]] = []
    for games in sorted(set(numbers or TRAINING_GAMES)):
        train(learner, with_progress(range(done, games), games - done, "game"), rng)
        done = games
        results.append((games, len(learner.table), scores(learner, GAMES, rng)))
        if json != STANDARD_OUTPUT:
            click.echo(("\n" if len(results) > 1 else "") + table_text(*results[-1]))
    write_results(json, lambda: json_value(seed, settings, results))
    return FINE


def table_text(games: int, states: int, results: list[Score]) -> str:
    """Return a table of the results against each opponent.

    For each opponent, the rows give the results as first player, as second player and in total. games: the number of
    training games. states: the number of states in the learner's table.
    """
    lines = [
        f"QLearner after {games:,} training games ({states} states); {GAMES} test games in each seat:",
        HEADING,
    ]
    for start in range(0, len(results), len(SEATS)):
        seats = results[start : start + len(SEATS)]
        rows: list[tuple[str, tuple[int, ...]]] = [(SEAT_NAMES[score.seat - 1], score[2:]) for score in seats]
        rows.append(("both", tuple(sum(column) for column in zip(*(score[2:] for score in seats), strict=True))))
        for moves, counts in rows:
            rates = "".join(f"  {100 * number / sum(counts):8.1f}%" for number in counts)
            name = seats[0].opponent if moves == SEAT_NAMES[0] else ""
            lines.append(f"{name:16}  {moves:6}  {counts[0]:5} {counts[1]:5} {counts[2]:6} {rates}")
    return "\n".join(lines)


def json_value(seed: int, settings: Settings, results: list[tuple[int, int, list[Score]]]) -> dict[str, Any]:
    """Return the results as a JSON value."""
    return {
        "seed": seed,
        "settings": settings._asdict(),
        "games_in_each_seat": GAMES,
        "trained": [
            {"games_num": games, "states": states, "scores": [score._asdict() for score in table]}
            for games, states, table in results
        ],
    }
