"""Reports of `mutate`: tables of scores, and survivors as untested parts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from littlego.cli.terminal import Fitting, new_table
from littlego.judging.mutation.mutants import (
    CELL,
    CONDITION,
    EDGE,
    FLAG,
    KINDS,
    NUMBER,
    POINTS,
    PRIORITY,
    STAR,
    Mutant,
    Places,
)
from littlego.judging.mutation.scores import Score, can_be_seen, score_of, within_reach
from littlego.judging.mutation.trial import Laboratory, Outcome
from littlego.knowledge.model import MATCHES, Example
from littlego.knowledge.problems import plural

UNPINNED = {
    CELL: "no example tests this cell",
    STAR: "no example tests that the move is here",
    EDGE: "no example tests where the shape lies relative to the edge of the board",
    CONDITION: "no example needs this condition",
    NUMBER: "no example tests this limit",
    POINTS: "no recorded decision depends on these points",
    PRIORITY: "no recorded decision depends on this priority",
    FLAG: "no recorded decision depends on this flag",
}
COLUMNS = ("score", "example", "decision", "survived", "proved", "listed")
NARROW = COLUMNS[:4]  # the columns for a narrow terminal


@dataclass(frozen=True)
class Findings:
    """The findings of a run.

    shown: the survivors to list. pins: boards that would kill survivors, by (pattern, mutant); None if the run did not
    search for boards. stale: the mistakes in the list of equivalent mutants.
    """

    lab: Laboratory
    outcomes: list[Outcome]
    shown: list[Outcome]
    pins: dict[tuple[str, str], Example] | None
    stale: list[str] = field(default_factory=list)
    _known: dict[str, tuple[dict[str, Mutant], Places]] = field(default_factory=dict, init=False, repr=False)

    @property
    def scores(self) -> dict[str, Score]:
        """The score of each pattern."""
        names = dict.fromkeys(outcome.pattern for outcome in self.outcomes)
        return {name: score_of(outcome for outcome in self.outcomes if outcome.pattern == name) for name in names}

    @property
    def reachable(self) -> Score:
        """The score without survivors that no example can kill: the part that the author can improve."""
        return score_of(within_reach(self.outcomes, self.pins))

    def pin(self, outcome: Outcome) -> Example | None:
        """Return a board that would kill a survivor, or None if the run found none."""
        return (self.pins or {}).get((outcome.pattern, outcome.name))

    def mutant(self, outcome: Outcome) -> Mutant:
        """Return the mutant that an outcome is about."""
        return self._known_of(outcome.pattern)[0][outcome.name]

    def place(self, outcome: Outcome) -> tuple[int, int]:
        """Return the line and column of the outcome's mutant."""
        return self._known_of(outcome.pattern)[1].of(self.mutant(outcome))

    def _known_of(self, name: str) -> tuple[dict[str, Mutant], Places]:
        """Return the mutants and places of a pattern, cached because parsing its entry takes time."""
        if name not in self._known:
            self._known[name] = {mutant.name: mutant for mutant in self.lab.changes(name)}, self.lab.places(name)
        return self._known[name]


def pattern_table(scores: dict[str, Score], columns: tuple[str, ...] = COLUMNS) -> Table:
    """Return a row for each pattern with a survivor, the lowest score first."""
    surviving = [(name, score) for name, score in scores.items() if score.survived]
    surviving.sort(key=lambda pair: (pair[1].percent, pair[0]))
    return new_table("pattern", *columns, rows=(_score_row(*pair, columns) for pair in surviving))


def kind_table(outcomes: list[Outcome], columns: tuple[str, ...] = COLUMNS) -> Table:
    """Return a row for each kind of mutant, and a row for the total."""
    rows = (_score_row(kind, score, columns) for kind, score in _scores_of_kinds(outcomes).items())
    table = new_table("mutants of", *columns, rows=rows)
    table.add_section()
    table.add_row(*_score_row("all", score_of(outcomes), columns))
    return table


def _scores_of_kinds(outcomes: list[Outcome]) -> dict[str, Score]:
    return {kind: score_of(outcome for outcome in outcomes if outcome.kind == kind) for kind in KINDS}


