"""Fates counted: how many mutants were killed, and by what; a score for each pattern, each kind, and in all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from tools.mutation.equivalents import Equivalent
from tools.mutation.trial import EXAMPLE, PROVED, SAME, SURVIVED, Fate

EQUIVALENT = "equivalent"


@dataclass
class Score:
    """Mutants by their fate. Those that are proved or listed to be equivalent, or the same pattern, do not count."""

    example: int = 0
    decision: int = 0
    survived: int = 0
    proved: int = 0
    equivalent: int = 0
    same: int = 0

    @property
    def counted(self) -> int:
        """Mutants that should be killed."""
        return self.example + self.decision + self.survived

    @property
    def killed(self) -> int:
        """Those that are."""
        return self.example + self.decision

    @property
    def percent(self) -> float:
        """Their share, 0 to 100; 100 where there is nothing to kill."""
        return 100 * self.killed / self.counted if self.counted else 100.0

    def add(self, fate: str) -> None:
        """Count a mutant."""
        setattr(self, fate, getattr(self, fate) + 1)


def score_of(fates: Iterable[Fate]) -> Score:
    """Return the score of some mutants."""
    score = Score()
    for fate in fates:
        score.add(fate.fate)
    return score


def excused(fates: list[Fate], equivalents: dict[tuple[str, str], Equivalent]) -> list[Fate]:
    """Return the fates with the survivors that are listed as equivalent so called."""
    return [
        replace(fate, fate=EQUIVALENT) if fate.fate == SURVIVED and (fate.pattern, fate.name) in equivalents else fate
        for fate in fates
    ]


def stale(fates: list[Fate], equivalents: dict[tuple[str, str], Equivalent], patterns: Collection[str]) -> list[str]:
    """Return what is wrong with the list of equivalents: for patterns that were tried, or are not in the file."""
    known = {(fate.pattern, fate.name): fate for fate in fates}
    tried = {fate.pattern for fate in fates}
    found = []
    for key, one in equivalents.items():
        fate = known.get(key)
        if one.pattern not in patterns or one.pattern in tried and (fate is None or fate.fate != SURVIVED):
            found.append(f"`{one.mutant}` of {one.pattern} is listed as equivalent, but {_said(fate)}: remove it")
    return found


def _said(fate: Fate | None) -> str:
    if fate is None:
        return "there is no such mutant"
    if fate.fate == SAME:
        return "it is the same pattern as another and does not count"
    if fate.fate == PROVED:
        return "that is proved without the list"
    return f"it is killed by {'an example' if fate.fate == EXAMPLE else 'a recorded decision'}"
