"""One function over many items, on several processes: results as they come, Ctrl-C stops it. Runs on Python 3.7."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterable, Iterator


def each(function: Callable, items: Iterable, jobs: int) -> Iterator[tuple]:
    """Yield (item, function(item)) as each is done, in any order.

    jobs: processes; with 1 it is done here, in order. Otherwise the function must be importable by name and items
    and results must pickle. An exception in the function is raised here.
    """
    if jobs == 1:
        for item in items:
            yield item, function(item)
        return
    with multiprocessing.Pool(jobs, _quiet_worker) as pool:
        yield from pool.imap_unordered(_Job(function), items)


class _Job:
    def __init__(self, function: Callable):
        self.function = function

    def __call__(self, item) -> tuple:
        return item, self.function(item)


def _quiet_worker() -> None:
    """Leave Ctrl-C to the parent; on its SIGTERM end in order, so that programs are stopped and folders removed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def with_progress(results: Iterable, total: int, unit: str) -> Iterator:
    """Pass results on under a progress bar on standard error: tqdm's, or a plain counter where it is not installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        tqdm = None
    if tqdm:
        yield from tqdm(results, total=total, unit=unit, file=sys.stderr, disable=None, leave=False)
        return
    for done, result in enumerate(results, 1):
        if sys.stderr.isatty():
            print(f"\r{done} of {total} {unit}s", end="" if done < total else "\n", file=sys.stderr, flush=True)
        yield result
