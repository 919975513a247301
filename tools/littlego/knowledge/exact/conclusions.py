"""Constraint propagation on a partial position.

A demand is a clause: at least one of its literals must hold. If all literals of a clause except one are refuted, the
remaining literal has to hold. If this literal is a Says, it becomes a must; if it is a Differs with one undecided cell,
the board is limited so that the cell does not match. The musts limit the values of facts and the contents of points.
All limits may refute further literals. The propagation ends when nothing changes.
"""

from __future__ import annotations

from typing import NamedTuple

from littlego.knowledge.exact.bounds import (
    ANYTHING,
    LONGEST_CAUGHT,
    NEEDS_A_LEGAL_MOVE,
    Chains,
    ContradictionError,
    Key,
    Range,
    Term,
    View,
)
from littlego.knowledge.exact.partial import Partial, single_points
from littlego.knowledge.exact.placed import Placed, Program, key_of, narrow, truth
from littlego.rules.geometry import Mask, around, count, flood
from littlego.rules.programs import FAR

IMPLIED = {  # fact -> (other fact, minimum, maximum) for the same chain or point if the first fact is at least 1
    "in_atari": (("liberties", 1, 1),),
    "alive": (("liberties", 2, FAR),),
    "doomed": (("liberties", 1, 1),),
    "ko": (("captures", 1, 1), ("own_liberties", 1, 1), ("joins", 0, 0)),
    "snapback": (("own_liberties", 1, 1),),
    "eye": (("enclosed", 1, 1),),
    "false_eye": (("enclosed", 1, 1), ("joins", 2, FAR)),
    "their_eye": (("their_enclosed", 1, 1),),
}
ENCLOSED = ("enclosed", "their_enclosed")


class Says(NamedTuple):
    """A literal that holds if a program is true (`wanted` is 1) or false (`wanted` is 0)."""

    program: Program
    wanted: int

    def truth(self, view: View) -> int | None:
        """Return 1 if the literal is proved true on all completions, 0 if proved false on all, else None.

        The proof covers only the legal completions of the view's board that meet the view's assumptions.
        """
        value = truth(self.program, view)
        return value if value is None else int(value == self.wanted)


class Differs(NamedTuple):
    """A literal that holds if at least one cell of a placement does not match."""

    placed: Placed

    def truth(self, view: View) -> int | None:
        """Return 1 if the literal is proved true on all completions, 0 if proved false on all, else None.

        The proof covers all completions of the view's board, even completions that contradict the view's assumptions.
        """
        matches = self.placed.matches(view.board)
        return matches if matches is None else 1 - matches


Literal = Says | Differs
Clause = tuple[Literal, ...]


