"""Made-up results of games that were never played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random

from littlego.arena.elo import share_of
from littlego.arena.results import Result
from littlego.match.series import Side
from littlego.rules.position import BLACK, WHITE

BLACK_SIDE, WHITE_SIDE = Side(12, 0.012, 0.003), Side(12, 0.24, 0.05)


def game(number: int, first: str, second: str, *, won: bool, lead: float = 2.5, **more) -> Result:
    """Return the result of a game. won: whether `first` won. lead: the winner's lead in points, after komi."""
    half = number % 2
    winner = BLACK if won != bool(half) else WHITE
    lead2 = round(2 * lead) if winner == BLACK else -round(2 * lead)
    result = Result(
        number,
        number // 2,
        half,
        first,
        second,
        number // 2,
        4,
        winner,
        0,
        lead2,
        24,
        "24 moves",
        (BLACK_SIDE, WHITE_SIDE),
    )
    return result._replace(**more)


def pairs(first: str, second: str, points: Iterable[int], start: int = 0) -> list[Result]:
    """Return the games of pairs numbered from `start`. points: how many games of each pair `first` wins."""
    return [
        game(2 * pair + half, first, second, won=half < won)
        for pair, won in enumerate(points, start)
        for half in (0, 1)
    ]


def field(strengths: Mapping[str, float], rounds: int, seed: int = 0) -> list[Result]:
    """Return random results of a round robin. strengths: {name: Elo}. rounds: pairs of games for each two players."""
    rng, found = Random(seed), []
    for _ in range(rounds):
        for first, second in combinations(strengths, 2):
            chance = share_of(strengths[first] - strengths[second])
            for _half in (0, 1):
                found.append(game(len(found), first, second, won=rng.random() < chance))
    return found
