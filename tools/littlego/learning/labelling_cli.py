"""The command `label`, which gathers positions and records their winning moves as labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlego.cli.arguments import FINE, ArgumentError, trying_to, write_results
from littlego.cli.commandline import (
    NATURAL,
    POSITIVE,
    command,
    jobs_option,
    json_option,
    patterns_option,
    scheduler_option,
)
from littlego.cli.terminal import console
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.paths import LABELS
from littlego.truth.labels import PARTS
from littlego.truth.solver.cli import MemorySize

if TYPE_CHECKING:
    import numpy as np

    from littlego.truth.labels.labels import Labels

# Positions to label in each part by moves left. In nearly all positions that White meets, every move wins. More
# positions with White to move are therefore needed to include enough positions in which the move matters.
NUMBERS = {
    **dict.fromkeys(range(1, 14, 2), 5000),
    2: 1500,
    4: 1300,
    **dict.fromkeys(range(6, 13, 2), 1000),
    14: 800,
    15: 1500,
    16: 100,
    17: 150,
    18: 15,
    19: 20,
}
GAMES = 250
TABLE_BITS = 24
EPILOG = """Run the command again to resume an interrupted run. The command never removes labels: after an edit of the
patterns, it adds labels for the positions that the player now meets.

Exit status: 0 for success; 2 if the command could not run."""


class LayerNumbers(click.ParamType[dict[int, int]]):
    """The parameter type of texts such as `3-12=1000`, converted to a dict {moves left: number}."""

    name = "LEFT=N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[int, int]:
        match = re.fullmatch(r"(\d+)(?:-(\d+))?=(\d+)", value)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not match or not 1 <= first <= last <= 24:
            self.fail(f"expected LEFT=N such as 13=200 or 3-12=1000, with LEFT 1 to 24; found {value}", param, ctx)
        return dict.fromkeys(range(first, last + 1), int(match[3]))


@command(
    "label",
    example="littlego dev label --positions 3-12=100 --positions 13=20 -j 4\n"
    "littlego dev label --from doubts.jsonl --labels doubts.npz --part working",
    epilog=EPILOG,
)
@patterns_option()
@click.option(
    "--labels",
    "path",
    type=click.Path(path_type=Path),
    default=LABELS,
    metavar="FILE",
    help="File of labels; the command extends an existing file.  [default: tools/littlego/truth/labels/labels.npz]",
)
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Label the positions in FILE instead of positions from games. FILE contains the JSON lines of `zero doubts "
    "-o`, or is an .npz file with an array `codes`.",
)
@click.option(
    "--games",
    type=POSITIVE,
    default=GAMES,
    show_default=True,
    metavar="N",
    help="Number of games for each combination of our colour, opponent, error rate and random opening; 3 * N games if "
    "the opponent is our own player or chooses at random among all legal moves, including the pass.",
)
@click.option("--seed", type=NATURAL, default=0, show_default=True, metavar="S", help="Seed of the games.")
@click.option(
    "--positions",
    "numbers",
    type=LayerNumbers(),
    multiple=True,
    help="For each part (working and test), label N positions with LEFT moves left from games against opponents, and "
    "a proportional number from each other source. LEFT is a number such as 13 or a range such as 3-12. Repeatable; "
    "replaces the default numbers.",
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    default=PARTS,
    help="Label only positions of this part. If you add labels only to the working part, results on the test part stay "
    "comparable with earlier results.  [default: both]",
)
@click.option(
    "--without",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Do not label positions that are in the labels file FILE.",
)
@click.option(
    "--memory",
    type=MemorySize(),
    default=None,
    help="GiB for the solver's table; with --scheduler, GiB per worker.  [default: 1/8]",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Load solved positions from FILE, a checkpoint of `littlego solve`.",
)
@jobs_option
@scheduler_option
@json_option
def label(
    patterns: str,
    path: Path,
    source: Path | None,
    games: int,
    seed: int,
    numbers: tuple[dict[int, int], ...],
    parts: tuple[str, ...],
    without: Path | None,
    memory: int | None,
    checkpoint: Path | None,
    jobs: int,
    scheduler: str | None,
    json: str | None,
) -> int:
    """Solve positions from games and decisions, and record their winning moves as labels.

    Without --from, the positions come from new games and from recorded games and decisions. `dev grade-patterns`, `dev
    mine` and other commands use the labels. Use the working part of the labels to improve the
    patterns, and the test part only to measure the result.
    """
    if source and numbers:
        raise click.UsageError("--positions chooses among positions from games: omit --positions or --from")
    from littlego.knowledge.files import read_solvable  # these load the solver
    from littlego.learning.labelling import gather_positions, label_positions, read_positions, sample_positions
    from littlego.truth.labels.labels import load, load_known

    load_known(path)  # raises an error for a damaged file before the long computation
    solve = _choose_solver(memory or TABLE_BITS, checkpoint, scheduler)
    known = load(path=without).codes if without else ()
    if source:
        wanted = read_positions(source, parts).without(known)
    else:
        wanted_numbers = {left: number for one in numbers or [NUMBERS] for left, number in one.items()}
        met = gather_positions(read_solvable(patterns), games, seed, jobs).without(known)
        wanted = sample_positions(met, wanted_numbers, parts)
    with trying_to(f"write {short_name(path)}"):
        labels = label_positions(wanted, path, solve, jobs, scheduler)
    _write_counts(labels, json)
    return FINE


def _write_counts(labels: Labels, json: str | None) -> None:
    """Print the number of labels of each kind, and write the numbers as JSON if requested.

    If the JSON goes to standard output, print no text.
    """
    from littlego.truth.labels.counts import counts_json, draw_counts

    write_results(json, lambda: counts_json(labels))
    if json != STANDARD_OUTPUT:
        console().print(*draw_counts(labels), sep="\n")


def _choose_solver(bits: int, checkpoint: Path | None, scheduler: str | None) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that solves positions in this process or, on a cluster, in each worker."""
    from littlego.learning.labelling import solve_here
    from littlego.truth.solver.solver import Solver

    if scheduler:
        if checkpoint:
            raise ArgumentError("--checkpoint has no effect on workers: omit --checkpoint or --scheduler")
        from littlego.cluster import try_scheduler

        try_scheduler(scheduler)
        return partial(solve_here, bits)
    solver = Solver(bits)
    if checkpoint:
        solver.resume(checkpoint)
    return solver.winning_many
