"""The solver as a player, which plays perfectly near the end of the game.

In lost positions, the player chooses moves that make it difficult for the opponent to win. The player's name is
`perfect`. The player `perfect:RATE` plays a random legal move with probability RATE.
"""

from __future__ import annotations

import time

from littlego.match.protocol import Turn
from littlego.match.referee import Player, Reply
from littlego.players.erring import BY_MISTAKE
from littlego.players.roles.table import rng_for

NAME = "perfect"


class PerfectPlayer(Player):
    """The solver as a player. errors: the probability of a random legal move, 0 to 1."""

    timed = False  # moves far from the end take minutes

    def __init__(self, seed: int, errors: float = 0.0):
        from littlego.truth.solver.perfect import Perfect  # loading numba takes a second

        self.name = f"{NAME}:{errors:g}" if errors else NAME
        self.seed = seed
        self.errors = errors
        self.perfect = Perfect()

    def choose(self, turn: Turn) -> Reply:
        """Return a Reply with a random best move or, with probability `errors`, a random legal move.

        The choice depends only on the seed and the position.
        """
        from littlego.rules.positionkey import pack, unpack_move
        from littlego.truth.solver.solver import moves_of

        started = time.process_time()
        chance, code = rng_for(self.seed, turn.position), pack(turn.position)
        errs = chance.random() < self.errors
        move = unpack_move(chance.choice(moves_of(code) if errs else self.perfect.moves(code)))
        return Reply(move, time.process_time() - started, reason=BY_MISTAKE if errs else "")
