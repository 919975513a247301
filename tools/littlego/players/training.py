"""Resumable training of the role qlearning: games, checkpoints, the learning curve.

Self-play alone teaches only responses to good play. Two coaches provide other games: the role random reaches positions
that good players avoid, and the role aggressive attacks in a way that self-play does not discover.

Game number g depends only on the plan, on g, and on the table before the game. Training that is interrupted after any
game and resumed later therefore produces the same table.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from littlego.cli.arguments import FINE, ArgumentError, trying_to, write_results
from littlego.cli.commandline import POSITIVE, command, json_option
from littlego.files import STANDARD_OUTPUT, open_plain, write_text
from littlego.parallel import with_progress
from littlego.players.learners.cli import settings_options
from littlego.players.learners.qlearner import Pupil, QLearner, QTable, Settings
from littlego.players.roles.qlearning import TableError, check_table, choose_by, format_table, view_position
from littlego.players.roles.table import ROLES
from littlego.rules.position import BLACK, WHITE, Position, opening, winner_of
from littlego.rules.ruleset import LITTLE_GO
from littlego.signals import ending_signals

GAMES, COOLING, SEED = 240_000, 5000, 1  # parameters of the table in this repository
CURVE_EVERY, CURVE_GAMES = 20_000, 200
SAVE_EVERY = 10_000  # games between checkpoints: a power cut loses at most this many games, Ctrl-C none
FORMAT = 1  # version of the checkpoint format
DEFAULTS = Settings(alpha=0.2, gamma=1.0, win=1.0, draw=0.5, lose=0.0, initial_q=0.5, explore=0.1)
SELF = "self"
LESSONS = (SELF, "random", "aggressive")
Choose = Callable[[Position], int]
RIVALS = ("random", "greedy")  # opponents for the learning curve


class CheckpointError(ValueError):
    """Raised for a checkpoint that training cannot resume from; the message says why."""


class Plan(NamedTuple):
    """Parameters that, together with the number of games, determine the result of training.

    settings: the learner's settings. cooling: the number of games after which alpha is half its initial value. After
    twice as many games, alpha is a third of its initial value. seed: the seed of all random choices.
    """

    settings: Settings
    cooling: int
    seed: int


class Point(NamedTuple):
    """A point of the learning curve.

    games: the number of training games. won: the number of wins against each of RIVALS. played: the number of
    measurement games against each rival.
    """

    games: int
    won: list[int]
    played: int


class Training:
    """Training in progress: the plan, the number of games played, the table, the curve."""

    def __init__(self, plan: Plan, games: int = 0, table: QTable | None = None, curve: list[Point] | None = None):
        self.plan = plan
        self.games = games
        self.learner = QLearner(plan.settings, table)
        self.curve: list[Point] = curve or []

    def play_one(self) -> None:
        """Play one game against an opponent from LESSONS, and update the table.

        The opponent changes every two games.
        """
        plan, number = self.plan, self.games
        self.learner.settings = plan.settings._replace(alpha=plan.settings.alpha / (1 + number / plan.cooling))
        rng = random.Random(f"train:{plan.seed}:{number}")
        sides: list[Pupil | None] = [Pupil(self.learner, rng), Pupil(self.learner, rng)]
        coach = LESSONS[number // 2 % len(LESSONS)]
        if coach != SELF:
            sides[number % 2] = None
        winner = play(*(_mover(pupil, coach, rng) for pupil in sides))
        for colour, pupil in enumerate(sides, BLACK):
            if pupil:
                pupil.end(1 if winner == colour else -1)
        self.games += 1

    def measure(self, games: int) -> Iterator[None]:
        """Play `games` games against each rival and add a point to the curve; yield after each game."""
        won = []
        for rival in RIVALS:
            won.append(0)
            for number in range(games):
                won[-1] += self._wins(rival, number)
                yield
        self.curve.append(Point(self.games, won, games))

    def _wins(self, rival: str, number: int) -> bool:
        rng = random.Random(f"measure:{number}")
        sides = [lambda position: choose_by(self.learner.table, position, rng), _mover(None, rival, rng)]
        return play(*sides) == BLACK if number % 2 == 0 else play(*sides[::-1]) == WHITE

    def save(self, path: str) -> None:
        """Write a checkpoint atomically. Raise OSError if the file cannot be written."""
        value = {"format": FORMAT, "plan": self.plan, "games": self.games, "curve": self.curve}
        write_text(path, json.dumps({**value, "table": self.learner.table}, separators=(",", ":")) + "\n")


def load_training(path: str) -> Training:
    """Return the training stored in a checkpoint.

    Raise OSError if the file is unreadable, and CheckpointError if the file is not a valid checkpoint.
    """
    with open_plain(path) as file:
        try:
            value = json.load(file)
            if value["format"] != FORMAT:
                raise CheckpointError(f"found format {value['format']}, expected {FORMAT}")
            settings, cooling, seed = value["plan"]
            return Training(
                Plan(Settings(*settings), cooling, seed),
                value["games"],
                value["table"],
                [Point(*point) for point in value["curve"]],
            )
        except CheckpointError:
            raise
        except (KeyError, TypeError, ValueError):
            raise CheckpointError("not a checkpoint of `littlego dev train`") from None


def _mover(pupil: Pupil | None, coach: str, rng: random.Random) -> Choose:
    """Return a function that chooses the move of the pupil or, if `pupil` is None, of the coach."""
    if pupil:
        return lambda position: pupil.move(*view_position(position))
    return lambda position: ROLES[coach].choose(position, rng)


def play(black: Choose, white: Choose) -> int:
    """Play a game between two functions that choose legal moves; return the winner, BLACK or WHITE."""
    position: Position = opening(LITTLE_GO)
    while True:
        move = (black if position.colour == BLACK else white)(position)
        if position.ends_with(move):
            return winner_of(position.play(move))
        position = position.play(move)


class Wanted(NamedTuple):
    """Parameters of one run of `littlego dev train`.

    games: the total number of games. curve_every: the number of games between two measurements. curve_games: the number
    of games against each rival in a measurement. shown: whether to print the curve.
    """

    games: int
    curve_every: int
    curve_games: int
    shown: bool


@command("train", example="littlego dev train my_table.txt --games 20000\nlittlego match qlearning:my_table.txt greedy")
@click.argument("file", metavar="FILE")
@click.option("--games", type=POSITIVE, default=GAMES, show_default=True, metavar="N", help="Number of games.")
@click.option("--seed", type=int, default=SEED, show_default=True, metavar="N", help="Seed of all random choices.")
@settings_options(DEFAULTS)
@click.option(
    "--cooling",
    type=POSITIVE,
    default=COOLING,
    show_default=True,
    metavar="N",
    help="Number of games after which alpha is half its initial value.",
)
@click.option(
    "--curve-every",
    type=POSITIVE,
    default=CURVE_EVERY,
    show_default=True,
    metavar="N",
    help="Evaluate the learner every N games.",
)
@click.option(
    "--curve-games",
    type=POSITIVE,
    default=CURVE_GAMES,
    show_default=True,
    metavar="N",
    help="Games per evaluation against each of the players `random` and `greedy`.",
)
@json_option
def train(
    file: str,
    games: int,
    seed: int,
    settings: Settings,
    cooling: int,
    curve_every: int,
    curve_games: int,
    json: str | None,
) -> int:
    """Train the player `qlearning` against itself and against the players `random` and `aggressive`.

    The command writes the player's table to FILE and saves the training's state in FILE.checkpoint. After Ctrl-C, run
    the same command again to resume; the table is the same as after an uninterrupted run. To train a finished table
    further, run the command with a larger --games. The defaults produce the project's own table.
    """
    wanted = Wanted(games, curve_every, curve_games, json != STANDARD_OUTPUT)
    _check_replaceable(file)
    checkpoint = f"{file}.checkpoint"
    training = _begin_or_continue(checkpoint, Plan(settings, cooling, seed), games)
    if wanted.shown and training.curve:
        print(f"resuming after {training.games:,} games from {checkpoint}")
    if stopped := _train_and_save(training, wanted, checkpoint):
        return 128 + stopped
    with trying_to(f"write {file}"):
        made_by = f"littlego dev train FILE --games {training.games}{_format_options(training.plan)}"
        write_text(file, format_table(training.learner.table, made_by))
    write_results(json, lambda: _json_value(training))
    return FINE


def _train_and_save(training: Training, wanted: Wanted, checkpoint: str) -> int:
    """Train until all games are played or a signal arrives; return the signal's number, or 0."""
    with trying_to(f"write {checkpoint}"), _stop_signals() as stops:
        training.save(checkpoint)  # an unwritable file ends the command now instead of after hours
        _measure_if_due(training, wanted, stops)
        for _ in with_progress(range(training.games, wanted.games), wanted.games - training.games, "game"):
            if stops:
                break
            training.play_one()
            if training.games % SAVE_EVERY == 0:
                training.save(checkpoint)
            _measure_if_due(training, wanted, stops)
        training.save(checkpoint)
    if stops:
        print(
            f"stopped after {training.games} of {wanted.games} games, saved in {checkpoint}; "
            "run the same command again to resume",
            file=sys.stderr,
        )
    return stops[0] if stops else 0


