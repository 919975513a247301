"""What went wrong many times, counted by kind: texts that differ in their numbers alone are told once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GENERAL = (  # what makes texts of the same kind differ, and what stands for it
    (re.compile(r"\b\d(\s*,\s*)\d\b"), r"i\1j"),
    (re.compile(r"used [\d.]+ s of CPU time, the limit is"), "used more CPU time than"),
)
_NUMBER = re.compile(r"(?<!signal )(?<!status )(?<!\d)\d+([.,]\d+)*")


def kinds(texts: Iterable[str]) -> list[tuple[str, int]]:
    """Return (text, how many there are) of each kind, in the order of the first ones.

    A kind whose texts differ shows the first one, made general where that can be said.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_NUMBER.sub("0", _general(text)), []).append(text)
    return [(_shown(group), len(group)) for group in groups.values()]


def _shown(group: list[str]) -> str:
    return group[0] if len(set(group)) == 1 else _general(group[0])


def _general(text: str) -> str:
    for pattern, instead in _GENERAL:
        text = pattern.sub(instead, text)
    return text
