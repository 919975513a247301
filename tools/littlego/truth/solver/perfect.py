"""The perfect player, which keeps every win near the end of the game.

In a lost position, the player chooses a move that makes the win difficult for the opponent. With at most EXACT moves
left, the player chooses one of the moves of leads.best_moves. With more moves left, counting the winning replies would
take minutes, so the player compares the moves by the exact lead in a shortened game. The shortened game ends HORIZON or
HORIZON - 1 moves after the compared move. With EXACT + 1 to VALUED moves left, the player also computes the winner and,
in a won position, plays the winning move with the best lead. With more than VALUED moves left, computing the winner
would also take minutes. If no winning move is known and several moves have the same lead, the player prefers moves that
are not on the edge. The first move is the centre, the only winning first move.
"""

from __future__ import annotations

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
INNER = 0b00000_01110_01110_01110_00000  # points off the edge: the shorter game underestimates how bad the edge is
FIRST = 24  # moves left before the first move; `littlego solve --opening` proves the winner after each first move
CACHE = "perfect"


class Perfect:
    """The perfect player's best moves, cached on disk by position modulo symmetry."""

    def __init__(self, cache: Cache | None = None):
        self.solver = Solver(BITS)
        self.leads = Leads(self.solver)
        self.cache = cache or Cache(CACHE)
        self.code = meaning_of(__name__)

    def moves(self, code: int) -> list[int]:
        """Return the best moves, which are equally good; 25 is the pass.

        The player chooses one of these moves at random.
        """
        folded, symmetry = canonical(code)
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
        """Return the mover's exact lead if the game ends HORIZON or HORIZON - 1 moves after a move."""
        sign = -1 if code >> LEFT_AT & 1 else 1
        reached = int(after(code, move))
        if ends(code, move):
            return sign * lead_now(reached)
        left = HORIZON - (reached >> LEFT_AT & 1)  # the parity keeps the side to move
        return sign * self.leads.lead(reached & (1 << LEFT_AT) - 1 | left << LEFT_AT)


def _turn_move(move: int, symmetry: int) -> int:
    """Return the image of a move under a symmetry. A pass stays a pass."""
    return move if move == PASS_POINT else int(image(1 << move, symmetry)).bit_length() - 1
