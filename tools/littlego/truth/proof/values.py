"""The winners of many positions, from the cache of earlier runs or from the solver on several threads."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from littlego.arrays import DAMAGES, write_arrays
from littlego.cli.arguments import ArgumentError
from littlego.engines.compiled.board import first_point, jit
from littlego.engines.compiled.states import after, canonical, ends, moves_mask, parts
from littlego.files import short_name
from littlego.rules.positionkey import LEFT_AT, POINTS
from littlego.truth.labels.decider import Decider
from littlego.truth.labels.labels import find_places
from littlego.truth.proof.forecast import VALUES
from littlego.truth.proof.threads import Watch, when_due
from littlego.truth.solver.search import NODES, STOPPED, ended_won, make_scratch, search
from littlego.truth.solver.solver import FAR, Solver

UNKNOWN = -1
OVER_LOST, OVER_WON = -1, -2  # replace the code after a move that ends the game with a loss or a win of the mover
SAVED_EVERY = 60.0  # seconds
KEPT_FROM = 3  # minimum moves left of cached values; with fewer moves left, solving is faster than a look-up
# (maximum moves left, positions per task of a thread); with more moves left, one position per task.
AT_ONCE = ((4, 20_000), (6, 4000), (8, 1000), (10, 200), (12, 20))
PARTED = 20_000  # positions per batch when all moves of each position are evaluated
ALL_MOVES = 14  # maximum moves left for computing all winning moves of a position


class Values:
    """The winners of positions, cached on disk. folder: the cache's folder. jobs: the number of threads."""

    def __init__(self, solver: Solver, folder: Path, jobs: int, watch: Watch | None = None):
        self.solver = solver
        self.jobs = jobs
        self.watch = watch or Watch()
        self.known = KnownValues(folder, "won", np.int8)
        self.asked: Counter[int] = Counter()  # moves left -> positions that were solved

    def wins(self, codes: np.ndarray) -> np.ndarray:
        """Return, for each code, whether the side to move wins. All codes must have the same number of moves left."""
        if not codes.size:
            return np.zeros(0, dtype=bool)
        wanted, back = np.unique(codes, return_inverse=True)
        left = int(wanted[0]) >> LEFT_AT
        known, answers = np.zeros(wanted.size, dtype=bool), np.zeros(wanted.size, dtype=np.int8)
        if left >= KEPT_FROM:
            known, answers = self.known.look_up(wanted, left)
        answers[~known] = self._solve_all(wanted[~known], left)
        return np.asarray(answers[back] == 1, dtype=bool)

    def keeps(self, codes: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return whether each of `moves` wins for the side to move. codes: as in `wins`."""
        children = after_many(codes, moves, self.solver.goal)
        wins: np.ndarray = children == OVER_WON
        wins[children >= 0] = ~self.wins(children[children >= 0])
        return wins

    def winning(self, codes: np.ndarray) -> np.ndarray:
        """Return int32 masks of the mover's winning moves, with bit 25 for the pass. codes: as in `wins`."""
        masks = np.zeros(codes.size, dtype=np.int32)
        for start in range(0, codes.size, PARTED):
            indices, moves = _list_moves(codes[start : start + PARTED])
            won = self.keeps(codes[start + indices], moves)
            np.bitwise_or.at(masks, start + indices[won], np.int32(1) << moves[won].astype(np.int32))
        return masks

    def repairs(self, codes: np.ndarray, decider: Decider) -> tuple[np.ndarray, np.ndarray]:
        """Return (masks of winning moves, best winning moves) for won positions.

        The best winning move of a position is the one that the engine ranks highest. With at most ALL_MOVES moves left,
        the masks are complete. With more moves left, each mask has only the best winning move. Raise ValueError for a
        position without a winning move.
        """
        masks, best = np.zeros(codes.size, dtype=np.int32), np.zeros(codes.size, dtype=np.int8)
        if not codes.size:
            return masks, best
        if int(codes[0]) >> LEFT_AT <= ALL_MOVES:
            masks = self.winning(codes)
        for start in range(0, codes.size, PARTED):
            part = slice(start, start + PARTED)
            best[part] = self._best_winning(codes[part], decider.rank_moves(codes[part]), masks[part])
        return np.where(masks == 0, 1 << best.astype(np.int32), masks), best

    def _best_winning(self, codes: np.ndarray, ranked: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the first winning move of each row of `ranked`. masks: the winning moves, 0 where unknown."""
        best, waiting = np.zeros(codes.size, dtype=np.int8), np.arange(codes.size)
        for moves in ranked.T:
            wins = masks[waiting] >> moves[waiting] & 1 == 1
            unknown = masks[waiting] == 0
            wins[unknown] = self.keeps(codes[waiting[unknown]], moves[waiting[unknown]])
            best[waiting[wins]] = moves[waiting[wins]]
            waiting = waiting[~wins]
            if not waiting.size:
                return best
        raise ValueError("a position without a winning move cannot be repaired")

    def known_to_fail(self, codes: np.ndarray, moves: np.ndarray) -> np.ndarray:
        """Return the indices at which, according to the cache, the position is won but the move loses.

        codes: as in `wins`.
        """
        left = int(codes[0]) >> LEFT_AT
        children = after_many(codes, moves, self.solver.goal)
        _, opponent_wins = self.known.look_up(children, left - 1)
        fails = np.flatnonzero((opponent_wins == 1) | (children == OVER_LOST))
        _, won = self.known.look_up(codes[fails], left)
        return np.asarray(fails[won == 1])

    def learn_failures(self, codes: np.ndarray, moves: np.ndarray) -> None:
        """Compute and cache the results of `moves`, which must lose.

        Raise RuntimeError if any of these moves wins. codes: as in `wins`; the positions are known to be won.
        """
        if self.keeps(codes, moves).any():
            raise RuntimeError("the walk and the solver disagree about a move")

    def _solve_all(self, codes: np.ndarray, left: int) -> np.ndarray:
        """Return, for each code, 1 if the side to move wins, else 0.

        If the method is interrupted, it caches the results computed so far.
        """
        answers, kept = np.full(codes.size, UNKNOWN, dtype=np.int8), np.zeros(codes.size, dtype=bool)
        stop, due = np.zeros(1, dtype=np.int64), when_due(SAVED_EVERY)
        self.asked[left] += codes.size

        def work(piece: slice) -> None:
            scratch = make_scratch()
            _solve_codes(codes[piece], answers[piece], self.solver.goal, self.solver.table, *scratch, stop)
            self.solver.nodes += int(scratch[2][NODES])

        def keep() -> None:
            new = (answers != UNKNOWN) & ~kept
            kept[new] = True
            if left >= KEPT_FROM:
                self.known.add(codes[new], answers[new], left)
                self.known.save()

        at_once = next((number for most, number in AT_ONCE if left <= most), 1)
        try:
            with closing(self.watch.run(work, codes.size, self.jobs, VALUES, at_once, stop)) as done:
                for _ in done:
                    if due():
                        keep()
        finally:
            keep()
        return answers


@jit
def _solve_codes(
    codes: np.ndarray,
    answers: np.ndarray,
    goal: int,
    table: np.ndarray,
    history: np.ndarray,
    lists: np.ndarray,
    meter: np.ndarray,
    stop: np.ndarray,
) -> None:
    """Store each code's result in `answers`: 1 if the side to move wins, else 0.

    Return early if `stop` is set.
    """
    for index in range(codes.size):
        own, theirs, ko, passed, left = parts(codes[index])
        horizon = left - 4 if left >= FAR else left  # as in Solver.wins, shorter games first give a good move order
        answer = 0
        while horizon <= left:
            answer = search(own, theirs, ko, passed, horizon, goal, table, history, lists, meter, stop)
            horizon += 2
        if answer == STOPPED:
            return
        answers[index] = answer


@jit
def after_many(codes: np.ndarray, moves: np.ndarray, goal: int) -> np.ndarray:
    """Return the canonical code after each move, or OVER_LOST or OVER_WON if the move ends the game."""
    result = np.empty(codes.size, dtype=np.int64)
    for index in range(codes.size):
        code, move = codes[index], np.int64(moves[index])
        result[index] = canonical(after(code, move))[0]
        if ends(code, move):
            result[index] = OVER_WON if ended_won(code, move, goal) else OVER_LOST
    return result


@jit
def _list_moves(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (indices of codes, moves), with an entry for every legal move of every code, passes included."""
    indices = np.empty(codes.size * (POINTS + 1), dtype=np.int64)
    moves = np.empty(codes.size * (POINTS + 1), dtype=np.int8)
    number = 0
    for index in range(codes.size):
        legal = moves_mask(codes[index])
        while legal:
            indices[number], moves[number] = index, first_point(legal)  # type: ignore[call-arg]
            legal &= legal - 1
            number += 1
    return indices[:number], moves[:number]


@dataclass
class KnownValues:
    """A persistent table {position code: number}, with one file for each number of moves left.

    folder: the files' folder. name: the prefix of the files' names. Each file is sorted by code, and read on first use.
    kind: the numbers' dtype. Several processes may add numbers to the same files. If two processes save at the same
    moment, some numbers of one process are lost, but no file is damaged.
    """

    folder: Path
    name: str
    kind: type
    known: dict[int, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    seen: dict[int, int] = field(default_factory=dict)  # moves left -> file time at last access

    def look_up(self, codes: np.ndarray, left: int) -> tuple[np.ndarray, np.ndarray]:
        """Return two arrays: whether each code is known, and each code's number, 0 for an unknown code.

        left: the number of moves left in all positions.
        """
        keys, known = self._load(left)
        at = find_places(codes, keys)
        result, numbers = at >= 0, np.zeros(codes.size, dtype=np.dtype(self.kind))
        numbers[result] = known[at[result]]
        return result, numbers

    def add(self, codes: np.ndarray, numbers: np.ndarray, left: int) -> None:
        """Add numbers for positions with `left` moves left."""
        if codes.size:
            self.known[left] = _join(self._load(left), (codes, numbers.astype(self.kind)))
            self.changed.add(left)

    def save(self) -> None:
        """Write the files with new numbers, each atomically. Raise OSError if a file cannot be written."""
        for left in sorted(self.changed):
            path = self._path(left)
            if _changed_at(path) != self.seen.get(left):  # another process has written the file
                self.known[left] = _join(self.known[left], self._read(path))
            path.parent.mkdir(parents=True, exist_ok=True)
            write_arrays(path, codes=self.known[left][0], numbers=self.known[left][1])
            self.seen[left] = _changed_at(path)
            self.changed.discard(left)

    def _load(self, left: int) -> tuple[np.ndarray, np.ndarray]:
        if left not in self.known:
            path = self._path(left)
            self.seen[left] = _changed_at(path)
            self.known[left] = self._read(path)
        return self.known[left]

    def _path(self, left: int) -> Path:
        return self.folder / f"{self.name}-{left:02}.npz"

    def _read(self, path: Path) -> tuple[np.ndarray, np.ndarray]:
        if not path.exists():
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.dtype(self.kind))
        try:
            with np.load(path, allow_pickle=False) as file:
                return file["codes"].astype(np.int64), file["numbers"].astype(self.kind)
        except DAMAGES as error:
            raise ArgumentError(
                f"{short_name(path)} is damaged: {error}; delete the file, and the next run rebuilds it"
            ) from None


def _changed_at(path: Path) -> int:
    """Return a file's modification time in nanoseconds, or 0 if the file does not exist."""
    return path.stat().st_mtime_ns if path.exists() else 0


def _join(first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the union of two tables in ascending order of codes.

    The first table's numbers take precedence.
    """
    codes, at = np.unique(np.concatenate([first[0], second[0]]), return_index=True)
    return codes, np.concatenate([first[1], second[1]])[at]
