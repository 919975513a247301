"""Tic-tac-toe as a game for search and learning: a small example without a pass. This module runs on Python 3.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from littlego.players.zero.game import LOSS, ONGOING, TIE, Game
from littlego.players.zero.network import ACTIVATION_UNITS
from littlego.rules.geometry import symmetry_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from littlego.players.zero.game import Bools, Integers, States

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe(Game):
    """Tic-tac-toe. A state has a number for each square: 1 for the player to move, -1 for the opponent, 0 if empty."""

    name = "tic-tac-toe"
    points = actions = 9
    inputs = 18
    symmetries = np.array(symmetry_tables(3))

    def start(self, count: int) -> States:
        return np.zeros((count, 9), np.int16)

    def play(self, states: States, actions: Integers) -> States:
        after = -states
        after[np.arange(len(states)), actions] = -1
        return after

    def legal(self, states: States) -> Bools:
        empty: Bools = states == 0
        return empty

    def results(self, states: States) -> NDArray[np.int8]:
        lost = (states[:, LINES] == -1).all(2).any(1)
        full = states.all(1)
        return np.where(lost, LOSS, np.where(full, TIE, ONGOING)).astype(np.int8)

    def features(self, states: States) -> Integers:
        return ACTIVATION_UNITS * np.concatenate([states == 1, states == -1], 1).astype(np.int64)

    def owners(self, states: States) -> NDArray[np.int8]:
        return states.astype(np.int8)
