"""The results of a tournament's games, and totals of the games by player, opponent and colour."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from littlego.match.series import Side, Tally, tally_of
from littlego.rules.position import BLACK, WHITE


class Result(NamedTuple):
    """The result and the settings of one finished game of a tournament, for statistics."""

    number: int  # unique in its file, 2 * pair + half
    pair: int  # number of the pair: two games with the same seed and opening, with colours swapped
    half: int  # 0, or 1 for the game with swapped colours
    first: str  # the player that is Black in half 0
    second: str
    seed: int
    opening: int
    winner: int  # BLACK, WHITE or 0 for a tie
    fault: int  # the colour that lost by a fault, or 0
    lead2: int  # Black's lead after komi, in half points
    plies: int  # moves played, including the opening
    why: str
    sides: tuple[Side, Side]  # the costs of Black's and of White's moves

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
        """The loser's name, or '' for a tie."""
        return {BLACK: self.white, WHITE: self.black}.get(self.winner, "")

    @property
    def text(self) -> str:
        """The result in SGF notation: `B+2.5`, `W+F` for a fault, `0` for a tie."""
        if not self.winner:
            return "0"
        return f"{'B' if self.winner == BLACK else 'W'}+{'F' if self.fault else f'{abs(self.lead2) / 2:g}'}"

    def score(self, name: str) -> float:
        """Return a player's points: 1 for a win, 1/2 for a tie, 0 for a loss.

        If both players have this name, return Black's points.
        """
        colour = BLACK if name == self.black else WHITE
        return 0.5 if not self.winner else float(self.winner == colour)


def pentanomial(results: Iterable[Result]) -> tuple[int, int, int, int, int]:
    """Return the numbers of pairs in which the first player scored 0, 1/2, 1, 3/2 and 2 points.

    Pairs with only one stored game are ignored.
    """
    halves: dict[int, list[float]] = defaultdict(list)
    for result in results:
        points = result.score(result.black)
        halves[result.pair].append(1 - points if result.half else points)
    counts = Counter(round(2 * sum(both)) for both in halves.values() if len(both) == 2)
    return counts[0], counts[1], counts[2], counts[3], counts[4]


Tallies = Mapping[tuple[str, str, int], Tally]


def tallies(results: Iterable[Result]) -> dict[tuple[str, str, int], Tally]:
    """Return {(player, opponent, player's colour): totals of the games}."""
    totals: dict[tuple[str, str, int], Tally] = defaultdict(Tally)
    for result in results:
        for player, opponent, colour in ((result.black, result.white, BLACK), (result.white, result.black, WHITE)):
            part = tally_of(colour, result.winner, result.fault, result.lead2, result.sides[colour - 1])
            totals[player, opponent, colour] = totals[player, opponent, colour].plus(part)
    return totals


def total_of(totals: Tallies, player: str, opponent: str | None = None, colour: int | None = None) -> Tally:
    """Return the totals of a player's games against one opponent or all, with one colour or both.

    opponent: the opponent's name, or None for all. colour: the player's colour, or None for both.
    """
    parts = (
        tally
        for (own, other, its_colour), tally in totals.items()
        if own == player and opponent in (None, other) and colour in (None, its_colour)
    )
    return reduce(Tally.plus, parts, Tally())


def pairings(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Return the pairings as (first, second), in the order of their first games."""
    return list(dict.fromkeys((result.first, result.second) for result in results))


def hero_of(results: Sequence[Result]) -> str:
    """Return the player that is in every pairing, as in a gauntlet.

    Return '' if no player is in every pairing, or if there are only two players.
    """
    who = pairings(results)
    everybody = dict.fromkeys(name for pairing in who for name in pairing)
    heroes = [name for name in everybody if all(name in pairing for pairing in who)]
    return heroes[0] if heroes and len(everybody) > 2 else ""
