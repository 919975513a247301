"""The command `arena cost`, which measures the cost of a game on this machine.

The command also estimates the time for a million games. The command plays small tournaments of several kinds, which
differ in the number of processes and in the players. In some kinds, one player is a program that uses the file
protocol. The cost includes storing the results. The kinds alternate, so that temporary load affects all kinds equally.
The speed-up is the wall time per game with one process, divided by the wall time per game with several processes in the
same round.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from littlego.cli.arguments import FINE, jobs, require_posix, write_results
from littlego.cli.commandline import POSITIVE, command, json_option
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT
from littlego.parallel import with_progress

if TYPE_CHECKING:
    from rich.table import Table

MILLION = 1_000_000
WORKERS = (1, 2, 8, 64, 512)
QUIET = 0.25  # maximum load (waiting processes per core) at which ratios of costs are reliable
ASSUMED = (
    "Assumptions: every worker has its own core, as fast as a core of this machine, and workers beyond the measured "
    "number of processes cause no further slowdown. One process stores all results, in {keeping:.2f} ms per game "
    "or {hours:.2g} h per million games, for any number of workers."
)


class Kind(NamedTuple):
    """A kind of measured tournament: the players, the number of processes, and the pairs per round."""

    players: tuple[str, str]
    jobs: int
    pairs: int


class Spent(NamedTuple):
    """The cost per game in a round, in seconds.

    wall: wall time. cpu: CPU time of all processes. own: CPU time of this process.
    """

    wall: float
    cpu: float
    own: float


class Cost(NamedTuple):
    """A kind of tournament, with the median cost per game over all rounds.

    speed_up: (median, minimum, maximum) of the speed relative to one process.
    """

    kind: Kind
    spent: Spent
    speed_up: tuple[float, float, float]


class Costs(NamedTuple):
    """Two lists with one Cost for each number of processes.

    inside: the costs of games without the file protocol. files: the costs of games over the file protocol.
    """

    inside: list[Cost]
    files: list[Cost]

    @property
    def keeping(self) -> float:
        """CPU seconds per game that the main process needs to store results while other processes play."""
        return self.inside[-1].spent.own if len(self.inside) > 1 else 0.0


@command("cost", example="littlego arena cost ours greedy --rounds 3")
@click.argument("first", metavar="[A]", default="ours")
@click.argument("second", metavar="[B]", default="random")
@click.option(
    "--program",
    default="my_player3",
    metavar="PLAYER",
    show_default=True,
    help="Opponent of B in the games over the file protocol.",
)
@click.option(
    "--rounds",
    type=POSITIVE,
    default=5,
    metavar="N",
    show_default=True,
    help="Number of rounds; each round plays small tournaments of several kinds.",
)
@click.option(
    "--pairs",
    type=POSITIVE,
    default=100,
    metavar="N",
    show_default=True,
    help="Pairs of games per tournament; over the file protocol, a twentieth of N, but at least one pair per process.",
)
@json_option
def cost(first: str, second: str, program: str, rounds: int, pairs: int, json: str | None) -> int:
    """Measure how long a game takes on this machine, and estimate the time for a million games.

    The estimate covers 1 to 512 workers. The command measures wall time and CPU time. B (default: random) plays against
    A (default: ours) without the file protocol, and against --program over the file protocol.
    """
    require_posix("arena cost")
    load = os.getloadavg()[0]
    if load > QUIET * jobs():
        print(
            f"littlego: this machine is busy (load {load:.1f}): the measured speed-ups may be too low", file=sys.stderr
        )
    numbers = sorted({1, min(2, jobs()), jobs()})
    inside = [Kind((first, second), number, pairs) for number in numbers]
    files = [Kind((program, second), number, max(number, pairs // 20)) for number in numbers]
    measured = _play_rounds([*inside, *files], rounds)
    costs = Costs(costs_of(inside, measured), costs_of(files, measured))
    write_results(json, lambda: as_json(costs))
    if json != STANDARD_OUTPUT:
        _print(costs)
    return FINE


def _play_rounds(kinds: list[Kind], number: int) -> dict[Kind, list[Spent]]:
    """Play a tournament of each kind in each of `number` rounds; return {kind: [the Spent of each round]}."""
    rounds: dict[Kind, list[Spent]] = {kind: [] for kind in kinds}
    for kind in kinds:
        _play(kind._replace(jobs=1, pairs=1))  # warm-up, because files are read and code is compiled only once
    order = [kind for turn in range(number) for kind in (kinds if turn % 2 else reversed(kinds))]
    for kind in with_progress(order, len(order), "tournament"):
        rounds[kind].append(_play(kind))
    return rounds


def _play(kind: Kind) -> Spent:
    """Play a temporary tournament of one pairing, always with the same seeds; return the cost per game."""
    from littlego.arena.plan import GAUNTLET, Plan
    from littlego.arena.players import entrants
    from littlego.arena.run import play_on
    from littlego.arena.store import Store

    plan = Plan(GAUNTLET, entrants(kind.players), kind.pairs)
    with tempfile.TemporaryDirectory() as folder, Store.make(Path(folder) / "cost.db", plan) as store:
        wall, (own, others) = time.monotonic(), _cpu_spent()
        play_on(store, kind.jobs)
        wall, (own_after, others_after) = time.monotonic() - wall, _cpu_spent()
        own, others = own_after - own, others_after - others
    games = 2 * kind.pairs
    return Spent(wall / games, (own + others) / games, own / games)


def _cpu_spent() -> tuple[float, float]:
    """Return (CPU seconds of this process, CPU seconds of its finished children), user plus system."""
    import resource  # missing on Windows

    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def costs_of(kinds: list[Kind], rounds: dict[Kind, list[Spent]]) -> list[Cost]:
    """Return the Cost of each kind, with medians over the rounds. The speed-up is relative to the first kind."""
    costs = []
    for kind in kinds:
        middle = Spent(*map(median, zip(*rounds[kind], strict=True)))
        ratios = [first.wall / many.wall for first, many in zip(rounds[kinds[0]], rounds[kind], strict=True)]
        costs.append(Cost(kind, middle, (median(ratios), min(ratios), max(ratios))))
    return costs


def hours(costs: list[Cost], keeping: float, workers: int) -> float:
    """Return the estimated hours for a million games with `workers` processes.

    costs: one Cost for each number of processes, in ascending order from one process. keeping: seconds per game that
    the main process needs to store results.
    """
    most = costs[-1]
    # The factor by which a game takes longer if other processes play at the same time.
    lost = most.kind.jobs / most.speed_up[0] if workers > 1 else 1.0
    return MILLION * max(keeping if workers > 1 else 0.0, costs[0].spent.wall * max(lost, 1.0) / workers) / 3600


def as_json(costs: Costs) -> dict[str, Any]:
    """Return the costs as a JSON value, in seconds per game, games per second and hours per million games."""
    return {
        "cores": jobs(),
        "load": os.getloadavg()[0],
        "games": [
            {
                "players": cost.kind.players,
                "jobs": cost.kind.jobs,
                "wall_s": cost.spent.wall,
                "cpu_s": cost.spent.cpu,
                "games_a_second": 1 / cost.spent.wall,
                "speed_up": dict(zip(("median", "least", "most"), cost.speed_up, strict=True)),
            }
            for cost in [*costs.inside, *costs.files]
        ],
        "keeping_s": costs.keeping,
        "million": [
            {
                "workers": number,
                "in_process_h": hours(costs.inside, costs.keeping, number),
                "file_protocol_h": hours(costs.files, costs.keeping, number),
            }
            for number in WORKERS
        ],
    }


def _print(costs: Costs) -> None:
    screen = console()
    screen.print(_measured_table(costs))
    screen.print(f"\n{MILLION:,} games would take")
    screen.print(_million_table(costs))
    screen.print("\n" + ASSUMED.format(keeping=1000 * costs.keeping, hours=costs.keeping * MILLION / 3600))


def _measured_table(costs: Costs) -> Table:
    table = new_table("players", "jobs", "games/s", "ms a game", "CPU ms", "speed-up (rounds)", gap=2)
    for cost in [*costs.inside, *costs.files]:
        wall, cpu, _ = cost.spent
        middle, least, most = cost.speed_up
        table.add_row(
            " - ".join(cost.kind.players),
            str(cost.kind.jobs),
            f"{1 / wall:.1f}",
            f"{1000 * wall:.1f}",
            f"{1000 * cpu:.1f}",
            "" if cost.kind.jobs == 1 else f"{middle:.2f} ({least:.2f} to {most:.2f})",
        )
    return table


def _million_table(costs: Costs) -> Table:
    table = new_table("workers", *(" - ".join(kind[0].kind.players) for kind in costs), gap=2)
    table.columns[0].justify = "right"
    for number in WORKERS:
        table.add_row(str(number), *(_hours_text(hours(kind, costs.keeping, number)) for kind in costs))
    return table


def _hours_text(number: float) -> str:
    return f"{number:,.0f} h" if number >= 10 else f"{number:.1f} h"
