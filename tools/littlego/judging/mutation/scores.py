"""Mutation scores: counts of outcomes for each pattern, for each kind of mutant, and in total.

A separate file lists mutants that are known to be equivalent to their patterns, each with a reason:

    - mutant: cell 0,0 O->o
      patterns: [take-the-last-liberty, largest-capture-first]
      reason: An empty point is no chain, so in_atari(A) is false there.

A stale entry is an error. An entry is stale if the mutant does not exist, is killed, or does not need an entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from littlego.cli.arguments import ArgumentError
from littlego.files import read_limited
from littlego.judging.mutation.mutants import FLAG, POINTS, PRIORITY
from littlego.judging.mutation.trial import DECISION, EXAMPLE, PROVED, SAME, SURVIVED, Outcome
from littlego.paths import PATTERNS_YAML

SHIPPED = Path(__file__).with_name("equivalent.yaml")
_WANTED = "expected a list of `mutant:` (a name), `patterns:` (a list of ids) and `reason:` (a sentence)"
EQUIVALENT = "equivalent"
UNSEEN = (POINTS, PRIORITY, FLAG)  # kinds of mutants that fire exactly like the pattern, so no example can detect them
NOT_NEEDED = {  # result of a mutant (None for an unknown mutant) -> reason why its entry is stale
    None: "there is no such mutant",
    SAME: "it is identical to the pattern or to another mutant and does not count",
    PROVED: "it is proved to be equivalent without the list",
    EXAMPLE: "it is killed by an example",
    DECISION: "it is killed by a recorded decision",
}


def equivalents_of(patterns: Path) -> Path | None:
    """Return the path of the list of equivalent mutants, or None if there is no list.

    Only the shipped patterns file has a list.
    """
    return SHIPPED if patterns.resolve() == PATTERNS_YAML else None


def read_equivalents(path: Path) -> dict[tuple[str, str], str]:
    """Return {(pattern id, mutant name): reason} for the mutants listed as equivalent.

    Raise ArgumentError for an unreadable file or an invalid entry.
    """
    import yaml

    try:
        entries = yaml.safe_load(read_limited(path).decode("utf-8")) or []
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        raise ArgumentError(f"cannot read {path}: {' '.join(str(error).split())}; {_WANTED}") from None
    if not isinstance(entries, list):
        raise ArgumentError(f"{path}: not a list; {_WANTED}")
    reasons: dict[tuple[str, str], str] = {}
    for number, entry in enumerate(entries, 1):
        patterns, mutant, reason = _read_entry(entry, f"{path}, entry {number}")
        for pattern in patterns:
            if (pattern, mutant) in reasons:
                raise ArgumentError(f"{path}, entry {number}: `{mutant}` of {pattern} is listed twice; keep one entry")
            reasons[pattern, mutant] = reason
    return reasons


def _read_entry(entry: object, where: str) -> tuple[list[str], str, str]:
    """Return (pattern ids, mutant name, reason) of an entry. where: the place of the entry, for messages."""
    if not isinstance(entry, dict) or set(entry) != {"mutant", "patterns", "reason"}:
        raise ArgumentError(f"{where}: not an entry; {_WANTED}")
    patterns, mutant, reason = entry["patterns"], entry["mutant"], entry["reason"]
    texts = [mutant, reason, *(patterns if isinstance(patterns, list) else [None])]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise ArgumentError(f"{where}: a value is empty or not a string; {_WANTED}")
    return patterns, mutant, reason.strip()


@dataclass
class Score:
    """Counts of mutants by outcome. Proved, listed and identical mutants do not affect the percentage."""

    example: int = 0
    decision: int = 0
    survived: int = 0
    proved: int = 0
    equivalent: int = 0
    same: int = 0

    @property
    def counted(self) -> int:
        """The number of mutants that affect the percentage: killed mutants and survivors."""
        return self.example + self.decision + self.survived

    @property
    def killed(self) -> int:
        """The number of killed mutants."""
        return self.example + self.decision

    @property
    def percent(self) -> float:
        """The percentage of killed mutants among the counted mutants, or 100 if no mutants are counted."""
        return 100 * self.killed / self.counted if self.counted else 100.0


def score_of(outcomes: Iterable[Outcome]) -> Score:
    """Return the score of mutants with the given outcomes."""
    return Score(**Counter(outcome.result for outcome in outcomes))


def can_be_seen(outcome: Outcome) -> bool:
    """Return whether mutants of the outcome's kind can change firings and thus be detected by an example."""
    return outcome.kind not in UNSEEN


def within_reach(outcomes: Iterable[Outcome], pins: Collection[tuple[str, str]] | None = None) -> list[Outcome]:
    """Return the outcomes without the survivors that, as far as known, no example can kill.

    pins: the (pattern id, mutant name) of each survivor for which a search found an example. If `pins` is None, only
    `can_be_seen` determines which survivors an example can kill.
    """
    return [
        one
        for one in outcomes
        if one.result != SURVIVED or can_be_seen(one) and (pins is None or (one.pattern, one.name) in pins)
    ]


def excuse_listed(outcomes: list[Outcome], equivalents: Collection[tuple[str, str]]) -> list[Outcome]:
    """Return the outcomes, with the survivors in `equivalents` marked as equivalent."""
    return [
        replace(one, result=EQUIVALENT) if one.result == SURVIVED and (one.pattern, one.name) in equivalents else one
        for one in outcomes
    ]


def find_stale_entries(
    outcomes: list[Outcome], equivalents: Collection[tuple[str, str]], patterns: Collection[str]
) -> list[str]:
    """Return a message for each stale entry in the list of equivalents.

    An entry is checked only if the mutants of its pattern were tried, or if the patterns file lacks the pattern.
    """
    results = {(outcome.pattern, outcome.name): outcome.result for outcome in outcomes}
    tried = {outcome.pattern for outcome in outcomes}
    listed = [key for key in equivalents if key[0] in tried or key[0] not in patterns]
    reasons = ((*key, NOT_NEEDED.get(results.get(key))) for key in listed)
    return [
        f"`{mutant}` of {pattern} is listed as equivalent, but {why}: remove the entry"
        for pattern, mutant, why in reasons
        if why
    ]
