"""Erring: any player that, at a given rate, plays just any legal move instead of its own: for calibrated strength.

Its name is `erring:RATE:PLAYER`, as in `erring:0.1:ours`.
"""

from __future__ import annotations

from littlego.match.protocol import Turn
from littlego.match.referee import Player, Reply
from littlego.players.roles.simple import choose_random
from littlego.players.roles.table import rng_for
from littlego.rules.ruleset import Ruleset

NAME = "erring"
BY_MISTAKE = "by mistake"


class ErringPlayer(Player):
    """A player who errs. The same seed and position give the same mistake.

    player: whose moves it plays otherwise; closed with it. rate: the share of its turns, 0 to 1, at which it errs.
    lots: what decides when it errs, where that is not to follow from the seed.
    """

    def __init__(self, player: Player, rate: float, seed: int, lots: int | str | None = None):
        self.name = f"{NAME}:{rate:g}:{player.name}"
        self.player = player
        self.rate = rate
        self.lots = f"{NAME}:{seed}" if lots is None else lots
        self.timed = player.timed

    def prepare(self, ruleset: Ruleset) -> None:
        """Load what the player needs."""
        self.player.prepare(ruleset)

    def choose(self, turn: Turn) -> Reply:
        """Return the player's reply, or any legal point: a pass where there is none."""
        chance = rng_for(self.lots, turn.position)
        if chance.random() < self.rate:
            return Reply(choose_random(turn.position, chance), reason=BY_MISTAKE)
        reply = self.player.choose(turn)
        self.held = self.player.held
        return reply

    def close(self) -> None:
        """Give back what the player holds."""
        self.player.close()
