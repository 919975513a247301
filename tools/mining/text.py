"""Proposals as the terminal shows them: a table of patterns, one of changes; the patterns as YAML follow it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tools.draw.terminal import new_table
from tools.mining.changes import Change
from tools.mining.mining import Mine, Proposal, Report, Tally
from tools.mining.tuning import Step

LEGEND = (
    "gain: blunders fixed less wins spoilt, on all positions; searched, held out: the two. right: positions held out "
    "in which it is right, of those where it fires; bound: of that share on unseen positions, from below. elsewhere: "
    "where it fires in positions lost anyway, and won anyway."
)


def shown(mine: Mine, report: Report, most: int) -> Iterator[RenderableType]:
    """Yield what to print before the YAML. most: changes to show."""
    yield Text(mine.told(), style="bold")
    yield Text()
    if report.proposals:
        yield _proposals(report.proposals)
        yield Text(LEGEND, style="dim")
    else:
        yield Text("No pattern is right often enough and fixes more than it spoils.")
    if report.changes:
        yield Text()
        yield _changes(report.changes[:most])
    if report.steps:
        yield Text()
        yield _steps(report.steps)
        yield Text("The gain of all steps so far: stop where it no longer grows where it was held out.", style="dim")


def _proposals(proposals: Sequence[Proposal]) -> Table:
    found = new_table("pattern", "points", "gain", "searched", "held out", "right", "bound", "elsewhere", gap=2)
    for one in proposals:
        held = f"{one.held.right}/{one.held.positions}"
        tallies = _tally(one.grown), _tally(one.held)
        elsewhere = "{}, {}".format(*one.elsewhere)
        found.add_row(one.id, str(one.points), str(one.gain), *tallies, held, f"{one.bound:.3f}", elsewhere)
    return found


def _changes(changes: Sequence[Change]) -> Table:
    found = new_table("change", "gain", "searched", "held out", gap=2)
    for one in changes:
        pairs = ("+{} -{}".format(*pair) for pair in (one.grown, one.held))
        found.add_row(f"{one.id}: {one.what}", str(one.gain), *pairs)
    return found


def _steps(steps: Sequence[Step]) -> Table:
    found = new_table("points of all patterns, step by step", "times", "searched", "held out", gap=2)
    for one in steps:
        found.add_row(one.id, f"{one.factor:g}", str(one.grown), str(one.held))
    return found


def _tally(tally: Tally) -> str:
    return f"+{tally.fixed} -{tally.spoilt}"
