"""Decisions on large boards.

The candidates and firings are the same as in rules.engine, but are computed with planes (see
littlego.engines.large.planes) and chain tables. A position is decided in its given orientation, without a canonical
image; among equal moves, the move with the lowest point number is played. A deadline may interrupt the decision (see
littlego.engines.large.cutting).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import littlego.engines.large.facts  # noqa: F401  registers facts for conditions
from littlego.engines.large.book import LargeBook, large_book
from littlego.engines.large.cutting import CutSearch, TimedDecision
from littlego.engines.large.deadline import DECIDING, Cut
from littlego.engines.large.firings import Firings
from littlego.engines.large.reading import LargeReading
from littlego.engines.large.safety import LargeCheck
from littlego.engines.large.state import LargeState, make_state
from littlego.engines.reasons.judge import Judge
from littlego.rules.engine import BUILT_IN, Candidate, Firing, best, located
from littlego.rules.geometry import Mask, Point, around, count, symmetry_tables
from littlego.rules.safety import Verdict, outcome

if TYPE_CHECKING:
    from littlego.engines.large.deadline import Deadline
    from littlego.rules.patternfile import Book
    from littlego.rules.position import Position

SECONDS_PER_POINT = 0.0001  # seconds per board point, 0.036 on 19x19; with less time, patterns are skipped


class LargeDecision(TimedDecision):
    """A decision of the engine for large boards. judge: the LargeJudge for moves that the search did not vet."""

    __slots__ = ("judge",)

    def __init__(
        self, position: Position, chosen: Candidate, search: LargeSearch, complete: bool, deadline: Deadline | None
    ) -> None:
        super().__init__(position, chosen, search.others(chosen), search.cut, deadline)
        self.complete = complete
        self.judge = LargeJudge(search)


class LargeMatcher:
    """The firings of a book in a position on a large board, computed by the constructor.

    cut: a text that says why firings are missing, or '' if the firings are complete.
    """

    def __init__(self, state: LargeState, legal: Mask, book: LargeBook, deadline: Deadline | None) -> None:
        self.state = state
        self.deadline = deadline
        self.reading = LargeReading(state, book.bits, self.look)
        self.cut = ""
        self.fired = self._fire_all(legal, book)

    def look(self) -> None:
        """Raise Cut if the deadline has passed."""
        if self.deadline is not None:
            self.deadline.check()

    def _fire_all(self, legal: Mask, book: LargeBook) -> list[list[Firing]]:
        """Return lists of firings: one list for each point, then one list for a pass.

        If the deadline interrupts the matching, the lists contain only firings of the first patterns of the book. Raise
        Cut if the deadline passes before any pattern is evaluated.
        """
        firings = Firings(book, self.reading)
        try:
            firings.fire_all(legal, self.look)
        except Cut:
            if self.deadline is None or not firings.weighed:
                raise
            number = f"{firings.weighed} of {len(book.patterns)} patterns"
            spent = self.deadline.spent()
            self.cut = f"cut after {spent}: {number} were evaluated, without a safety check"
        return firings.fired

    def firings(self, move: Point) -> list[Firing]:
        """Return the firings for a move in the order of the patterns, each with its best placement.

        Raise Cut if the deadline has passed, unless it already interrupted the matching.
        """
        if not self.cut:
            self.look()
        return self.fired[move]

    def highest_priority(self, move: Point) -> int:
        """Return the highest priority among a move's firings, or BUILT_IN if there are none."""
        firings = self.fired[move]
        return firings[0].pattern.priority if firings else BUILT_IN

    def built_in_points(self, move: Point) -> int:
        """Return the built-in points of a move for which no pattern fires.

        Each captured stone counts 100 points, and each liberty of the move's chain counts 1 point.
        """
        state, bit = self.state, 1 << move
        table, near = state.table, around(bit, state.grid)
        taken, grown, free = table.captured_by(bit), bit, near & ~(state.own | state.theirs)
        for chain in table.chains_near(bit, state.own):
            grown |= chain
            free |= table.free[chain]
        free |= around(grown, state.grid) & taken
        return 100 * count(taken) + count(free & ~bit)


