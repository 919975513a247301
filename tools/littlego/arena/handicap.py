"""`littlego arena handicap`: a staircase search for the handicap that balances two players.

If the weaker player wins, the next game has one fewer handicap stone, but at least one stone; otherwise, the next game
has one more stone, up to a maximum. Most games are therefore played near the handicap at which each player wins half of
the games. The command plays two independent series of games, called staircases.

The chance of winning is modelled as a logistic function of the number of stones, with two parameters: the slope, and
the handicap at which each player wins half of the games. The estimate comes from the posterior distribution of both
parameters with flat priors.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np

from littlego.cli.arguments import FINE, ArgumentError, trying_to, write_results
from littlego.cli.commandline import POSITIVE, command, jobs_option, json_option
from littlego.cli.terminal import console, new_table
from littlego.files import LARGEST_INPUT, STANDARD_OUTPUT, read_limited, write_text
from littlego.games.handicap import free_handicap, most_handicap
from littlego.games.match import MatchRuleset
from littlego.match.referee import GameRecord
from littlego.match.ruleset_options import MOST_PLIES, match_options
from littlego.match.series import SEEDS, Pairing, play_game
from littlego.parallel import each, with_progress
from littlego.players.cli import player_without_reasons
from littlego.players.registry import PlayerType, players_help, refuse_ruleset
from littlego.rules.position import BLACK

STAIRCASES = 2
MOST = 40  # stones
PLACED = "two to a corner"  # placement of the stones; a file with a different placement is not resumed
PLIES = 600  # default number of plies after which a game is scored
HALF = np.linspace(0.5, 40.5, 401)  # grid for the handicap at which half the games are won
SLOPES = np.linspace(0.05, 2.0, 40)  # logits per stone
COVERED = (0.025, 0.5, 0.975)  # quantiles: the lower limit, the estimate and the upper limit


class Step(NamedTuple):
    """A finished game of a staircase. A staircase is a series in which each result sets the next game's handicap."""

    staircase: int
    number: int  # index in the staircase
    stones: int  # Black's handicap
    won: bool  # whether Black won
    lead2: int  # Black's lead after komi, in half points
    why: str
    plies: int
    fault: bool
    cut_off: bool  # whether the game was scored because it reached its maximum number of plies


class Estimate(NamedTuple):
    """An estimate of the handicap, in stones, that balances the players: median and 95% interval."""

    low: float
    half: float
    high: float


def next_stones(steps: Sequence[Step], start: int, most: int) -> int:
    """Return the handicap, in stones, of a staircase's next game.

    steps: the staircase's games so far. start: the first game's handicap. most: the maximum handicap.
    """
    if not steps:
        return start
    return min(most, max(1, steps[-1].stones + (-1 if steps[-1].won else 1)))


def estimate(results: Iterable[tuple[int, bool]]) -> Estimate:
    """Return the Estimate of the handicap at which the weaker player wins half the games.

    results: (handicap stones, whether the player with the stones won) for each game.
    """
    log = np.zeros((len(HALF), len(SLOPES)))
    for stones, won in results:
        logits = (stones - HALF[:, None]) * SLOPES[None, :]
        log -= np.logaddexp(0, -logits if won else logits)
    weights = np.exp(log - log.max()).sum(axis=1)
    reached = np.cumsum(weights) / weights.sum()
    low, half, high = (float(HALF[np.searchsorted(reached, share)]) for share in COVERED)
    return Estimate(low, half, high)


def play_step(item: tuple[int, int, int], weaker: str, stronger: str, ruleset: str, plies: int, seed: int) -> Step:
    """Play one game of a staircase and return its Step.

    item: (staircase number, index of the game in the staircase, handicap stones).
    """
    staircase, number, stones = item
    game_seed = SEEDS * seed + STAIRCASES * number + staircase
    game = Pairing(number, weaker, stronger, game_seed, ruleset=ruleset, plies=plies, handicap=stones)
    return _step_of(item, play_game(game, player_without_reasons))


def _step_of(item: tuple[int, int, int], record: GameRecord) -> Step:
    won = record.winner == BLACK
    return Step(*item, won, record.lead2, record.why, len(record.moves), bool(record.fault), record.is_cut_off)


def climb(games: int, start: int, most: int, done: list[Step], play: partial[Step], jobs: int) -> Iterator[Step]:
    """Play the missing games of all staircases; append each finished game to `done` and yield it.

    games: the total number of games. start, most: see next_stones.
    """
    while len(done) < games:
        stairs = [[step for step in done if step.staircase == staircase] for staircase in range(STAIRCASES)]
        shortest = min(map(len, stairs))
        due = [
            (staircase, len(steps), next_stones(steps, start, most))
            for staircase, steps in enumerate(stairs)
            if len(steps) == shortest
        ]
        for _, step in each(play, due[: games - len(done)], min(jobs, len(due))):
            done.append(step)
            yield step