def _score_row(name: str, score: Score, columns: tuple[str, ...]) -> list[str | Text]:
    style = "bold red" if score.percent < 80 else "magenta" if score.percent < 90 else "green"
    percent = Text(f"{score.percent:.1f}%", style) if score.counted else "-"
    counts = score.example, score.decision, score.survived, score.proved, score.equivalent
    return [name, percent, *(str(count) if count else "-" for count in counts)][: len(columns) + 1]


def survivor_line(findings: Findings, outcome: Outcome) -> str:
    """Return a survivor in a line: its place, its pattern, the change, and the missing test."""
    line, column = findings.place(outcome)
    return f"{findings.lab.setup.filename}:{line}:{column}: {outcome.pattern}: {outcome.name}: {UNPINNED[outcome.kind]}"


def survivor_text(findings: Findings, outcome: Outcome) -> str:
    """Return the details of a survivor: the diagram with its changed cell, and an example that kills it."""
    pattern, mutant = findings.lab.patterns[outcome.pattern], findings.mutant(outcome)
    lines = [survivor_line(findings, outcome)]
    if mutant.key == "diagram":
        lines += ["", *_draw_beside(_draw_marked(pattern.rows, mutant), [" ".join(row) for row in mutant.draft.rows])]
    pin = findings.pin(outcome)
    if pin:
        only = "pattern" if pin.kind == MATCHES else "mutant"
        lines += ["", f"    Here only the {only} fires. If that is right, add under `{pin.kind}`:"]
        lines += ["", *(f"        {line}" for line in pin.text().splitlines())]
    elif can_be_seen(outcome):
        lines += ["", "    No board was found on which pattern and mutant differ: the mutant may be equivalent."]
    return "\n".join([*lines, ""])


def _draw_marked(rows: list[str], mutant: Mutant) -> list[str]:
    """Return a diagram's rows with the changed cell in brackets."""
    drawn = [f" {' '.join(row)} " for row in rows]
    line, at = drawn[mutant.row], 2 * mutant.column
    drawn[mutant.row] = f"{line[:at]}[{line[at + 1]}]{line[at + 3 :]}"
    return drawn


def _draw_beside(left: list[str], right: list[str]) -> list[str]:
    """Return two drawings side by side."""
    width = max(map(len, left))
    pairs = zip_longest(left, right, fillvalue="")
    return [f"    {a:{width}}  {'  ' if row else '->'}  {b}".rstrip() for row, (a, b) in enumerate(pairs)]


def print_report(console: Console, findings: Findings, drawn: bool) -> None:
    """Print the survivors, a table of patterns and a table of kinds. drawn: whether to add diagrams and boards."""
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
            f"\nNo example was found that kills {hopeless} of the {plural(total.survived, 'survivor')}; without "
            f"{'it' if hopeless == 1 else 'them'} {reachable.killed} of {reachable.counted} are killed: "
            f"{reachable.percent:.1f}%"
        )
    console.print(f"\n{total.killed} of {plural(total.counted, 'mutant')} killed: {total.percent:.1f}%")
    if total.survived and not drawn:
        console.print("--survivors draws each survivor and an example that would kill it; --write adds such examples")


def as_json(findings: Findings) -> dict[str, Any]:
    """Return the findings as plain values."""
    kinds = _scores_of_kinds(findings.outcomes)
    return {
        "score": _score_json(score_of(findings.outcomes)),
        "reachable": _score_json(findings.reachable),
        "patterns": {name: _score_json(score) for name, score in findings.scores.items()},
        "kinds": {kind: _score_json(score) for kind, score in kinds.items()},
        "survivors": [survivor_json(findings, outcome) for outcome in findings.shown],
    }


def survivor_json(findings: Findings, outcome: Outcome) -> dict[str, Any]:
    """Return a survivor as plain values.

    The keys are pattern, mutant, kind, its place, message, and kill (an example that would kill it, or null).
    """
    line, column = findings.place(outcome)
    pin = findings.pin(outcome)
    return {
        "pattern": outcome.pattern,
        "mutant": outcome.name,
        "kind": outcome.kind,
        "file": findings.lab.setup.filename,
        "line": line,
        "column": column,
        "message": UNPINNED[outcome.kind],
        "kill": {"under": pin.kind, "example": pin.text()} if pin else None,
    }


def _score_json(score: Score) -> dict[str, Any]:
    return {**asdict(score), "percent": round(score.percent, 1)}