class LargeSearch(CutSearch):
    """The search for one decision, in the position's given orientation."""

    state: LargeState

    def __init__(self, state: LargeState, legal: Mask, book: LargeBook, deadline: Deadline | None = None) -> None:
        matcher = LargeMatcher(state, legal, book, deadline)
        super().__init__(state, legal, matcher, LargeCheck(state, matcher.look), deadline)
        self.book = book
        self.cut = matcher.cut

    def first_safe(self, ranked: list[Candidate]) -> Candidate:
        """Return the best candidate that is not vetoed, else the candidate with the smallest loss.

        Raise Cut if the deadline passes.

        In games with territory, barred candidates (forbidden by a pattern or by the engine) are considered only if all
        are barred, because even passing or losing doomed stones is better than filling one's own eye.
        """
        if not self.state.by_area:
            return super().first_safe(ranked)
        return best([candidate for candidate in ranked if not candidate.barred] or ranked, self.known_loss)

    def locate(self, candidates: list[Candidate]) -> None:
        """Set `symmetry` and `place` in all firings of the candidates."""
        tables = _tables(self.book.size)
        for candidate in candidates:
            for firing in candidate.firings:
                firing.symmetry, firing.place = located(firing, tables[0], tables, self.book)


class LargeJudge(Judge):
    """The judge of the engine for large boards. search: the search that led to the decision."""

    turn = None

    def __init__(self, search: LargeSearch) -> None:
        self.state = search.state
        self._search = search
        self._check: LargeCheck | None = None
        self._bare: LargeSearch | None = None

    def vet(self, move: Point) -> Verdict:
        if self._check is None:  # a new check without the deadline
            self._check = LargeCheck(self.state)
        return self._check.vet(move)

    def bare(self, move: Point) -> Candidate:
        if self._bare is None:
            self._bare = LargeSearch(self.state, self._search.legal, _no_patterns(self._search.book.size))
        return self._bare.candidate(move)

    def result2(self, move: Point) -> int:
        return outcome(self.state, move)[0]


def decide_large(
    position: Position, book: Book, complete: bool = False, deadline: Deadline | None = None
) -> LargeDecision:
    """Return the LargeDecision for a position of any size; complete=True scores and vets every candidate.

    book: patterns of any ruleset; the book's placements are not used. deadline: the deadline for finding the decision
    and its reason, or None. Even a decision that the deadline interrupts contains a legal move. If the deadline allows
    less than SECONDS_PER_POINT for each point of the board, no pattern is evaluated. Otherwise, a complete decision
    ignores the deadline.
    """
    size = position.ruleset.size
    if deadline is not None and deadline.seconds < SECONDS_PER_POINT * size * size:
        return _without_patterns(position, deadline)
    deciding = None if complete or deadline is None else deadline.part(DECIDING)
    try:
        search = LargeSearch(make_state(position), position.legal(), _sized(book, size), deciding)
        chosen = search.choice()
    except Cut:
        return _without_patterns(position, deadline)
    if complete:
        search.complete()
        search.locate(list(search.seen.values()))
    return LargeDecision(position, chosen, search, complete, deadline)


def prepare_large(book: Book, size: int) -> None:
    """Prepare a book for a board size, so that the first decision is not slow."""
    placed = _sized(book, size)
    assert placed.planes.size == size  # builds the planes
    for index in range(len(placed.patterns)):
        placed.board_conditions(index)


@lru_cache(maxsize=32)
def _sized(book: Book, size: int) -> LargeBook:
    """Return the LargeBook of a book for a board size; the 32 latest results are cached."""
    return large_book(book).for_size(size)


def _without_patterns(position: Position, deadline: Deadline | None) -> LargeDecision:
    search = LargeSearch(make_state(position), position.legal(), _no_patterns(position.ruleset.size))
    chosen = search.built_in_choice()
    return LargeDecision(position, chosen, search, False, deadline)


@lru_cache(maxsize=32)
def _no_patterns(size: int) -> LargeBook:
    return LargeBook("", size, [])


@lru_cache(maxsize=32)
def _tables(size: int) -> tuple[tuple[int, ...], ...]:
    return symmetry_tables(size)
