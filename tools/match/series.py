"""Many games between two players, on several cores, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from statistics import mean
from typing import NamedTuple

from rules.position import BLACK, WHITE
from tools.match.referee import GameRecord
from tools.parallel import each

SEEDS = 1_000_000  # games that one series seed can number


class Pairing(NamedTuple):
    """Game `index` of a series: who is Black and who White, the game's seed, the plies of its random opening."""

    index: int
    black: str
    white: str
    seed: int
    openings: int


def pairings(first: str, second: str, games: int, seed: int, openings: int) -> list[Pairing]:
    """Return the games of a series.

    Colours alternate, `first` begins as Black. Games 2k and 2k+1 have the seed 1,000,000 * seed + k, and so the same
    opening with colours swapped. `littlego play --seed` with a game's seed and the same openings replays it.
    """
    found = []
    for index in range(games):
        black, white = (first, second) if index % 2 == 0 else (second, first)
        found.append(Pairing(index, black, white, SEEDS * seed + index // 2, openings))
    return found


def play_all(
    play: Callable[[Pairing], GameRecord], games: list[Pairing], jobs: int
) -> Iterator[tuple[Pairing, GameRecord]]:
    """Yield every game as it ends, in any order; `play` must be importable by name where jobs > 1."""
    yield from each(play, games, jobs)


class Tally(NamedTuple):
    """One player's part of a series.

    games, wins: by colour. margin: mean lead after komi in points, over the games that no fault ended. seconds,
    slowest: mean and largest CPU time of its own choices. faults: (Pairing, GameRecord) of the games that it lost
    by a fault. warnings: moves with a format that only the course's reader forgives.
    """

    games: dict
    wins: dict
    ties: int
    margin: float
    seconds: float
    slowest: float
    faults: list
    warnings: int


def tally(results: Iterable[tuple[Pairing, GameRecord]], first: bool) -> Tally:
    """Add up the games of a series for its first player, or for its second."""
    games, wins = {BLACK: 0, WHITE: 0}, {BLACK: 0, WHITE: 0}
    ties, warnings, margins, seconds, faults = 0, 0, [], [], []
    for game, record in results:
        colour = BLACK if first == (game.index % 2 == 0) else WHITE
        games[colour] += 1
        wins[colour] += record.winner == colour
        ties += record.winner == 0
        if record.fault == colour:
            faults.append((game, record))
        if not record.fault:
            margins.append(record.lead2 / 2 if colour == BLACK else -record.lead2 / 2)
        chosen = [move for move in record.moves[record.opening :] if move.colour == colour]
        seconds += [move.cpu for move in chosen]
        warnings += sum(1 for move in chosen if move.warning)
    return Tally(
        games,
        wins,
        ties,
        mean(margins) if margins else 0.0,
        mean(seconds) if seconds else 0.0,
        max(seconds, default=0.0),
        faults,
        warnings,
    )
