"""Go for the search and the network: a game of any ruleset, seen by the player to move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlego.players.zero.network import ACTIVATION_UNITS, MAX_ACTIVATION, Integers
from littlego.rules.position import BLACK, PASS, Position, winner_of

SCALARS = 3  # moves left, colour, whether a pass ends the game


class State(NamedTuple):
    """A position, and whether the game is over."""

    position: Position
    over: bool = False


class GoGame:
    """Go on a board of a given size. Action i plays point i; the last action is a pass."""

    def __init__(self, size: int) -> None:
        self.points = size * size

    def legal(self, state: State) -> NDArray[np.bool_]:
        """Return which actions are legal; a pass always is."""
        return _bits(state.position.legal() | 1 << self.points, self.points + 1).astype(bool)

    def play(self, state: State, action: int) -> State:
        """Return the state after an action."""
        move = PASS if action == self.points else action
        return State(state.position.play(move), state.position.ends_with(move))

    def result(self, state: State) -> float | None:
        """Return 1 if the player to move has won, -1 if the opponent has, 0 for a tie, None if the game continues."""
        if not state.over:
            return None
        winner = winner_of(state.position)
        return 0.0 if not winner else 1.0 if winner == state.position.colour else -1.0

    def features(self, state: State) -> Integers:
        """Return own stones, the opponent's stones and legal points, then three scalars, in units of activations."""
        position = state.position
        masks = (position.own, position.theirs, position.legal())
        planes = [ACTIVATION_UNITS * _bits(mask, self.points) for mask in masks]
        scalars = (8 * position.left, ACTIVATION_UNITS * (position.colour == BLACK), ACTIVATION_UNITS * position.passed)
        return np.concatenate([*planes, np.clip(scalars, 0, MAX_ACTIVATION)])


def _bits(mask: int, count: int) -> Integers:
    return np.array([mask >> point & 1 for point in range(count)], np.int64)
