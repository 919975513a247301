"""Parallel map of a function over items.

The map runs in several processes or on a cluster. Results can be cached.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from littlego.printable import own_file
from littlego.signals import ASKING, release, signals_held

if TYPE_CHECKING:  # multiprocessing is imported where processes start, because browsers lack it
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

    from littlego.cache import Cache
    from littlego.spot_checks import Check

Item = TypeVar("Item")
Value = TypeVar("Value")

IDLE, BUSY, CLEANING = range(3)  # the states of a worker, which determine the worker's reaction to SIGTERM
ENDED = 128 + signal.SIGTERM  # the exit status of a stopped worker
AHEAD = 2  # items per process: one running, one queued, so that no process idles
PATIENCE = 0.05  # seconds between two SIGTERM signals to a worker
LONGEST = 60.0  # seconds allowed for cleaning up: a worker may have folders to remove on a busy machine
LOOK = 0.5  # seconds between a worker's checks that its parent is alive

_state = IDLE  # the state of this process; used only in workers


def each(
    function: Callable[[Item], Value],
    items: Iterable[Item],
    jobs: int,
    scheduler: str | None = None,
    check: Check[Item, Value] | None = None,
) -> Generator[tuple[Item, Value], None, None]:
    """Yield (item, function(item)) for all items, in order of completion.

    `jobs` is the number of processes. If `jobs` is 1, this process does the work in the order of the items. If `jobs`
    is larger, the function must be importable by name, and items and results must be picklable. An exception in the
    function is raised again in this process; BrokenExecutor is raised if a worker is killed. If the caller stops early,
    for example after Ctrl-C, the workers clean up and exit. `scheduler` is the address of a Dask cluster that does the
    work instead (see littlego.cluster). `check` selects the cluster's results that are computed a second time for
    comparison.
    """
    if scheduler is not None:
        from littlego.cluster import each_on

        yield from each_on(scheduler, function, items, check)
        return
    if jobs == 1:
        yield from ((item, function(item)) for item in items)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    others = set(active_children())
    workers = ProcessPoolExecutor(jobs, initializer=_take_signals, initargs=(os.getpid(),))
    try:
        yield from _collect_results(workers, function, iter(items), jobs)
    except BaseException:
        _end_all(set(active_children()) - others)
        raise
    finally:
        workers.shutdown()


def _collect_results(
    workers: ProcessPoolExecutor, function: Callable[[Item], Value], waiting: Iterator[Item], jobs: int
) -> Iterator[tuple[Item, Value]]:
    running: dict[Future[Value], Item] = {}
    while True:
        for item in islice(waiting, AHEAD * jobs - len(running)):
            with signals_held():
                future = workers.submit(_do, function, item)
            running[future] = item
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


def _end_all(processes: set[BaseProcess]) -> None:
    """Stop processes and wait until each has cleaned up.

    SIGTERM is sent repeatedly, because a process misses a signal that arrives just before it starts to wait for work. A
    process that is still alive after LONGEST seconds is killed.
    """
    until = time.monotonic() + LONGEST
    for process in processes:
        while process.is_alive():
            for other in processes:
                if time.monotonic() > until:
                    other.kill()
                else:
                    other.terminate()
            process.join(PATIENCE)


class _Ended(BaseException):
    """Raised in a worker that the parent stops; `_do` catches the exception."""


def _take_signals(parent: int) -> None:
    """Set a worker's signal handlers: ignore Ctrl-C and hangups, stop on SIGTERM or when the parent dies."""
    for number in ASKING:  # a terminal sends SIGINT and SIGHUP to all its processes; only the parent handles them
        signal.signal(number, _end if number == signal.SIGTERM else signal.SIG_IGN)
    release()
    Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    """Wait until this worker's parent dies, then stop the worker, because no other process would stop it."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    while True:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)


def _end(*_: object) -> None:
    global _state
    if _state == IDLE:
        os._exit(ENDED)
    if _state == BUSY:
        _state = CLEANING
        raise _Ended


def _do(function: Callable[[Item], Value], item: Item) -> Value:
    """Return function(item) in a worker; after SIGTERM, the function cleans up and the process exits."""
    global _state
    try:
        try:
            _state = BUSY
            return function(item)
        finally:
            _state = IDLE
    except _Ended:
        os._exit(ENDED)


class Returning(Generic[Item, Value]):
    """An iterable over a generator; after the last item, `result` is the generator's return value."""

    result: Value

    def __init__(self, steps: Generator[Item, None, Value]) -> None:
        self._steps = steps

    def __iter__(self) -> Iterator[Item]:
        self.result = yield from self._steps


def with_progress(results: Iterable[Item], total: int | None, unit: str) -> Iterator[Item]:
    """Yield results and, if standard error is a terminal, show a progress bar there.

    `total` is the number of results, or None if it is unknown.
    """
    if total != 0 and sys.stderr.isatty():  # without tasks, a bar would only flash
        from tqdm import tqdm

        results = tqdm(results, total=total, unit=unit, file=own_file(sys.stderr), leave=False)
    yield from results


def cached_results(
    work: Callable[[Any], Any], tasks: Sequence[Any], code: str, jobs: int, cache: Cache, unit: str = "part"
) -> dict[Any, Any]:
    """Return {task: work(task)} in the tasks' order. Results in the cache are not computed again.

    `work` returns a JSON value other than null. Tasks are hashable and picklable objects with a method `key`. `code` is
    a digest of the code that does the work, and task.key(code) is the task's key in the cache. `unit` is the progress
    bar's noun for a task. Each result is cached as soon as it is computed, so a stopped run can be resumed.
    """
    results = {task: cache.get(task.key(code)) for task in tasks}
    missing = [task for task, value in results.items() if value is None]
    for task, value in with_progress(each(work, missing, min(jobs, len(missing) or 1)), len(missing), unit):
        cache.put(task.key(code), value)
        results[task] = value
    return results
