"""Decisions of the small engine with a deadline. This module runs on Python 3.7.

A slow decision spends most of its time in rules.safety, which the deadline can interrupt even while a move is being
checked. A decision that the deadline does not interrupt equals the engine's decision without a deadline.
"""

from __future__ import annotations

from functools import lru_cache

from littlego.engines.large.cutting import CutSearch, TimedDecision
from littlego.engines.large.deadline import DECIDING, Cut, Deadline, ticking
from littlego.rules.engine import Matcher, canonical, map_back
from littlego.rules.facts import State
from littlego.rules.geometry import Mask, image_of, inverse
from littlego.rules.patternfile import Book, empty_book
from littlego.rules.position import Position
from littlego.rules.safety import Check

SECONDS_PER_POINT = 0.0003  # seconds per board point, 0.015 on 7x7; with less time, patterns are skipped


def decide_timed(deadline: Deadline, position: Position, book: Book) -> TimedDecision:
    """Return the engine's decision if time suffices, else the best decision found before the deadline.

    If the deadline leaves no time for patterns, captures and liberties decide. The decision's `complete` is always
    False. Overrides are not used, because they belong to the course's game on 5x5, which has no deadline.
    """
    deciding = deadline.part(DECIDING)
    table, view = canonical(position)
    legal = image_of(position.legal(), table)
    try:
        if deadline.seconds < SECONDS_PER_POINT * position.ruleset.size**2:
            raise Cut
        search = _search(view, legal, sized(book, position.ruleset.size), deciding)
        chosen = search.choice()
    except Cut:
        search = _search(view, legal, empty_book(position.ruleset), None)
        chosen = search.built_in_choice()
    others = search.others(chosen)
    map_back([chosen] + others, inverse(table))
    return TimedDecision(position, chosen, others, search.cut, deadline)


@lru_cache(maxsize=16)
def sized(book: Book, size: int) -> Book:
    """Return the version of a book for a board size. Results are cached, because computing placements is slow."""
    return book.for_size(size)


def _search(s: State, legal: Mask, book: Book, deadline: Deadline | None) -> CutSearch:
    """Return a search, in a canonical state, that the deadline can interrupt even while it checks a move."""
    grid = s.grid if deadline is None else ticking(s.grid, deadline)
    timed = State(s.own, s.theirs, s.ko, s.left, s.number, s.colour, s.bonus2, s.passed, grid)
    return CutSearch(timed, legal, Matcher(timed, book), Check(timed), deadline)
