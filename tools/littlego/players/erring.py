"""A wrapper that weakens a player by random moves.

With a given probability, a random legal move replaces the player's move. The player's name is `erring:RATE:PLAYER`, for
example `erring:0.1:ours`.
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
    """A player that makes random mistakes. For a given rate, the mistakes depend only on `lots` and the position.

    player: the player that chooses the other moves; `close` also closes this player. rate: the probability of a mistake
    in each move, 0 to 1. lots: the seed of the mistakes, by default derived from `seed`.
    """

    def __init__(self, player: Player, rate: float, seed: int, lots: int | str | None = None):
        self.name = f"{NAME}:{rate:g}:{player.name}"
        self.player = player
        self.rate = rate
        self.lots = f"{NAME}:{seed}" if lots is None else lots
        self.timed = player.timed

    def prepare(self, ruleset: Ruleset) -> None:
        """Load the data that the wrapped player needs."""
        self.player.prepare(ruleset)

    def choose(self, turn: Turn) -> Reply:
        """Return the wrapped player's reply or, with probability `rate`, a random move (see choose_random)."""
        chance = rng_for(self.lots, turn.position)
        if chance.random() < self.rate:
            return Reply(choose_random(turn.position, chance), reason=BY_MISTAKE)
        reply = self.player.choose(turn)
        self.held = self.player.held
        return reply

    def close(self) -> None:
        """Release the wrapped player's resources."""
        self.player.close()
