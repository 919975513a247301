"""Our engine against a deadline: what a move on a large board may cost, and what is left out where that is too little.

Most of a slow decision is the safety check of rules.safety, which tries every reply to every move that it vets. Here
it is made in two rounds, first of captures and ladders alone, then of all. Whatever the deadline cuts, the best move
by what is known by then is played, and the decision says in words what was not looked at. A decision that is not cut
plays the engine's move. Runs on Python 3.7.
"""

from __future__ import annotations

import time
from copy import copy
from functools import lru_cache
from typing import Callable

from rules import engine
from rules.engine import Candidate, Decision, best, canonical, is_vetoed, rank
from rules.facts import State
from rules.geometry import Grid, Mask, Point, Table, count, inverse, points_of
from rules.patternfile import Book, empty_book
from rules.position import PASS, Position
from rules.ruleset import LITTLE_GO
from rules.safety import Check, vet
from tools.draw.decisions import reason_line, scores_line
from tools.match.protocol import Turn

MOST_CPU = 2.0  # seconds of a move without a clock, its reason included, on boards larger than the course's
DECIDING = 0.75  # of the seconds of a move, those for the decision; its reason may take as much as the rest
GAME = 5 / 6  # own moves of a game without a length, to a point of the board: 300 on 19x19
AT_LEAST = 0.25  # of these, those that may always be still to come
RESERVE = 2.0  # seconds that are never shared out, for what neither side measures; at most a tenth of what is left
FOR_PATTERNS = 0.0003  # seconds to a point below which a move is chosen without them: 0.1 on 19x19
_FAR_AHEAD = 1 << 20  # a lead at which life made by a reply decides nothing, so that nobody asks for it


class Cut(Exception):
    """The deadline has passed."""