class Demands:
    """A partial board with demands: open clauses, and musts (Says literals that must hold)."""

    __slots__ = ("board", "clauses", "musts", "view")

    def __init__(self, board: Partial, clauses: list[Clause], musts: list[Says]):
        self.board = board
        self.clauses = clauses
        self.musts = musts
        self.view = View(board, {})  # the board with the assumptions that the musts imply

    def settle(self) -> bool:
        """Draw conclusions from the demands until nothing changes.

        Return False if a contradiction is found, else True.
        """
        try:
            while self.board.possible():
                self._drop_sure_musts()
                self._assume_musts()
                if not self._limit_points() and not self._take_over():
                    return True
        except ContradictionError:
            pass
        return False

    # -- clauses ------------------------------------------------------------------------------------------------

    def _take_over(self) -> bool:
        """Drop the clauses that hold. If only one literal of a clause is open, require this literal.

        Return whether the board or the musts changed. Raise ContradictionError for a clause that cannot hold.
        """
        kept: list[Clause] = []
        changed = False
        for clause in self.clauses:
            rest = self._open_literals(clause)
            if rest is None:
                continue
            if not rest:
                raise ContradictionError
            is_must = len(rest) == 1 and self._require(rest[0])
            changed |= is_must
            if not (is_must and isinstance(rest[0], Says)):
                kept.append(rest)
        self.clauses = kept
        return changed

    def _open_literals(self, clause: Clause) -> Clause | None:
        """Return a clause's undecided literals, or None if at least one literal is true."""
        rest = []
        for literal in clause:
            truth = literal.truth(self.view)
            if truth:
                return None
            if truth is None:
                rest.append(literal)
        return tuple(rest)

    def _require(self, literal: Literal) -> bool:
        """Require the only open literal of a clause. Return whether the board or the musts changed.

        If the literal is a Differs with more than one undecided cell, the function changes nothing.
        """
        if isinstance(literal, Says):
            self.musts = [*self.musts, literal]
            return True
        undecided = literal.placed.undecided(self.board)
        if undecided & (undecided - 1):
            return False
        self.board = literal.placed.without(self.board, undecided)
        return True

    # -- musts --------------------------------------------------------------------------------------------------

    def _drop_sure_musts(self) -> None:
        """Drop the musts that hold on every completion. Raise ContradictionError if a must holds on no completion."""
        bare = View(self.board, {})
        truths = [must.truth(bare) for must in self.musts]
        if 0 in truths:
            raise ContradictionError
        self.musts = [must for must, truth in zip(self.musts, truths, strict=True) if truth is None]

    def _assume_musts(self) -> None:
        """Limit the ranges of facts and the numbers of moves left to values that the musts permit."""
        self.view = View(self.board, {})
        changed = True
        while changed:
            changed = False
            for must in self.musts:
                if not any(term.arguments for term in must.program.terms):
                    self._limit_clock(must)
                if must.program.test:
                    changed |= self._assume(must)
                else:
                    key = key_of(must.program, self.view)
                    if key is not None:
                        self.view.truths.setdefault(key, must.wanted)
        if any(must.truth(self.view) == 0 for must in self.musts):
            raise ContradictionError

    def _assume(self, must: Says) -> bool:
        """Limit the range of the fact that a must tests to the values for which the must holds.

        Return whether the function narrowed the fact's range.
        """
        assert must.program.test
        term = must.program.test[0]
        answers = narrow(must.program, must.wanted, self.view)
        key = self.view.key(term)
        if answers is None or key is None:
            return False
        self._enter(key, answers)
        if answers[0] >= 1:
            self._enter_consequences(term, key, answers)
        elif term.name == "in_atari" and answers[1] == 0 and key[2][0]:
            self._enter(("liberties", 0, key[2]), (2, FAR))
        return True

    def _enter_consequences(self, term: Term, key: Key, answers: Range) -> None:
        """Draw conclusions from the assumption that a fact is at least 1.

        answers: the assumed range of the fact's value.
        """
        about = key[2]
        for name, low, high in IMPLIED.get(term.name, ()):
            self._enter((name, 0, about), (low, high))
        if term.name in ENCLOSED:
            self._enter(("region", 0, about), answers)
        elif term.name in NEEDS_A_LEGAL_MOVE:
            self._enter(("legal", 0, about), (1, 1))
        elif term.name in ("liberties_after", "ladder"):
            chains = self.view.chain(term.arguments[0][1])
            if term.name == "ladder":
                answers = (1, LONGEST_CAUGHT) if chains.is_own else (0, 1)
            self._enter_before_the_move(chains, term.move, answers)

    def _enter_before_the_move(self, chains: Chains, move: Mask, after: Range) -> None:
        """Draw conclusions from the assumed number of a chain's liberties after the move.

        after: the assumed range of this number. For an opponent's chain, the function limits the liberties before the
        move. For a chain of the mover that the move extends, the function limits the value of `own_liberties` to the
        range `after`.
        """
        if move:
            self._enter(("legal", 0, (move,)), (1, 1))
        if not chains.low or not chains.is_one:
            return
        maybe, surely = (around(stones, self.board.grid) & move for stones in (chains.up, chains.low))
        if not chains.is_own:
            self._enter(("liberties", 0, (chains.low,)), (after[0] + bool(surely), after[1] + bool(maybe)))
        elif surely:
            self._enter(("own_liberties", 0, (move,)), after)

    def _enter(self, key: Key, answers: Range) -> None:
        """Assume that a term, given by its cache key, has a value in a range.

        Raise ContradictionError if earlier assumptions exclude the whole range.
        """
        view = self.view
        known = view.assumed.get(key, ANYTHING)
        low, high = max(answers[0], known[0]), min(answers[1], known[1])
        if low > high:
            raise ContradictionError
        view.assumed[key] = low, high
        if key[0] in ("cuts", "joins") and high == 1:
            known_stones = self.board.known_theirs if key[0] == "cuts" else self.board.known_own
            view.join(around(key[2][0], self.board.grid) & known_stones)
        view.forget()

    # -- limits of points and of the clock ------------------------------------------------------------------------

    def _limit_clock(self, must: Says) -> None:
        clock = 0
        for left in single_points(self.board.clock):
            view = View(self.board.limit(clock=left), {})
            if view.board.clock and must.truth(view) != 0:
                clock |= left
        if clock != self.board.clock:
            self.board = self.board.limit(clock=clock)
            if not clock:
                raise ContradictionError
            truths = self.view.truths
            self.view = View(self.board, self.view.assumed, self.view.joined)
            self.view.truths = truths

    def _limit_points(self) -> bool:
        """Limit the contents of the points beside the chains and regions that the assumptions mention.

        Return whether the function excluded any content.
        """
        board = self.board
        for name, _, about in self.view.assumed:
            if name == "liberties":
                self._limit_beside_chain(about[0])
            elif name in ("region", *ENCLOSED) and about[0] & board.known_empty:
                self._limit_beside_region(name, about[0])
        now = self.board
        return (now.own, now.theirs, now.empty) != (board.own, board.theirs, board.empty)

    def _limit_beside_chain(self, chain: int) -> None:
        """Require stones on the open points beside a chain that already has its maximum number of liberties."""
        near = around(chain, self.board.grid)
        most = self.view.ask(Term("liberties", 0, ((True, chain),)))[1]
        if count(near & self.view.board.known_empty) == most:
            self.board = self.board.limit(empty=~(near & self.view.board.open))

    def _limit_beside_region(self, name: str, point: int) -> None:
        """Limit the contents of the points beside a region of empty points.

        If the region has its maximum size, the neighbouring points must not be empty. If a side encloses the region,
        the neighbouring points must not contain a stone of the other side.
        """
        grid, board = self.board.grid, self.view.board
        inside = flood(point, board.known_empty, grid)
        near = around(inside, grid) & ~inside & board.open
        least, most = self.view.ask(Term(name, 0, ((False, point),)))
        if name == "region" and count(inside) == most:
            self.board = self.board.limit(empty=~near)
        elif name == "enclosed" and least >= 1:
            self.board = self.board.limit(theirs=~near)
        elif name == "their_enclosed" and least >= 1:
            self.board = self.board.limit(own=~near)
