"""Changed decisions by who is responsible for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tools.effects.changes import Change


class Grouped(NamedTuple):
    """The changes that the same patterns are responsible for in the same way (see Change)."""

    why: str
    responsible: tuple[str, ...]
    changes: list[Change]


def grouped(changes: Iterable[Change]) -> list[Grouped]:
    """Return the changes in groups, the largest first."""
    found: dict[tuple, list[Change]] = {}
    for change in changes:
        found.setdefault((change.why, change.responsible), []).append(change)
    groups = [Grouped(*key, members) for key, members in found.items()]
    return sorted(groups, key=lambda group: (-len(group.changes), group.why, group.responsible))
