"""The command `label`: gather positions that matter, label them with the truth, and count them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tools.arguments import FINE, ArgumentError, trying_to, write_results
from tools.commandline import (
    NATURAL,
    POSITIVE,
    command,
    jobs_option,
    json_option,
    patterns_option,
    scheduler_option,
)
from tools.data import LABELS
from tools.draw.terminal import console
from tools.files import STANDARD_OUTPUT, short_name
from tools.labels import PARTS
from tools.solver.cli import MemorySize

if TYPE_CHECKING:
    import numpy as np

# Positions to label in each part by moves left. Nearly all that White meets are won whatever it plays: to find
# enough where its move matters takes more of them.
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
EPILOG = """Stopped at any time, it goes on where it was when it is started again. Labels are only ever added: run it
after an edit of the patterns, and the positions that the player meets now are added to those that it met before.

Exit status: 0 done, 2 could not run."""


class LayerNumbers(click.ParamType[dict[int, int]]):
    """`13=200` or `3-12=1000`: moves left -> number."""

    name = "LEFT=N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[int, int]:
        match = re.fullmatch(r"(\d+)(?:-(\d+))?=(\d+)", value)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not match or not 1 <= first <= last <= 24:
            self.fail(f"expected LEFT=N such as 13=200 or 3-12=1000, LEFT 1 to 24, found {value}", param, ctx)
        return dict.fromkeys(range(first, last + 1), int(match[3]))


@command(
    "label",
    example="littlego label\nlittlego label --number 3-12=100 --number 13=20 -j 4",
    epilog=EPILOG,
    renamed={"--file": "--patterns"},
)
@patterns_option()
@click.option(
    "--labels",
    "path",
    type=click.Path(path_type=Path),
    default=LABELS,
    metavar="FILE",
    help="The file to make or to add to.  [default: the project's, tools/data/labels.npz]",
)
@click.option("--games", type=POSITIVE, default=GAMES, show_default=True, metavar="N", help="Of each kind and colour.")
@click.option("--seed", type=NATURAL, default=0, show_default=True, metavar="S", help="Of these games.")
@click.option(
    "--number",
    "numbers",
    type=LayerNumbers(),
    multiple=True,
    help="Label N positions of the main sample in each part with LEFT moves left (13, or 3-12), and of the other "
    "samples in proportion; may be repeated, and is then all that is labelled.",
)
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    default=PARTS,
    help="Label positions of this part alone: with `working` the points have more to learn from, and figures of the "
    "test part stay comparable.  [default: both]",
)
@click.option(
    "--memory",
    type=MemorySize(),
    default=None,
    help="GiB for the solver's table, each worker's with --scheduler.  [default: 1/8]",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Start from what `littlego solve --checkpoint FILE` proved.",
)
@jobs_option
@scheduler_option
@json_option
def label(
    patterns: str,
    path: Path,
    games: int,
    seed: int,
    numbers: tuple[dict[int, int], ...],
    parts: tuple[str, ...],
    memory: int | None,
    checkpoint: Path | None,
    jobs: int,
    scheduler: str | None,
    json: str | None,
) -> int:
    """Play games, take positions from them, from the real games and from those on record, and solve them.

    They are the labels that grade-patterns and mine judge by.
    """
    from tools.knowledge.files import read_solvable  # these load the solver
    from tools.labels.counts import counts_json, draw_counts
    from tools.labels.labelling import gather_positions, label_positions, sample_positions
    from tools.labels.labels import load_known

    load_known(path)  # should the file be damaged, say so before the work
    solve = _choose_solver(memory or TABLE_BITS, checkpoint, scheduler)
    wanted_numbers = {left: number for one in numbers or [NUMBERS] for left, number in one.items()}
    wanted = sample_positions(gather_positions(read_solvable(patterns), games, seed, jobs), wanted_numbers, parts)
    with trying_to(f"write {short_name(path)}"):
        labels = label_positions(wanted, path, solve, jobs, scheduler)
    write_results(json, lambda: counts_json(labels))
    if json != STANDARD_OUTPUT:
        console().print(*draw_counts(labels), sep="\n")
    return FINE


def _choose_solver(bits: int, checkpoint: Path | None, scheduler: str | None) -> Callable[[np.ndarray], np.ndarray]:
    """Return what solves positions: this process's solver, or one of each worker's own."""
    from tools.labels.labelling import solve_here
    from tools.solver.solver import Solver

    if scheduler:
        if checkpoint:
            raise ArgumentError("--checkpoint is read by this process only; leave it out with --scheduler")
        from tools.cluster import try_scheduler

        try_scheduler(scheduler)
        return partial(solve_here, bits)
    solver = Solver(bits)
    if checkpoint:
        solver.resume(checkpoint)
    return solver.winning_many
