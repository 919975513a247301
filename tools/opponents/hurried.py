"""Our engine against a deadline: what a move may cost, and what is left out where that is too little.

Most of a slow decision is the safety check of rules.safety, which may be cut in the midst of a verdict. A decision
that is not cut plays the engine's move. Large boards have an engine of their own, tools.large.engine, for the same
deadlines. Runs on Python 3.7.
"""

from __future__ import annotations

import time
from copy import copy
from functools import lru_cache

from rules.engine import Decision, Matcher, canonical, map_back
from rules.facts import State
from rules.geometry import Mask, image_of, inverse
from rules.patternfile import Book, empty_book
from rules.position import Position
from rules.ruleset import LITTLE_GO
from rules.safety import Check
from tools.draw.decisions import reason_line, scores_line
from tools.large.cutting import CutSearch, HurriedDecision
from tools.large.deadline import DECIDING, Cut, Deadline, seconds_for, ticking
from tools.match.protocol import Turn

MOST_CPU = 2.0  # seconds of a move without a clock, its reason included, on boards larger than the course's
FOR_PATTERNS = 0.0003  # seconds to a point below which a move is chosen without them: 0.015 on 7x7


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
    legal = image_of(position.legal(), table)
    try:
        if deadline.seconds < FOR_PATTERNS * position.ruleset.size**2:
            raise Cut
        search = _search(view, legal, sized(book, position.ruleset.size), deciding)
        chosen = search.choice()
    except Cut:
        search = _search(view, legal, empty_book(position.ruleset), None)
        chosen = search.built_in_choice()
    others = search.others(chosen)
    map_back([chosen] + others, inverse(table))
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


def _search(s: State, legal: Mask, book: Book, deadline: Deadline | None) -> CutSearch:
    """Return a search of a canonical state that the deadline can cut even within a verdict."""
    grid = s.grid if deadline is None else ticking(s.grid, deadline)
    timed = State(s.own, s.theirs, s.ko, s.left, s.number, s.colour, s.bonus2, s.passed, grid)
    return CutSearch(timed, legal, Matcher(timed, book), Check(timed), deadline)
