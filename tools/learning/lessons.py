"""Tic-tac-toe lessons: a learner trains against the handout's three players, then plays them for the record."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

from tools.learning.qlearner import Pupil, QLearner
from tools.learning.tictactoe import Choice, perfect_player, play, random_player, smart_player, view

OPPONENTS = {"RandomPlayer": random_player, "SmartPlayer": smart_player, "PerfectPlayer": perfect_player}
SEATS = (1, -1)  # the learner moves first, or second


class Score(NamedTuple):
    """Games of the learner against one opponent in one seat, 1 for the first and 2 for the second."""

    opponent: str
    seat: int
    wins: int
    draws: int
    losses: int


def train(learner: QLearner, games: Iterable[int], rng: random.Random) -> None:
    """Play the training games with these numbers: the opponents in turn, each in both seats."""
    opponents = [make(rng) for make in OPPONENTS.values()]
    for game in games:
        opponent, seat = opponents[game // 2 % len(opponents)], SEATS[game % 2]
        pupil = Pupil(learner, rng)
        pupil.end(_seated(lambda own, theirs, pupil=pupil: pupil.move(*view(own, theirs)), opponent, seat))


def advice(learner: QLearner, rng: random.Random) -> Choice:
    """Return a player that plays the learner's best actions and learns no more."""

    def choose(own: int, theirs: int) -> int:
        state, actions = view(own, theirs)
        return rng.choice(actions[rng.choice(learner.best(state, actions))])

    return choose


def scores(learner: QLearner, games: int, rng: random.Random) -> list[Score]:
    """Play so many games against each opponent in each seat; return the scores by opponent, then by seat."""
    found = []
    for name, make in OPPONENTS.items():
        for number, seat in enumerate(SEATS, 1):
            results = [_seated(advice(learner, rng), make(rng), seat) for _ in range(games)]
            found.append(Score(name, number, *(results.count(result) for result in (1, 0, -1))))
    return found


def _seated(player: Choice, opponent: Choice, seat: int) -> int:
    """Return the result for `player`, which moves first where seat is 1 and second where it is -1."""
    return play(player, opponent) if seat == 1 else -play(opponent, player)
