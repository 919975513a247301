"""The roles by name, as players: in process, or as a program over the file protocol. Runs on Python 3.7.

A role is a function (position, rng) -> move. Its randomness comes from the seed, the colour, the move number and
the position alone, so that a game is the same in process and over the file protocol, where every move is a new
process. The move number is the least that the stones allow, since that is all that input.txt tells.
"""

from __future__ import annotations

import random
import time

from rules.position import Position
from rules.turn import least_moves_made
from tools.match.protocol import Turn
from tools.match.referee import Player, Reply
from tools.opponents import aggressive, alphabeta, championship, greedy, qlearning, random_player, recorded

ROLES = {  # of the first stage: quick, so that whole corpora of games are played against them
    "random": random_player.choose,
    "greedy": greedy.choose,
    "aggressive": aggressive.choose,
    "alphabeta": alphabeta.choose,
}
SECOND_STAGE = {
    "qlearning": qlearning.choose,
    "championship": championship.choose,
}
REASONED = {  # roles that say why: (position, rng) -> (move, reason)
    "championship": championship.reasoned,
    recorded.NAME: recorded.reasoned,
}


def rng_for(seed: int | str, position: Position) -> random.Random:
    """Return the generator for one move: the same on every machine and Python version."""
    number = least_moves_made(position.black, position.white, position.colour) + 1
    facts = (seed, position.colour, number, position.black, position.white, position.ko, int(position.passed))
    return random.Random(":".join(map(str, facts)))


def choose(role: str, seed: int, position: Position) -> int:
    """Return the move of a role: a point or PASS."""
    return reasoned(role, seed, position)[0]


def reasoned(role: str, seed: int, position: Position) -> tuple:
    """Return (the move of a role, why in one line or '')."""
    rng = rng_for(seed, position)
    if role in REASONED:
        return REASONED[role](position, rng)
    return (ROLES[role] if role in ROLES else SECOND_STAGE[role])(position, rng), ""


def is_role(name: str) -> bool:
    """Return whether a role has this name."""
    return name in ROLES or name in SECOND_STAGE or name in REASONED


class RolePlayer(Player):
    """A role in this process."""

    def __init__(self, role: str, seed: int):
        self.name = role
        self.seed = seed

    def choose(self, turn: Turn) -> Reply:
        started = time.process_time()
        move, reason = reasoned(self.name, self.seed, turn.position)
        return Reply(move, time.process_time() - started, reason=reason)
