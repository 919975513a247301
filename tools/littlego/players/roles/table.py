"""The table of roles: players in Python that run in this process or as separate programs.

This module runs on Python 3.7.

A role's random choices depend only on the seed, the colour, the move number and the position. A game is therefore the
same in this process and over the file protocol, where a new process chooses each move. The move number is the smallest
number that is possible with the stones on the board, because input.txt contains no move number.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from littlego.match.protocol import Turn
from littlego.match.referee import Player, Reply
from littlego.players.roles import alphabeta, championship, qlearning, simple
from littlego.rules.position import Position
from littlego.rules.turn import least_moves_made

if TYPE_CHECKING:
    Chooser = Callable[[Position, random.Random], int | tuple[int, str]]
    Choices = Callable[[Position], list[int]]


class Role(NamedTuple):
    """A role: its name, its description in one line, and its chooser.

    chooser(position, rng): returns the move (a point or PASS), or (the move, its reason). choices(position): returns
    the equally likely moves; None if the role cannot list them. real: whether the course has a player of the same name.
    corpus: whether the role is fast enough to record whole corpora of games. corpus_seed: the seed of these games, or
    None for a hash of the name. files: tables that the role reads. plays_all: whether the role supports all rulesets
    and boards, not only the course's game on 5x5.
    """

    name: str
    about: str
    chooser: Chooser
    choices: Choices | None = None
    real: bool = False
    corpus: bool = False
    corpus_seed: int | None = None
    files: tuple[str, ...] = ()
    plays_all: bool = False

    def reply(self, position: Position, rng: random.Random) -> tuple[int, str]:
        """Return (move, reason in one line or '')."""
        reply = self.chooser(position, rng)
        return reply if isinstance(reply, tuple) else (reply, "")

    def choose(self, position: Position, rng: random.Random) -> int:
        """Return the move, a point or PASS."""
        return self.reply(position, rng)[0]

    @property
    def seed(self) -> int:
        """The seed from which the seeds of the role's recorded games are derived."""
        return crc32(self.name.encode()) if self.corpus_seed is None else self.corpus_seed


_TABLE = (
    Role(
        "random",
        "moves randomly",
        simple.choose_random,
        simple.random_choices,
        real=True,
        corpus=True,
        corpus_seed=0,
        plays_all=True,
    ),
    Role(
        "greedy",
        "captures the most stones",
        simple.choose_greedy,
        simple.greedy_choices,
        real=True,
        corpus=True,
        corpus_seed=1,
        plays_all=True,
    ),
    Role(
        "aggressive",
        "captures the most stones; on a tie, plays the move after which it could capture the most stones if the "
        "opponent passed",
        simple.choose_aggressive,
        simple.aggressive_choices,
        real=True,
        corpus=True,
        corpus_seed=2,
        plays_all=True,
    ),
    Role(
        "silly",
        "plays the move that increases its lead the most, like the test agent of the public match server",
        simple.choose_silly,
        simple.silly_choices,
        plays_all=True,
    ),
    Role(
        "alphabeta",
        "looks two plies ahead",
        alphabeta.choose,
        alphabeta.choices,
        real=True,
        corpus=True,
        corpus_seed=3,
        plays_all=True,
    ),
    Role(
        "qlearning",
        "plays from a table trained by Q-learning; qlearning:FILE plays from a table of `littlego dev train`",
        qlearning.choose,
        real=True,
        files=(qlearning.TABLE,),
    ),
    Role(
        "championship",
        "our stand-in for the course's championship player; searches for 0.4 s per move on average",
        championship.explain,
        championship.choices,
        real=True,
        files=(championship.OPENINGS,),
    ),
    Role(
        "real-championship",
        "plays the recorded reply of the course's championship player; without a record, plays like championship",
        championship.explain_recorded,
        files=(championship.OPENINGS, championship.RECORDED),
    ),
)
ROLES = {role.name: role for role in _TABLE}


def corpus_roles() -> list[Role]:
    """Return the roles for which corpora of games are recorded."""
    return [role for role in ROLES.values() if role.corpus]


def rng_for(seed: int | str, position: Position) -> random.Random:
    """Return the random generator for one move; its numbers never depend on the machine or Python version."""
    number = least_moves_made(position.black, position.white, position.colour) + 1
    facts = (seed, position.colour, number, position.black, position.white, position.ko, int(position.passed))
    return random.Random(":".join(map(str, facts)))


def choose(role: str, seed: int, position: Position) -> int:
    """Return a role's move: a point or PASS."""
    return ROLES[role].choose(position, rng_for(seed, position))


class RolePlayer(Player):
    """A role as a player in this process. role: a Role or a role's name."""

    def __init__(self, role: str | Role, seed: int):
        self.role = ROLES[role] if isinstance(role, str) else role
        self.name = self.role.name
        self.seed = seed

    def choose(self, turn: Turn) -> Reply:
        started = time.process_time()
        move, reason = self.role.reply(turn.position, rng_for(self.seed, turn.position))
        return Reply(move, time.process_time() - started, reason=reason)
