"""The search for a board that completes a partial board and meets a list of demands.

For each partial board, the search draws conclusions from the demands (see `conclusions`) and tries a few completions of
the board. The search then branches on the contents of an open point that can affect an undecided demand. Without such a
point, the search branches on the moves left, then on whether the last move was a pass, and finally on the remaining
open points. If the search ends without a position, no completion meets the demands.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from littlego.knowledge.exact.bounds import View
from littlego.knowledge.exact.conclusions import Clause, Demands, Differs, Literal
from littlego.knowledge.exact.partial import AFTER_A_MOVE, AFTER_A_PASS, Partial, single_points
from littlego.knowledge.exact.placed import Program
from littlego.knowledge.programs import COSTS
from littlego.rules.geometry import around, flood
from littlego.rules.position import Position

READ_OUT = 10  # microseconds; facts of at least this cost read much of the board, so their bounds are wide at first


class BudgetSpentError(Exception):
    """Raised if a search would exceed its maximum number of partial boards."""


class Budget:
    """The limit on the number of partial boards in a search, and a random generator seeded with the limit."""

    def __init__(self, nodes: int):
        self.nodes = nodes
        self.used = 0
        self.random = Random(nodes)

    def spend(self) -> None:
        """Count one board. Raise BudgetSpentError if the limit is reached."""
        if self.used >= self.nodes:
            raise BudgetSpentError
        self.used += 1


def find(board: Partial, clauses: list[Clause], budget: Budget, first: int = 0) -> Position | None:
    """Return a completion of the board that meets every clause, or None if no completion does.

    first: a mask of points to decide first. Raise BudgetSpentError if the search would exceed the budget.
    """
    return _search(Demands(board, clauses, []), budget, first)


def _search(demands: Demands, budget: Budget, first: int) -> Position | None:
    budget.spend()
    if not demands.settle():
        return None
    if position := _try_completions(demands, budget.random):
        return position
    boards = _branches(demands, first)
    positions = (_search(Demands(board, demands.clauses, demands.musts), budget, first) for board in boards)
    return next(filter(None, positions), None)


# -- completions ----------------------------------------------------------------------------------------------


def _try_completions(demands: Demands, random: Random) -> Position | None:
    """Try a few completions of the board; return a position that meets every demand, or None."""
    board = demands.board
    few = board.limit(own=~(board.open & board.empty), theirs=~(board.open & board.empty))
    position = _first_good(demands, few.limit(theirs=~(few.open & few.own)))
    return position or (_first_good(demands, _fill(board, random)) if board.open else None)


def _fill(board: Partial, random: Random) -> Partial:
    """Return the board with every open point filled at random with one of its possible contents."""
    own = theirs = empty = 0
    for point in single_points(board.open):
        what = random.choice([k for k, may_be in enumerate((board.own, board.theirs, board.empty)) if may_be & point])
        own, theirs, empty = own | point * (what == 0), theirs | point * (what == 1), empty | point * (what == 2)
    return board.limit(~board.open | own, ~board.open | theirs, ~board.open | empty)


def _first_good(demands: Demands, filled: Partial) -> Position | None:
    """Return a position that has the stones of the filled board and meets every demand, or None.

    The function tries only the boards from _some_clocks, which have the largest or the smallest number of moves left.
    """
    if not filled.possible():
        return None
    clauses = demands.clauses + [(must,) for must in demands.musts]
    for full in _some_clocks(filled):
        view = View(full, {})
        if all(any(literal.truth(view) for literal in clause) for clause in clauses):
            return full.position()
    return None


def _some_clocks(filled: Partial) -> Iterator[Partial]:
    """Yield the board with the largest, then with the smallest possible number of moves left.

    For each number, the first board follows a move of the opponent, and the second board follows a pass. Boards that
    contradict `filled` are omitted.
    """
    ends = {filled.clock & -filled.clock, 1 << filled.clock.bit_length() - 1}
    for clock in sorted(ends, reverse=True):
        for passes in (AFTER_A_MOVE, AFTER_A_PASS):
            if filled.passes & passes:
                yield filled.limit(clock=clock, passes=passes)


# -- branching ------------------------------------------------------------------------------------------------


def _branches(demands: Demands, first: int) -> Iterator[Partial]:
    """Yield narrower boards that together cover all completions of the demands' board."""
    board = demands.board
    point = _point_to_try(demands, first)
    clock = single_points(board.clock)
    if point:
        yield from board.contents(point)
    elif len(clock) > 1:
        middle = clock[len(clock) // 2]
        yield board.limit(clock=-middle)
        yield board.limit(clock=middle - 1)
    elif board.passes == AFTER_A_MOVE | AFTER_A_PASS:
        yield board.limit(passes=AFTER_A_MOVE)
        yield board.limit(passes=AFTER_A_PASS)
    elif board.open:  # the open points can only change the score
        yield from board.contents(board.open & -board.open)


def _point_to_try(demands: Demands, first: int) -> int:
    """Return a mask of the open point to decide next, or 0 if the open points can only change the score."""
    board = demands.board
    literals: list[tuple[Literal, int]] = [(literal, 1) for literal in demands.musts]
    literals += [(literal, len(clause)) for clause in demands.clauses for literal in clause]
    nearest = 0
    for literal, _ in sorted(literals, key=_difficulty):
        points = _undecided_points(literal, board)
        if points & first:
            return points & first & -(points & first)
        nearest = nearest or points & -points
    never_empty = board.open & ~board.empty
    return nearest or never_empty & -never_empty


def _difficulty(literal_of: tuple[Literal, int]) -> tuple[bool, int, int]:
    """Return a sort key for literals: cheap before costly, then by length of the clause, then by cost."""
    literal, rivals = literal_of
    cost = 0 if isinstance(literal, Differs) else max(COSTS[term.name] for term in literal.program.terms)
    return cost >= READ_OUT, rivals, cost


def _undecided_points(literal: Literal, board: Partial) -> int:
    """Return a mask of open points on which a literal depends. For a program, see _nearest_points."""
    if isinstance(literal, Differs):
        return literal.placed.undecided(board) & board.open
    return _nearest_points(literal.program, board) if any(term.arguments for term in literal.program.terms) else 0


def _nearest_points(asked: Program, board: Partial) -> int:
    """Return a mask of the open points nearest to the move and to the points that a program uses."""
    seen = 0
    for term in asked.terms:
        seen |= term.move
        for _, points in term.arguments:
            seen |= points
    while True:
        for stones in (board.known_own, board.known_theirs):
            seen |= flood(seen & stones, stones, board.grid)
        if seen & board.open:
            return seen & board.open
        wider = seen | around(seen, board.grid)
        if wider == seen:
            return 0
        seen = wider
