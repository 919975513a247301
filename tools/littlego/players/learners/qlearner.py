"""Tabular Q-learning for games whose reward comes at the end, and for no game in particular. Runs on Python 3.7.

    Q(s, a) <- (1 - alpha) Q(s, a) + alpha (R + gamma max over a' of Q(s', a'))

s' is the state in which the same player moves next, a' the actions that it has there. R is what the game is worth to
the player, given for its last action alone; after it there is no s'.

The learner knows neither boards nor rules. A game tells it a state and its actions as keys: anything that can be
looked up in a dict. Positions that should share what is learned, as the eight images of a board, share their keys.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Dict, NamedTuple, TypeVar  # noqa: UP035 - Python 3.7

Action = TypeVar("Action", bound=Hashable)
Move = TypeVar("Move")
QTable = Dict[Hashable, Dict[Hashable, float]]  # noqa: UP006 - Python 3.7


class Settings(NamedTuple):
    """How to learn.

    alpha: the learning rate, above 0 to 1. gamma: what a turn's delay leaves of a value, 0 to 1. win, draw, lose: the
    rewards. initial_q: the value of what was never tried. explore: the share of moves drawn by lot while learning.
    """

    alpha: float
    gamma: float
    win: float
    draw: float
    lose: float
    initial_q: float
    explore: float


class Step(NamedTuple):
    """One turn of a game as the player saw it: the state, the actions it had there, the one it took."""

    state: Hashable
    actions: Sequence[Hashable]
    action: Hashable


class QLearner:
    """A table of values by state and action: what it advises, and how it learns. `table[state][action]` is Q."""

    def __init__(self, settings: Settings, table: QTable | None = None):
        self.settings = settings
        self.table: QTable = {} if table is None else table

    def best(self, state: Hashable, actions: Iterable[Action]) -> list[Action]:
        """Return the actions with the highest value, in the order in which they are given."""
        values = self.table.get(state, {})
        known = [(values.get(action, self.settings.initial_q), action) for action in actions]
        highest = max(known, key=lambda pair: pair[0])[0]
        return [action for value, action in known if value == highest]

    def choose(self, state: Hashable, actions: Sequence[Action], rng: random.Random) -> Action:
        """Return an action to learn from: mostly one of the best, now and then any."""
        explores = self.settings.explore and rng.random() < self.settings.explore
        return rng.choice(actions if explores else self.best(state, actions))

    def reward(self, result: int) -> float:
        """Return the reward for a game won (result above 0), drawn (0) or lost (below 0)."""
        return self.settings.win if result > 0 else self.settings.lose if result < 0 else self.settings.draw

    def learn(self, steps: Sequence[Step], reward: float) -> None:
        """Learn from all turns of one player in one game, and from the reward at its end.

        The last turn comes first, so that one game carries its reward all the way back.
        """
        alpha, gamma, initial = self.settings.alpha, self.settings.gamma, self.settings.initial_q
        value = reward  # of the action, as the next turn or the end of the game says
        for step in reversed(steps):
            values = self.table.setdefault(step.state, {})
            values[step.action] = (1 - alpha) * values.get(step.action, initial) + alpha * value
            value = gamma * max([values.get(action, initial) for action in step.actions])


class Pupil:
    """One side of one game, played by a learner that learns from it when it is over."""

    def __init__(self, learner: QLearner, rng: random.Random):
        self.learner = learner
        self.rng = rng
        self.steps: list[Step] = []

    def move(self, state: Hashable, actions: Mapping[Action, Sequence[Move]]) -> Move:
        """Return a move for one turn. actions: the moves that each action covers, one of which is drawn by lot."""
        action = self.learner.choose(state, list(actions), self.rng)
        self.steps.append(Step(state, list(actions), action))
        return self.rng.choice(actions[action])

    def end(self, result: int) -> None:
        """Learn from the game. result: above 0 for a win, 0 for a draw, below 0 for a loss."""
        self.learner.learn(self.steps, self.learner.reward(result))
