"""The protocol of an engine: every operation that tools may call.

Only `littlego.engines.choosing` chooses the engine for a position or a patterns file. Moves and points are in the
position's own orientation; a pass is `rules.position.PASS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from littlego.engines.large.deadline import Deadline
    from littlego.engines.reasons.judge import Judge
    from littlego.engines.view import View
    from littlego.rules.engine import Decision, Firing
    from littlego.rules.geometry import Mask, Point
    from littlego.rules.overrides import Overrides
    from littlego.rules.patternfile import Book, Pattern
    from littlego.rules.position import Position
    from littlego.rules.ruleset import Ruleset
    from littlego.rules.uncounted import Uncounted

    Placement = tuple[Mask, Mask, int]  # (care, value, cells) as in the columns of rules.patternfile.Book


class Engine(Protocol):
    """An engine that decides positions by a book of patterns.

    A book comes from `book` or `load` and serves all board sizes: each method adapts it to the board size.
    """

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules whose meaning, imports included, determines decisions: the code part of every cache key."""

    def signature(self) -> str:
        """Return a digest of the deciding code, for cache keys and certificates."""

    def decides(self, ruleset: Ruleset) -> bool:
        """Return whether the engine decides positions of a ruleset."""

    def reads(self, book: Book) -> bool:
        """Return whether the engine understands every condition of a book."""

    def book(self, patterns: Sequence[Pattern], ruleset: Ruleset) -> Book:
        """Return a book of `patterns` in their order; the ruleset gives its name and its first board size."""

    def load(self, data: bytes, name: str) -> Book:
        """Return the book in the bytes of a patterns.txt; name: in messages. Raise PatternFileError."""

    def prepare(self, book: Book, size: int) -> None:
        """Prepare a book for a board size, so that the first decision is not slow."""

    def decide(
        self,
        position: Position,
        book: Book,
        complete: bool = False,
        overrides: Overrides | None = None,
        deadline: Deadline | None = None,
    ) -> Decision:
        """Return the decision in a position.

        complete: score, vet and locate every candidate. overrides: recorded moves for single positions; engines whose
        positions cannot have overrides ignore them. deadline: for the decision and its reason; it takes precedence
        over overrides, and a complete decision ignores it. The field `cut` of the decision then describes the skipped
        work.
        """

    def decide_uncounted(
        self, positions: list[Position], book: Book, complete: bool = False, overrides: Overrides | None = None
    ) -> Uncounted:
        """Return the decision if the number of moves left is unknown.

        positions: one for each possible number, the likeliest first, as `littlego.records.inputs.positions_at`
        returns them.
        """

    def decide_many(self, positions: Sequence[Position], book: Book) -> list[Point]:
        """Return a book's moves in many positions: the moves of `decide` without overrides."""

    def firings(self, position: Position, book: Book, locate: bool = False) -> dict[Point, list[Firing]]:
        """Return a book's firings for each legal move with firings: the best of each pattern, in book order.

        locate: fill in the symmetry and the place of each firing.
        """

    def view(self, position: Position) -> View:
        """Return a position as the engine reads it; cached, so that many patterns share the answers of facts."""

    def placements(self, position: Position, book: Book, move: Point) -> list[Placement]:
        """Return the placements of a book's patterns for a move, a point or PASS, in the view's orientation."""

    def form(self, pattern: Pattern) -> tuple[object, ...]:
        """Return a value that is equal for two patterns with equal firings and points in every position."""

    def judge(self, decision: Decision) -> Judge:
        """Return the judge of single moves in the position of a decision."""

    def why_resign(self, decision: Decision) -> str:
        """Return why the mover resigns instead of playing a decision, or ''."""
