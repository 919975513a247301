"""The player as the labels see it: decisions in many positions at once."""

from __future__ import annotations

import numpy as np

from rules.engine import decide
from rules.patternfile import Book
from tools.compiled.states import pack_move, unpack


class Player:
    """A book of patterns that decides in positions given as codes."""

    def __init__(self, book: Book):
        self.book = book
        self.index = {pattern.id: index for index, pattern in enumerate(book.patterns)}

    def decide(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the moves (25 passes) and the indices of the patterns that decided, -1 for none."""
        made = [decide(unpack(code), self.book) for code in codes]
        moves = np.array([pack_move(one.move) for one in made], dtype=np.int8)
        firings = (one.chosen.firings[:1] for one in made)
        deciders = [self.index[firing[0].pattern.id] if firing else -1 for firing in firings]
        return moves, np.array(deciders, dtype=np.int16)

    def fired(self, codes: np.ndarray) -> np.ndarray:
        """Return the masks of the moves that each pattern fires for, an array [position, pattern] of int32."""
        found = np.zeros((codes.size, len(self.book.patterns)), dtype=np.int32)
        for row, code in enumerate(codes):
            for candidate in decide(unpack(code), self.book, True).candidates:
                for firing in candidate.firings:
                    found[row, self.index[firing.pattern.id]] |= 1 << pack_move(candidate.move)
        return found
