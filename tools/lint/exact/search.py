"""Is there a position that meets a list of demands? A search through partial boards that finds one or proves none.

A demand is a clause: one of its literals must hold. Where all but one are refuted, the last is assumed, which
narrows what facts may answer and what points may be; then a point near what is still open is tried as each of the
things it may be. A search that ends without a position has looked at all of them.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.geometry import around, count, flood
from rules.position import Position
from tools.knowledge.programs import COSTS
from tools.lint.exact.partial import NOT_PASSED, PASSED, Partial, single_points
from tools.lint.exact.placed import Placed
from tools.lint.exact.programs import Program, key_of, narrowed, truth
from tools.lint.exact.terms import FAR, Term
from tools.lint.exact.view import Contradiction, View

MUST_BE_LEGAL = ("captures", "own_liberties", "ko", "atari", "saves", "threatens", "snapback", "makes_life")
IMPLIED = {  # what follows for the same chain or point where a fact is 1 or more: (fact, from, to)
    "in_atari": (("liberties", 1, 1),),
    "alive": (("liberties", 2, FAR),),
    "doomed": (("liberties", 1, 1),),
    "ko": (("captures", 1, 1), ("own_liberties", 1, 1), ("joins", 0, 0)),
    "snapback": (("own_liberties", 1, 1),),
    "eye": (("enclosed", 1, 1),),
    "false_eye": (("enclosed", 1, 1), ("eye", 0, 0)),
    "their_eye": (("their_enclosed", 1, 1),),
}


class BudgetSpent(Exception):
    """The search has looked at as many partial boards as it may."""


class Says(NamedTuple):
    """The literal that a program is true, or false where `wanted` is 0."""

    program: Program
    wanted: int

    def truth(self, view: View) -> int | None:
        found = truth(self.program, view)
        return found if found is None else int(found == self.wanted)


class Differs(NamedTuple):
    """The literal that a placement's cells do not match."""

    placed: Placed

    def truth(self, view: View) -> int | None:
        found = self.placed.matches(view.board)
        return found if found is None else 1 - found


Literal = Says | Differs
Clause = tuple[Literal, ...]


class Budget:
    """How many partial boards may still be looked at."""

    def __init__(self, nodes: int):
        self.nodes = nodes
        self.used = 0

    def spend(self) -> None:
        """Count one, or raise BudgetSpent."""
        if self.used >= self.nodes:
            raise BudgetSpent
        self.used += 1


def find(board: Partial, clauses: list[Clause], budget: Budget, middle: int = 0) -> Position | None:
    """Return a position of the partial board that meets every clause, or None if there is none.

    middle: points, as a mask, that are better decided first.
    """
    return _Node(board, clauses, [], middle).search(budget)


