"""Selection of the moves for a fit and of the held-out games.

The moves selected from a game do not depend on other games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from littlego.cache import digest
from littlego.players.registry import UnknownPlayerError, parse
from littlego.records.packed_games import PackedGame, game_digest
from littlego.records.training_games import UNKNOWN, rank_of
from littlego.rules.position import RESIGN

HELD_OUT_ONE_IN = 5  # one in HELD_OUT_ONE_IN games is held out
FOLDS = 3  # number of folds for cross-validation, which excludes the held-out games
STRONG = 6  # dan; the moves of players from this rank on have full weight
RANKS = 3  # number of ranks below STRONG that halve the weight of a move
HELD_OUT = -1  # replaces the index of the fold for a held-out game


class Sample(NamedTuple):
    """A game and the zero-based indices of its selected moves, in ascending order."""

    game: PackedGame
    plies: tuple[int, ...]

    def key(self, code: str) -> str:
        """Return the cache key of the sample's result. code: a digest of the code that computes the result."""
        return digest(code, game_digest(self.game), *map(str, self.plies))


def fold_of(game: PackedGame) -> int:
    """Return the fold of a game, 0 to FOLDS - 1, or HELD_OUT.

    The fold depends only on the game's digest, so a held-out game stays held out when games are added to the file.
    """
    number, left = divmod(int(game_digest(game)[:8], 16), HELD_OUT_ONE_IN)
    return number % FOLDS if left else HELD_OUT


def sampled(games: Iterable[PackedGame], most: int, loser: float) -> list[Sample]:
    """Return the selected moves of each distinct game.

    The function excludes opening moves, resignations and moves of weight 0. From each game, it selects the `most`
    remaining moves with the smallest digests, or all remaining moves if there are fewer. loser: see weight_of. Games
    without selected moves are skipped.
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
    """Return the weight of a move.

    A move has the teacher_weight of its player, times `loser` if the player lost. If the teacher_weight is 0 (for our
    own player, for example), the move has the weight 1 if the player won, else 0.
    """
    side = ply % 2
    weight = teacher_weight(game.players[side])
    if game.winner == side + 1:
        return weight or 1.0
    return weight if game.winner == 0 else loser * weight


@lru_cache(maxsize=1000)
def teacher_weight(name: str) -> float:
    """Return the weight of a player's moves: 1 for an engine, up to 1 for a person, else 0.

    name: the name of a player, or the rank of a person, such as `5d` or `3k`. The weight halves with every RANKS ranks
    below STRONG. A person without a known rank has the weight 1.
    """
    rank = rank_of(name)
    if rank == UNKNOWN:
        return float(name == UNKNOWN or is_engine(name))
    number, kind = int(rank[:-1]), rank[-1]
    dan = {"d": number, "k": 1 - number, "p": STRONG}[kind]
    return float(min(1.0, 2.0 ** ((dan - STRONG) / RANKS)))


@lru_cache(maxsize=1000)
def is_engine(name: str) -> bool:
    """Return whether a player's name denotes an engine that uses the Go Text Protocol, such as GNU Go."""
    try:
        return parse(name).speaks_gtp
    except UnknownPlayerError:  # a recorded player that no longer exists
        return False


def count_moves(samples: Sequence[Sample]) -> int:
    """Return the total number of selected moves in the samples."""
    return sum(len(sample.plies) for sample in samples)
