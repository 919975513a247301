"""A player with exact values: it does not give back a game that it has won, and sets traps in one that it has lost.

With EXACT moves left or fewer it chooses as tools/littlego/truth/solver/leads.py says. With more, up to VALUED, it
still knows whether it wins and keeps the win; but of several moves it prefers those that are best if the game ends
HORIZON moves later, by the exact lead of that shorter game: counting all winning replies would take minutes. Before
that it judges by the shorter game alone, since who wins takes minutes as well; of the first move it knows that only the
centre wins. Of moves that are equally good for the shorter game it prefers those off the edge.
"""

from __future__ import annotations

import numpy as np

from littlego.cache import Cache, digest
from littlego.engines.compiled.states import after, canonical, ends, image
from littlego.meaning import meaning_of
from littlego.rules.positionkey import LEFT_AT, PASS_POINT
from littlego.truth.solver.leads import Leads, best_moves, lead_now
from littlego.truth.solver.solver import Solver, moves_of

EXACT, VALUED = 17, 19
HORIZON = 12
BITS = 24  # 128 MiB
CENTRE = 12
INNER = 0b00000_01110_01110_01110_00000  # off the edge: a shorter game alone does not tell how bad the edge is
FIRST = 24  # moves left before the first move; `littlego solve --opening` proves who wins after it
CACHE = "perfect"


class Perfect:
    """Finds the best moves; what it found is kept on disk, by position modulo symmetry."""

    def __init__(self, cache: Cache | None = None):
        self.solver = Solver(BITS)
        self.leads = Leads(self.solver)
        self.cache = cache or Cache(CACHE)
        self.code = meaning_of(__name__)

    def moves(self, code: int) -> list[int]:
        """Return the moves, 25 for the pass, among which to draw lots."""
        folded, symmetry = canonical(np.int64(code))
        key = digest(self.code, str(int(folded)))
        best = self.cache.get(key)
        if best is None:
            best = self._best(int(folded))
            self.cache.put(key, best)
        return [move for move in moves_of(code) if _turn_move(move, symmetry) in best]

    def _best(self, code: int) -> list[int]:
        left = code >> LEFT_AT
        if left == FIRST:
            return [CENTRE]
        if left <= EXACT:
            return best_moves(code, self.solver, self.leads)
        leads = {move: self._lead_at_horizon(code, move) for move in moves_of(code)}
        ranked = sorted(leads, key=leads.__getitem__, reverse=True)
        if left <= VALUED and self.solver.wins(code):
            return [next(move for move in ranked if self.solver.keeps(code, move))]
        best = [move for move in ranked if leads[move] == leads[ranked[0]]]
        return [move for move in best if INNER >> move & 1] or best

    def _lead_at_horizon(self, code: int, move: int) -> int:
        """Return by how much the mover leads if the game ends HORIZON moves after this one, or one less."""
        sign = -1 if code >> LEFT_AT & 1 else 1
        reached = int(after(np.int64(code), move))
        if ends(np.int64(code), move):
            return sign * lead_now(reached)
        left = HORIZON - (reached >> LEFT_AT & 1)  # the same side moves
        return sign * self.leads.lead(reached & (1 << LEFT_AT) - 1 | left << LEFT_AT)


def _turn_move(move: int, symmetry: int) -> int:
    """Return the image of a move; a pass stays one."""
    return move if move == PASS_POINT else int(image(np.int64(1 << move), symmetry)).bit_length() - 1
