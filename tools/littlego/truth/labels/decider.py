"""The player that a proof covers: the compiled engine, and overrides that replace the engine's moves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from littlego.engines.compiled.engine import ALLOWED, compile_book, decide_many, scores_many
from littlego.engines.compiled.states import TABLES, canonical
from littlego.files import write_bytes
from littlego.games.boards import board_text, move_text
from littlego.knowledge import overrides
from littlego.knowledge.overrides import EXACT
from littlego.paths import OVERRIDES
from littlego.rules.geometry import image_of
from littlego.rules.patternfile import Book
from littlego.rules.positionkey import LEFT_AT, PASS_POINT, unpack
from littlego.truth.labels.labels import find_places

BY_OVERRIDE = -2  # replaces the index of the deciding pattern


class Decider:
    """A player that decides many positions at once, each given as the code of its canonical image.

    overrides: {code: move that replaces the patterns' move}.
    """

    def __init__(self, book: Book, overrides: Mapping[int, int]):
        self.book = book
        self.program = compile_book(book)
        self.keys = np.array(sorted(overrides), dtype=np.int64)
        self.moves = np.array([overrides[key] for key in self.keys.tolist()], dtype=np.int8)

    def decide(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (moves, deciders): for each code, the move and the index of the deciding pattern.

        Move 25 is a pass. The index is -1 if no pattern decided, and BY_OVERRIDE if an override replaced the patterns'
        move.
        """
        return self.overrule(codes, *self.by_patterns(codes))

    def by_patterns(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return moves and deciders as `decide` does, but without overrides."""
        return decide_many(codes, self.program)

    def overrule(self, codes: np.ndarray, moves: np.ndarray, deciders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Apply the overrides to `moves` and `deciders` in place; return both arrays.

        An override changes the arrays only if it differs from the patterns' move and more than EXACT moves are left.
        """
        at = find_places(codes, self.keys)
        overridden = np.flatnonzero((at >= 0) & (codes >> LEFT_AT > EXACT))
        overruled = overridden[self.moves[at[overridden]] != moves[overridden]]
        moves[overruled] = self.moves[at[overruled]]
        deciders[overruled] = BY_OVERRIDE
        return moves, deciders

    def rank_moves(self, codes: np.ndarray) -> np.ndarray:
        """Return all 26 moves of each position in the engine's order, best first.

        The result is an int8 array [position, 26].

        The order is: allowed moves, moves vetoed by the safety check, moves that a pattern forbids or that fill an eye
        of the mover, and illegal moves. Within each group, moves are ordered by priority, points and specificity,
        highest first; ties are broken by the index of the move, with the pass last.
        """
        return self._ranked(codes)[0]

    def rank_allowed(self, codes: np.ndarray) -> np.ndarray:
        """Return the moves as rank_moves does, but with -1 in place of each move that is not allowed."""
        ranked, against = self._ranked(codes)
        return np.where(np.take_along_axis(against, ranked.astype(np.int64), axis=1) == ALLOWED, ranked, np.int8(-1))

    def _ranked(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (ranked moves, `against`): for these arrays, see rank_moves and scores_many."""
        scores, against = scores_many(codes, self.program)
        points = np.broadcast_to(np.arange(PASS_POINT + 1), against.shape)
        priority, total, specificity = (-scores[:, :, column] for column in range(3))
        return np.lexsort((points, specificity, total, priority, against), axis=1).astype(np.int8), against


def overrides_of(patterns: str) -> Path | None:
    """Return the path of the overrides.txt for a patterns file, or None if there is no overrides.txt.

    patterns: a path, or the name of a file in a git revision. For a path, the result is the overrides.txt in the same
    folder; for a git revision, the result is the shipped overrides.txt.
    """
    path = Path(patterns).with_name(OVERRIDES.name) if Path(patterns).is_file() else OVERRIDES
    return path if path.is_file() else None


class ContradictionError(ValueError):
    """Raised if two overrides of the same position have moves that are not symmetric to each other.

    Two moves are symmetric if a symmetry of the position maps one to the other. The message includes a drawing of the
    position.
    """


def write_overrides(path: str | os.PathLike[str], moves: Mapping[int, int] | Iterable[tuple[int, int]]) -> int:
    """Write an overrides.txt atomically; return the number of overrides.

    Symmetric positions count once. moves: codes of positions in any orientation, each with the override's move (25 is a
    pass). Raise ContradictionError for contradictory moves, and OSError if the file cannot be written. Raise ValueError
    for an illegal move, an invalid code or a code with at most two moves left.
    """
    kept = on_canonical_images(moves)
    write_bytes(path, overrides.to_bytes(kept))
    return len(kept)


def on_canonical_images(moves: Mapping[int, int] | Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return {code of the canonical image: move on this image}.

    Of several symmetric moves, the result contains the move with the smallest index. Raise ContradictionError for two
    contradictory moves in the same position.
    """
    kept: dict[int, int] = {}
    for code, move in moves.items() if isinstance(moves, Mapping) else moves:
        canonical_code, symmetry = canonical(code)
        image = _turn_move(move, TABLES[symmetry])
        known = kept.setdefault(canonical_code, image)
        if image != known:
            kept[canonical_code] = _smaller_move(canonical_code, image, known)
    return kept


def _turn_move(move: int, table: tuple[int, ...]) -> int:
    return table[move] if 0 <= move < PASS_POINT else move


def _smaller_move(code: int, move: int, known: int) -> int:
    """Return the smaller of two symmetric moves. Raise ContradictionError if the moves are not symmetric."""
    position = unpack(code)
    masks = position.black, position.white, position.ko
    same = [table for table in TABLES if all(image_of(mask, table) == mask for mask in masks)]
    if known not in [_turn_move(move, table) for table in same]:
        names = " and ".join("PASS" if one == PASS_POINT else move_text(one, 5) for one in sorted((move, known)))
        drawn = board_text(5, position.black, position.white)
        raise ContradictionError(
            f"two different moves, {names}, for a position with {position.left} moves left:\n{drawn}"
        )
    return min(move, known)
