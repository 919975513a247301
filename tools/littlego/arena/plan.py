"""The plan of a tournament: its players, pairings and seeds. It gives the same pairs on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

from littlego.arena.elo import Hypothesis
from littlego.games.game import ruleset_named
from littlego.match.referee import CPU_LIMIT
from littlego.match.series import SEEDS
from littlego.rules.ruleset import LITTLE_GO

ROUND_ROBIN, GAUNTLET, SPRT = "round-robin", "gauntlet", "sprt"
NEW = ("ruleset", "minutes", "plies")  # of a plan: what earlier versions do not know


class Entrant(NamedTuple):
    """A player of a tournament.

    name: as tables show it, unique. spec: as littlego.players.registry spells it, true in every folder. digest: of
    all that decides its moves. patterns, overrides: what a player with a book of its own plays by, the files'
    bytes compressed by zlib; empty for all others.
    """

    name: str
    spec: str
    digest: str
    patterns: bytes = b""
    overrides: bytes = b""


class Pair(NamedTuple):
    """Two games with the same seed and opening, colours swapped; `first` is Black in the first.

    number: unique in a tournament, from 0. openings: random plies before the players choose. cpu_limit: seconds a move.
    ruleset, minutes, plies: as littlego.match.series.Pairing has them.
    """

    number: int
    first: Entrant
    second: Entrant
    seed: int
    openings: int
    cpu_limit: float
    ruleset: str = LITTLE_GO.name
    minutes: float | None = None
    plies: int | None = None


class Plan(NamedTuple):
    """A tournament before it is played.

    format: ROUND_ROBIN, GAUNTLET or SPRT. players: a gauntlet's first meets all others; a test has two, the new one
    first. pairs: for each pairing, at most in a test. hypothesis: what a test decides, None for the other formats.
    ruleset, minutes, plies: as in Pair; those that are as here are not in a file, which earlier versions so can read.
    """

    format: str
    players: tuple[Entrant, ...]
    pairs: int
    seed: int = 0
    openings: int = 0
    cpu_limit: float = CPU_LIMIT
    hypothesis: Hypothesis | None = None
    ruleset: str = LITTLE_GO.name
    minutes: float | None = None
    plies: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(player.name for player in self.players)

    @property
    def pairings(self) -> list[tuple[Entrant, Entrant]]:
        """All pairings, as (first, second)."""
        if self.format == ROUND_ROBIN:
            return list(combinations(self.players, 2))
        return [(self.players[0], other) for other in self.players[1:]]

    @property
    def total(self) -> int:
        """How many pairs of games there are, in a test at most."""
        return self.pairs * len(self.pairings)

    def pair(self, number: int) -> Pair:
        """Return one of the pairs.

        Every pairing plays its first pair, then every one its second, and so on: whenever a tournament is stopped,
        all have played about as often, and more pairs change no number. The seeds are those of `littlego match`; no
        two pairs share one, since players of the same kind draw the same lots from it and would play the same games.
        """
        first, second = self.pairings[number % len(self.pairings)]
        seed = SEEDS * self.seed + number
        game = self.ruleset, self.minutes, self.plies
        return Pair(number, first, second, seed, self.openings, self.cpu_limit, *game)

    def all_pairs(self) -> Iterator[Pair]:
        """Yield all pairs in the order of their numbers."""
        return map(self.pair, range(self.total))

    def as_json(self) -> dict[str, Any]:
        """Return all but the players' files as plain values; from_json with the players is the way back."""
        usual = Plan("", (), 0)
        values = {key: value for key, value in self._asdict().items() if key not in NEW or value != getattr(usual, key)}
        return {
            **values,
            "players": list(self.names),
            "hypothesis": self.hypothesis and self.hypothesis._asdict(),
        }

    @staticmethod
    def from_json(value: dict[str, Any], players: tuple[Entrant, ...]) -> Plan:
        """Return the plan that as_json gave; raise KeyError, TypeError or ValueError where it did not."""
        hypothesis = value["hypothesis"] and Hypothesis(**value["hypothesis"])
        plan = Plan(**{**value, "players": players, "hypothesis": hypothesis})
        ruleset_named(str(plan.ruleset))
        return plan
