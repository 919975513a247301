"""The protocol of an engine: every question that a tool may ask of whatever decides positions.

Ask `littlego.engines.choosing` for the engine of a position or of a patterns file; no other module chooses. Moves and
points are those of the position's own board; a pass is `rules.position.PASS`.
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
    """Decides positions by a book of patterns.

    A book comes from `book` or `load` and serves all board sizes: each method places it on the board that it needs.
    """

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules whose meaning, imports included, determines decisions: the code part of every cache key."""

    def signature(self) -> str:
        """Return a digest of the code that decides, for cache keys and certificates."""

    def decides(self, ruleset: Ruleset) -> bool:
        """Return whether the engine decides positions of a ruleset."""

    def reads(self, book: Book) -> bool:
        """Return whether the engine understands every condition of a book."""

    def book(self, patterns: Sequence[Pattern], ruleset: Ruleset) -> Book:
        """Return the book of patterns, in this order; ruleset: gives its name and the size of its first board."""

    def load(self, data: bytes, name: str) -> Book:
        """Return the book in the bytes of a patterns.txt; name: for messages. Raise PatternFileError."""

    def prepare(self, book: Book, size: int) -> None:
        """Do the work that the first decision with a book on a board size would otherwise do."""

    def decide(
        self,
        position: Position,
        book: Book,
        complete: bool = False,
        overrides: Overrides | None = None,
        deadline: Deadline | None = None,
    ) -> Decision:
        """Return the decision in a position.

        complete: score, vet and locate every candidate. overrides: positions whose move is on record; engines whose
        positions cannot have overrides ignore them. deadline: for the decision and its reason; it takes precedence
        over overrides, and a complete decision ignores it. The decision then says in `cut` what was left out.
        """

    def decide_uncounted(
        self, positions: list[Position], book: Book, complete: bool = False, overrides: Overrides | None = None
    ) -> Uncounted:
        """Return the decision where the number of moves left is unknown.

        positions: one for each possible number, the likeliest first, as `littlego.records.inputs.positions_at` returns
        them.
        """

    def decide_many(self, positions: Sequence[Position], book: Book) -> list[Point]:
        """Return the moves of a book in many positions, without overrides; the moves equal those of `decide`."""

    def firings(self, position: Position, book: Book, locate: bool = False) -> dict[Point, list[Firing]]:
        """Return the firings of a book for each legal move that has any, the best of each pattern, in book order.

        locate: fill in the symmetry and the place of each firing.
        """

    def view(self, position: Position) -> View:
        """Return a position as the engine reads it; cached, so that many patterns share the answers of facts."""

    def placements(self, position: Position, book: Book, move: Point) -> list[Placement]:
        """Return the placements of a book's patterns whose move is a point of the board or PASS, as the view has it."""

    def form(self, pattern: Pattern) -> tuple[object, ...]:
        """Return a value that is equal for two patterns that fire alike, with equal points, in every position."""

    def judge(self, decision: Decision) -> Judge:
        """Return the judge of single moves in the position of a decision."""

    def why_resign(self, decision: Decision) -> str:
        """Return why the mover resigns instead of playing a decision, or ''."""
