"""`littlego judge`: the effect of an edit of the patterns on a stored walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text

from littlego.cli.arguments import FINDINGS, FINE, trying_to, write_results
from littlego.cli.terminal import console, new_table
from littlego.files import STANDARD_OUTPUT, short_name
from littlego.knowledge.problems import plural
from littlego.truth.proof import walk
from littlego.truth.proof.certificate import Failure, Report, player_of
from littlego.truth.proof.edited import Changed, Earlier, Edit, EditedWalk, compare, find_earlier
from littlego.truth.proof.proving import WALKS, draw_failures, make_walk, run_walk, write_repairs
from littlego.truth.proof.settings import Settings
from littlego.truth.proof.threads import Watch
from littlego.truth.proof.walk import is_complete

LEGEND = (
    "changed: different decisions in positions that are still met. come: positions met only after the edit. gone: "
    "positions met only before the edit. made: decisions that give a win away only after the edit. mended: decisions "
    "that give a win away only before the edit."
)


class Judged(NamedTuple):
    """The effect of an edit. names: the ids of the edited patterns. report: the results of the walk after the edit."""

    earlier: Earlier
    names: list[str]
    layers: list[Changed]
    report: Report

    @property
    def sums(self) -> Changed:
        """The sum of each column over all layers."""
        return Changed(0, *(sum(column) for column in zip(*(layer[1:] for layer in self.layers), strict=True)))

    @property
    def failed_before(self) -> set[int]:
        """The codes of the positions whose decisions failed before the edit."""
        layers = [self.earlier.layer(one.left) for one in self.layers]
        return {code for layer in layers for code in layer.codes[layer.failing].tolist()}

    @property
    def made(self) -> list[Failure]:
        """The failures that the edit causes."""
        before = self.failed_before
        return [failure for failure in self.report.failures if failure.code not in before]

    @property
    def mended(self) -> list[int]:
        """The codes of the positions whose decisions failed before the edit but not after it."""
        return sorted(self.failed_before - {failure.code for failure in self.report.failures})

    def as_json(self) -> dict[str, object]:
        """Return the edit's effect by layer, and the failures that the edit causes and fixes, as JSON values."""
        return {
            "since": short_name(self.earlier.folder),
            "edited": self.names,
            "layers": [one._asdict() for one in self.layers],
            "made": [one._asdict() for one in self.made],
            "mended": self.mended,
        }


def judge_edit(colour: str, settings: Settings, json: str | None) -> int:
    """Compare the walk after an edit with the latest complete stored walk, and print the edit's effect.

    Return the exit status: 1 if the edit causes failures, else 0.
    """
    knowledge, overrides = settings.player()
    player, watch = player_of(knowledge, overrides), Watch()
    earlier = find_earlier(settings.folder / WALKS, colour, player)
    edit, solver, roots = Edit(earlier, knowledge, overrides), settings.solver(), walk.roots_of(colour)
    with trying_to(f"store decisions and values in {short_name(settings.folder)}"):
        parts = make_walk(settings, solver, knowledge, overrides, watch)
        walking = EditedWalk(*parts, settings.jobs, watch, settings.search, edit=edit)
        layers = run_walk(walking, roots, settings)
    complete = is_complete(layers, settings.down_to)
    report = Report(colour, player, roots.tolist(), knowledge.book, layers, complete)
    judged = Judged(
        earlier, edit.patterns.names, [compare(earlier.layer(layer.left), layer) for layer in layers], report
    )
    write_repairs(report, overrides, settings.overrides_out)
    write_results(json, judged.as_json)
    if json != STANDARD_OUTPUT:
        console().print(*draw_judged(judged, settings.most, settings.boards), sep="\n")
    return FINDINGS if judged.sums.made else FINE


def draw_judged(judged: Judged, most: int, boards: int) -> Iterator[RenderableType]:
    """Yield the parts of the printed report. most, boards: see proving.draw_report."""
    name = judged.report.colour.capitalize()
    yield Text(f"Effect of the edit on the walk as {name} in {short_name(judged.earlier.folder)}", style="bold")
    yield new_table(*Changed._fields, rows=[*_rows(judged.layers), *_rows([judged.sums])])
    yield Text(f"\n{LEGEND}\n")
    yield from draw_failures(judged.made, most, boards)
    yield Text(format_judged(judged), style="bold")


def _rows(layers: Sequence[Changed]) -> Iterator[list[str]]:
    for layer in layers:
        yield [str(layer.left or "all"), *(f"{number:,}" for number in layer[1:])]


def format_judged(judged: Judged) -> str:
    """Return two sentences that describe the effect of the edit."""
    sums, reached = judged.sums, "" if judged.report.complete else f", down to {judged.layers[-1].left} moves left"
    edited = f"{plural(len(judged.names), 'edited pattern')}, {plural(sums.changed, 'changed decision')}{reached}"
    if not sums.made:
        verdict = "The edit gives no win away" if not judged.report.failures else "The edit gives no further win away"
    else:
        verdict = f"The edit gives {plural(sums.made, 'win')} away"
    mended = f" and fixes {plural(sums.mended, 'failure')}" if sums.mended else ""
    return f"{edited}. {verdict}{mended}, in {plural(sums.positions, 'position')}."
