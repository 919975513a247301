"""The command `zero doubts`, which finds positions where a network contradicts the patterns.

It can also solve these positions.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from littlego.cli.arguments import FINE, ArgumentError, check_target, trying_to, write_results
from littlego.cli.commandline import (
    NATURAL,
    POSITIVE,
    command,
    jobs_option,
    json_option,
    output_option,
    patterns_option,
)
from littlego.files import STANDARD_OUTPUT, write_text
from littlego.learning.zero.cli import read_network
from littlego.parallel import with_progress
from littlego.truth.labels import WORKING
from littlego.truth.proof.cli import folder_option

if TYPE_CHECKING:
    import numpy as np

    from littlego.knowledge.files import Knowledge
    from littlego.learning.zero.doubts import Doubt, Positions, Search
    from littlego.truth.labels.labels import Labels

SOLVER_BITS = 24  # size of the solver's table: 2**24 entries
GAMES, WALK = "games", "walk"  # sources of positions


@command(
    "doubts",
    example="littlego zero doubts my.training.npz -o doubts.jsonl --page doubts.html\n"
    "littlego dev label --from doubts.jsonl --labels doubts.npz --part working\n"
    "littlego dev mine --from doubts.npz",
    epilog="""A doubt is a position where a search with the network expects the patterns' move to lose and another move
to win. The patterns' move is the player's move without overrides. After Ctrl-C, the command writes the doubts found so
far. Run the same command again to resume.

Exit status: 0 for success; 2 if the command could not run.""",
)
@click.argument("file", metavar="FILE")
@click.argument("source", metavar="[games|walk|POSITIONS]", default=None, required=False)
@patterns_option()
@click.option(
    "--games",
    type=POSITIVE,
    default=5,
    show_default=True,
    metavar="N",
    help="With `games` (the default): play N games for each combination of our colour, opponent, error rate and "
    "random opening (see `dev label`).",
)
@folder_option
@click.option(
    "--measure",
    is_flag=True,
    help="Search the labelled positions of the working part instead of `games`, `walk` or POSITIONS, and count the "
    "doubts in which the patterns' move really gives a win away.",
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
    help="Search about N evenly spaced positions; 0 searches all.",
)
@click.option(
    "--solve",
    type=NATURAL,
    default=0,
    show_default=True,
    metavar="N",
    help="Solve the positions of the N clearest doubts, and add the winning moves to the output. A doubt is clearer if "
    "the search's values of the two moves differ more. With 16 or more moves left, solving one position takes minutes.",
)
@click.option("--page", metavar="FILE", help="Write a web page with the 50 clearest doubts.")
@output_option("Write the doubts as JSON lines, the clearest first, for `dev label --from`.")
@jobs_option
@json_option
def doubts(
    file: str,
    source: str | None,
    patterns: str,
    output: Path | None,
    page: str | None,
    json: str | None,
    **options: Any,
) -> int:
    """Find positions where the network in FILE expects the patterns to give a win away.

    FILE is a weights file or a checkpoint of `zero train`. The positions come from new games of our player and recorded
    games and decisions (`games`, the default), from the latest walks of `prove` (`walk`), or from the file POSITIONS:
    an .npz file with an array `codes`, for example from `dev walk -o`, or a file of JSON lines with the key `code`.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from littlego.knowledge.files import read_solvable
    from littlego.learning.zero.doubts import Doubt, Positions, Search, format_precisions, measure_doubts
    from littlego.truth.labels.decider import Decider

    if source and options["measure"]:
        raise click.UsageError(f"--measure searches labels: omit {source} or --measure")
    for target in (output, page):
        if target:
            check_target(target)
    network, knowledge = read_network(file), read_solvable(patterns)
    decider, found = Decider(knowledge.book, {}), list[Doubt]()
    search = Search(network, decider, knowledge.lines, options["simulations"])
    out = sys.stderr if json == STANDARD_OUTPUT else sys.stdout
    labels = _labels(options) if options["measure"] else None
    positions = Positions(labels.codes.size, [labels.codes]) if labels else _positions(source, knowledge, options)
    with _output_of(found, output, page, f"Doubts of {os.path.basename(file)}"):
        searched = _search(search, positions, found, out)
        rows = measure_doubts(found, labels, decider) if labels else []
        _solve(found, options["solve"], out)
    measured = [row.as_json() for row in rows]
    write_results(json, lambda: {"searched": searched, "doubts": len(found), "measured": measured})
    if rows:
        print(format_precisions(rows), file=out)
    return FINE


