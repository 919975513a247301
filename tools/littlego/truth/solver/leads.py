"""The exact final lead under best play, computed by searches with different winning goals."""

from __future__ import annotations

from collections.abc import Callable

from littlego.engines.compiled.states import after, ends
from littlego.rules.positionkey import LEFT_AT, POINTS, unpack
from littlego.truth.solver.solver import Solver, moves_of


class Leads:
    """Final leads under best play: Black's stones minus White's, without komi.

    solver: a solver for one goal. Results for one goal are not exact for another goal, so each other goal gets a
    separate table of 2**bits entries on first use.
    """

    def __init__(self, solver: Solver, bits: int = 18):
        self.bits = bits
        self.solvers = {solver.goal: solver}
        self.first = solver.goal

    def lead(self, code: int) -> int:
        """Return Black's lead at the end of the game under best play."""
        return most(lambda goal: self.solver(goal).black_wins(code), self.first)

    def lead_after(self, code: int, move: int) -> int:
        """Return Black's final lead under best play after a legal move (25 is a pass)."""
        reached = after(code, move)
        return lead_now(reached) if ends(code, move) else self.lead(int(reached))

    def solver(self, goal: int) -> Solver:
        """Return the solver for a goal: the smallest final lead, without komi, with which Black wins."""
        if goal not in self.solvers:
            first = self.solvers[self.first]
            self.solvers[goal] = Solver(self.bits, goal, first.jobs, first.watch)
        return self.solvers[goal]


def most(reaches: Callable[[int], bool], first: int) -> int:
    """Return the largest lead that Black can reach. reaches(lead): whether Black can reach at least `lead`.

    The search starts at `first` and moves away in growing steps, since searches with goals near the answer are slowest.
    """
    low, high = -POINTS, POINTS + 1  # Black can reach `low` but not `high`
    goal, stride = first, 1
    while high - low > 1:
        if reaches(goal):
            low = goal
        else:
            high = goal
        if low > -POINTS and high <= POINTS:
            goal = (low + high) // 2
        elif low > -POINTS:
            goal = min(low + stride, POINTS)
        else:
            goal = max(high - stride, -POINTS + 1)
        stride *= 2
    return low


def lead_now(code: int) -> int:
    """Return the number of black stones minus the number of white stones."""
    position = unpack(code)
    return position.black.bit_count() - position.white.bit_count()


LEADS = 12  # maximum moves left for comparing leads; with more, leads are too expensive
NEVER = 99  # number of winning replies assumed for a move that ends the game


def best_moves(code: int, solver: Solver, leads: Leads) -> list[int]:
    """Return the equally good best moves, from which the perfect player chooses at random; 25 is the pass.

    With at most LEADS moves left, the best winning moves have the best exact lead. With more moves left, they leave the
    opponent the fewest legal moves. The best losing moves leave the opponent the fewest winning replies and, with at
    most LEADS moves left, have the best exact lead among these moves.
    """
    won = [move for move in moves_of(code) if solver.keeps(code, move)]
    if won:
        return best_leads(code, won, leads) if code >> LEFT_AT <= LEADS else fewest_answers(code, won)
    lost = fewest_winning_replies(code, solver)
    return best_leads(code, lost, leads) if code >> LEFT_AT <= LEADS else lost


def best_leads(code: int, moves: list[int], leads: Leads) -> list[int]:
    """Return the moves with the best exact lead for the side to move."""
    if len(moves) == 1:
        return moves
    sign = 1 if code >> LEFT_AT & 1 else -1
    return _least({move: sign * leads.lead_after(code, move) for move in moves})


def fewest_winning_replies(code: int, solver: Solver) -> list[int]:
    """Return a lost position's moves that leave the opponent the fewest winning replies."""
    result, least = {}, NEVER
    for move in moves_of(code):
        result[move] = _winning_replies(code, move, solver, least)
        least = min(least, result[move])
    return _least(result)


def _winning_replies(code: int, move: int, solver: Solver, most: int) -> int:
    """Return the number of winning replies to a losing move, or NEVER if the move ends the game.

    The count stops as soon as it exceeds `most`.
    """
    if ends(code, move):
        return NEVER
    reached, replies = int(after(code, move)), 0
    for reply in moves_of(reached):
        replies += solver.keeps(reached, reply)
        if replies > most:
            break
    return replies


def fewest_answers(code: int, moves: list[int]) -> list[int]:
    """Return the moves that leave the opponent the fewest legal moves.

    A move that ends the game leaves 0 moves.
    """
    return _least({move: 0 if ends(code, move) else len(moves_of(int(after(code, move)))) for move in moves})


def _least(costs: dict[int, int]) -> list[int]:
    """Return the moves with the smallest cost."""
    least = min(costs.values())
    return [move for move, cost in costs.items() if cost == least]
