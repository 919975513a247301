"""One function over many items, on several processes: results as they come; Ctrl-C stops it cleanly."""

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

if TYPE_CHECKING:  # processes are imported where they are started: a page in a browser has none
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

    from littlego.cache import Cache

Item = TypeVar("Item")
Value = TypeVar("Value")

IDLE, BUSY, CLEANING = range(3)  # the state of a process when it is asked to end
ENDED = 128 + signal.SIGTERM  # its exit status
AHEAD = 2  # items under way for each process: one that it does, one that waits, so that it never idles
PATIENCE = 0.05  # seconds from one asking to the next
LONGEST = 60.0  # seconds that cleaning up may take: a busy machine, folders to remove
LOOK = 0.5  # seconds from one look for the parent to the next

_state = IDLE  # of this process, if it is a worker


def each(
    function: Callable[[Item], Value], items: Iterable[Item], jobs: int, scheduler: str | None = None
) -> Generator[tuple[Item, Value], None, None]:
    """Yield (item, function(item)) as each is done, in any order.

    jobs: processes; with 1 it is done here, in order. Otherwise the function must be importable by name and items
    and results must pickle. An exception in the function is raised here, as is BrokenExecutor where a process is
    killed. If the caller stops early, as after Ctrl-C, the workers are asked to end and may clean up first.
    scheduler: the address of a Dask cluster that does the work instead of these processes; see littlego.cluster.
    """
    if scheduler is not None:
        from littlego.cluster import each_on

        yield from each_on(scheduler, function, items)
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
    """End processes, each once it has cleaned up.

    They are asked again and again: a signal that comes just before a process begins to wait for work is noticed
    only with the next one. A process that has not ended after LONGEST hangs, for example because it was stopped while
    it held a lock; it is killed.
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
    """The parent has asked this process to end: no error, and never raised to a caller."""


def _take_signals(parent: int) -> None:
    """Leave Ctrl-C and the end of the terminal to the parent; end when it asks for that, or has ended itself."""
    for number in ASKING:  # the first two reach all processes of a terminal
        signal.signal(number, _end if number == signal.SIGTERM else signal.SIG_IGN)
    release()
    Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: int) -> None:
    """End this process once its parent was killed and cannot ask for it: it would wait for ever."""
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
    """Return function(item) in a worker; if that is asked to end meanwhile, the function cleans up first."""
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
    """What a generator yields, and then what it returns: `result`, once all has been gone through."""

    result: Value

    def __init__(self, steps: Generator[Item, None, Value]) -> None:
        self._steps = steps

    def __iter__(self) -> Iterator[Item]:
        self.result = yield from self._steps


def with_progress(results: Iterable[Item], total: int | None, unit: str) -> Iterator[Item]:
    """Pass results on under a progress bar on standard error; none where that is no terminal. total: None if unknown"""
    if total != 0:  # an empty bar would flash
        from tqdm import tqdm

        results = tqdm(results, total=total, unit=unit, file=own_file(sys.stderr), disable=None, leave=False)
    yield from results


def cached_results(
    work: Callable[[Any], Any], tasks: Sequence[Any], code: str, jobs: int, cache: Cache, unit: str = "part"
) -> dict[Any, Any]:
    """Return work(task), a JSON value, by task, in the order of the tasks. unit: what the progress bar calls a task.

    tasks: hashable, to be pickled; task.key(code) is its key in the cache, code being a digest of what does the work.
    Each result is put into the cache as soon as it is there: a run that was stopped goes on where it ended.
    """
    results = {task: cache.get(task.key(code)) for task in tasks}
    missing = [task for task, value in results.items() if value is None]
    for task, value in with_progress(each(work, missing, min(jobs, len(missing) or 1)), len(missing), unit):
        cache.put(task.key(code), value)
        results[task] = value
    return results
