"""Which of several moves a perfect player takes: all that win are right, and all that lose are wrong, but not equally.

Who wins plays for the best lead; who has lost sets as many traps as it can: it leaves the winner the fewest moves that
keep the win.
"""

from __future__ import annotations

import numpy as np

from rules.positionkey import LEFT_AT
from tools.compiled.states import after, ends
from tools.solver.leads import Leads
from tools.solver.solver import Solver, moves_of

LEADS = 12  # moves left up to which leads are compared: above, they cost too much
NEVER = 99  # "winning replies" to a move that ends the game: no reply can go wrong


def best_moves(code: int, solver: Solver, leads: Leads) -> list[int]:
    """Return the moves, 25 for the pass, among which a perfect player draws lots.

    Of winning moves those with the best exact lead, or with more than LEADS moves left those after which the opponent
    has the fewest legal moves. Of losing moves those that leave the opponent the fewest winning replies, and of these
    those with the best exact lead, if LEADS moves or fewer are left.
    """
    won = [move for move in moves_of(code) if solver.keeps(code, move)]
    if won:
        return best_leads(code, won, leads) if code >> LEFT_AT <= LEADS else fewest_answers(code, won)
    lost = fewest_winning_replies(code, solver)
    return best_leads(code, lost, leads) if code >> LEFT_AT <= LEADS else lost


def best_leads(code: int, moves: list[int], leads: Leads) -> list[int]:
    """Return those of the moves with the best exact lead for the side to move."""
    if len(moves) == 1:
        return moves
    sign = 1 if code >> LEFT_AT & 1 else -1
    return _least({move: sign * leads.lead_after(code, move) for move in moves})


def fewest_winning_replies(code: int, solver: Solver) -> list[int]:
    """Return the moves of a lost position that leave the fewest replies that still win."""
    found, least = {}, NEVER
    for move in moves_of(code):
        found[move] = _winning_replies(code, move, solver, least)
        least = min(least, found[move])
    return _least(found)


def _winning_replies(code: int, move: int, solver: Solver, most: int) -> int:
    """Return how many replies to a losing move win; counting stops above `most`."""
    if ends(np.int64(code), move):
        return NEVER
    reached, replies = int(after(np.int64(code), move)), 0
    for reply in moves_of(reached):
        replies += solver.keeps(reached, reply)
        if replies > most:
            break
    return replies


def fewest_answers(code: int, moves: list[int]) -> list[int]:
    """Return those of the moves after which the opponent has the fewest legal moves; none if the game is over."""
    code = np.int64(code)
    return _least({move: 0 if ends(code, move) else len(moves_of(after(code, move))) for move in moves})


def _least(costs: dict[int, int]) -> list[int]:
    """Return the moves with the smallest cost."""
    least = min(costs.values())
    return [move for move, cost in costs.items() if cost == least]
