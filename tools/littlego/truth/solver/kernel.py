"""The solver's search on one or several threads, and the arrays that each thread uses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from littlego.truth.solver import search as searching
from littlego.truth.solver.search import LIMIT, MOST_WORN, NODES, STOPPED, ended_won, make_scratch, search
from littlego.truth.solver.table import make_table

__all__ = ["STOPPED", "Prepared", "ended_won", "make_table", "prepare", "search_slice", "winning_many"]

DEEP = 14  # minimum moves left at which a search may take seconds and therefore runs in threads
Prepared = list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # the arrays of search.make_scratch for each thread


def prepare(jobs: int, left: int) -> Prepared:
    """Return the arrays that each search thread uses, as a list with one item per thread.

    With at least DEEP moves left there are `jobs` threads, otherwise one thread. Each thread except the first begins
    with a random move order.
    """
    prepared = [make_scratch() for _ in range(jobs if left >= DEEP else 1)]
    for job, (history, *_) in enumerate(prepared[1:], 1):
        history[:] = np.random.default_rng(job).integers(0, MOST_WORN, history.shape)
    return prepared


def search_slice(
    position: tuple[int, ...], goal: int, table: np.ndarray, prepared: Prepared, nodes: int
) -> tuple[int, int]:
    """Search until a thread has the result or every thread has searched `nodes` nodes.

    Return (result or STOPPED, number of searched nodes).

    position: (own, theirs, ko, passed, left). nodes: the maximum number of nodes for each thread.
    """
    stop = np.zeros(1, dtype=np.int64)  # a flag that stops the searches, initially off

    def work(scratch: tuple[np.ndarray, np.ndarray, np.ndarray]) -> int:
        scratch[2][NODES], scratch[2][LIMIT] = 0, nodes
        answer = int(search(*position, goal, table, *scratch, stop))
        if answer != STOPPED:
            stop[0] = 1  # stop the other threads
        return answer

    if position[-1] < DEEP and len(prepared) == 1:  # such a search is too short to be interrupted
        return work(prepared[0]), int(prepared[0][2][NODES])
    with ThreadPoolExecutor(len(prepared)) as pool:
        try:
            answers = list(pool.map(work, prepared))
        except BaseException:  # Ctrl-C reaches this thread only while other threads search
            stop[0] = 1
            raise
    return min(answers), sum(int(scratch[2][NODES]) for scratch in prepared)


def winning_many(codes: np.ndarray, goal: int, table: np.ndarray) -> np.ndarray:
    """Return the masks of the winning moves for many codes, as int32. The search cannot be interrupted."""
    masks: np.ndarray = searching.winning_many(codes, goal, table, *make_scratch(), np.zeros(1, dtype=np.int64))
    return masks
