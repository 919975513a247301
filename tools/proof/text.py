"""A walk as the terminal shows it: the layers, the patterns to blame, some of the boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from tools.draw.terminal import new_table
from tools.grades.text import blamed_text, decision_text, side_by_side
from tools.knowledge.problems import plural
from tools.proof.proving import Failure, Report, Row

LEGEND = (
    "won: decisions with a win to keep. failures: those that give it away; the walk goes on from a move that keeps it. "
    "overruled: decided by an override, in place of another move. cut: positions whose result nothing can change any "
    "more, not walked."
)
CHECKED_LEGEND = (
    "sampled: decisions repeated in plain Python, and all replies looked for in the next layer. valued: of these, "
    "moves whose result was found again, by the solver and in the last moves by playing everything out."
)


def shown(report: Report, most: int, boards: int) -> Iterator[RenderableType]:
    """Yield what to print. most: rows of the table of patterns, 0 for all; boards: failures drawn."""
    yield layers_text(report)
    yield Text()
    if report.failures:
        yield blamed_text(report.blamed, most)
    if boards and report.failures:
        drawn = first_of_each(report.failures, boards)
        yield side_by_side([decision_text(one.code, one.move, one.winning, one.by) for one in drawn])
    yield Text(conclusion(report), style="" if report.failures else "bold")


def layers_text(report: Report) -> RenderableType:
    """Draw the layers, and their sum."""
    found = new_table("left", "positions", "won", "failures", "a million", "overruled", "cut")
    for row in report.rows:
        found.add_row(str(row.left), *_cells(row))
    columns = zip(*(row[1:-1] for row in report.rows), strict=True)
    found.add_row("all", *_cells(Row(0, *map(sum, columns), "")))
    return Group(
        Text(f"Every position that {report.colour.capitalize()} meets", style="bold"), found, Text(), Text(LEGEND)
    )


def _cells(row: Row) -> list[Text | str]:
    failures = Text(f"{row.failures:,}", style="bold red" if row.failures else "")
    return [
        f"{row.positions:,}",
        f"{row.won:,}",
        failures,
        per_million(row.failures, row.won),
        f"{row.overruled:,}",
        f"{row.cut:,}",
    ]


def per_million(failures: int, of: int) -> str:
    """Return how many failures that is in a million."""
    return f"{1e6 * failures / of:,.0f}" if of else "-"


def first_of_each(failures: Sequence[Failure], most: int) -> list[Failure]:
    """Return failures to draw: the earliest of each pattern in turn, then further ones."""
    by: dict[str, list[Failure]] = {}
    for one in failures:
        by.setdefault(one.by, []).append(one)
    waiting, chosen = list(by.values()), []
    for place in range(most):
        chosen += [own[place] for own in waiting if place < len(own)]
        if len(chosen) >= most:
            break
    return chosen[:most]


def conclusion(report: Report) -> str:
    """Say in a sentence what is proved."""
    name, positions = report.colour.capitalize(), f"{plural(report.positions, 'position')}"
    if report.failures:
        return (
            f"{plural(len(report.failures), 'failure')} in {positions}: "
            f"{per_million(len(report.failures), report.won)} in a million won."
        )
    if not report.complete:
        return f"No failure in {positions}, down to {report.rows[-1].left} moves left; the walk is not complete."
    return f"Proved: {name} never gives a win away, whatever the opponent plays: {positions}, no failure."


def checked_text(certificate: dict, layers: Sequence) -> RenderableType:
    """Draw what a check of a certificate has found. layers: see checker.Checked."""
    found = new_table("left", "positions", "sampled", "valued", "faults")
    for one in layers:
        faults = Text(str(len(one.faults)), style="bold red" if one.faults else "")
        found.add_row(str(one.left), f"{one.positions:,}", f"{one.sampled:,}", f"{one.valued:,}", faults)
    told = [Text(f"{one.left} left: {fault}") for one in layers for fault in one.faults]
    name = certificate["colour"].capitalize()
    what = (
        "no failure"
        if certificate["proved"]
        else "it is not complete"
        if not certificate["complete"]
        else (plural(certificate["failures"], "failure"))
    )
    said = "Faults: it is not to be believed." if told else f"The certificate for {name} holds in the samples: {what}."
    return Group(found, Text(), *told, Text(CHECKED_LEGEND), Text(said, style="bold"))