def _search(search: Search, positions: Positions, found: list[Doubt], out: TextIO) -> int:
    """Add the doubts among positions to `found`, and return the number of searched positions.

    After an interrupt, `found` contains the doubts found so far. Raise ArgumentError if there are no positions.
    """
    from littlego.learning.zero.doubts import BLOCK, blocks_of

    if not positions.number:
        raise ArgumentError(
            "no position has the number of moves left that --left requires; try a wider range, such as --left 3 24"
        )
    searched, blocks = 0, (block for codes in positions.arrays for block in blocks_of(codes))
    try:
        for block in with_progress(blocks, -(-positions.number // BLOCK), " block"):
            found += search.find(block)
            searched += block.size
    finally:
        print(f"{len(found)} doubts in {searched} searched positions, of {positions.number} in total", file=out)
    return searched


def _solve(found: list[Doubt], number: int, out: TextIO) -> None:
    """Solve the `number` clearest doubts, and print how many of these doubts are failures.

    Sort `found`, the clearest doubt first, and store the solutions in `found`. If `number` is 0, do nothing.
    """
    from littlego.learning.zero.doubts import clearest_first, solve_doubts

    if number:
        found[:] = clearest_first(found)
        for index, doubt in enumerate(solve_doubts(found[:number], SOLVER_BITS)):
            found[index] = doubt
        failures = sum(doubt.is_failure for doubt in found)
        solved = min(number, len(found))
        print(f"the patterns' move gives the win away in {failures} of the {solved} clearest doubts", file=out)


@contextmanager
def _output_of(found: list[Doubt], output: Path | None, page: str | None, title: str) -> Iterator[None]:
    """Write `found` when the `with` statement ends; after an exception, write only if there are doubts."""
    try:
        yield
    except BaseException:
        if found:
            _write(found, output, page, title)
        raise
    _write(found, output, page, title)


def _write(found: list[Doubt], output: Path | None, page: str | None, title: str) -> None:
    from littlego.learning.zero.doubts import clearest_first, render_doubts

    ordered = clearest_first(found)
    with trying_to("write the doubts"):
        if output:
            write_text(output, "".join(f"{dumps(doubt.as_json())}\n" for doubt in ordered))
        if page:
            write_text(page, render_doubts(ordered, title))


def _labels(options: dict[str, Any]) -> Labels:
    """Return labels of the working part, limited by --most and --left."""
    from littlego.learning.zero.yardstick import spread
    from littlego.truth.labels.labels import load, moves_left

    labels = load(WORKING)
    return labels.where(spread(_in_range(moves_left(labels.codes), options), options["most"]))


def _positions(source: str | None, knowledge: Knowledge, options: dict[str, Any]) -> Positions:
    """Return the positions of a source, limited by --most and --left."""
    from littlego.learning.labelling import gather_positions
    from littlego.learning.zero.doubts import Positions, positions_of_walks
    from littlego.learning.zero.yardstick import spread
    from littlego.truth.labels.labels import moves_left
    from littlego.truth.labels.positions import load_codes

    if source == WALK:
        least, most = options["left"]
        return positions_of_walks(options["folder"], knowledge, range(least, most + 1), options["most"])
    if source in (None, GAMES):
        codes = gather_positions(knowledge, options["games"], 0, options["jobs"]).codes
    else:
        codes = load_codes(Path(str(source)))
    chosen = codes[spread(_in_range(moves_left(codes), options), options["most"])]
    return Positions(chosen.size, [chosen])


def _in_range(left: np.ndarray, options: dict[str, Any]) -> np.ndarray:
    """Return the indices of the positions that --left selects. left: the moves left in each position."""
    least, most = options["left"]
    indices: np.ndarray = ((left >= least) & (left <= most)).nonzero()[0]
    return indices
