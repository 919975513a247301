"""Which games are graded, in which order, and with which seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.position import BLACK, WHITE
from tools.grading.rubric import RESERVED, ROLES, STAGES

MOST_GAMES = 100  # against a role, and so seeds a role has to itself
MOST_REPETITIONS = 999
_A_REPETITION, _A_SEED = 1_000, 1_000_000  # seeds that they have to themselves


class Graded(NamedTuple):
    """One game of a grading: repetition from 1, stage, role, index from 0, the program's colour, the game's seed."""

    repetition: int
    stage: int
    role: str
    index: int
    colour: int
    seed: int


def planned(repetitions: int, stages: Sequence[int], games: int, seed: int) -> list[Graded]:
    """Return all games in order, `games` against each role, the program being Black in every other one.

    Each game has a seed of its own, which tells what it is: with --seed 4, 4002307 is game 8 of repetition 2 against
    the fourth role.
    """
    return [
        Graded(repetition, stage, role, index, WHITE if index % 2 else BLACK, _seed(seed, repetition, role, index))
        for repetition in range(1, repetitions + 1)
        for stage in stages
        for role in STAGES[stage]
        for index in range(games)
    ]


def submitted(game: Graded, games: int) -> bool:
    """Return whether `submit` plays this one of the games: nothing reserved, and half as many in stage 2."""
    return game.role != RESERVED if game.stage == 1 else game.index < games // 2


def _seed(seed: int, repetition: int, role: str, index: int) -> int:
    return _A_SEED * seed + _A_REPETITION * repetition + MOST_GAMES * ROLES.index(role) + index
