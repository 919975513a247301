"""The decisions of a player, kept between runs: another walk asks in many positions again."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rules.positionkey import LEFT_AT
from tools.labels.decider import Decider
from tools.proof.facts import Facts
from tools.proof.threads import Watch, every, on_threads, piece_size

SAVED_EVERY = 60.0  # seconds
DECIDER_AT = 8  # in the number kept for a position: the move, and from this bit on the deciding pattern plus one


class Decisions:
    """The moves of a player. folder: where those by patterns are kept, one folder for each set of patterns."""

    def __init__(self, decider: Decider, folder: Path, jobs: int, watch: Watch | None = None):
        self.decider = decider
        self.known = Facts(folder, "moves", np.int32)
        self.jobs = jobs
        self.watch = watch or Watch()

    def of(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (moves, deciders) as Decider.decide does; codes that all have the same number of moves left."""
        left = int(codes[0]) >> LEFT_AT
        known, numbers = self.known.look_up(codes, left)
        numbers[~known] = self._decided(codes[~known], left)
        moves, deciders = numbers & (1 << DECIDER_AT) - 1, (numbers >> DECIDER_AT) - 1
        return self.decider.overruled(codes, moves.astype(np.int8), deciders.astype(np.int16))

    def _decided(self, codes: np.ndarray, left: int) -> np.ndarray:
        numbers, done = np.empty(codes.size, dtype=np.int32), np.zeros(codes.size, dtype=bool)
        due = every(SAVED_EVERY)

        def work(piece: slice) -> None:
            moves, deciders = self.decider.by_patterns(codes[piece])
            numbers[piece] = moves | deciders.astype(np.int32) + 1 << DECIDER_AT

        def keep() -> None:
            self.known.add(codes[done], numbers[done], left)
            self.known.save()

        pieces = on_threads(work, codes.size, piece_size(codes.size, self.jobs), self.jobs)
        try:
            for piece in self.watch.over(pieces, codes.size, "decisions"):
                done[piece] = True
                if due():
                    keep()
        finally:
            keep()
        return numbers
