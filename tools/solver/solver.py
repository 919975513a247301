"""The solver: questions about positions, answered by the search and a table that remembers."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from rules.positionkey import LEFT_AT, PASS_POINT
from rules.ruleset import LITTLE_GO
from tools.compiled import states
from tools.compiled.states import after, ends, parts
from tools.solver.search import LIMIT, MOST_WORN, NODES, STOPPED, ended_won, make_scratch, search, winning_many
from tools.solver.table import load_checkpoint, make_table, save_checkpoint

GOAL = LITTLE_GO.komi2 // 2 + 1  # the lead in stones with which Black wins
SLICE = 4_000_000  # nodes after which the search looks up: two or three seconds
DEEP = 14  # moves left from which a search may take seconds: it runs in threads
FAR = 20  # moves left from which nearer horizons are solved first: with 15 to 18 they cost more than they save
Scratch = tuple[np.ndarray, ...]  # what search.make_scratch returns


class Solver:
    """Who wins, and with which moves. One Solver may answer several threads at once: they share its table.

    bits: the table takes 8 * 2**bits bytes. goal: the lead of Black at the end, in stones without komi, that is a win
    for Black. jobs: threads that search one position, if it is far from the end. watch: called after each slice of a
    search with the moves left that are being solved.
    """

    def __init__(self, bits: int = 22, goal: int = GOAL, jobs: int = 1, watch: Callable[[int], None] | None = None):
        self.goal = goal
        self.table = make_table(bits)
        self.jobs = jobs
        self.watch = watch
        self.nodes = 0

    def wins(self, code: int) -> bool:
        """Return whether the side to move wins."""
        searching = self.searching(code, self.jobs if int(code) >> LEFT_AT >= DEEP else 1)
        while True:
            try:
                horizon = next(searching)
            except StopIteration as end:
                return bool(end.value)
            if self.watch:
                self.watch(horizon)

    def black_wins(self, code: int) -> bool:
        """Return whether Black wins."""
        return self.wins(code) == (int(code) >> LEFT_AT & 1 == 0)

    def winning(self, code: int) -> int:
        """Return the moves that win for the side to move, as a mask with bit 25 for the pass; 0 if it has lost."""
        return sum(1 << move for move in moves_of(code) if self.keeps(code, move))

    def keeps(self, code: int, move: int) -> bool:
        """Return whether the side to move wins with this legal move (25 passes)."""
        key = np.int64(code)
        if ends(key, move):
            return bool(ended_won(key, move, self.goal))
        return not self.wins(after(key, move))

    def winning_many(self, codes: np.ndarray) -> np.ndarray:
        """Return what `winning` says of each code: int32 masks. Does not look up before it is done."""
        scratch = make_scratch()
        scratch[2][LIMIT] = 1 << 62
        masks: np.ndarray = winning_many(codes, self.goal, self.table, *scratch, _never())
        self.nodes += int(scratch[2][NODES])
        return masks

    def searching(self, code: int, jobs: int = 1) -> Generator[int, None, bool]:
        """Search a position slice by slice; yield the moves left that are being solved, after each slice.

        The generator returns whether the side to move wins. jobs: threads that search the same position, each in an
        order of its own, and share what they find. A position that is far from the end is first solved as if the game
        ended two and four moves earlier: the best moves of those games are good first moves in the longer one.
        """
        own, theirs, ko, passed, left = (int(part) for part in parts(np.int64(code)))
        scratches = [_shuffled(make_scratch(), job) for job in range(jobs)]
        for horizon in [left - 4, left - 2, left] if left >= FAR else [left]:
            nodes = SLICE
            answer = self._slice((own, theirs, ko, passed, horizon), scratches, nodes)
            while answer == STOPPED:
                yield horizon
                nodes += SLICE // 32  # what one slice finds must outlive the next, however small the table is
                answer = self._slice((own, theirs, ko, passed, horizon), scratches, nodes)
        return bool(answer)

    def _slice(self, position: tuple[int, ...], scratches: list[Scratch], nodes: int) -> int:
        """Let each thread search on for so many nodes, or until one of them has the answer; return it, or STOPPED."""
        stop = _never()

        def work(scratch: Scratch) -> int:
            scratch[2][NODES], scratch[2][LIMIT] = 0, nodes
            answer = int(search(*position, self.goal, self.table, *scratch, stop))
            if answer != STOPPED:
                stop[0] = 1  # the others need not go on
            return answer

        try:
            if position[-1] < DEEP and len(scratches) == 1:  # too short a search to be interrupted
                return work(scratches[0])
            with ThreadPoolExecutor(len(scratches)) as pool:
                try:
                    answers = list(pool.map(work, scratches))
                except BaseException:  # Ctrl-C reaches this thread only while others do the work
                    stop[0] = 1
                    raise
            return min(answers)
        finally:
            self.nodes += sum(int(scratch[2][NODES]) for scratch in scratches)

    def save(self, path: Path) -> int:
        """Write what was proved with several moves left to a file; return how many. Raise ArgumentError."""
        return save_checkpoint(path, self.table, self.goal)

    def resume(self, path: Path) -> int:
        """Read such a file back; return the number of results. Raise CheckpointError."""
        return load_checkpoint(path, self.table, self.goal)


def _never() -> np.ndarray:
    """Return a flag by which searches can be stopped, not set."""
    return np.zeros(1, dtype=np.int64)


def _shuffled(scratch: Scratch, job: int) -> Scratch:
    """Give each thread but the first an order of its own to begin with."""
    history = scratch[0]
    if job:
        history[:] = np.random.default_rng(job).integers(0, MOST_WORN, history.shape)
    return scratch


def moves_of(code: int) -> list[int]:
    """Return the legal moves of a position: points, and 25 for the pass."""
    legal = states.moves_mask(np.int64(code))
    return [move for move in range(PASS_POINT + 1) if legal >> move & 1]
