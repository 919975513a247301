"""Exact values of the positions of a game, where the solver knows them at once: Little-Go on 5x5 near its end."""

from __future__ import annotations

from typing import NamedTuple

from littlego.games.game import margin2
from littlego.rules.position import Position
from littlego.rules.positionkey import pack, unpack_move
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.solver.answers import best_line
from littlego.truth.solver.leads import Leads, best_moves
from littlego.truth.solver.solver import Solver, moves_of

BITS = 20  # of the tables: 8 MiB each


class Known(NamedTuple):
    """What is known of a position before a move of it.

    winning: the moves that win for the mover. legal: how many moves there are. margins: Black's lead after komi in half
    points at the end of best play: of the position, and after the move made. replies: how many of the opponent's
    replies win, None where the move ends the game or wins.
    """

    winning: list[int]
    legal: int
    best2: int
    after2: int
    replies: int | None


class Oracle:
    """Answers for positions with up to so many moves left; the tables are kept from one to the next."""

    def __init__(self, most_left: int) -> None:
        self.most_left = most_left
        self._solver = Solver(BITS)
        self._leads = Leads(self._solver)

    def knows(self, position: Position) -> bool:
        """Return whether it answers for a position."""
        return position.ruleset is LITTLE_GO and 1 <= position.left <= self.most_left

    def ask(self, position: Position, move: int) -> Known:
        """Return what is known of a position and a legal move of it."""
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
        """Return the move of best play, the first of equals."""
        return unpack_move(best_moves(pack(position), self._solver, self._leads)[0])

    def best_line(self, position: Position) -> list[int]:
        """Return moves of best play to the end of the game."""
        return best_line(pack(position), self._solver, self._leads)

    def _margin2(self, position: Position) -> int:
        return 2 * self._leads.lead(pack(position)) - LITTLE_GO.komi2

    def _after2(self, position: Position, move: int) -> int:
        reached = position.play(move)
        return margin2(reached) if position.ends_with(move) else self._margin2(reached)