class _Node:
    """A partial board, the clauses not yet met and the literals assumed so that others are."""

    __slots__ = ("board", "clauses", "musts", "view", "middle")

    def __init__(self, board: Partial, clauses: list[Clause], musts: list[Says], middle: int):
        self.middle = middle
        self.board = board
        self.clauses = clauses
        self.musts = musts
        self.view = View(board, {})

    def search(self, budget: Budget) -> Position | None:
        budget.spend()
        try:
            if not self._settle():
                return None
            found = self._completed()
        except Contradiction:
            return None
        if found:
            return found
        for board in self._branches():
            found = _Node(board, self.clauses, self.musts, self.middle).search(budget)
            if found:
                return found
        return None

    # -- what follows -------------------------------------------------------------------------------------------

    def _settle(self) -> bool:
        """Draw conclusions until there are no more; return False where a demand cannot be met."""
        changed = True
        while changed:
            if not self.board.possible():
                return False
            self._drop_sure_musts()
            self._assume_all()
            changed = self._limit_points()
            if changed:
                continue
            kept: list[Clause] = []
            for clause in self.clauses:
                rest = self._rest(clause)
                if rest is None:
                    continue
                if not rest:
                    return False
                if len(rest) == 1 and self._require(rest[0]):
                    changed = True
                    if isinstance(rest[0], Says):
                        continue
                kept.append(rest)
            self.clauses = kept
        return True

    def _rest(self, clause: Clause) -> Clause | None:
        """Return the literals that are still open, or None where one is true."""
        rest = []
        for literal in clause:
            found = literal.truth(self.view)
            if found:
                return None
            if found is None:
                rest.append(literal)
        return tuple(rest)

    def _require(self, literal: Literal) -> bool:
        """Take over the last literal of a clause; return whether that changed anything."""
        if isinstance(literal, Says):
            self.musts = [*self.musts, literal]
            return True
        undecided = literal.placed.undecided(self.board)
        if undecided & (undecided - 1):
            return False
        self.board = literal.placed.without(self.board, undecided)
        return True

    def _drop_sure_musts(self) -> None:
        bare = View(self.board, {})
        kept = []
        for must in self.musts:
            found = must.truth(bare)
            if found == 0:
                raise Contradiction
            if found is None:
                kept.append(must)
        self.musts = kept

    def _assume_all(self) -> None:
        """Enter what the musts say of facts into the view, and limit the clock by them."""
        self.view = View(self.board, {})
        changed = True
        while changed:
            changed = False
            for must in self.musts:
                if all(not term.arguments for term in must.program.terms):
                    self._limit_clock(must)
                if must.program.test:
                    changed |= self._assume(must)
                else:
                    key = key_of(must.program, self.view)
                    if key is not None and self.view.assumed.setdefault(key, must.wanted) != must.wanted:
                        raise Contradiction
        if any(must.truth(self.view) == 0 for must in self.musts if not must.program.test):
            raise Contradiction

    def _assume(self, must: Says) -> bool:
        term = must.program.test[0]
        found = narrowed(must.program, must.wanted, self.view)
        key = self.view.key(term)
        if found is None or key is None:
            return False
        self._enter(key, *found)
        low, high = found
        if low >= 1:
            if term.name in ("enclosed", "their_enclosed"):
                self._enter(("region", 0, *key[2:]), low, high)
            for name, first, last in IMPLIED.get(term.name, ()):
                self._enter((name, 0, *key[2:]), first, last)
            if term.name in MUST_BE_LEGAL:
                self._enter(("legal", 0, *key[2:]), 1, 1)
        if term.name in ("ladder", "liberties_after") and low >= 1:
            self._assume_before(term, 0 if term.name == "ladder" else low, 1 if term.name == "ladder" else high)
        if term.name == "in_atari" and high == 0 and key[2]:
            self._enter(("liberties", 0, key[2]), 2, FAR)
        return True

    def _assume_before(self, term: Term, low: int, high: int) -> None:
        """Enter what the liberties that one chain of theirs has after the move say of those that it has now."""
        if term.move:
            self._enter(("legal", 0, term.move), 1, 1)
        chain = self.view.chains(term.arguments[0][1])
        if chain.low and chain.is_one and not chain.is_own:
            maybe, surely = (around(stones, self.board.grid) & term.move for stones in (chain.up, chain.low))
            self._enter(("liberties", 0, chain.low), low + bool(surely), high + bool(maybe))

    def _enter(self, key: tuple, low: int, high: int) -> None:
        view = self.view
        known = view.assumed.get(key, (-FAR, FAR))
        view.assumed[key] = max(low, known[0]), min(high, known[1])
        if view.assumed[key][0] > view.assumed[key][1]:
            raise Contradiction
        view.forget()

    def _limit_clock(self, must: Says) -> None:
        clock = 0
        for left in single_points(self.board.clock):
            view = View(self.board.limited(clock=left), {})
            if view.board.clock and must.truth(view) != 0:
                clock |= left
        if clock != self.board.clock:
            self.board = self.board.limited(clock=clock)
            if not clock:
                raise Contradiction
            self.view = View(self.board, self.view.assumed)

    def _limit_points(self) -> bool:
        """Limit the points beside chains and regions by what is assumed of them; return whether any was open."""
        board = self.board
        never_empty = never_own = never_theirs = 0
        for name, _, *about in self.view.assumed:
            if name == "liberties":
                near = around(about[0], board.grid)
                never_empty |= near if self._is_full(name, True, about[0], near & board.known_empty) else 0
            elif name in ("region", "enclosed", "their_enclosed") and about[0] & board.known_empty:
                inside = flood(about[0], board.known_empty, board.grid)
                near = around(inside, board.grid) & ~inside
                never_empty |= near if name == "region" and self._is_full(name, False, about[0], inside) else 0
                is_closed = name != "region" and self.view.ask(Term(name, 0, ((False, about[0]),)))[0] >= 1
                never_theirs |= near if is_closed and name == "enclosed" else 0
                never_own |= near if is_closed and name == "their_enclosed" else 0
        limited = board.limited(~(never_own & board.open), ~(never_theirs & board.open), ~(never_empty & board.open))
        self.board = limited
        return (limited.own, limited.theirs, limited.empty) != (board.own, board.theirs, board.empty)

    def _is_full(self, name: str, is_chain: bool, points: int, found: int) -> bool:
        """Return whether a chain has as many liberties, or a region as many points, as it may have."""
        return count(found) == self.view.ask(Term(name, 0, ((is_chain, points),)))[1]

    # -- an early end -------------------------------------------------------------------------------------------

    def _completed(self) -> Position | None:
        """Return the position with all that is open left empty, where that meets every demand."""
        board = self.board
        filled = board.limited(own=~(board.open & board.empty), theirs=~(board.open & board.empty))
        filled = filled.limited(theirs=~(filled.open & filled.own))
        if not filled.possible():
            return None
        clauses = self.clauses + [(must,) for must in self.musts]
        ends = {filled.clock & -filled.clock, 1 << filled.clock.bit_length() - 1}
        for clock in sorted(ends, reverse=True):
            for passes in (NOT_PASSED, PASSED):
                if filled.passes & passes:
                    full = filled.limited(clock=clock, passes=passes)
                    view = View(full, {})
                    if all(any(literal.truth(view) for literal in clause) for clause in clauses):
                        return next(full.positions())
        return None

    # -- what to try --------------------------------------------------------------------------------------------

    def _branches(self) -> list[Partial]:
        board = self.board
        point = self._point_to_try()
        if point:
            return list(board.contents(point))
        clock = board.clock
        if clock & (clock - 1):
            middle = single_points(clock)[count(clock) // 2]
            return [board.limited(clock=-middle), board.limited(clock=middle - 1)]
        if board.passes == NOT_PASSED | PASSED:
            return [board.limited(passes=NOT_PASSED), board.limited(passes=PASSED)]
        return list(board.contents(board.open & -board.open)) if board.open else []

    def _point_to_try(self) -> int:
        """Return the open point that seems to decide most, as a mask, or 0 where only the clock is open."""
        literals = [(literal, 1) for literal in self.musts]
        literals += [(literal, len(clause)) for clause in self.clauses for literal in clause]
        first = 0
        for literal, _ in sorted(literals, key=_difficulty):
            points = _undecided(literal, self.board)
            if points & self.middle:
                return points & self.middle & -(points & self.middle)
            first = first or points & -points
        never_empty = self.board.open & ~self.board.empty
        return first or never_empty & -never_empty


def _difficulty(literal_of: tuple[Literal, int]) -> tuple:
    """Return a key that puts first what is cheap to find out and near to being decided."""
    literal, rivals = literal_of
    cost = 0 if isinstance(literal, Differs) else max(COSTS[term.name] for term in literal.program.terms)
    return cost >= 10, rivals, cost


def _undecided(literal: Literal, board: Partial) -> int:
    """Return open points that a literal depends on, as a mask: those nearest to what it is about."""
    if isinstance(literal, Differs):
        return literal.placed.undecided(board) & board.open
    return _nearest(literal.program, board) if any(term.arguments for term in literal.program.terms) else 0


def _nearest(asked: Program, board: Partial) -> int:
    """Return the open points nearest to what a program asks about."""
    seen = 0
    for term in asked.terms:
        seen |= term.move
        for _, points in term.arguments:
            seen |= points
    while True:
        stones = flood(seen & board.known_own, board.known_own, board.grid)
        seen |= stones | flood(seen & board.known_theirs, board.known_theirs, board.grid)
        if seen & board.open:
            return seen & board.open
        wider = seen | around(seen, board.grid)
        if wider == seen:
            return 0
        seen = wider
