"""Which of the positions met are labelled, and the labelling: on several threads, and kept as it goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import numpy as np

from tools.labels.arrays import in_test, moves_left, scattered
from tools.labels.labels import Labels, empty, joined, known, save
from tools.labels.positions import Met
from tools.labels.sources import ASTRAY, CENTRE, MET, REAL, RECORDED, TREE
from tools.parallel import each, with_progress
from tools.solver.solver import Solver

# The samples taken, and how large each is, as a multiple of the number of positions asked for.
SAMPLES = ((MET, 1.0), (CENTRE, 1.0), (ASTRAY, 0.25), (TREE, 0.25), (REAL, 0.25), (RECORDED, 0.25))
SAVED_EVERY = 20.0  # seconds
AT_ONCE = ((8, 500), (10, 50), (11, 10))  # up to so many moves left, so many positions are one piece of work
Solve = Callable[[np.ndarray], np.ndarray]


def sampled(met: Met, numbers: Mapping[int, int]) -> Met:
    """Return the positions to label; their tags name the samples that they belong to, not all places where they occur.

    numbers: moves left -> positions of the first sample in each part, working and test. Each sample is the first
    so many of its positions in an order that looks random: a larger one holds the smaller, and what else has been
    gathered does not move it.
    """
    left, test, tags = moves_left(met.codes), in_test(met.codes), np.zeros_like(met.tags)
    order = np.argsort(scattered(met.codes))
    for moves, number in numbers.items():
        for part in (True, False):
            here = order[(left[order] == moves) & (test[order] == part)]
            for bits, weight in SAMPLES:
                taken = here[met.tags[here] & bits != 0][: round(weight * number)]
                tags[taken] |= met.tags[taken] & bits
    return Met(met.codes[tags != 0], tags[tags != 0])


def label(wanted: Met, path: Path, solve: Solve, jobs: int, scheduler: str | None = None) -> Labels:
    """Label positions and add them to a file, which is saved now and then and when this is stopped.

    solve: from codes to the masks of winning moves; it is called by so many threads at once, or on the workers of a
    cluster, see tools.cluster; then it must pickle. Return all labels.
    """
    labels = known(path)
    old, at = np.isin(wanted.codes, labels.codes), np.searchsorted(labels.codes, wanted.codes)
    labels.tags[at[old]] |= wanted.tags[old]
    todo = Met(wanted.codes[~old], wanted.tags[~old])
    done = []
    try:
        saved = time.monotonic()
        for chosen, winning in _all_solved(todo.codes, solve, jobs, scheduler):
            done.append(Labels(todo.codes[chosen], winning, todo.tags[chosen]))
            if time.monotonic() - saved > SAVED_EVERY:
                labels, done = _with(labels, done, path), []
                saved = time.monotonic()
    finally:
        labels = _with(labels, done, path)
    return labels


def _with(labels: Labels, more: Sequence[Labels], path: Path) -> Labels:
    """Add labels to others and save them all."""
    new = Labels(*(np.concatenate(columns) for columns in zip(empty(), *more, strict=True)))
    labels = joined(labels, new.where(np.argsort(new.codes)))
    save(labels, path)
    return labels


def _all_solved(
    codes: np.ndarray, solve: Solve, jobs: int, scheduler: str | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (indices, masks) of pieces, those with the fewest moves left first, under one progress bar for each.

    They go in the order in which they were sampled: a labelling that is stopped leaves a smaller sample.
    """
    left, order = moves_left(codes), np.argsort(scattered(codes))
    for moves in sorted(set(left.tolist())):
        here = order[left[order] == moves]
        size = next((number for most, number in AT_ONCE if moves <= most), 1)
        pieces = [here[start : start + size] for start in range(0, here.size, size)]
        unit = f"part of {here.size} with {moves} left" if size > 1 else f"position with {moves} left"
        found = _solved_far(codes, pieces, solve, scheduler) if scheduler else _solved(codes, pieces, solve, jobs)
        yield from with_progress(found, len(pieces), f" {unit}")


def _solved_far(
    codes: np.ndarray, pieces: Sequence[np.ndarray], solve: Solve, scheduler: str
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (piece, masks) as each is done on a cluster."""
    items = ((piece, codes[piece]) for piece in pieces)
    for (piece, _), masks in each(partial(_masks, solve), items, 1, scheduler):
        yield piece, masks


def _masks(solve: Solve, item: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    return solve(item[1])


def solved_here(bits: int, codes: np.ndarray) -> np.ndarray:
    """Return the masks of winning moves, from a solver that this process keeps; its table takes 8 * 2**bits bytes."""
    return _solver(bits).winning_many(codes)


@lru_cache(maxsize=1)
def _solver(bits: int) -> Solver:
    return Solver(bits)


def _solved(
    codes: np.ndarray, pieces: Sequence[np.ndarray], solve: Solve, jobs: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (piece, masks) as each is done. The threads end with the program, however long a position takes them."""
    waiting: SimpleQueue = SimpleQueue()
    done: SimpleQueue = SimpleQueue()
    for piece in pieces:
        waiting.put(piece)

    def work() -> None:
        try:
            while True:
                piece = waiting.get_nowait()
                done.put((piece, solve(codes[piece])))
        except Empty:
            return
        except Exception as error:  # raised again where the results are taken
            done.put((None, error))

    for _ in range(jobs):
        Thread(target=work, daemon=True).start()
    for _ in pieces:
        piece, found = done.get()
        if piece is None:
            raise found
        yield piece, found
