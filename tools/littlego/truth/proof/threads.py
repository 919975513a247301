"""Threads that run compiled code, which releases Python's global lock, on pieces of long arrays."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing

import numpy as np
from tqdm import tqdm

from littlego.printable import own_file
from littlego.truth.proof.forecast import Forecast

PIECE = 5000  # positions per task of a thread, if each position is cheap


def on_threads(
    work: Callable[[slice], object], length: int, size: int, jobs: int, stop: np.ndarray | None = None
) -> Generator[slice, None, None]:
    """Call work(piece) on threads for slices of at most `size` items; yield the slices as they finish.

    stop: an array whose first number is set to 1 if a piece fails or the caller stops early, for example after Ctrl-C.
    `work` should check this number and return soon after the number becomes 1.
    """
    pieces = [slice(start, min(start + size, length)) for start in range(0, length, size)]
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(work, piece): piece for piece in pieces}
        try:
            for future in as_completed(running):
                future.result()
                yield running[future]
        except BaseException:
            if stop is not None:
                stop[0] = 1
            pool.shutdown(cancel_futures=True)
            raise


class Watch:
    """A progress bar for a walk through positions, drawn by tqdm on standard error.

    left: the number of moves left in the current layer. forecast: if given, the bar shows the remaining time of the
    walk.
    """

    def __init__(self, left: int = 0, forecast: Forecast | None = None):
        self.left = left
        self.forecast = forecast

    def run(
        self,
        work: Callable[[slice], object],
        length: int,
        jobs: int,
        doing: str,
        size: int = 0,
        stop: np.ndarray | None = None,
    ) -> Generator[slice, None, None]:
        """Yield the slices as on_threads does, and show a progress bar.

        size: the number of items per piece, or 0 for at most PIECE items.
        """
        size = size or min(PIECE, length // jobs + 1)
        return self.over(on_threads(work, length, size, jobs, stop), length, doing)

    def over(self, pieces: Generator[slice, None, None], total: int, doing: str) -> Generator[slice, None, None]:
        """Yield the slices in `pieces`, and show a progress bar of `total` positions.

        At the end, or if the caller stops early, the method closes the generator `pieces`.
        """
        began = time.monotonic()
        bar = tqdm(
            total=total,
            desc=f"{self.left:2} left, {doing}",
            unit=" positions",
            file=own_file(sys.stderr),
            disable=None,
            leave=False,
            smoothing=0.05,
        )
        with bar, closing(pieces):
            for piece in pieces:
                size = piece.stop - piece.start
                if self.forecast:
                    done, seconds = int(bar.n) + size, time.monotonic() - began
                    left = self.forecast.seconds_left(self.left, doing, done, total, seconds)
                    bar.set_postfix_str(f"whole walk in {bar.format_interval(left)}", refresh=False)
                bar.update(size)
                yield piece
        if self.forecast:
            self.forecast.finish(doing, total, time.monotonic() - began)


def when_due(seconds: float) -> Callable[[], bool]:
    """Return a function that returns True at most once every `seconds` seconds."""
    last = time.monotonic()

    def due() -> bool:
        nonlocal last
        if time.monotonic() - last < seconds:
            return False
        last = time.monotonic()
        return True

    return due


def concatenate(arrays: list[np.ndarray]) -> np.ndarray:
    """Return the concatenation of arrays of numbers, or an empty array of int64 for an empty list."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *arrays])
