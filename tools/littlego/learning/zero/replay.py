"""Samples of self-play, and the window of the newest samples from which the learner draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from littlego.players.zero.game import Array, Game

SHARE_UNITS = 255  # the value in Samples.policy that represents the probability 1


class Samples(NamedTuple):
    """States searched in self-play, from the mover's perspective, with the results of searches and games.

    features: uint8 [count, inputs], in units of 1 / ACTIVATION_UNITS. policy: uint8 [count, actions], the improved
    policy in units of 1 / SHARE_UNITS. winner: int8 [count], 1 if the player to move wins the game, -1 if the opponent
    wins, 0 for a tie. owners: int8 [count, points], the final owner of each point; see `Game.owners`.
    """

    features: Array
    policy: Array
    winner: Array
    owners: Array

    def where(self, wanted: Array | slice) -> Samples:
        """Return the samples that a mask, a slice or an array of indices selects."""
        return Samples(*(column[wanted] for column in self))

    @property
    def size(self) -> int:
        """The number of samples."""
        return len(self.winner)


def no_samples(game: Game) -> Samples:
    """Return an empty set of samples of a game."""
    return Samples(
        np.zeros((0, game.inputs), np.uint8),
        np.zeros((0, game.actions), np.uint8),
        np.zeros(0, np.int8),
        np.zeros((0, game.points), np.int8),
    )


def join_samples(parts: Iterable[Samples]) -> Samples:
    """Return one set with the samples of all parts, in order. `parts` must not be empty."""
    return Samples(*map(np.concatenate, zip(*parts, strict=True)))


def newest(window: Samples, more: Samples, most: int) -> Samples:
    """Return a window extended by new samples and cut to the last `most` samples."""
    joined = join_samples((window, more))
    return joined.where(slice(max(0, joined.size - most), None))