class Deadline:
    """The moment by which an answer is due, some seconds from now. now: seconds of a clock."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.now = now
        self.start = now()
        self.end = self.start + seconds

    def part(self, share: float) -> Deadline:
        """Return a deadline that begins with this one and ends after a share of its seconds."""
        earlier = copy(self)
        earlier.seconds = share * self.seconds
        earlier.end = self.start + earlier.seconds
        return earlier

    def rest(self, share: float) -> Deadline:
        """Return a deadline that begins now and ends after a share of its seconds, or with this one."""
        later = Deadline(share * self.seconds, self.now)
        later.end = min(later.end, self.end)
        return later

    def check(self) -> None:
        """Raise Cut if it has passed."""
        if self.now() >= self.end:
            raise Cut


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


def seconds_for(position: Position, left: float) -> float:
    """Return the seconds that a move may cost, of those that its player has left: what no reserve keeps, shared out."""
    return (left - min(RESERVE, left / 10)) / moves_to_come(position)


def moves_to_come(position: Position) -> float:
    """Return how many moves the mover may still have to make, this one included: known, or a cautious guess."""
    ruleset = position.ruleset
    if ruleset.length:
        return (position.left + 1) // 2
    whole = max(1.0, GAME * ruleset.size**2)
    made = (position.number - 1) // 2 if position.number else count(position.own)
    return max(whole - made, AT_LEAST * whole)


class HurriedDecision(Decision):
    """A decision by a deadline. cut: what was not looked at, in words, '' if all was. deadline: that of its reason."""

    __slots__ = ("cut", "deadline")

    def __init__(self, position: Position, chosen: Candidate, others: list[Candidate], cut: str, deadline: Deadline):
        super().__init__(position, chosen, [chosen] + others, complete=False)
        self.cut = cut
        self.deadline = deadline


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
    others = sorted([one for one in search.seen.values() if one is not chosen], key=engine._listing_order)
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
    if not isinstance(decision, HurriedDecision):
        return reason_line(decision)
    if decision.cut:  # a comparison would take the checks that were left out for made
        return f"{scores_line(decision)}; {decision.cut}"
    deadline = decision.deadline.rest(1 - DECIDING)
    timed = copy(decision)
    timed.position = copy(decision.position)
    timed.position.grid = _ticking(decision.position.grid, deadline)
    try:
        return reason_line(timed, deadline.check)
    except Cut:
        return scores_line(decision)


class _AllPoints(int):
    """The mask of all points of a grid, which looks at a clock whenever it is asked for the empty ones.

    All that takes long in rules/ asks that again and again: each reply, each step of a ladder. Nothing there has to
    know of it, and the masks that come of it are plain ones.
    """

    deadline: Deadline

    def __and__(self, other: int) -> int:
        self.deadline.check()
        return int.__and__(self, other)


def _ticking(grid: Grid, deadline: Deadline) -> Grid:
    """Return a grid that raises Cut once the deadline has passed."""
    size, full, not_first, not_last = grid
    points = _AllPoints(full)
    points.deadline = deadline
    return size, points, not_first, not_last


def _with(state: State, grid: Grid, bonus2: int) -> State:
    """Return a state with another grid and another komi."""
    s = state
    return State(s.own, s.theirs, s.ko, s.left, s.number, s.colour, bonus2, s.passed, grid)


# A part of the engine that is private to it: rules/ is what the course gets and certificates name, and knows no clock.
class _HurriedSearch(engine._Search):
    """A decision in the making that a deadline can cut. cut: see HurriedDecision. deadline: None if it has none."""

    def __init__(self, state: State, legal: Mask, table: Table, book: Book, deadline: Deadline | None) -> None:
        self.cut = ""
        self.deadline = deadline
        self.losses: dict[Point, int] = {}  # by captures and ladders alone
        self.whole_losses: dict[Point, int] = {}
        grid = state.grid if deadline is None else _ticking(state.grid, deadline)
        super().__init__(_with(state, grid, state.bonus2), legal, table, book)

    def choice(self) -> Candidate:
        """Return the best candidate by what can be known in time."""
        ranked = self._scored()
        if self.cut:
            return _first_open(ranked)
        try:
            return self._first_safe(ranked)
        except Cut:
            return self._best_known(ranked)

    def built_in_choice(self) -> Candidate:
        """Return the best candidate without a look at what the opponent may do."""
        ranked = self._scored()
        self.cut = "there was no time to weigh it: chosen by stones taken and liberties, and not checked for safety"
        return _first_open(ranked)

    def _scored(self) -> list[Candidate]:
        """Return the candidates, best first: all of them, or, cut, those that the strongest patterns speak for.

        Raise Cut where there is none.
        """
        moves = points_of(self.legal) + [PASS]
        moves.sort(key=self._hope, reverse=True)
        try:
            for move in moves:
                self.candidate(move)
        except Cut:
            if not self.seen:
                raise
            number = f"{len(self.seen)} of {len(moves)} moves"
            self.cut = f"cut after {self._spent()}: {number} were weighed, and none was checked for safety"
        return sorted(self.seen.values(), key=rank)

    def _hope(self, move: Point) -> int:
        """Return the highest priority that a move can have; its patterns stand in the order of theirs.

        A pass comes last, whatever speaks for it: cut before all moves are weighed, it would be a move given away.
        """
        matched = self.matched[move]
        return engine.LAST_RESORT if move == PASS else matched[0][0].priority if matched else engine.BUILT_IN

    def _first_safe(self, ranked: list[Candidate]) -> Candidate:
        """Return what engine.best would: the first that is not vetoed, or the smallest loss; raise Cut."""
        self._check = Check(self.state)
        without_life = copy(self._check)
        without_life.state = _with(self.state, self.state.grid, _FAR_AHEAD)
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
        verdict = candidate.verdict = vet(check, candidate.move)
        if not candidate.barred:
            candidate.veto = verdict.reason if is_vetoed(candidate, verdict.loss) else ""
        return verdict.loss

    def _whole_loss(self, candidate: Candidate) -> int:
        if candidate.move not in self.whole_losses:
            assert self._check is not None  # made before any candidate was vetted
            self.whole_losses[candidate.move] = self._loss(candidate, self._check)
        return self.whole_losses[candidate.move]

    def _best_known(self, ranked: list[Candidate]) -> Candidate:
        """Return the best candidate by what was found before the cut."""
        seen = [one for one in ranked if one.move in self.losses]
        safe = [one for one in seen if not is_vetoed(one, self.losses[one.move])]
        open_to = [one for one in safe if one.move not in self.whole_losses]  # at most one, which was just vetted
        self.cut = f"the safety check was cut after {self._spent()}"
        if open_to:
            self.cut += ": whether replies live was not looked at"
            return open_to[0]
        if not seen:
            self.cut += ", before it came to a move"
            return _first_open(ranked)
        self.cut += f": {len(seen)} of {len(ranked)} moves were looked at, and none was found safe"
        return best(seen, lambda one: self.losses[one.move])

    def _spent(self) -> str:
        assert self.deadline is not None  # else nothing is cut
        return f"{self.deadline.now() - self.deadline.start:.1f} s"


def _first_open(ranked: list[Candidate]) -> Candidate:
    """Return the first candidate that nothing forbids, or the first where all are forbidden."""
    return next((one for one in ranked if not one.barred), ranked[0])
