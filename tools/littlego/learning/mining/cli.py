"""The command `mine`: patterns, and changes to patterns, that blunders ask for; and how the terminal shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from littlego.cli.arguments import FINDINGS, FINE, write_results
from littlego.cli.commandline import (
    NATURAL,
    POSITIVE,
    command,
    json_option,
    labels_option,
    more_positions_option,
    patterns_option,
)
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT
from littlego.parallel import with_progress

if TYPE_CHECKING:
    from littlego.learning.mining.changes import Change
    from littlego.learning.mining.limits import Limit
    from littlego.learning.mining.proposals import Mine, Proposal, Report

TOP, LIMIT = 10, 120
LEGEND = (
    "gain: blunders fixed less wins spoilt, on all positions; searched, held out: the two. right: positions held out "
    "in which it is right, of those where it fires; bound: of that share on unseen positions, from below. elsewhere: "
    "where it fires in positions lost anyway, and won anyway."
)
EPILOG = """The command uses only the working part of the labels, never the test part. It searches two thirds of them;
precision and its lower bound come from the last third, and all bounds of one report hold together with 95% confidence.
Name and explain the patterns that you keep, and check them with `littlego diff`. The same seed gives the same
proposals unless --time-limit ends the search.

Exit status: 0 nothing to propose, 1 proposals, 2 could not run."""


@command(
    "mine",
    example="littlego dev mine --time-limit 600\nlittlego dev mine win-the-race fill-the-ko --no-changes",
    epilog=EPILOG,
)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@patterns_option()
@labels_option
@more_positions_option()
@click.option(
    "--most",
    "top",
    type=POSITIVE,
    default=TOP,
    show_default=True,
    metavar="N",
    help="Propose at most N patterns and N changes.",
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="P",
    help="Lower bound of a proposal's precision in the searched positions.  [default: 0.75, of a warning 0.5]",
)
@click.option(
    "--time-limit",
    "limit",
    type=NATURAL,
    default=LIMIT,
    show_default=True,
    metavar="SECONDS",
    help="Stop after SECONDS, 0 for no limit.",
)
@click.option(
    "--climb",
    is_flag=True,
    help="Search rules by the player's blunders, not by the rules' own precision. Needs many positions (--from).",
)
@click.option("--no-changes", is_flag=True, help="Propose no changes to existing patterns.")
@click.option("--seed", type=NATURAL, default=0, show_default=True, metavar="S", help="Seed of the order of blunders.")
@json_option
def mine(
    ids: tuple[str, ...],
    patterns: str,
    labels: Path,
    extra: tuple[Path, ...],
    top: int,
    precision: float | None,
    limit: int,
    climb: bool,
    no_changes: bool,
    seed: int,
    json: str | None,
) -> int:
    """Suggest the smallest patterns, and changes to existing patterns, that fix blunders of the player.

    The command learns from labelled positions. With ID it learns only from blunders that these patterns decide, and
    changes only these patterns.
    """
    if climb and precision is not None:
        raise click.UsageError(
            "rules that climb need not be right wherever they fire: leave out --precision or --climb"
        )
    from littlego.learning.mining.limits import Limit

    time_limit = Limit(limit)  # what is read and compiled counts too
    miner = _miner(patterns, ids, labels, extra, seed, precision, climb)
    report = _search(miner, ids, top, time_limit, no_changes)
    write_results(
        json, lambda: {**miner.as_json(), **report.as_json(), "limited": time_limit.cut, "harmful": miner.harmful}
    )
    if json != STANDARD_OUTPUT:
        console().print(*draw_report(miner, report, top, time_limit), sep="\n")
        for one in report.proposals:
            click.echo(f"\n{one.as_yaml()}")
    return FINDINGS if any(report) else FINE


def _miner(
    patterns: str,
    ids: Sequence[str],
    labels: Path,
    extra: Sequence[Path],
    seed: int,
    precision: float | None,
    climb: bool,
) -> Mine:
    from littlego.knowledge.files import read_solvable
    from littlego.learning.mining.proposals import Mine
    from littlego.truth.labels.positions import load_weighted

    knowledge = read_solvable(patterns)
    knowledge.check_ids(ids)
    positions, weights = load_weighted(labels, extra)
    return Mine(positions, knowledge, seed, precision, ids, weights if climb else None)


def _search(miner: Mine, ids: Sequence[str], top: int, limit: Limit, no_changes: bool) -> Report:
    from littlego.learning.mining.proposals import Report

    list(with_progress(miner.search.run(limit), len(miner.search.seeds), "seed"))
    proposals = miner.proposals(top, limit)
    if no_changes:
        return Report(proposals, [])
    trials = with_progress(miner.changes(ids, limit), len(miner.changeable(ids)), "pattern")
    changes = sorted(filter(None, trials), key=lambda change: (-change.gain, change.id))
    return Report(proposals, changes)


def draw_report(miner: Mine, report: Report, most: int, limit: Limit) -> Iterator[RenderableType]:
    """Yield what to print before the YAML. most: changes to show."""
    yield Text(miner.describe(), style="bold")
    if limit.cut:
        yield Text(limit.describe())
    if miner.harmful:
        yield Text(f"{miner.harmful} left out, because they spoil more than they mend where they were held out.")
    yield Text()
    if report.proposals:
        yield _proposals_table(report.proposals)
        yield Text(LEGEND, style="dim")
    else:
        yield Text("No pattern is right often enough and fixes more than it spoils.")
    if report.changes:
        yield Text()
        yield _changes_table(report.changes[:most])


def _proposals_table(proposals: Sequence[Proposal]) -> Table:
    rows = (
        (
            one.id,
            *map(str, (one.points, one.gain, one.grown, one.held)),
            f"{one.held.right}/{one.held.positions}",
            f"{one.bound:.3f}",
            "{}, {}".format(*one.elsewhere),
        )
        for one in proposals
    )
    heads = "pattern", "points", "gain", "searched", "held out", "right", "bound", "elsewhere"
    return new_table(*heads, gap=2, rows=rows)


def _changes_table(changes: Sequence[Change]) -> Table:
    rows = (
        (f"{one.id}: {one.what}", str(one.gain), "+{} -{}".format(*one.grown), "+{} -{}".format(*one.held))
        for one in changes
    )
    return new_table("change", "gain", "searched", "held out", gap=2, rows=rows)
