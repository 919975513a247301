"""Our engine against a deadline: what a move may cost, and what is left out where that is too little.

Most of a slow decision is the safety check of rules.safety, which tries every reply to every move that it vets. Here
it is made in two rounds, first of captures and ladders alone, then of all. A decision that is not cut plays the
engine's move. Large boards have an engine of their own, tools.large.engine, for the same deadlines. Runs on Python 3.7.
"""

from __future__ import annotations

import time
from copy import copy
from functools import lru_cache

from rules import engine
from rules.engine import Candidate, Decision, best, canonical, is_vetoed
from rules.facts import State
from rules.geometry import Grid, Mask, Point, Table, inverse
from rules.patternfile import Book, empty_book
from rules.position import PASS, Position
from rules.ruleset import LITTLE_GO
from rules.safety import Check, vet
from tools.draw.decisions import reason_line, scores_line
from tools.large.cutting import CutSearch, HurriedDecision
from tools.large.deadline import DECIDING, Cut, Deadline, seconds_for, ticking
from tools.match.protocol import Turn

MOST_CPU = 2.0  # seconds of a move without a clock, its reason included, on boards larger than the course's
FOR_PATTERNS = 0.0003  # seconds to a point below which a move is chosen without them: 0.015 on 7x7
_FAR_AHEAD = 1 << 20  # a lead at which life made by a reply decides nothing, so that nobody asks for it


def deadline_of(turn: Turn) -> Deadline | None:
    """Return what a move may cost: see seconds_for; None for the course's own game, whose turns need no deadline.

    Without clocks MOST_CPU holds, in CPU time of the thread, on boards larger than the course's.
    """
    position = turn.position
    if position.ruleset is LITTLE_GO:
        return None
    if turn.times is not None:
        return Deadline(seconds_for(position, turn.times.of(position.colour)))
    return Deadline(MOST_CPU, time.thread_time) if position.ruleset.size > LITTLE_GO.size else None


def decide_by(deadline: Deadline, position: Position, book: Book) -> HurriedDecision:
    """Return the decision that a deadline allows: the engine's, where that comes in time.

    Overrides are not asked: they are the course's own game's, which has no deadline. Not complete.
    """
    deciding = deadline.part(DECIDING)
    table, view = canonical(position)
    legal = position.legal()
    try:
        if deadline.seconds < FOR_PATTERNS * position.ruleset.size**2:
            raise Cut
        search = _HurriedSearch(view, legal, table, sized(book, position.ruleset.size), deciding)
        chosen = search.exact_choice() if 0 < position.left <= 2 else search.choice()
    except Cut:
        search = _HurriedSearch(view, legal, table, empty_book(position.ruleset), None)
        chosen = search.built_in_choice()
    others = search.others(chosen)
    engine._map_back([chosen] + others, inverse(table))
    return HurriedDecision(position, chosen, others, search.cut, deadline)


@lru_cache(maxsize=16)
def sized(book: Book, size: int) -> Book:
    """Return a book with its placements for a board size, which take a second on 19x19; the same object each time."""
    return book.for_size(size)


def reason_in_time(decision: Decision) -> str:
    """Return the reason of a decision in one line, its own if it had a deadline and that allows no comparison.

    What was cut is said at its end.
    """
    if not isinstance(decision, HurriedDecision) or decision.deadline is None:
        return reason_line(decision)
    if decision.cut:  # a comparison would take the checks that were left out for made
        return f"{scores_line(decision)}; {decision.cut}"
    deadline = decision.deadline.rest(1 - DECIDING)
    timed = copy(decision)
    timed.position = copy(decision.position)
    timed.position.grid = ticking(decision.position.grid, deadline)
    try:
        return reason_line(timed, deadline.check)
    except Cut:
        return scores_line(decision)


def _with(state: State, grid: Grid, bonus2: int) -> State:
    """Return a state with another grid and another komi."""
    s = state
    return State(s.own, s.theirs, s.ko, s.left, s.number, s.colour, bonus2, s.passed, grid)


class _HurriedSearch(CutSearch):
    """A search of the engine's own that a deadline can cut, also in the midst of a verdict."""

    def __init__(self, state: State, legal: Mask, table: Table, book: Book, deadline: Deadline | None) -> None:
        self.deadline = deadline
        self.whole_losses: dict[Point, int] = {}  # those of CutSearch are by captures and ladders alone
        grid = state.grid if deadline is None else ticking(state.grid, deadline)
        super().__init__(_with(state, grid, state.bonus2), legal, table, book)

    def _first_safe(self, ranked: list[Candidate]) -> Candidate:
        """Return what engine.best would: the first that is not vetoed, or the smallest loss; raise Cut."""
        self._check = Check(self.state)
        without_life = copy(self._check)
        without_life.state = _with(self.state, self.state.grid, _FAR_AHEAD)
        if any(candidate.risks for candidate in ranked):  # what one would pay is not known by half of the check
            return best(ranked, self._known_loss)
        for candidate in ranked:
            if candidate.barred:
                continue
            # A pass asks who is ahead, and the state without life does not say.
            loss = self._loss(candidate, self._check if candidate.move == PASS else without_life)
            self.losses[candidate.move] = loss
            if not is_vetoed(candidate, loss) and not is_vetoed(candidate, self._whole_loss(candidate)):
                return candidate
        return best(ranked, self._whole_loss)

    def _loss(self, candidate: Candidate, check: Check) -> int:
        """Return what a candidate loses by a check, and keep that as its verdict."""
        verdict = vet(check, candidate.move)
        if not candidate.barred:
            candidate.veto = ""
        candidate.judge(verdict)
        return verdict.loss

    def _known_loss(self, candidate: Candidate) -> int:
        """Return what a candidate loses, and keep it for a choice that is cut."""
        loss = self.losses[candidate.move] = self._whole_loss(candidate)
        return loss

    def _whole_loss(self, candidate: Candidate) -> int:
        if candidate.move not in self.whole_losses:
            assert self._check is not None  # made before any candidate was vetted
            self.whole_losses[candidate.move] = self._loss(candidate, self._check)
        return self.whole_losses[candidate.move]

    def _best_known(self, ranked: list[Candidate]) -> Candidate:
        """Return the best candidate by what was found before the cut, the one that was just vetted if it is safe."""
        safe = [one for one in ranked if one.move in self.losses and not is_vetoed(one, self.losses[one.move])]
        open_to = [one for one in safe if one.move not in self.whole_losses]  # at most one
        if open_to:
            self.cut = f"the safety check was cut after {self._spent()}: whether replies live was not looked at"
            return open_to[0]
        return super()._best_known(ranked)
