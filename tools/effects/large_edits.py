"""Where an edit of patterns for a match can change a decision: in positions in which a pattern that was edited fires.

All else being equal there, the engine chooses as it did. To ask a few patterns takes a hundredth of the time of a
decision. tools.effects.touched says the same of 5x5.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.position import Position
from tools.effects.diff import Edit
from tools.effects.large_survey import Places
from tools.engines.choosing import engine_for
from tools.knowledge.files import Knowledge
from tools.large.book import LargeBook, large_book


class LargeEdits:
    """The patterns that decide otherwise in one of two files. names: their ids."""

    def __init__(self, old: Knowledge, new: Knowledge, edits: Iterable[Edit]) -> None:
        self.names = {edit.id for edit in edits if edit.decisive}
        books = (self._edited(large_book(one.book)) for one in (old, new))
        self._books = [book for book in books if book.patterns]

    def _edited(self, book: LargeBook) -> LargeBook:
        patterns = [pattern for pattern in book.patterns if pattern.id in self.names]
        return LargeBook(book.ruleset_name, book.size, patterns)

    def fire(self, position: Position) -> bool:
        """Return whether one of them fires for a legal move, in either file."""
        return any(engine_for(position.ruleset).firings(position, book) for book in self._books)

    def touched(self, places: Iterable[Places]) -> list[Places]:
        """Return those of these places at which one of them fires."""
        found = []
        for one in places:
            pairs = zip(one.plies, one.positions(), strict=True)
            if plies := tuple(ply for ply, position in pairs if self.fire(position)):
                found.append(Places(one.game, plies))
        return found
