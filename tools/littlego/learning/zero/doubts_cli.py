"""The command `zero doubts`, which finds and solves positions where a network contradicts the rules."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import click

from littlego.cli.arguments import FINE, ArgumentError, check_target, trying_to
from littlego.cli.commandline import NATURAL, POSITIVE, command, jobs_option, output_option, patterns_option
from littlego.files import write_json, write_text
from littlego.learning.zero.cli import read_network
from littlego.truth.labels import WORKING

if TYPE_CHECKING:
    from littlego.learning.zero.doubts import Doubt

SOLVER_BITS = 24  # size of the solver's table


@command(
    "doubts",
    example="littlego zero doubts my.training.npz --games 20 --solve 50 --failures failures.json\n"
    "littlego dev mine --from failures.json",
    epilog="""A doubt is a position where the search expects that the rules' move loses and another move wins.

Exit status: 0 done, 2 could not run.""",
)
@click.argument("file", metavar="FILE")
@patterns_option()
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Search the positions in an .npz file with an array `codes`, such as the output of `dev walk -o`.",
)
@click.option(
    "--games",
    type=POSITIVE,
    default=5,
    show_default=True,
    metavar="N",
    help="Search positions from games of our player against opponents, N games as in `dev label`.",
)
@click.option(
    "--measure",
    is_flag=True,
    help="Search the labels of the working part instead, and count how many doubts are right.",
)
@click.option(
    "--left",
    nargs=2,
    type=POSITIVE,
    default=(3, 24),
    show_default=True,
    metavar="LEAST MOST",
    help="Search positions with LEAST to MOST moves left.",
)
@click.option(
    "--simulations", type=POSITIVE, default=256, show_default=True, metavar="N", help="Simulations per search."
)
@click.option(
    "--most",
    type=NATURAL,
    default=20_000,
    show_default=True,
    metavar="N",
    help="Search at most N positions, 0 for all.",
)
@click.option(
    "--solve",
    type=NATURAL,
    default=0,
    show_default=True,
    metavar="N",
    help="Solve the N clearest doubts. With 16 or more moves left, a solution takes minutes.",
)
@click.option(
    "--failures", metavar="FILE", help="Write the doubts that the solver confirms to FILE, for `dev mine --from`."
)
@click.option("--page", metavar="FILE", help="Write a web page with the 50 clearest doubts.")
@output_option("Write the doubts as JSON lines, the clearest first.")
@jobs_option
def doubts(
    file: str, patterns: str, output: Path | None, failures: str | None, page: str | None, **options: Any
) -> int:
    """Find positions where the search of the network in FILE expects that the rules lose a win.

    FILE is a weights file or a checkpoint of `zero train`.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from littlego.knowledge.files import read_solvable
    from littlego.knowledge.overrides import load_overrides
    from littlego.learning.zero.doubts import find_doubts, format_precisions, measure_doubts, render_doubts
    from littlego.truth.labels.decider import Decider, overrides_of

    for target in (output, failures, page):
        if target:
            check_target(target)
    network, knowledge = read_network(file), read_solvable(patterns)
    decider = Decider(knowledge.book, load_overrides(overrides_of(patterns)))
    positions = _positions_to_doubt(knowledge, options)
    found = find_doubts(network, decider, positions.codes, options["simulations"])
    print(f"{len(found)} doubts in {len(positions.codes)} positions")
    if options["measure"]:
        print(format_precisions(measure_doubts(found, positions, decider)))
    if options["solve"]:
        found = _solve(found, options["solve"])
    with trying_to("write the doubts"):
        if output:
            write_text(output, "".join(f"{json.dumps(doubt.as_json())}\n" for doubt in found))
        if failures:
            write_json(failures, [{"code": one.code, "winning": one.winning} for one in found if one.is_failure])
        if page:
            write_text(page, render_doubts(found, f"Doubts of {os.path.basename(file)}"))
    return FINE


def _solve(found: list[Doubt], number: int) -> list[Doubt]:
    """Return doubts of which the first `number` are solved, and print how many of these are failures."""
    from littlego.learning.zero.doubts import solve_doubts

    solved = solve_doubts(found[:number], SOLVER_BITS)
    print(f"{sum(doubt.is_failure for doubt in solved)} of the {len(solved)} clearest are failures of the rules")
    return [*solved, *found[number:]]


def _positions_to_doubt(knowledge: Any, options: dict[str, Any]) -> Any:
    """Return positions with codes of canonical images: labels, or positions of a file or of games."""
    import numpy as np

    from littlego.learning.labelling import Met, gather_positions
    from littlego.learning.zero.yardstick import spread
    from littlego.truth.labels.labels import canonical_many, load, moves_left

    if options["measure"]:
        positions: Any = load(WORKING)
    elif options["source"]:
        with trying_to(f"read {options['source']}"):
            try:
                with np.load(options["source"], allow_pickle=False) as arrays:
                    codes = np.unique(canonical_many(arrays["codes"].astype(np.int64)))
            except (ValueError, KeyError, BadZipFile) as error:
                raise ArgumentError(f"{options['source']}: {error}; expected an .npz file with `codes`") from None
        positions = Met(codes, np.zeros(codes.size, np.uint8))
    else:
        positions = gather_positions(knowledge, options["games"], 0, options["jobs"])
    left, (least, most) = moves_left(positions.codes), options["left"]
    chosen = np.flatnonzero((left >= least) & (left <= most))
    return type(positions)(*(column[spread(chosen, options["most"])] for column in positions))
