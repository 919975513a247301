"""The engine on large boards: the same candidates, firings and verdicts, by planes, chain tables and short reading.

The position is decided as it lies; of equal moves the first point is played. A deadline may cut it (see cutting).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import tools.large.facts  # noqa: F401  which conditions may ask of
from rules.engine import BUILT_IN, LAST_RESORT, Candidate, Firing, best, located
from rules.geometry import Mask, Point, around, count, symmetry_tables
from rules.life import is_eye
from rules.position import PASS
from rules.safety import Verdict, outcome
from tools.large.book import LargeBook, large_book
from tools.large.cutting import CutSearch, HurriedDecision
from tools.large.deadline import DECIDING, Cut
from tools.large.firings import Firings
from tools.large.reading import LargeReading
from tools.large.safety import LargeCheck
from tools.large.state import LargeState, made_state
from tools.reasons.judge import Judge

if TYPE_CHECKING:
    from rules.patternfile import Book
    from rules.position import Position
    from tools.large.deadline import Deadline

FOR_PATTERNS = 0.0001  # seconds to a point below which a move is chosen without them: 0.036 on 19x19


class LargeDecision(HurriedDecision):
    """A decision on a large board. judge: what the engine says of moves that need no verdict for the choice."""

    __slots__ = ("judge",)

    def __init__(
        self, position: Position, chosen: Candidate, search: LargeSearch, complete: bool, deadline: Deadline | None
    ) -> None:
        super().__init__(position, chosen, search.others(chosen), search.cut, deadline)
        self.complete = complete
        self.judge = LargeJudge(search)


class LargeSearch(CutSearch):
    """One decision in the making, in the board's own orientation."""

    state: LargeState
    book: LargeBook

    def __init__(self, state: LargeState, legal: Mask, book: LargeBook, deadline: Deadline | None = None) -> None:
        self.state = state
        self.book = book
        self.legal = legal
        self.deadline = deadline
        self.seen = {}
        self.reading: LargeReading = LargeReading(state, book.bits)
        self._fired = self._match()
        self._safety: LargeCheck | None = None

    def look(self) -> None:
        """Raise Cut if the deadline has passed."""
        if self.deadline is not None:
            self.deadline.check()

    @property
    def safety(self) -> LargeCheck:
        """The safety check, made when it is first asked for."""
        if self._safety is None:
            self._safety = LargeCheck(self.state, self.look)
        return self._safety

    def _match(self) -> list[list[Firing]]:  # type: ignore[override] # all that is left to ask is asked at once
        """Return for each point and last for a pass the firings, of all patterns or, cut, of the strongest."""
        firings = Firings(self.book, self.reading)
        try:
            firings.fire_all(self.legal, self.look)
        except Cut:
            if not firings.weighed:
                raise
            number = f"{firings.weighed} of {len(self.book.patterns)} patterns"
            self.cut = f"cut after {self._spent()}: {number} were weighed, and no move was checked for safety"
        return firings.fired

    def _hope(self, move: Point) -> int:
        """Return the highest priority that a move can have, a pass coming last: see CutSearch."""
        firings = self._fired[move]
        return LAST_RESORT if move == PASS else firings[0].pattern.priority if firings else BUILT_IN

    def _firings(self, move: Point) -> list[Firing]:
        """Return the firings for a move in the order of the patterns, each with its best placement."""
        return self._fired[move]

    def candidate(self, move: Point) -> Candidate:
        """Return the Candidate for a legal move, all its firings with it; raise Cut."""
        if move not in self.seen and not self.cut:
            self.look()
        return super().candidate(move)

    def _judge_built_in(self, candidate: Candidate) -> None:
        """Score a move that no pattern speaks for by stones taken and liberties, and keep it off own eyes."""
        state, bit = self.state, 1 << candidate.move
        if is_eye(bit, state.own, state.theirs, state.grid):
            candidate.bar("fills an own eye")
        table, near = state.table, around(bit, state.grid)
        taken, grown, free = table.captured_by(bit), bit, near & ~(state.own | state.theirs)
        for chain in table.chains_near(bit, state.own):
            grown |= chain
            free |= table.free[chain]
        free |= around(grown, state.grid) & taken
        candidate.points = 100 * count(taken) + count(free & ~bit)

    def _first_safe(self, ranked: list[Candidate]) -> Candidate:
        """Return the first that is not vetoed, or the smallest loss of what nothing forbids; raise Cut.

        Where territory counts it is better to pass, or to lose what is lost, than to fill an own eye.
        """
        if not self.state.by_area:
            return super()._first_safe(ranked)
        return best([one for one in ranked if not one.barred] or ranked, self._known_loss)

    def vet(self, candidate: Candidate) -> int:
        """Give a candidate its verdict, and its veto if it deserves one; return its loss."""
        if candidate.verdict is None:
            candidate.judge(self.safety.vet(candidate.move))
        assert candidate.verdict is not None
        return candidate.verdict.loss

    def locate(self, candidates: list[Candidate]) -> None:
        """Find the symmetry and the place of all firings."""
        tables = _tables(self.book.size)
        for candidate in candidates:
            for firing in candidate.firings:
                firing.symmetry, firing.place = located(firing, tables[0], tables, self.book)


class LargeJudge(Judge):
    """The judgement of the engine of large boards. search: the one that the decision came of."""

    turn = None

    def __init__(self, search: LargeSearch) -> None:
        self.state = search.state
        self._search = search
        self._check: LargeCheck | None = None
        self._bare: LargeSearch | None = None

    def vet(self, move: Point) -> Verdict:
        if self._check is None:  # without the deadline of the search, and what it knows if that was not cut
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
    """Return the Decision for a position of any size; with complete=True every candidate is scored and vetted.

    book: patterns of any ruleset; their placements are not used. deadline: for the decision and its reason; whatever
    it cuts, a legal move comes of it. A complete decision takes no notice of it.
    """
    size = position.ruleset.size
    if deadline is not None and deadline.seconds < FOR_PATTERNS * size * size:
        return _without_patterns(position, deadline)
    deciding = None if complete or deadline is None else deadline.part(DECIDING)
    try:
        search = LargeSearch(made_state(position), position.legal(), _sized(book, size), deciding)
        chosen = search.exact_choice() if 0 < position.left <= 2 else search.choice()
    except Cut:
        return _without_patterns(position, deadline)
    if complete:
        search.complete()
        search.locate(list(search.seen.values()))
    return LargeDecision(position, chosen, search, complete, deadline)


def prepare_large(book: Book, size: int) -> None:
    """Make what a first decision with a book on a board size would have to make."""
    placed = _sized(book, size)
    assert placed.planes.size == size  # they are made when they are first asked for
    for index in range(len(placed.patterns)):
        placed.board_conditions(index)


@lru_cache(maxsize=32)
def _sized(book: Book, size: int) -> LargeBook:
    """Return a book for large boards; the same object each time."""
    return large_book(book).for_size(size)


def _without_patterns(position: Position, deadline: Deadline | None) -> LargeDecision:
    search = LargeSearch(made_state(position), position.legal(), _no_patterns(position.ruleset.size))
    chosen = search.built_in_choice()
    return LargeDecision(position, chosen, search, False, deadline)


@lru_cache(maxsize=32)
def _no_patterns(size: int) -> LargeBook:
    return LargeBook("", size, [])


@lru_cache(maxsize=32)
def _tables(size: int) -> tuple[tuple[int, ...], ...]:
    return symmetry_tables(size)
