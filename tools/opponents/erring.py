"""Erring: any player that, at a given rate, plays just any legal move instead of its own: for calibrated strength."""

from __future__ import annotations

from tools.match.protocol import Turn
from tools.match.referee import Player, Reply
from tools.opponents import random_player
from tools.opponents.roles import rng_for

NAME = "erring"
BY_MISTAKE = "by mistake"


class ErringPlayer(Player):
    """A player who errs at a rate from 0 to 1. The same seed and position give the same mistake."""

    def __init__(self, player: Player, rate: float, seed: int):
        self.name = f"{NAME}:{rate:g}:{player.name}"
        self.player = player
        self.rate = rate
        self.seed = seed
        self.timed = player.timed

    def choose(self, turn: Turn) -> Reply:
        """Return the player's reply, or any legal point: a pass where there is none."""
        chance = rng_for(f"{NAME}:{self.seed}", turn.position)
        if chance.random() < self.rate:
            return Reply(random_player.choose(turn.position, chance), reason=BY_MISTAKE)
        return self.player.choose(turn)

    def close(self) -> None:
        """Give back what the player holds."""
        self.player.close()
