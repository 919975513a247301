"""Tabular Q-learning for any game whose only reward comes at the end. This module runs on Python 3.7.

    Q(s, a) <- (1 - alpha) Q(s, a) + alpha (R + gamma max over a' of Q(s', a'))

s' is the state in which the same player moves next, and a' are the actions in s'. R is the reward for the game's
result. The reward is given only for the last action, after which there is no s'.

The learner is independent of boards and rules. A game describes a state and its actions by keys. Any hashable value can
be a key. Positions that should share learned values, such as rotations of a board, must have equal keys.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Dict, NamedTuple, TypeVar  # noqa: UP035 - Python 3.7

Action = TypeVar("Action", bound=Hashable)
Move = TypeVar("Move")
QTable = Dict[Hashable, Dict[Hashable, float]]  # noqa: UP006 - Python 3.7


class Settings(NamedTuple):
    """Parameters of a learner.

    alpha: the learning rate, above 0 and at most 1. gamma: the discount factor for each turn, 0 to 1. win, draw, lose:
    the rewards. initial_q: the value of untried actions. explore: the share of random moves in training, 0 to 1.
    """

    alpha: float
    gamma: float
    win: float
    draw: float
    lose: float
    initial_q: float
    explore: float


class Step(NamedTuple):
    """One turn of a player: the state, the available actions, and the chosen action."""

    state: Hashable
    actions: Sequence[Hashable]
    action: Hashable


class QLearner:
    """A table of action values with a policy and a learning rule. `table[state][action]` is Q(state, action)."""

    def __init__(self, settings: Settings, table: QTable | None = None):
        self.settings = settings
        self.table: QTable = {} if table is None else table

    def best(self, state: Hashable, actions: Iterable[Action]) -> list[Action]:
        """Return the actions with the highest value, in the order of `actions`."""
        values = self.table.get(state, {})
        known = [(values.get(action, self.settings.initial_q), action) for action in actions]
        highest = max(known, key=lambda pair: pair[0])[0]
        return [action for value, action in known if value == highest]

    def choose(self, state: Hashable, actions: Sequence[Action], rng: random.Random) -> Action:
        """Return an action for training: random with probability `explore`, else one of the best actions."""
        explores = self.settings.explore and rng.random() < self.settings.explore
        return rng.choice(actions if explores else self.best(state, actions))

    def reward(self, result: int) -> float:
        """Return the reward for a result. result: above 0 for a win, 0 for a draw, below 0 for a loss."""
        return self.settings.win if result > 0 else self.settings.lose if result < 0 else self.settings.draw

    def learn(self, steps: Sequence[Step], reward: float) -> None:
        """Update the table from one player's turns in one game and from the final reward.

        The update starts at the last turn, so that the reward reaches the first turn in one update.
        """
        alpha, gamma, initial = self.settings.alpha, self.settings.gamma, self.settings.initial_q
        value = reward  # the action's value according to the next turn or the end of the game
        for step in reversed(steps):
            values = self.table.setdefault(step.state, {})
            values[step.action] = (1 - alpha) * values.get(step.action, initial) + alpha * value
            value = gamma * max([values.get(action, initial) for action in step.actions])


class Pupil:
    """A player that chooses the actions of one game from a learner's table.

    It updates the table after the game.
    """

    def __init__(self, learner: QLearner, rng: random.Random):
        self.learner = learner
        self.rng = rng
        self.steps: list[Step] = []

    def move(self, state: Hashable, actions: Mapping[Action, Sequence[Move]]) -> Move:
        """Choose an action, record the turn, and return one of the action's moves at random.

        actions: {action: the moves that count as this action}.
        """
        action = self.learner.choose(state, list(actions), self.rng)
        self.steps.append(Step(state, list(actions), action))
        return self.rng.choice(actions[action])

    def end(self, result: int) -> None:
        """Learn from the game. result: above 0 for a win, 0 for a draw, below 0 for a loss."""
        self.learner.learn(self.steps, self.learner.reward(result))