def _check_replaceable(path: str) -> None:
    """Raise ArgumentError if `path` exists but is not a table, because training overwrites only tables."""
    try:
        if os.path.exists(path):
            with trying_to(f"read {path}"):
                check_table(path)
    except TableError as error:
        raise ArgumentError(f"{error}; the file was not overwritten: name another FILE") from None


def _begin_or_continue(checkpoint: str, plan: Plan, games: int) -> Training:
    """Return the Training in the checkpoint, or a new Training if there is no checkpoint.

    Raise ArgumentError if the checkpoint is invalid, has another plan or has more than `games` games.
    """
    if not os.path.exists(checkpoint):
        return Training(plan)
    try:
        with trying_to(f"read {checkpoint}"):
            training = load_training(checkpoint)
    except CheckpointError as error:
        raise ArgumentError(f"{checkpoint}: {error}; remove the file or name another FILE") from None
    if training.plan != plan:
        raise ArgumentError(
            f"{checkpoint} has other options:{_format_options(training.plan)}; expected{_format_options(plan)}: "
            "use the checkpoint's options, remove the checkpoint or name another FILE"
        )
    if training.games > games:
        raise ArgumentError(
            f"{checkpoint} has {training.games} games already, more than the requested {games}: "
            "increase --games, remove the checkpoint or name another FILE"
        )
    return training


