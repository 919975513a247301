"""The player that a proof is about: the compiled engine, and the overrides that overrule it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rules.patternfile import Book
from rules.positionkey import LEFT_AT, PASS_POINT
from tools.compiled.engine import compile_book, decide_many, scores_many
from tools.knowledge.overrides import EXACT
from tools.labels.arrays import places

BY_OVERRIDE = -2  # where others name the deciding pattern


class Decider:
    """Decisions in positions given as codes of canonical images. overrides: such a code -> the move there."""

    def __init__(self, book: Book, overrides: Mapping[int, int]):
        self.book = book
        self.program = compile_book(book)
        self.keys = np.array(sorted(overrides), dtype=np.int64)
        self.moves = np.array([overrides[key] for key in self.keys.tolist()], dtype=np.int8)

    def decide(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the moves (25 passes) and the indices of the patterns that decided.

        -1: no pattern did. BY_OVERRIDE: an override did, in place of another move.
        """
        return self.overruled(codes, *self.by_patterns(codes))

    def by_patterns(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return moves and deciders as they are without overrides."""
        return decide_many(codes, self.program)

    def overruled(self, codes: np.ndarray, moves: np.ndarray, deciders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return moves and deciders with the overrides put in; the arrays given are used up."""
        at = places(codes, self.keys)
        overridden = np.flatnonzero((at >= 0) & (codes >> LEFT_AT > EXACT))
        overruled = overridden[self.moves[at[overridden]] != moves[overridden]]
        moves[overruled] = self.moves[at[overruled]]
        deciders[overruled] = BY_OVERRIDE
        return moves, deciders

    def ranked(self, codes: np.ndarray) -> np.ndarray:
        """Return for each position all its moves as the engine ranks them, best first: int8 [codes, 26].

        The order is its own: moves that nothing speaks against, then those that the safety check vetoes, then those
        that a pattern or an eye bars, at the end those that are illegal; among equals priority, points, specificity,
        the order of the points.
        """
        scores, against = scores_many(codes, self.program)
        points = np.broadcast_to(np.arange(PASS_POINT + 1), against.shape)
        priority, total, specificity = (-scores[:, :, column] for column in range(3))
        return np.lexsort((points, specificity, total, priority, against), axis=1).astype(np.int8)
