"""The interface of a game for search and learning; the methods work on batches of states.

A state is a position from the view of the player to move. A batch of states is one int16 array [count, state] whose
columns only the game interprets. A board's points are numbered row by row; action p plays at point p if p is less than
`points`. This module runs on Python 3.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    States = NDArray[np.int16]
    Bools = NDArray[np.bool_]
    Integers = NDArray[np.int64]

WIN, LOSS, TIE, ONGOING = 1, -1, 0, 2  # results for the player to move


class Game:
    """A two-player game with alternating moves.

    name: the name for `game_named`. points: the number of points of the board. actions: the number of actions, one for
    each point and, in a game with passes, one for the pass. inputs: the number of columns of `features`. symmetries:
    integers [symmetries, points]; symmetry s puts the content of point symmetries[s, p] at point p; symmetry 0 changes
    nothing.
    """

    name: str
    points: int
    actions: int
    inputs: int
    symmetries: Integers

    def start(self, count: int) -> States:
        """Return `count` copies of the initial state."""
        raise NotImplementedError

    def play(self, states: States, actions: Integers) -> States:
        """Return the states after one legal action in each state. The game must not be over in any of the states."""
        raise NotImplementedError

    def legal(self, states: States) -> Bools:
        """Return a bool array [count, actions] that marks the legal actions."""
        raise NotImplementedError

    def results(self, states: States) -> NDArray[np.int8]:
        """Return the results [count] of the states: WIN, LOSS or TIE for the player to move, or ONGOING."""
        raise NotImplementedError

    def features(self, states: States) -> Integers:
        """Return the network's input [count, inputs] in units of 1/32: planes of points, then scalars."""
        raise NotImplementedError

    def owners(self, states: States) -> NDArray[np.int8]:
        """Return the points' owners [count, points].

        An owner is 1 for the player to move, -1 for the opponent, and 0 for neither. A player owns the points that
        would count for this player if the game ended in this state.
        """
        raise NotImplementedError


def turned_columns(game: Game, width: int) -> Integers:
    """Return the column indexes [symmetries, width] with which `turned` transforms rows.

    The rows are features, policies or owners, with `width` columns each. A symmetry permutes each block of `points`
    columns. Columns after the last whole block, such as the pass, stay in place.
    """
    columns = np.arange(width)[None].repeat(len(game.symmetries), 0)
    for start in range(0, width - width % game.points, game.points):
        columns[:, start : start + game.points] = start + game.symmetries
    return columns


def turned(game: Game, rows: Array, symmetries: Integers) -> Array:
    """Return `rows` (features, policies or owners) with row i transformed by the symmetry symmetries[i]."""
    return np.take_along_axis(rows, turned_columns(game, rows.shape[1])[symmetries], 1)
