"""A tournament's games as rows, and added up by player, opponent and colour: what tables and reports show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from littlego.match.series import Side, Tally, tally_of
from littlego.rules.position import BLACK, WHITE


class Result(NamedTuple):
    """A finished game of the arena.

    number: unique in its file, 2 * pair + half. pair: the pair of games with the same seed and opening, colours
    swapped. first, second: its players; `first` is Black in half 0. winner: BLACK, WHITE or 0 for a tie. fault: the
    colour that lost by a fault, or 0. lead2: Black's lead after komi, in half points. plies: moves played, the
    opening's included. why: how it ended. sides: Black's and White's.
    """

    number: int
    pair: int
    half: int
    first: str
    second: str
    seed: int
    opening: int
    winner: int
    fault: int
    lead2: int
    plies: int
    why: str
    sides: tuple[Side, Side]

    @property
    def black(self) -> str:
        """Black's name."""
        return self.second if self.half else self.first

    @property
    def white(self) -> str:
        """White's name."""
        return self.first if self.half else self.second

    @property
    def loser(self) -> str:
        """The loser's name, '' for a tie."""
        return {BLACK: self.white, WHITE: self.black}.get(self.winner, "")

    @property
    def text(self) -> str:
        """The result as SGF spells it: `B+2.5`, `W+F` for a fault, `0` for a tie."""
        if not self.winner:
            return "0"
        return f"{'B' if self.winner == BLACK else 'W'}+{'F' if self.fault else f'{abs(self.lead2) / 2:g}'}"

    def score(self, name: str) -> float:
        """Return the points of one of the two players: 1 for a win, a half for a tie. Against itself: as Black."""
        colour = BLACK if name == self.black else WHITE
        return 0.5 if not self.winner else float(self.winner == colour)


def pentanomial(results: Iterable[Result]) -> tuple[int, int, int, int, int]:
    """Return how many complete pairs gave `first` 0, 1/2, 1, 3/2 and 2 points; a lone half counts nowhere."""
    halves: dict[int, list[float]] = defaultdict(list)
    for result in results:
        points = result.score(result.black)
        halves[result.pair].append(1 - points if result.half else points)
    counts = Counter(round(2 * sum(both)) for both in halves.values() if len(both) == 2)
    return counts[0], counts[1], counts[2], counts[3], counts[4]


Tallies = Mapping[tuple[str, str, int], Tally]


def tallies(results: Iterable[Result]) -> dict[tuple[str, str, int], Tally]:
    """Add up games by player, opponent and the player's colour."""
    totals: dict[tuple[str, str, int], Tally] = defaultdict(Tally)
    for result in results:
        for player, opponent, colour in ((result.black, result.white, BLACK), (result.white, result.black, WHITE)):
            part = tally_of(colour, result.winner, result.fault, result.lead2, result.sides[colour - 1])
            totals[player, opponent, colour] = totals[player, opponent, colour].plus(part)
    return totals


def total_of(totals: Tallies, player: str, opponent: str | None = None, colour: int | None = None) -> Tally:
    """Return a player's games, all or against one opponent or with one colour."""
    parts = (
        tally
        for (one, other, its_colour), tally in totals.items()
        if one == player and opponent in (None, other) and colour in (None, its_colour)
    )
    return reduce(Tally.plus, parts, Tally())


def pairings(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Return the pairings as (first, second), in the order of their first game."""
    return list(dict.fromkeys((result.first, result.second) for result in results))


def hero_of(results: Sequence[Result]) -> str:
    """Return the player that is in every game of three players or more, as that of a gauntlet is, or ''."""
    who = pairings(results)
    everybody = dict.fromkeys(name for pairing in who for name in pairing)
    heroes = [name for name in everybody if all(name in pairing for pairing in who)]
    return heroes[0] if heroes and len(everybody) > 2 else ""
