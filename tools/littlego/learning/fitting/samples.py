"""Which moves of kept games points are fitted to, and which are held out: a function of each game alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from littlego.cache import digest
from littlego.players.registry import UnknownPlayerError, parse
from littlego.records.packed_games import PackedGame, game_digest
from littlego.rules.position import RESIGN

HELD_OUT_ONE_IN = 5  # games
FOLDS = 3  # of the others, for cross-validation
HELD_OUT = -1  # in the place of a fold


class Sample(NamedTuple):
    """A game, and the numbers of those of its moves, from 0, that are looked at, in order."""

    game: PackedGame
    plies: tuple[int, ...]

    def key(self, code: str) -> str:
        """Return the key under which what `code` makes of it is kept."""
        return digest(code, game_digest(self.game), *map(str, self.plies))


def fold_of(game: PackedGame) -> int:
    """Return the fold that a game belongs to, 0 to FOLDS - 1, or HELD_OUT.

    By its digest alone, so that a game that is held out stays so whatever else is in the file.
    """
    number, left = divmod(int(game_digest(game)[:8], 16), HELD_OUT_ONE_IN)
    return number % FOLDS if left else HELD_OUT


def sampled(games: Iterable[PackedGame], most: int, loser: float) -> list[Sample]:
    """Return the moves to look at, of each different game some at most: those with the smallest digests.

    loser: how much a move of the side that lost counts; see weight_of. A game of which no move counts is left out.
    """
    different = {game_digest(game): game for game in reversed(list(games))}
    samples = (Sample(game, _plies(game, key, most, loser)) for key, game in reversed(different.items()))
    return [sample for sample in samples if sample.plies]


def _plies(game: PackedGame, key: str, most: int, loser: float) -> tuple[int, ...]:
    counted = [
        ply
        for ply in range(game.opening, len(game.moves))
        if game.moves[ply] != RESIGN and weight_of(game, ply, loser) > 0
    ]
    return tuple(sorted(sorted(counted, key=lambda ply: sha256(f"{key} {ply}".encode()).digest())[:most]))


def weight_of(game: PackedGame, ply: int, loser: float) -> float:
    """Return how much a move counts: 1 of the side that won or of a tied game, `loser` of an engine that lost.

    A move of a player that is no engine, such as ours, counts only where it won: it is no example otherwise.
    """
    side = ply % 2
    if game.winner in (0, side + 1):
        return 1.0 if game.winner or is_engine(game.players[side]) else 0.0
    return loser if is_engine(game.players[side]) else 0.0


@lru_cache(maxsize=1000)
def is_engine(name: str) -> bool:
    """Return whether a name means an engine that speaks the Go Text Protocol, as GNU Go does."""
    try:
        return parse(name).speaks_gtp
    except UnknownPlayerError:  # of a player that is not here any more
        return False


def count_moves(samples: Sequence[Sample]) -> int:
    """Return how many moves samples have together."""
    return sum(len(sample.plies) for sample in samples)
