"""The findings of `mutate`: outcomes, scores and survivors, as objects and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

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
from littlego.judging.mutation.scores import Score, score_of, within_reach
from littlego.judging.mutation.trial import Laboratory, Outcome
from littlego.knowledge.model import Example

UNPINNED = {
    CELL: "no example tests this cell",
    STAR: "no example tests the place of the move",
    EDGE: "no example tests where the shape lies relative to the edge of the board",
    CONDITION: "no example needs this condition",
    NUMBER: "no example tests this limit",
    POINTS: "no recorded decision depends on these points",
    PRIORITY: "no recorded decision depends on this priority",
    FLAG: "no recorded decision depends on this flag",
}


@dataclass(frozen=True)
class Findings:
    """The findings of a `mutate` run.

    shown: the survivors to list. pins: {(pattern, mutant): board that would kill the survivor}; None if the run did not
    search for boards. stale: a message for each stale entry in the list of equivalent mutants.
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
        """The score without the survivors that no example can kill, as far as the run knows: see within_reach."""
        return score_of(within_reach(self.outcomes, self.pins))

    def pin(self, outcome: Outcome) -> Example | None:
        """Return the board that would kill a survivor, or None if the run found no such board."""
        return (self.pins or {}).get((outcome.pattern, outcome.name))

    def mutant(self, outcome: Outcome) -> Mutant:
        """Return an outcome's mutant."""
        return self._known_of(outcome.pattern)[0][outcome.name]

    def place(self, outcome: Outcome) -> tuple[int, int]:
        """Return the line and column of an outcome's change in the patterns file."""
        return self._known_of(outcome.pattern)[1].of(self.mutant(outcome))

    def _known_of(self, name: str) -> tuple[dict[str, Mutant], Places]:
        """Return a pattern's mutants and places, cached because parsing is slow."""
        if name not in self._known:
            self._known[name] = {mutant.name: mutant for mutant in self.lab.changes(name)}, self.lab.places(name)
        return self._known[name]


def scores_of_kinds(outcomes: list[Outcome]) -> dict[str, Score]:
    """Return the score of each kind of mutant."""
    return {kind: score_of(outcome for outcome in outcomes if outcome.kind == kind) for kind in KINDS}


def as_json(findings: Findings) -> dict[str, Any]:
    """Return the findings as a dictionary for JSON."""
    kinds = scores_of_kinds(findings.outcomes)
    return {
        "score": _score_json(score_of(findings.outcomes)),
        "reachable": _score_json(findings.reachable),
        "patterns": {name: _score_json(score) for name, score in findings.scores.items()},
        "kinds": {kind: _score_json(score) for kind, score in kinds.items()},
        "survivors": [survivor_json(findings, outcome) for outcome in findings.shown],
    }


def survivor_json(findings: Findings, outcome: Outcome) -> dict[str, Any]:
    """Return a survivor as a dictionary for JSON.

    The keys are pattern, mutant, kind, file, line, column, message, and kill (an example that would kill the survivor,
    or null).
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
