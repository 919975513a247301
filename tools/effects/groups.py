"""Changed decisions by the pattern responsible for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tools.effects.changes import ALONE, DECIDES, Change


class Grouped(NamedTuple):
    """Changes of one kind (see Change.why) that one pattern is responsible for; no pattern where it takes several."""

    why: str
    pattern: str
    changes: list[Change]


def grouped(changes: Sequence[Change]) -> list[Grouped]:
    """Return the changes, each in one group, the largest group first and those that take several patterns last.

    A change that several patterns bring about, each alone, goes to the one that explains most of the others.
    """
    rest = [change for change in changes if change.why == ALONE]
    groups = []
    while rest:
        counts = Counter(name for change in rest for name in change.responsible)
        leader = min(counts, key=lambda name: (-counts[name], name))
        groups.append(Grouped(ALONE, leader, [change for change in rest if leader in change.responsible]))
        rest = [change for change in rest if leader not in change.responsible]
    return groups + _without_one(changes)


def _without_one(changes: Sequence[Change]) -> list[Grouped]:
    found: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        if change.why != ALONE:
            name = change.responsible[0] if change.why == DECIDES else ""
            found.setdefault((change.why, name), []).append(change)
    return [Grouped(*key, found[key]) for key in sorted(found, key=lambda key: (-len(found[key]), key))]
