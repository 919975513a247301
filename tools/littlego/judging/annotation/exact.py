"""Exact values of Little-Go positions near the end of a game, where the solver is fast."""

from __future__ import annotations

from typing import NamedTuple

from littlego.games.game import margin2
from littlego.rules.position import Position
from littlego.rules.positionkey import pack, unpack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver.answers import best_line
from littlego.truth.solver.leads import Leads, best_moves
from littlego.truth.solver.solver import Solver, moves_of

BITS = 20  # log2 of the number of entries in each table; a table has 8 MiB


class Known(NamedTuple):
    """The exact results for a position and a move.

    winning: the moves that win for the mover. legal: the number of legal moves. best2, after2: Black's final lead after
    komi, in half points, with best play from the position and after the move, respectively. replies: the number of the
    opponent's winning replies, or None if the move ends the game or wins.
    """

    winning: list[int]
    legal: int
    best2: int
    after2: int
    replies: int | None


class Oracle:
    """A solver for positions with at most `most_left` moves left, with tables shared by all positions."""

    def __init__(self, most_left: int) -> None:
        self.most_left = most_left
        self._solver = Solver(BITS)
        self._leads = Leads(self._solver)

    def knows(self, position: Position) -> bool:
        """Return whether a position is a Little-Go position with 1 to `most_left` moves left."""
        return position.ruleset is LITTLE_GO and 1 <= position.left <= self.most_left

    def ask(self, position: Position, move: int) -> Known:
        """Return the exact results for a position and for one of its legal moves."""
        code = pack(position)
        legal = moves_of(code)
        winning = [unpack_move(one) for one in legal if self._solver.keeps(code, one)]
        best2, after2 = self._margin2(position), self._after2(position, move)
        replies = None
        if move not in winning and not position.ends_with(move):
            reached = pack(position.play(move))
            replies = sum(self._solver.keeps(reached, one) for one in moves_of(reached))
        return Known(winning, len(legal), best2, after2, replies)

    def best_reply(self, position: Position) -> int:
        """Return the best move in a position; of equally good moves, the move with the lowest point number."""
        return unpack_move(best_moves(pack(position), self._solver, self._leads)[0])

    def best_line(self, position: Position) -> list[int]:
        """Return the moves of best play from a position to the end of the game."""
        return best_line(pack(position), self._solver, self._leads)

    def _margin2(self, position: Position) -> int:
        return 2 * self._leads.lead(pack(position)) - LITTLE_GO.komi2

    def _after2(self, position: Position, move: int) -> int:
        reached = position.play(move)
        return margin2(reached) if position.ends_with(move) else self._margin2(reached)
