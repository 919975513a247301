"""The command `littlego tictactoe`: the handout's example of Q-learning."""

from __future__ import annotations

import argparse
import random

from tools.arguments import add_json, complaining, positive, trying_to
from tools.files import STANDARD_OUTPUT, write_json
from tools.learning.lessons import SEATS, Score, scores, train
from tools.learning.options import add_settings, settings_of
from tools.learning.qlearner import QLearner, Settings
from tools.parallel import with_progress

DEFAULTS = Settings(alpha=0.3, gamma=0.9, win=1.0, draw=0.5, lose=0.0, initial_q=0.6, explore=0.0)
GAMES_NUM = [1000, 100_000]
GAMES = 500  # against each opponent in each seat
SEAT_NAMES = ("first", "second")
HEADING = "QLearner against  moves    wins draws losses   win rate  draw rate  loss rate"


def add_parsers(subparsers) -> None:
    """Add this room's command to the `littlego` parser."""
    parser = subparsers.add_parser(
        "tictactoe",
        help="show Q-learning on tic-tac-toe, the handout's example",
        description="Train a Q-learner at tic-tac-toe against RandomPlayer, SmartPlayer and PerfectPlayer in turn, "
        f"then play {GAMES} games against each in both seats.",
    )
    parser.add_argument(
        "--games-num",
        type=positive,
        nargs="+",
        default=GAMES_NUM,
        metavar="N",
        help="training games, the handout's GAME_NUM; with several, the learner plays for the record "
        f"after each (default: {' '.join(map(str, GAMES_NUM))})",
    )
    add_settings(parser, DEFAULTS)
    parser.add_argument("--seed", type=int, default=0, help="what all random choices depend on (default: %(default)s)")
    add_json(parser)
    parser.set_defaults(run=complaining(run_tictactoe))


def run_tictactoe(args: argparse.Namespace) -> int:
    """Train, play for the record, and print the table, once for each number of training games."""
    settings, rng = settings_of(args), random.Random(args.seed)
    learner, done, found = QLearner(settings), 0, []
    shown = args.json != STANDARD_OUTPUT
    for games in sorted(set(args.games_num)):
        train(learner, with_progress(range(done, games), games - done, "game"), rng)
        done = games
        found.append((games, len(learner.table), scores(learner, GAMES, rng)))
        if shown:
            print(("\n" if len(found) > 1 else "") + table_text(*found[-1]), flush=True)
    if args.json:
        with trying_to(f"write {args.json}"):
            write_json(args.json, json_value(args.seed, settings, found))
    return 0


def table_text(games: int, states: int, found: list[Score]) -> str:
    """Return what the learner achieves against each opponent, in each seat and in both."""
    lines = [
        f"QLearner after {games:,} training games ({states} states), {GAMES} games in each seat:",
        HEADING,
    ]
    for start in range(0, len(found), len(SEATS)):
        seats = found[start : start + len(SEATS)]
        rows = [(SEAT_NAMES[score.seat - 1], *score[2:]) for score in seats]
        rows.append(("both", *(sum(column) for column in zip(*(score[2:] for score in seats), strict=True))))
        for moves, *counts in rows:
            rates = "".join(f"  {100 * number / sum(counts):8.1f}%" for number in counts)
            name = seats[0].opponent if moves == SEAT_NAMES[0] else ""
            lines.append(f"{name:16}  {moves:6}  {counts[0]:5} {counts[1]:5} {counts[2]:6} {rates}")
    return "\n".join(lines)


def json_value(seed: int, settings: Settings, found: list[tuple[int, int, list[Score]]]) -> dict:
    """Return the tables as a JSON value."""
    return {
        "seed": seed,
        "settings": settings._asdict(),
        "games_in_each_seat": GAMES,
        "trained": [
            {"games_num": games, "states": states, "scores": [score._asdict() for score in score_list]}
            for games, states, score_list in found
        ],
    }
