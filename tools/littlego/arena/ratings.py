"""Ratings of many players: a Bradley-Terry model fitted by choix, with bootstrap intervals over pairs.

The constant VIRTUAL is the number of virtual games added to each pairing. The players share the points of these games,
so that even an undefeated player gets a finite rating. Real games soon outweigh the virtual games. Each bootstrap
sample has as many pairs as were played, drawn from the real and the virtual pairs. The virtual games are spread over
all outcomes of a pair, so that even identical results give an interval.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlego.arena.elo import SCALE
from littlego.arena.results import Result
from littlego.shares import CONFIDENCE

Array = NDArray[np.float64]
VIRTUAL = 1
SAMPLES = 500  # number of bootstrap samples
SEED = 1
OUTCOMES = [(points / 2, 2) for points in range(5)] + [(points / 2, 1) for points in range(3)]  # (points, games)


class Rating(NamedTuple):
    """A player's rating in Elo, with a confidence interval.

    Players of different groups are not connected by any chain of games, so their ratings are not comparable.
    """

    name: str
    rating: float
    low: float | None  # lower limit of the interval, None for a player that never scored
    high: float | None  # upper limit of the interval, None for a player that never lost a point
    games: int  # number of games played
    group: int = 0  # zero-based number of the group, the largest group first


def ratings(
    results: Sequence[Result], anchor: str | None = None, samples: int = SAMPLES, seed: int = SEED
) -> list[Rating]:
    """Return all ratings: the largest group first, and in each group the highest rating first.

    anchor: the player that gets the rating 0. In a group without the anchor, the mean rating is 0. The mean is taken
    over the players who both won and lost points or, if no player did, over all players. samples: the number of
    bootstrap samples. seed: the seed of the random draws.
    """
    pairings = _outcomes(results)
    rows: list[Rating] = []
    for group, names in enumerate(groups(pairings)):
        inside = {pairing: counts for pairing, counts in pairings.items() if pairing[0] in names}
        rated = _group_ratings(names, inside, anchor, samples, seed)
        rows += [rating._replace(group=group) for rating in sorted(rated, key=lambda row: (-row.rating, row.name))]
    return rows


def _outcomes(results: Iterable[Result]) -> dict[tuple[str, str], list[int]]:
    """Return {pairing: number of pairs with each outcome in OUTCOMES, as seen by the first player}."""
    games = defaultdict(list)
    for result in results:
        games[result.first, result.second, result.pair].append(result.score(result.first))
    counted: dict[tuple[str, str], Counter[tuple[float, int]]] = defaultdict(Counter)
    for (first, second, _), points in games.items():
        counted[first, second][sum(points), len(points)] += 1
    return {pairing: [counter[outcome] for outcome in OUTCOMES] for pairing, counter in counted.items()}


def groups(pairings: Collection[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of players connected by chains of games, the largest group first.

    The names in each group are sorted. pairings: pairs of names of players who have played each other.
    """
    from scipy.sparse.csgraph import connected_components

    names = sorted({name for pairing in pairings for name in pairing})
    if not names:
        return []
    met = np.zeros((len(names), len(names)))
    for first, second in pairings:
        met[names.index(first), names.index(second)] = 1
    number, labels = connected_components(met, directed=False)
    parts = [[name for name, label in zip(names, labels, strict=True) if label == group] for group in range(number)]
    return sorted(parts, key=lambda group: (-len(group), group))


def _group_ratings(
    names: list[str], pairings: dict[tuple[str, str], list[int]], anchor: str | None, samples: int, seed: int
) -> list[Rating]:
    at = [(names.index(first), names.index(second)) for first, second in pairings]
    counts = np.array(list(pairings.values()), dtype=float)
    wins = _points_taken(len(names), at, counts)
    taken, played = wins.sum(axis=1), (wins + wins.T).sum(axis=1)
    limited = [place for place in range(len(names)) if 0 < taken[place] < played[place]]
    zero = [names.index(anchor)] if anchor in names else limited or list(range(len(names)))
    strengths = _strengths(len(names), at, counts, zero)
    drawn = np.array([_strengths(len(names), at, again, zero) for again in _samples(counts, samples, seed)])
    lows, highs = np.percentile(drawn, [50 * (1 - CONFIDENCE), 50 * (1 + CONFIDENCE)], axis=0)
    return [
        Rating(
            name,
            float(strengths[index]),
            float(lows[index]) if taken[index] else None,
            float(highs[index]) if taken[index] < played[index] else None,
            int(played[index]),
        )
        for index, name in enumerate(names)
    ]


def _strengths(players: int, at: list[tuple[int, int]], counts: Array, zero: list[int]) -> Array:
    """Return the players' ratings in Elo.

    at: the two players' indices for each pairing. counts: the array [pairing, outcome] of the numbers of pairs, for the
    outcomes in OUTCOMES. zero: the indices of the players whose mean rating is set to 0.
    """
    from choix import ilsr_pairwise_dense

    wins = _points_taken(players, at, counts, VIRTUAL / 2)
    strengths: Array = ilsr_pairwise_dense(wins, max_iter=1000) * SCALE / log(10)
    return strengths - float(strengths[zero].mean())


def _samples(counts: Array, samples: int, seed: int) -> Iterator[Array]:
    """Yield bootstrap samples of the real and virtual outcomes.

    In each sample, a pairing has as many pairs as were played. counts: see _strengths. samples: the number of samples.
    seed: the seed of the random draws.
    """
    rng = np.random.default_rng(seed)
    pairs = np.array([games == 2 for _, games in OUTCOMES])
    to_draw = counts + VIRTUAL / 2 * pairs / pairs.sum()
    shares = to_draw / to_draw.sum(axis=1, keepdims=True)
    played = counts.sum(axis=1).astype(int)
    for _ in range(samples):
        yield rng.multinomial(played, shares).astype(float)


def _points_taken(players: int, at: list[tuple[int, int]], counts: Array, more: float = 0.0) -> Array:
    """Return the points won as a matrix [player, opponent]. more: points added for each player of each pairing."""
    wins = np.zeros((players, players))
    points, games = np.array(OUTCOMES).T
    for (first, second), outcomes in zip(at, counts, strict=True):
        wins[first, second] += outcomes @ points + more
        wins[second, first] += outcomes @ (games - points) + more
    return wins