def _measure_if_due(training: Training, wanted: Wanted, stops: list[int]) -> None:
    """If a measurement is due, add a point to the curve, and print the point if `wanted.shown` is true.

    A signal in `stops` ends the measurement; no point is added.
    """
    due = training.games % wanted.curve_every == 0 or training.games == wanted.games
    if not due or training.curve and training.curve[-1].games == training.games:
        return
    for _ in training.measure(wanted.curve_games):
        if stops:
            return
    if wanted.shown:
        print(curve_line(training.curve[-1]), flush=True)


def curve_line(point: Point) -> str:
    """Return a line of text that describes a point of the curve."""
    won = ", ".join(
        f"{100 * won / point.played:5.1f}% against {name}" for name, won in zip(RIVALS, point.won, strict=True)
    )
    return f"{point.games:9,} training games: wins {won}, of {point.played} games each"


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """Yield a list that collects the numbers of termination signals.

    Inside the `with` statement, these signals do not interrupt a game.
    """
    received: list[int] = []
    numbers = (signal.SIGINT, *ending_signals())
    before = [signal.signal(number, lambda arrived, _: received.append(arrived)) for number in numbers]
    try:
        yield received
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _format_options(plan: Plan) -> str:
    settings = "".join(f" --{name.replace('_', '-')} {value:g}" for name, value in plan.settings._asdict().items())
    return f" --seed {plan.seed}{settings} --cooling {plan.cooling}"


def _json_value(training: Training) -> dict[str, Any]:
    """Return a JSON value with the plan, the number of games, the number of table entries and the curve."""
    plan = training.plan
    return {
        "plan": {"seed": plan.seed, "cooling": plan.cooling, **plan.settings._asdict()},
        "games": training.games,
        "entries": sum(map(len, training.learner.table.values())),
        "curve": [
            {"games": point.games, "played": point.played, "won": dict(zip(RIVALS, point.won, strict=True))}
            for point in training.curve
        ],
    }
