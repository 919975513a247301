"""Positions that an edit can affect: positions where an edited pattern fires before or after the edit.

In all other positions, the engine's decision is unchanged. To find the affected positions, the module matches only the
edited patterns; computing every decision would be much slower.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from littlego.engines.compiled.engine import compile_book, decide_many
from littlego.knowledge.edits import find_edits
from littlego.knowledge.files import Knowledge
from littlego.knowledge.parts import indices_by_id, part_of

if TYPE_CHECKING:
    import numpy as np


class EditedPatterns:
    """The old and new versions of the patterns whose edits can change decisions. names: the patterns' ids."""

    def __init__(self, old: Knowledge, new: Knowledge):
        self.names = [edit.id for edit in find_edits(old, new) if edit.decisive]
        self.books = old.book, new.book
        self.programs = []
        for book in self.books:
            places = indices_by_id(book)
            if edited := [places[name] for name in self.names if name in places]:
                self.programs.append(compile_book(part_of(book, edited)))

    def fire(self, codes: np.ndarray) -> np.ndarray:
        """Return, for each position, whether the old or the new version of any edited pattern fires.

        codes: the positions, as codes of the compiled engine. The result is a boolean array with one item per position.
        """
        import numpy as np  # lazy: a web page has no numpy and uses only `programs`

        from littlego.engines.compiled.engine import fired_many

        found = np.zeros(codes.size, dtype=bool)
        for program in self.programs:
            found |= fired_many(codes, program).any(axis=1)
        return found

    def changes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (indices into `codes`, old moves, new moves) for the positions in which the moves differ."""
        touched = self.fire(codes).nonzero()[0]
        with ThreadPoolExecutor(len(self.books)) as threads:  # the compiled engine releases the interpreter lock
            decided = threads.map(lambda book: decide_many(codes[touched], compile_book(book))[0], self.books)
            before, after = decided
        differ = before != after
        return touched[differ], before[differ], after[differ]
