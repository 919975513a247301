"""Whom a certificate is about: a player as digests of its sources, its patterns and its overrides."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from tools.cache import digest
from tools.effects.books import Knowledge
from tools.knowledge.overrides import to_bytes
from tools.meaning import DECISION, meaning_of


class Player(NamedTuple):
    """Whom the proof is about, as SHA-256: what the sources that decide mean, patterns.txt's lines, overrides.txt.

    rules: by tools.meaning, so neither comments nor annotations count. Without overrides the last is that of a file
    with none.
    """

    rules: str
    patterns: str
    exceptions: str


def player_of(knowledge: Knowledge, overrides: Mapping[int, int]) -> Player:
    """Return what stands for a player."""
    texts = "\n".join(knowledge.lines).encode("utf-8"), to_bytes(overrides)
    return Player(meaning_of(*DECISION), *(sha256(text).hexdigest() for text in texts))


def decisions_name(knowledge: Knowledge) -> str:
    """Return the name of the folder for the decisions by these patterns.

    Their classes, their summaries and the mark of the rare ones decide nothing.
    """
    deciding = []
    for line in knowledge.lines:
        name, _, priority, specificity, flags, *asked, _ = line.split("\t")
        deciding.append("\t".join([name, priority, specificity, flags.replace("r", ""), *asked]))
    return digest("\n".join(deciding), meaning_of("tools.labels.decider"))[:16]


def walk_name(colour: str, player: Player) -> str:
    """Return the name of the folder for a player's walk."""
    return f"{colour}-{digest(*player)[:16]}"
