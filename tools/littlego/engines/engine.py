"""The protocol of an engine, with every operation that tools may call.

Only `littlego.engines.choosing` chooses the engine for a position or a patterns file. Moves and points are in the
orientation of the position, but placements are in the orientation of the position's View. A pass is
`rules.position.PASS`.
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
    """An engine that decides positions with a book of patterns.

    A book from `book` or `load` serves for all board sizes: each method adapts the book to the size of the position.
    """

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules whose code and imports determine the decisions."""

    def signature(self) -> str:
        """Return a digest of the code of `modules` and of the engine's data, for cache keys and certificates."""

    def decides(self, ruleset: Ruleset) -> bool:
        """Return whether the engine can decide positions of a ruleset."""

    def reads(self, book: Book) -> bool:
        """Return whether the engine understands every condition of a book."""

    def book(self, patterns: Sequence[Pattern], ruleset: Ruleset) -> Book:
        """Return a book of `patterns` in the given order, with the ruleset's name and board size."""

    def load(self, data: bytes, name: str) -> Book:
        """Return the book in the bytes of a patterns.txt; raise PatternFileError for invalid bytes.

        name: the file's name in messages.
        """

    def prepare(self, book: Book, size: int) -> None:
        """Prepare a book for a board size, so that the first decision is fast."""

    def decide(
        self,
        position: Position,
        book: Book,
        complete: bool = False,
        overrides: Overrides | None = None,
        deadline: Deadline | None = None,
    ) -> Decision:
        """Return the decision in a position.

        complete: whether to score and vet every candidate, and to fill in the symmetry and place of each firing.
        overrides: recorded moves for single positions, ignored by engines whose positions cannot have overrides.
        deadline: the deadline for the decision and its reason, or None. With a deadline, an incomplete decision uses no
        overrides, and the decision's field `cut` describes the skipped work. A complete decision ignores the deadline,
        except on a large board if there is no time for patterns: see littlego.engines.large.search.decide_large.
        """

    def decide_uncounted(
        self, positions: list[Position], book: Book, complete: bool = False, overrides: Overrides | None = None
    ) -> Uncounted:
        """Return the Uncounted decision for a position in which the number of moves left is unknown.

        positions: a position for each possible number of moves left, the largest number first, as returned by
        `littlego.records.inputs.positions_at`.
        """

    def decide_many(self, positions: Sequence[Position], book: Book) -> list[Point]:
        """Return, for each position, the move that `decide` chooses without overrides."""

    def firings(self, position: Position, book: Book, locate: bool = False) -> dict[Point, list[Firing]]:
        """Return {move: firings} for each legal move for which a pattern fires.

        Each pattern that fires for a move has one firing. The firings of a move are in book order. locate: whether to
        fill in the symmetry and the place of each firing.
        """

    def view(self, position: Position) -> View:
        """Return the View of a position. The View is cached, so that many patterns share the answers of facts."""

    def placements(self, position: Position, book: Book, move: Point) -> list[Placement]:
        """Return the placements of a book's patterns for a move, in the orientation of the position's View.

        The result also includes the placements that do not match the position. move: a point of the position, or PASS.
        """

    def form(self, pattern: Pattern) -> tuple[object, ...]:
        """Return a key of a pattern; patterns with equal keys have equal firings and points in every position."""

    def judge(self, decision: Decision) -> Judge:
        """Return the Judge that evaluates single moves in the position of a decision."""

    def why_resign(self, decision: Decision) -> str:
        """Return the reason why the mover should resign instead of playing the decided move, or ''."""
