"""The command `mine`, which suggests new and changed patterns that fix blunders."""

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
    "gain: blunders fixed minus wins spoilt, on all positions; searched, held out: +fixed -spoilt on each part. right: "
    "held-out positions where the pattern is right / where it fires; bound: lower bound of this share on unseen "
    "positions. elsewhere: positions where the pattern fires and every move loses, and positions where the pattern "
    "fires and every move wins."
)
EPILOG = """A pattern for a move is right in a position if the pattern fires only for winning moves. A pattern against a
move is right if the pattern fires only for losing moves. The precision is the number of positions where the pattern is
right, divided by the number of positions where the pattern fires. The command uses only the working part of the labels,
never the test part. The command searches two thirds of these positions. The reported precision and its lower bound come
from the remaining third; all bounds of a report hold simultaneously with 95% confidence. Name and explain the patterns
that you keep, and check them with `littlego diff`. The same seed gives the same proposals unless --time-limit ends the
search.

Exit status: 0 if the command suggests nothing; 1 if it suggests patterns or changes; 2 if the command could not run."""


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
    help="Propose only patterns whose precision in the searched positions has a lower bound of at least P.  "
    "[default: 0.75; for patterns against moves: 0.5]",
)
@click.option(
    "--time-limit",
    "limit",
    type=NATURAL,
    default=LIMIT,
    show_default=True,
    metavar="SECONDS",
    help="Stop after SECONDS; 0 means no limit.",
)
@click.option(
    "--climb",
    is_flag=True,
    help="Rate proposals by the wins that the player keeps, not by precision. Use this option with many positions "
    "(--from).",
)
@click.option("--no-changes", is_flag=True, help="Propose no changes to existing patterns.")
@click.option(
    "--seed", type=NATURAL, default=0, show_default=True, metavar="S", help="Seed of the random order of the blunders."
)
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
    """Suggest small patterns, and changes to existing patterns, that fix blunders of the player.

    The command learns from labelled positions. With ID, it learns only from blunders whose moves the named patterns
    decide or support, and suggests changes only to these patterns.
    """
    if climb and precision is not None:
        raise click.UsageError("--climb does not search by precision: omit --precision or --climb")
    from littlego.learning.mining.limits import Limit

    time_limit = Limit(limit)  # created first, so that the time limit includes reading and compiling
    miner = _miner(patterns, ids, labels, extra, seed, precision, climb)
    report = _search(miner, ids, top, time_limit, no_changes)
    write_results(
        json, lambda: {**miner.as_json(), **report.as_json(), "limited": time_limit.cut, "harmful": miner.harmful}
    )
    if json != STANDARD_OUTPUT:
        console().print(*draw_report(miner, report, top, time_limit), sep="\n")
        for proposal in report.proposals:
            click.echo(f"\n{proposal.as_yaml()}")
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
    """Yield the parts of the printed report above the YAML. most: the maximum number of changes."""
    yield Text(miner.describe(), style="bold")
    if limit.cut:
        yield Text(limit.describe())
    if miner.harmful:
        yield Text(f"Omitted suggestions that spoil more held-out positions than they fix: {miner.harmful}.")
    yield Text()
    if report.proposals:
        yield _proposals_table(report.proposals)
        yield Text(LEGEND, style="dim")
    else:
        yield Text("No pattern is proposed: none is right often enough and fixes more positions than it spoils.")
    if report.changes:
        yield Text()
        yield _changes_table(report.changes[:most])


def _proposals_table(proposals: Sequence[Proposal]) -> Table:
    rows = (
        (
            proposal.id,
            *map(str, (proposal.points, proposal.gain, proposal.grown, proposal.held)),
            f"{proposal.held.right}/{proposal.held.positions}",
            f"{proposal.bound:.3f}",
            "{}, {}".format(*proposal.elsewhere),
        )
        for proposal in proposals
    )
    heads = "pattern", "points", "gain", "searched", "held out", "right", "bound", "elsewhere"
    return new_table(*heads, gap=2, rows=rows)


def _changes_table(changes: Sequence[Change]) -> Table:
    rows = (
        (
            f"{change.id}: {change.what}",
            str(change.gain),
            "+{} -{}".format(*change.grown),
            "+{} -{}".format(*change.held),
        )
        for change in changes
    )
    return new_table("change", "gain", "searched", "held out", gap=2, rows=rows)
