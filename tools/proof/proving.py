"""One run of the proof: whose, from where, with what result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rules.position import opening
from rules.positionkey import pack
from rules.ruleset import LITTLE_GO
from tools.effects.coverage import BUILT_IN
from tools.knowledge.overrides import EXACT
from tools.labels.decider import BY_OVERRIDE
from tools.proof.certificate import Player
from tools.proof.walk import Layer, canonical_unique, followers

BLACK = "black"
AN_OVERRIDE = "(override)"
FORMAT = 1


def roots_of(colour: str) -> np.ndarray:
    """Return the canonical codes of the positions in which a player of this colour makes its first move."""
    start = pack(opening(LITTLE_GO))
    return canonical_unique(np.array([start])) if colour == BLACK else followers(start)


class Row(NamedTuple):
    """A layer in numbers. won: positions that were won for the player; overruled: where an override chose another move
    than the patterns; cut: settled positions, not walked; digest: see Layer."""

    left: int
    positions: int
    won: int
    failures: int
    overruled: int
    cut: int
    digest: str


class Failure(NamedTuple):
    """A decision that gives a win away: where, the move, the mask of the winning moves, the one walked on with, and
    the pattern to blame (or what stands for none)."""

    code: int
    move: int
    winning: int
    repair: int
    by: str


class Report:
    """What a walk has found. names: the patterns' ids; complete: whether it went to the end, or found nothing more."""

    def __init__(
        self, colour: str, player: Player, roots: np.ndarray, names: list[str], layers: list[Layer], complete: bool
    ):
        self.colour = colour
        self.player = player
        self.roots = roots.tolist()
        self.names = names
        self.complete = complete
        self.rows = [
            Row(
                layer.left,
                layer.codes.size,
                int(layer.won.sum()),
                layer.failing.size,
                layer.overruled,
                layer.cut,
                layer.digest,
            )
            for layer in layers
        ]
        self.failures = [failure for layer in layers for failure in self._failures(layer)]

    def _failures(self, layer: Layer) -> Iterator[Failure]:
        for index, move, winning in zip(layer.failing, layer.thrown, layer.winning, strict=True):
            by = int(layer.deciders[index])
            name = self.names[by] if by >= 0 else AN_OVERRIDE if by == BY_OVERRIDE else BUILT_IN
            yield Failure(int(layer.codes[index]), int(move), int(winning), int(layer.moves[index]), name)

    @property
    def positions(self) -> int:
        """The number of decisions looked at."""
        return sum(row.positions for row in self.rows)

    @property
    def won(self) -> int:
        """The number of decisions with a win to keep."""
        return sum(row.won for row in self.rows)

    @property
    def blamed(self) -> dict[str, int]:
        """Failures by pattern, most first."""
        return dict(sorted(Counter(one.by for one in self.failures).items(), key=lambda item: (-item[1], item[0])))

    def certificate(self) -> dict:
        """Return the certificate as plain values: the same for the same player, whenever and however it was walked."""
        return {
            "format": FORMAT,
            "claim": f"as {self.colour.capitalize()}, from these positions on, the player never gives a win away",
            "proved": self.complete and not self.failures,
            "complete": self.complete,
            "colour": self.colour,
            "player": self.player._asdict(),
            "openings": self.roots,
            "exact_from": EXACT,
            "positions": self.positions,
            "won": self.won,
            "failures": len(self.failures),
            "blamed": self.blamed,
            "layers": [row._asdict() for row in self.rows],
        }

    def as_json(self) -> dict:
        """Return the certificate with every failure."""
        return {**self.certificate(), "failed": [one._asdict() for one in self.failures]}

    def repaired(self) -> dict[int, int]:
        """Return the overrides that cover the failures: canonical code -> move."""
        return {one.code: one.repair for one in self.failures}
