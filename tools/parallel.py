"""One function over many items, on several processes: results as they come, Ctrl-C stops it. Runs on Python 3.7."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import active_children


def each(function: Callable, items: Iterable, jobs: int) -> Iterator[tuple]:
    """Yield (item, function(item)) as each is done, in any order.

    jobs: processes; with 1 it is done here, in order. Otherwise the function must be importable by name and items
    and results must pickle. An exception in the function is raised here, as is BrokenExecutor where a process is
    killed. Who stops early, as Ctrl-C does, ends the processes: in order, so that they can clean up.
    """
    if jobs == 1:
        for item in items:
            yield item, function(item)
        return
    others = set(active_children())
    workers = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    try:
        yield from _results(workers, function, iter(items), jobs)
    except BaseException:
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        workers.shutdown()


def _results(workers: ProcessPoolExecutor, function: Callable, waiting: Iterator, jobs: int) -> Iterator[tuple]:
    running: dict = {}
    while True:
        for item in islice(waiting, jobs - len(running)):
            running[workers.submit(_do, function, item)] = item
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the parent's handler was inherited


class _Ended(BaseException):
    """The parent has asked this process to end."""


def _do(function: Callable, item):
    """Return function(item); SIGTERM meanwhile ends this process once the function has cleaned up.

    Only meanwhile: a process that waits for work would not always notice a signal that Python handles.
    """
    signal.signal(signal.SIGTERM, _end)
    try:
        return function(item)
    except _Ended:
        os._exit(128 + signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end(*_) -> None:
    raise _Ended


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
