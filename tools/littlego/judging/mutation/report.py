"""The report of `mutate`: tables of scores, and surviving mutants with examples that would kill them."""

from __future__ import annotations

from itertools import zip_longest

from rich.console import Console
from rich.table import Table
from rich.text import Text

from littlego.cli.terminal import Fitting, new_table
from littlego.judging.mutation.findings import UNPINNED, Findings, scores_of_kinds
from littlego.judging.mutation.mutants import (
    Mutant,
)
from littlego.judging.mutation.scores import Score, can_be_seen, score_of
from littlego.judging.mutation.trial import Outcome
from littlego.knowledge.model import MATCHES
from littlego.knowledge.problems import plural

COLUMNS = ("score", "example", "decision", "survived", "proved", "listed")
NARROW = COLUMNS[:4]  # the columns for a narrow terminal


def pattern_table(scores: dict[str, Score], columns: tuple[str, ...] = COLUMNS) -> Table:
    """Return a table with a row for each pattern that has surviving mutants, lowest score first."""
    surviving = [(name, score) for name, score in scores.items() if score.survived]
    surviving.sort(key=lambda pair: (pair[1].percent, pair[0]))
    return new_table("pattern", *columns, rows=(_score_row(*pair, columns) for pair in surviving))


def kind_table(outcomes: list[Outcome], columns: tuple[str, ...] = COLUMNS) -> Table:
    """Return a table with a row for each kind of mutant, and a row for the total."""
    rows = (_score_row(kind, score, columns) for kind, score in scores_of_kinds(outcomes).items())
    table = new_table("mutants of", *columns, rows=rows)
    table.add_section()
    table.add_row(*_score_row("all", score_of(outcomes), columns))
    return table


def _score_row(name: str, score: Score, columns: tuple[str, ...]) -> list[str | Text]:
    style = "bold red" if score.percent < 80 else "magenta" if score.percent < 90 else "green"
    percent = Text(f"{score.percent:.1f}%", style) if score.counted else "-"
    counts = score.example, score.decision, score.survived, score.proved, score.equivalent
    return [name, percent, *(str(count) if count else "-" for count in counts)][: len(columns) + 1]


def survivor_line(findings: Findings, outcome: Outcome) -> str:
    """Return a line with a surviving mutant's place, pattern, change and missing test."""
    line, column = findings.place(outcome)
    return f"{findings.lab.setup.filename}:{line}:{column}: {outcome.pattern}: {outcome.name}: {UNPINNED[outcome.kind]}"


def survivor_text(findings: Findings, outcome: Outcome) -> str:
    """Return the details of a surviving mutant as text.

    If the mutant changes the diagram, the text shows the diagram before and after the change. If the run found an
    example that kills the mutant, the text also shows the example.
    """
    pattern, mutant = findings.lab.patterns[outcome.pattern], findings.mutant(outcome)
    lines = [survivor_line(findings, outcome)]
    if mutant.key == "diagram":
        lines += ["", *_draw_beside(_draw_marked(pattern.rows, mutant), [" ".join(row) for row in mutant.draft.rows])]
    pin = findings.pin(outcome)
    if pin:
        only = "pattern" if pin.kind == MATCHES else "mutant"
        lines += ["", f"    On this board, only the {only} fires. If correct, add the example under `{pin.kind}`:"]
        lines += ["", *(f"        {line}" for line in pin.text().splitlines())]
    elif can_be_seen(outcome):
        lines += ["", "    Found no board on which the pattern and the mutant differ; the mutant may be equivalent."]
    return "\n".join([*lines, ""])


def _draw_marked(rows: list[str], mutant: Mutant) -> list[str]:
    """Return a diagram's rows with the changed cell in brackets."""
    drawn = [f" {' '.join(row)} " for row in rows]
    line, at = drawn[mutant.row], 2 * mutant.column
    drawn[mutant.row] = f"{line[:at]}[{line[at + 1]}]{line[at + 3 :]}"
    return drawn


def _draw_beside(left: list[str], right: list[str]) -> list[str]:
    """Return the lines of a text that shows two drawings side by side."""
    width = max(map(len, left))
    pairs = zip_longest(left, right, fillvalue="")
    return [f"    {a:{width}}  {'  ' if row else '->'}  {b}".rstrip() for row, (a, b) in enumerate(pairs)]


def print_report(console: Console, findings: Findings, drawn: bool) -> None:
    """Print the survivors, the tables of patterns and kinds, and the score. drawn: whether to draw the survivors."""
    wraps = console.is_terminal  # in a pipe, each survivor stays on one line
    for outcome in findings.shown:
        console.print((survivor_text if drawn else survivor_line)(findings, outcome), soft_wrap=not wraps)
    if findings.shown and not drawn:
        console.print()
    scores = findings.scores
    if len(scores) > 1 and any(score.survived for score in scores.values()):
        console.print(Fitting(pattern_table(scores), pattern_table(scores, NARROW)))
        console.print()
    console.print(Fitting(kind_table(findings.outcomes), kind_table(findings.outcomes, NARROW)))
    total, reachable = score_of(findings.outcomes), findings.reachable
    if hopeless := total.survived - reachable.survived:
        console.print(
            f"\nFound no killing example for {hopeless} of the {plural(total.survived, 'survivor')}; without "
            f"{'this survivor' if hopeless == 1 else 'these survivors'}, {reachable.killed} of {reachable.counted} "
            f"mutants are killed: {reachable.percent:.1f}%"
        )
    console.print(f"\n{total.killed} of {plural(total.counted, 'mutant')} killed: {total.percent:.1f}%")
    if total.survived and not drawn:
        console.print("--survivors draws each survivor and, if found, a killing example; --write adds these examples")
