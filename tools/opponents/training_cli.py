"""The command `littlego train`: Q-learning for Little-Go, to be stopped and continued at will."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tools.arguments import FINE, ArgumentError, add_json, complaining, positive, trying_to
from tools.files import STANDARD_OUTPUT, write_json, write_text
from tools.learning.options import add_settings, settings_of
from tools.opponents.qlearning import BadTable, check
from tools.opponents.training import DEFAULTS, RIVALS, BadCheckpoint, Plan, Point, Training, load
from tools.parallel import with_progress

GAMES, COOLING, SEED = 240_000, 5000, 1  # of the table that comes with the project
CURVE_EVERY, CURVE_GAMES = 20_000, 200
SAVE_EVERY = 10_000  # games: as many are lost to a power cut, none to Ctrl-C


def add_parsers(subparsers) -> None:
    """Add this command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "train",
        help="train the role qlearning",
        description="Train the role qlearning, by self-play and against random and aggressive, and write its table to "
        "FILE. The training itself is kept in FILE.checkpoint: after Ctrl-C the same command goes on, and ends with "
        "the same table. A larger --games trains a finished table further. With the defaults this makes the table that "
        "comes with the project.",
        epilog="To play with a table: littlego match qlearning:FILE greedy",
    )
    parser.add_argument("file", metavar="FILE", help="the table to write")
    parser.add_argument("--games", type=positive, default=GAMES, metavar="N", help="default: %(default)s")
    parser.add_argument(
        "--seed", type=int, default=SEED, metavar="N", help="what all random choices depend on (default: %(default)s)"
    )
    add_settings(parser, DEFAULTS)
    parser.add_argument(
        "--cooling",
        type=positive,
        default=COOLING,
        metavar="N",
        help="games after which alpha has fallen to a half (default: %(default)s)",
    )
    parser.add_argument(
        "--curve-every",
        type=positive,
        default=CURVE_EVERY,
        metavar="N",
        help="measure the learner each time after so many games (default: %(default)s)",
    )
    parser.add_argument(
        "--curve-games",
        type=positive,
        default=CURVE_GAMES,
        metavar="N",
        help="with so many games against each of random and greedy (default: %(default)s)",
    )
    add_json(parser)
    parser.set_defaults(run=complaining(run_train))


def run_train(args: argparse.Namespace) -> int:
    """Train until there are enough games or somebody stops it; keep the training in any case."""
    checkpoint = f"{args.file}.checkpoint"
    _replaceable(args.file)
    training = _begun(checkpoint, Plan(settings_of(args), args.cooling, args.seed), args.games)
    shown = args.json != STANDARD_OUTPUT
    if shown and training.curve:
        print(f"going on after {training.games:,} games of {checkpoint}")
    with trying_to(f"write {checkpoint}"), _stop_signals() as stops:
        training.save(checkpoint)  # what cannot be written is told now, not after hours
        _train(training, args, checkpoint, stops, shown)
        training.save(checkpoint)
    if stops:
        print(
            f"stopped after {training.games} of {args.games} games, which are kept in {checkpoint}: "
            "the same command goes on",
            file=sys.stderr,
        )
        return 128 + stops[0]
    with trying_to(f"write {args.file}"):
        write_text(args.file, training.table_text(_command(training)))
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, _json_value(training))
    return FINE


def _replaceable(path: str) -> None:
    """Raise ArgumentError where there is a file that is no table, and so not to be replaced by one."""
    if not os.path.exists(path):
        return
    try:
        with trying_to(f"read {path}"):
            check(path)
    except BadTable as error:
        raise ArgumentError(f"{error}; it is left as it is: name another FILE") from None


def _begun(checkpoint: str, plan: Plan, games: int) -> Training:
    """Return the training of a checkpoint if there is one, else a new one; raise ArgumentError if it is another's."""
    if not os.path.exists(checkpoint):
        return Training(plan)
    try:
        with trying_to(f"read {checkpoint}"):
            training = load(checkpoint)
    except BadCheckpoint as error:
        raise ArgumentError(f"{checkpoint}: {error}; remove it or name another FILE") from None
    if training.plan != plan:
        raise ArgumentError(
            f"{checkpoint} is of another training:{_options(training.plan)}; expected{_options(plan)}: "
            "give its options, remove it or name another FILE"
        )
    if training.games > games:
        raise ArgumentError(
            f"{checkpoint} has {training.games} games already, more than the {games} asked for: "
            "give more --games, remove it or name another FILE"
        )
    return training


def _train(training: Training, args: argparse.Namespace, checkpoint: str, stops: list[int], shown: bool) -> None:
    """Play the games that are missing, measure and save on the way, until one of `stops` arrives."""
    _measure(training, args, stops, shown)
    for _ in with_progress(range(training.games, args.games), args.games - training.games, "game"):
        if stops:
            return
        training.play_one()
        if training.games % SAVE_EVERY == 0:
            training.save(checkpoint)
        _measure(training, args, stops, shown)


def _measure(training: Training, args: argparse.Namespace, stops: list[int], shown: bool) -> None:
    """Add and show a point of the curve where one is due."""
    due = training.games % args.curve_every == 0 or training.games == args.games
    if not due or training.curve and training.curve[-1].games == training.games:
        return
    for _ in training.measure(args.curve_games):
        if stops:
            return
    if shown:
        print(curve_line(training.curve[-1]), flush=True)


def curve_line(point: Point) -> str:
    """Return a point of the curve as a line."""
    rates = zip(RIVALS, point.won, strict=True)
    won = ", ".join(f"{100 * won / point.played:5.1f}% against {name}" for name, won in rates)
    return f"{point.games:9,} games trained: wins {won}, of {point.played} each"


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """Give a list that receives the signals of Ctrl-C and kill, so that a game is played to its end first."""
    received: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda arrived, _: received.append(arrived)) for number in numbers]
    try:
        yield received
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _options(plan: Plan) -> str:
    settings = "".join(f" --{name.replace('_', '-')} {value:g}" for name, value in plan.settings._asdict().items())
    return f" --seed {plan.seed}{settings} --cooling {plan.cooling}"


def _command(training: Training) -> str:
    return f"littlego train FILE --games {training.games}{_options(training.plan)}"


def _json_value(training: Training) -> dict:
    """Return the plan and the curve as a JSON value."""
    curve = [
        {"games": point.games, "played": point.played, "won": dict(zip(RIVALS, point.won, strict=True))}
        for point in training.curve
    ]
    entries = sum(map(len, training.learner.table.values()))
    plan = {"seed": training.plan.seed, "cooling": training.plan.cooling, **training.plan.settings._asdict()}
    return {"plan": plan, "games": training.games, "entries": entries, "curve": curve}