def read_steps(path: Path, plan: str) -> list[Step]:
    """Return the finished games that a file stores, or [] if the file is missing.

    Raise ArgumentError if the file is damaged or belongs to another plan.
    """
    if not path.exists():
        return []
    with trying_to(f"read {path}"):
        lines = read_limited(path, LARGEST_INPUT).decode("utf-8", "replace").splitlines()
    if not lines or lines[0] != plan:
        raise ArgumentError(
            f"{path}: found games of the plan {lines[0][:200] if lines else 'none'}; expected the plan {plan}: choose "
            "another --keep file"
        )
    try:
        return [Step(**json.loads(line)) for line in lines[1:]]
    except (ValueError, TypeError):
        raise ArgumentError(
            f"{path}: line {len(lines)} or an earlier line is not a recorded game; choose another --keep file"
        ) from None


def show(steps: list[Step], weaker: str, stronger: str, estimated: Estimate) -> None:
    """Print the results for each handicap, and the estimated handicap that balances the players."""
    here = [(stones, [step for step in steps if step.stones == stones]) for stones in {step.stones for step in steps}]
    rows = [(str(stones), str(len(some)), str(sum(step.won for step in some))) for stones, some in sorted(here)]
    faults, cut = sum(step.fault for step in steps), sum(step.cut_off for step in steps)
    console().print(new_table("stones", "games", "won", gap=2, rows=rows))
    print(f"{weaker} wins half its games against {stronger} with {estimated.half:.1f} handicap stones", end=" ")
    print(f"(95%: {estimated.low:.1f} to {estimated.high:.1f})")
    print(f"{len(steps)} games: {cut} scored at the move limit, {faults} ended through faults")


@command(
    "handicap",
    example="littlego arena handicap ours gnugo --games 60 --keep staircase.jsonl",
    epilog=f"\b\nPlayers:\n{players_help()}",
)
@click.argument("weaker", metavar="A", type=PlayerType())
@click.argument("stronger", metavar="B", type=PlayerType())
@match_options
@click.option(
    "--plies",
    type=click.IntRange(1, MOST_PLIES),
    default=PLIES,
    show_default=True,
    metavar="N",
    help="End and score each game after N moves.",
)
@click.option(
    "--games",
    type=POSITIVE,
    default=60,
    show_default=True,
    metavar="N",
    help="Total number of games in both series.",
)
@click.option(
    "--stones",
    "start",
    type=POSITIVE,
    default=9,
    show_default=True,
    metavar="N",
    help="Handicap stones in the first game of each series.",
)
@click.option(
    "--max-stones",
    "most",
    type=POSITIVE,
    metavar="N",
    help="Maximum number of handicap stones.  [default: 40, or as many as fit]",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Seed of the series.")
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File that stores the games; if FILE exists, the command resumes after the last stored game.",
)
@jobs_option
@json_option
def handicap(
    weaker: str,
    stronger: str,
    ruleset: MatchRuleset,
    plies: int,
    games: int,
    start: int,
    most: int | None,
    seed: int,
    keep: Path | None,
    jobs: int,
    json: str | None,
) -> int:
    """Find the handicap with which A, as Black, wins half its games against B.

    The command plays two series. If A wins a game, the next game of the series has one fewer handicap stone, but at
    least one; otherwise, the next game has one more stone, up to --max-stones. White passes while Black places the
    handicap stones. Each of these passes costs White a stone, unless --no-pass-stones is given. In handicap games,
    --komi 0.5 is usual.
    """
    refuse_ruleset((weaker, stronger), ruleset)
    most = most or max(start, min(MOST, most_handicap(ruleset.size)))
    _check_stones(ruleset.size, start, most)
    play = partial(play_step, weaker=weaker, stronger=stronger, ruleset=ruleset.name, plies=plies, seed=seed)
    plan = f"{weaker} {stronger} {ruleset.name} plies={plies} start={start} most={most} seed={seed} {PLACED}"
    steps = read_steps(keep, plan) if keep else []
    try:
        for _ in with_progress(climb(games, start, most, steps, play, jobs), games - len(steps), "game"):
            if keep:
                _keep(keep, plan, steps)
    except KeyboardInterrupt:
        print(f"\ninterrupted after {len(steps)} games", file=sys.stderr)
        if not steps:
            raise
    estimated = estimate([(step.stones, step.won) for step in steps])
    if json != STANDARD_OUTPUT:
        show(steps, weaker, stronger, estimated)
    write_results(json, lambda: {"half": estimated._asdict(), "games": [step._asdict() for step in steps]})
    return FINE


def _check_stones(size: int, start: int, most: int) -> None:
    """Raise ArgumentError if a handicap is too large for the board.

    start: the first game's handicap. most: the maximum handicap.
    """
    try:
        free_handicap(size, max(start, most))
    except ValueError as error:
        option = "--stones" if start > most_handicap(size) else "--max-stones"
        raise ArgumentError(f"{option}: {error}") from None


def _keep(path: Path, plan: str, steps: list[Step]) -> None:
    with trying_to(f"write {path}"):
        write_text(path, "".join(f"{line}\n" for line in [plan, *(json.dumps(step._asdict()) for step in steps)]))
