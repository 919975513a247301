"""The walk of the proof: every position that the player can meet, layer by layer, and each decision checked.

A layer is the positions, as sorted codes of canonical images, in which the player is to move with so many moves left.
From each goes the player's own move and then every reply, the pass among them, to the next layer. Where a decision
gives a win away, a winning move is played instead and the walk goes on as if the player had known: so one walk finds
all the failures that exceptions have to cover for the next one to find none.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple, Protocol

import numpy as np

from tools.compiled.board import PASSED, POINTS, compiled, first_point, legal_moves
from tools.compiled.states import LEFT_AT, after, canonical, ends, parts
from tools.knowledge.exceptions import EXACT
from tools.truth.arrays import canonical_many
from tools.truth.decider import BY_EXCEPTION, Decider
from tools.truth.lemmas import OPEN, settled_many
from tools.truth.threads import Watch, concatenated, on_threads
from tools.truth.values import Values

PIECE = 5000  # positions that a thread takes at a time
MERGED_FROM = 30_000_000  # codes waiting to be made one sorted array


class Layer(NamedTuple):
    """The positions of a layer and what was found there.

    codes: ascending. moves: as played on, repaired where the decision failed. deciders: see Decider. won: whether the
    player could win. failing: the indices of the positions where its own decision gave that away; thrown: those
    decisions; winning: the masks of the moves that would have kept it. cut: how many more positions came up in the
    walk that were settled, see lemmas.
    """

    codes: np.ndarray
    moves: np.ndarray
    deciders: np.ndarray
    won: np.ndarray
    failing: np.ndarray
    thrown: np.ndarray
    winning: np.ndarray
    cut: int

    @property
    def left(self) -> int:
        """The moves left in these positions."""
        return int(self.codes[0]) >> LEFT_AT

    @property
    def overruled(self) -> int:
        """The number of positions in which an exception chose another move than the patterns."""
        return int((self.deciders == BY_EXCEPTION).sum())

    @property
    def digest(self) -> str:
        """The SHA-256 of the sorted codes and the moves played: little-endian, 8 bytes and 1 byte each."""
        return sha256(self.codes.astype("<i8").tobytes() + self.moves.astype("i1").tobytes()).hexdigest()


class Kept(Protocol):
    """Where the layers of a walk are kept."""

    def load(self, left: int) -> Layer | None: ...

    def save(self, layer: Layer) -> None: ...


class Walk:
    """The walk of one player. decider: its decisions. values: who wins. jobs: threads."""

    def __init__(self, decider: Decider, values: Values, jobs: int, watch: Watch | None = None):
        self.decider = decider
        self.values = values
        self.jobs = jobs
        self.watch = watch or Watch()

    def layers(self, roots: np.ndarray, kept: Kept | None = None) -> Iterator[Layer]:
        """Yield the layers from the roots down to the last one where a decision could be wrong.

        roots: codes of positions with the same number of moves left. kept: layers of an earlier run, which are not
        walked again, and where to keep new ones.
        """
        layer = None
        for left in range(int(roots[0]) >> LEFT_AT, EXACT, -2):
            before, layer = layer, kept.load(left) if kept else None
            if layer is None:
                codes, cut = self._open(self.replies(before) if before else canonical_unique(roots))
                if not codes.size:
                    return
                layer = self.layer(codes, cut)
                if kept:
                    kept.save(layer)
            yield layer

    def layer(self, codes: np.ndarray, cut: int = 0) -> Layer:
        """Return the layer of these positions: sorted codes of canonical images."""
        self.watch.title = f"{int(codes[0]) >> LEFT_AT:2} left"
        moves, deciders = self._decisions(codes)
        kept = self.values.keeps(codes, moves)
        won = kept.copy()
        won[~kept] = self.values.wins(codes[~kept])
        failing = np.flatnonzero(won & ~kept)
        winning = self.values.winning(codes[failing])
        thrown = moves[failing]
        moves[failing] = self.decider.best_of(codes[failing], winning)
        return Layer(codes, moves, deciders, won, failing, thrown, winning, cut)

    def replies(self, layer: Layer) -> np.ndarray:
        """Return the codes of all canonical positions that the opponent's replies to the layer's moves lead to."""
        found: list[np.ndarray] = []

        def work(piece: slice) -> None:
            room = np.empty((piece.stop - piece.start) * (POINTS + 1), dtype=np.int64)
            number = _replies(layer.codes[piece], layer.moves[piece], room)
            found.append(np.unique(room[:number]))

        for _ in self._watched(work, layer.codes.size, "replies"):
            if sum(array.size for array in found) > MERGED_FROM:
                waiting, found[:] = found[:], []
                found.append(np.unique(concatenated(waiting)))
        return np.unique(concatenated(found))

    def _open(self, codes: np.ndarray) -> tuple[np.ndarray, int]:
        """Return the positions that are not settled, and how many are."""
        settled = settled_many(codes, self.values.solver.goal) != OPEN
        return codes[~settled], int(settled.sum())

    def _decisions(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves, deciders = np.empty(codes.size, dtype=np.int8), np.empty(codes.size, dtype=np.int16)

        def work(piece: slice) -> None:
            moves[piece], deciders[piece] = self.decider.decide(codes[piece])

        for _ in self._watched(work, codes.size, "decisions"):
            pass
        return moves, deciders

    def _watched(self, work, length: int, doing: str) -> Iterator[slice]:
        pieces = on_threads(work, length, PIECE if length > PIECE * self.jobs else 1 + length // self.jobs, self.jobs)
        return self.watch.over(pieces, length, doing)


@compiled
def _replies(codes, moves, found):
    """Put the canonical codes after each move and each reply to it into found; return how many."""
    number = 0
    for index in range(codes.size):
        move = np.int64(moves[index])
        if ends(codes[index], move):
            continue
        number = _moves_from(after(codes[index], move), found, number)
    return number


@compiled
def _moves_from(code, found, number):
    own, theirs, ko, _, _ = parts(code)
    moves = legal_moves(own, theirs, ko) | 1 << PASSED
    while moves:
        move = first_point(moves)
        moves &= moves - 1
        if not ends(code, move):
            found[number] = canonical(after(code, move))[0]
            number += 1
    return number


def canonical_unique(codes: np.ndarray) -> np.ndarray:
    """Return the different canonical images, sorted."""
    return np.unique(canonical_many(codes))


def followers(code: int) -> np.ndarray:
    """Return the canonical codes after every move of a position that does not end the game, sorted."""
    room = np.empty(POINTS + 1, dtype=np.int64)
    return np.unique(room[: _moves_from(np.int64(code), room, 0)])
