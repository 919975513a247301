"""Grades of networks over all positions of tic-tac-toe. Training never imports this module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from littlego.learning.zero.yardstick import search_states
from littlego.players.learners.tictactoe import free, has_line, value
from littlego.players.zero.network import Network
from littlego.players.zero.tictactoe import TicTacToe
from littlego.rules.geometry import points_of

Board = tuple[int, int]  # masks of the mover's and of the opponent's stones
VALUES = {1: "wins", 0: "draws"}  # exact values that a move can give away


class TicTacToeGrade(NamedTuple):
    """The grade of a network that searches with `simulations` simulations per move.

    at_stake: {exact value: number of positions with this value in which at least one move has a lower value}.
    given_away: {exact value: number of these positions in which the network's move has a lower value}.
    """

    simulations: int
    at_stake: dict[int, int]
    given_away: dict[int, int]

    def as_json(self) -> dict[str, Any]:
        """Return the number of simulations and the shares of wins and draws given away, as JSON values.

        Each share is a number from 0 to 1.
        """
        shares = {name: self.given_away[exact] / self.at_stake[exact] for exact, name in VALUES.items()}
        return {"simulations": self.simulations, "given_away": shares}


def boards() -> list[Board]:
    """Return all boards that can occur before the end of a game, in ascending order."""
    reached, newest = set[Board](), {(0, 0)}
    while newest:
        reached |= newest
        after = {(theirs, own | 1 << square) for own, theirs in newest for square in free(own, theirs)}
        newest = {board for board in after if not has_line(board[1]) and free(*board)}
    return sorted(reached)


def grade_tictactoe(network: Network, simulations: int) -> TicTacToeGrade:
    """Return the grade of a network of tic-tac-toe. simulations: number of simulations per move."""
    positions = boards()
    states = np.zeros((len(positions), 9), np.int16)
    for state, (own, theirs) in zip(states, positions, strict=True):
        state[points_of(own)], state[points_of(theirs)] = 1, -1
    moves = [move for move, _ in search_states(TicTacToe(), network, states, simulations)]
    at_stake, given_away = dict.fromkeys(VALUES, 0), dict.fromkeys(VALUES, 0)
    for board, move in zip(positions, moves, strict=True):
        values = {square: value(*board, square) for square in free(*board)}
        best = max(values.values())
        if min(values.values()) < best:
            at_stake[best] += 1
            given_away[best] += values[move] < best
    return TicTacToeGrade(simulations, at_stake, given_away)


def format_tictactoe(grades: Sequence[TicTacToeGrade]) -> str:
    """Return a table of grades as text: one column for each number of simulations."""
    lines = [f"{'simulations':28}" + "".join(f"{grade.simulations:>11}" for grade in grades)]
    for exact, name in VALUES.items():
        cells = "".join(f"{100 * grade.given_away[exact] / grade.at_stake[exact]:10.2f}%" for grade in grades)
        lines.append(f"{f'{name} given away of {grades[0].at_stake[exact]:,}':28}{cells}")
    return "\n".join(lines)
