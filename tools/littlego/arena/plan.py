"""The plan of a tournament: players, pairings and seeds. The pairs are the same on every machine."""

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
NEW = ("ruleset", "minutes", "plies")  # fields of a plan that earlier versions lack


class Entrant(NamedTuple):
    """A player of a tournament.

    For a player with its own patterns file, `patterns` contains the compiled patterns, and `overrides` the content of
    the player's overrides file, if any; both are compressed by zlib. For other players, both fields are empty.
    """

    name: str  # unique, for tables
    spec: str  # the registry's name for the player, valid in every folder
    digest: str  # a hash of everything that decides the player's moves
    patterns: bytes = b""
    overrides: bytes = b""


class Pair(NamedTuple):
    """Two games with the same seed, the same opening and swapped colours."""

    number: int  # unique in a tournament, from 0
    first: Entrant  # Black in the first game
    second: Entrant
    seed: int
    openings: int  # random plies before the players choose
    cpu_limit: float  # CPU seconds per move
    ruleset: str = LITTLE_GO.name  # this and the following fields: as in littlego.match.series.Pairing
    minutes: float | None = None
    plies: int | None = None


class Plan(NamedTuple):
    """The plan of a tournament.

    A tournament's file omits the fields in NEW that have default values, so that earlier versions of this program can
    read the file.
    """

    format: str  # ROUND_ROBIN, GAUNTLET or SPRT
    # In a gauntlet, the first player meets all others. A test has two players, the new player first.
    players: tuple[Entrant, ...]
    pairs: int  # number of pairs for each pairing; in a test, the maximum number
    seed: int = 0
    openings: int = 0
    cpu_limit: float = CPU_LIMIT
    hypothesis: Hypothesis | None = None  # of a test, None for other formats
    ruleset: str = LITTLE_GO.name  # this and the following fields: as in Pair
    minutes: float | None = None
    plies: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(player.name for player in self.players)

    @property
    def pairings(self) -> list[tuple[Entrant, Entrant]]:
        """All pairings as (first player, second player)."""
        if self.format == ROUND_ROBIN:
            return list(combinations(self.players, 2))
        return [(self.players[0], other) for other in self.players[1:]]

    @property
    def total(self) -> int:
        """The total number of pairs. A test can end after fewer pairs."""
        return self.pairs * len(self.pairings)

    def pair(self, number: int) -> Pair:
        """Return the pair with this number.

        Pairs are numbered in rounds: the first pair of each pairing, then the second pair of each pairing, and so on.
        Therefore, an interrupted tournament has played all pairings about equally often. Extending the plan does not
        renumber pairs. The seeds are computed as in `littlego match`. Each pair has its own seed; with equal seeds,
        players of the same kind would make the same random choices and play the same games.
        """
        first, second = self.pairings[number % len(self.pairings)]
        seed = SEEDS * self.seed + number
        game = self.ruleset, self.minutes, self.plies
        return Pair(number, first, second, seed, self.openings, self.cpu_limit, *game)

    def all_pairs(self) -> Iterator[Pair]:
        """Yield all pairs, the lowest number first."""
        return map(self.pair, range(self.total))

    def as_json(self) -> dict[str, Any]:
        """Return the plan as a JSON value, with each player represented by a name; see from_json."""
        usual = Plan("", (), 0)
        values = {key: value for key, value in self._asdict().items() if key not in NEW or value != getattr(usual, key)}
        return {
            **values,
            "players": list(self.names),
            "hypothesis": self.hypothesis and self.hypothesis._asdict(),
        }

    @staticmethod
    def from_json(value: dict[str, Any], players: tuple[Entrant, ...]) -> Plan:
        """Return the plan that a JSON value from as_json describes. players: the plan's players.

        Raise KeyError, TypeError or ValueError for an invalid value.
        """
        hypothesis = value["hypothesis"] and Hypothesis(**value["hypothesis"])
        plan = Plan(**{**value, "players": players, "hypothesis": hypothesis})
        ruleset_named(str(plan.ruleset))
        return plan
