"""A table of `littlego train` as a player. Runs on Python 3.7."""

from __future__ import annotations

import time

from tools.match.protocol import Turn
from tools.match.referee import Player, Reply
from tools.opponents import qlearning
from tools.opponents.roles import rng_for

NAME = "qlearning"


class TrainedPlayer(Player):
    """The role qlearning with another table. Raise OSError and qlearning.BadTable where it cannot be read."""

    def __init__(self, path: str, seed: int):
        qlearning.check(path)
        self.name = f"{NAME}:{path}"
        self.path = path
        self.seed = seed

    def choose(self, turn: Turn) -> Reply:
        """Draw lots among the best moves: the same ones for the same seed and position."""
        started = time.process_time()
        move = qlearning.choose(turn.position, rng_for(self.seed, turn.position), self.path)
        return Reply(move, time.process_time() - started)
