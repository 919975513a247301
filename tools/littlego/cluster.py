"""Parallel map of a function on a Dask cluster, in batches. If a worker is lost, its missing results are recomputed.

A worker is a process with one thread. All workers must have the same sources and the same versions of Python and Dask
as this process. Each task contains these versions and a digest of the sources. A worker with other versions or sources
refuses the task.

The digest does not show whether a worker's running code was altered. To detect altered code, the caller can let a
second worker recompute some results; see littlego.spot_checks. Import this module lazily, because it needs the optional
dependency group `cluster`.
"""

from __future__ import annotations

import logging
import pickle
import platform
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from distributed import Client, Future, KilledWorker, Worker, as_completed, get_worker
from distributed.security import Security

from littlego.cache import digest
from littlego.cli.arguments import ArgumentError
from littlego.paths import HOME, PACKAGE
from littlego.spot_checks import Check, Difference

Item = TypeVar("Item")
Value = TypeVar("Value")

CONNECTING = 10.0  # seconds to wait for the scheduler
BATCH = 1.0  # seconds per task: short enough to stop early, long enough for one scheduler to keep up
MOST = 256  # maximum number of items in a task
AHEAD = 2  # tasks sent per worker: one running, one queued
LOOK = 2.0  # seconds between checks of the workers
TICK = 0.01  # seconds between checks for results
# The files that can change a result and so must be the same everywhere.
SOURCES = (HOME / "rules", PACKAGE, *(HOME / name for name in ("my_player3.py", "patterns.txt", "overrides.txt")))
SUFFIXES = (".py", ".txt", ".json")
SEE = "see docs/cluster.md"
TLS = "DASK_DISTRIBUTED__COMM__TLS__"  # prefix of the variables that name certificates


class ClusterError(ArgumentError):
    """Raised if a cluster cannot do the work; the message says why and what to do."""


def each_on(
    address: str,
    function: Callable[[Item], Value],
    items: Iterable[Item],
    check: Check[Item, Value] | None = None,
) -> Iterator[tuple[Item, Value]]:
    """Yield (item, function(item)) in order of completion; a scheduler's workers compute the results.

    Each item is yielded once. If a worker is lost, its missing results are computed again; the function must therefore
    be deterministic. The function must be importable by name, and items and results must be picklable. An exception
    that the function raises is raised again in this process. If the caller stops early, the cluster drops the remaining
    work.

    check: an object that selects the results to compute again, and compares the two results of an item; None for no
    check. A worker that returns a wrong result gets no more work, and its later results are ignored. Raise ClusterError
    if the scheduler does not answer or stops, if the TLS settings are unusable, if every worker returned wrong results,
    or if several workers died on one task. Also raise ClusterError if the scheduler or a worker has a different version
    of Python or Dask than this process, or if a worker has different sources or several threads.
    """
    with _connect(address) as client:
        yield from _Work(client, address, function, items, check).results()


def try_scheduler(address: str) -> None:
    """Raise ClusterError unless a usable scheduler answers at the address.

    Call this function before a long computation. All connected workers must have the same versions of Python and Dask
    as this process. A cluster without workers is accepted, because workers may start later.
    """
    with _connect(address):
        pass


@contextmanager
def _connect(address: str) -> Iterator[Client]:
    """Yield a client of a scheduler. At the end of the block, the cluster drops the client's tasks."""
    for name in ("distributed", "distributed.client"):  # errors are reported here, in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _refuse_insecure(address)
    try:
        with warnings.catch_warnings(action="ignore"):  # _refuse_versions reports differing versions
            client = Client(address, timeout=CONNECTING, set_as_default=False, name="littlego")
    except OSError:
        same = " with the certificates that the environment variables of this command name"
        what = f"start a scheduler{same if _is_encrypted(address) else ''}"
        raise ClusterError(f"no scheduler answered at {address} in {CONNECTING:g} s: {what}; {SEE}") from None
    try:
        _refuse_versions(client)
        yield client
    finally:
        client.close(timeout=CONNECTING)


def _is_encrypted(address: str) -> bool:
    return address.startswith("tls://")


def _refuse_insecure(address: str) -> None:
    """Raise ClusterError if the environment's TLS settings are unusable or contradict the address."""
    security = Security()  # reads Dask's configuration, including its environment variables
    if not _is_encrypted(address):
        if security.require_encryption:
            raise ClusterError(f"{address}: this environment requires encryption; expected tls://HOST:PORT; {SEE}")
        return
    known = security.get_tls_config_for_role("client")
    names = {"CA_FILE": "ca_file", "CLIENT__CERT": "cert", "CLIENT__KEY": "key"}
    if missing := [f"{TLS}{name}" for name, key in names.items() if not known.get(key)]:
        raise ClusterError(f"{address}: TLS needs certificates; set {', '.join(missing)}; {SEE}")
    try:
        security.get_connection_args("client")
    except OSError as error:
        files = ", ".join(known[key] for key in names.values())
        raise ClusterError(f"{address}: cannot use {files}: {error.strerror or error}") from None


def _refuse_versions(client: Client) -> None:
    """Raise ClusterError if the scheduler's or a worker's versions differ from this process's versions.

    The compared versions are the major and minor version of Python and the version of Dask's package distributed. The
    check skips a worker that is shutting down.
    """
    versions = client.get_versions()
    here = _describe_versions(versions["client"])
    workers = {f"the worker at {address}": there for address, there in versions["workers"].items()}
    for name, there in {"the scheduler": versions["scheduler"], **workers}.items():
        if there and _describe_versions(there) != here:  # a worker that is shutting down returns nothing
            raise ClusterError(
                f"{name} has {_describe_versions(there)}; this process has {here}: install the same versions there"
            )


def _describe_versions(environment: Mapping[str, Any]) -> str:
    python, dask = ".".join(environment["host"]["python"].split(".")[:2]), environment["packages"]["distributed"]
    return f"Python {python} and distributed {dask}"


def versions_here() -> str:
    """Return this process's versions of Python and Dask, as text for messages."""
    from importlib.metadata import version

    environment = {"host": {"python": platform.python_version()}, "packages": {"distributed": version("distributed")}}
    return _describe_versions(environment)


@lru_cache(maxsize=1)
def sources_digest() -> str:
    """Return a digest of this process's sources, patterns and overrides."""
    paths = []
    for path in SOURCES:
        paths += sorted(one for one in path.rglob("*") if one.suffix in SUFFIXES) if path.is_dir() else [path]
    return digest(*(f"{path.relative_to(HOME)}\0{path.read_text(encoding='utf-8')}" for path in paths if path.exists()))


def objection(sources: str, versions: str, dask_worker: Worker | None = None) -> str:
    """Return why this worker cannot run our tasks, or '' if this worker is usable. This function runs on a worker.

    sources, versions: the results of sources_digest() and versions_here() in the sender's process. dask_worker: the
    worker if Dask's `Client.run` calls the function, None if a task calls it.
    """
    threads = (dask_worker or get_worker()).state.nthreads
    if threads != 1:  # CPU time is counted per process: two games in one process would each be charged for both games
        return f"has {threads} threads: start it with --nthreads 1, and start one worker per core with --nworkers"
    if versions_here() != versions:
        return f"has {versions_here()}; the command has {versions}: install the same versions there"
    if sources_digest() != sources:
        return (
            f"runs different sources in {HOME}: check out this command's revision there, with the same uncommitted "
            "edits, and restart the worker"
        )
    return ""


def worker_here() -> str:
    """Return this process's address as a Dask worker, or '' if the process is not a worker."""
    try:
        return str(get_worker().address)
    except ValueError:
        return ""


def work(task: bytes, sources: str, versions: str) -> bytes:
    """Run a task on a worker; return the pickled (results, elapsed seconds, worker's address).

    task: the pickled (function, items). After BATCH seconds, the worker skips the remaining items; the sender puts them
    into later tasks. sources, versions: see objection.
    """
    if complaint := objection(sources, versions):  # for example a worker that joined later than the others
        raise ClusterError(f"the worker at {get_worker().address} {complaint}; {SEE}")
    function, items = pickle.loads(task)
    done, begun = [], time.monotonic()
    for item in items:
        done.append(function(item))
        if time.monotonic() - begun > BATCH:
            break
    return pickle.dumps((done, time.monotonic() - begun, worker_here()))


class _First(NamedTuple):
    """A result to compute again. worker: the address of the worker that computed the result."""

    item: Any
    value: Any
    worker: str


class _Task(NamedTuple):
    """A task for one worker: items to process.

    workers: addresses of the workers that may run the task, None for all. first: the earlier result if the task
    computes a result again, else None. A task that computes a result again has a single item.
    """

    items: list[Any]
    workers: tuple[str, ...] | None = None
    first: _First | None = None


class _Work(Generic[Item, Value]):
    """The state of one parallel map: queued, running and finished items."""

    def __init__(
        self,
        client: Client,
        address: str,
        function: Callable[[Item], Value],
        items: Iterable[Item],
        check: Check[Item, Value] | None,
    ):
        self.client, self.address, self.function, self.check = client, address, function, check
        self.items = iter(items)
        self.again: deque[Item] = deque()  # items of withdrawn tasks, and items that a task skipped
        self.size = 1  # items in a task
        self.next: list[Item] = []  # the items of the next task
        self.firsts: deque[_First] = deque()  # results to compute again
        self.sent: dict[Future, _Task] = {}
        self.arriving = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        self.workers: tuple[str, ...] = ()  # the addresses of the workers that may run tasks
        self.looked = self.told = False
        self.next_look = 0.0

    def results(self) -> Iterator[tuple[Item, Value]]:
        while True:
            self._look()
            self._send()
            if not (self.next or self.sent or self.firsts):
                return
            batch: list[tuple[Future, Any]] = self.arriving.next_batch(block=False)
            if not batch:
                time.sleep(TICK)
            for future, result in batch:
                if future in self.sent:  # otherwise the task was withdrawn
                    yield from self._take(self.sent.pop(future), *self._finish(future, result))

    def _look(self) -> None:
        """Update the list of workers, at most once every LOOK seconds. If no worker is connected, print a message once.

        A scheduler without workers is allowed, because a batch queue might start the workers later. Raise ClusterError
        if the scheduler is lost, or if one of the first connected workers cannot do our work.
        """
        if time.monotonic() < self.next_look:
            return
        try:
            there = tuple(self.client.nthreads())
            if there and not self.looked:
                self._refuse_workers()
                self.looked = True
        except OSError:
            raise self._lost_scheduler() from None
        if not there and not self.told:
            print(f"waiting for workers at {self.address}: start a worker; {SEE}", file=sys.stderr, flush=True)
        self.told = not there
        self._use(there)
        self.next_look = time.monotonic() + LOOK

    def _use(self, there: tuple[str, ...]) -> None:
        """Use only connected workers that are not known to return wrong results.

        Withdraw tasks that none of these workers may run, and queue their items again. there: the addresses of the
        connected workers. Raise ClusterError if every connected worker returned wrong results.
        """
        self.workers = tuple(one for one in there if not self.check or one not in self.check.caught)
        if there and not self.workers:
            raise ClusterError(
                f"the results of every worker at {self.address} differ from this process's results: restart the "
                f"workers in a checkout of this revision; {SEE}"
            )
        for future, task in list(self.sent.items()):
            if task.workers is not None and not set(task.workers) & set(self.workers):
                del self.sent[future]
                future.cancel()
                self._queue(task)

    def _queue(self, task: _Task) -> None:
        """Put the items of a withdrawn task back into the queue."""
        if task.first:
            self.firsts.append(task.first)
        else:
            self.again.extend(task.items)

    def _refuse_workers(self) -> None:
        """Raise ClusterError if a connected worker cannot do our work."""
        for name, complaint in self.client.run(objection, sources_digest(), versions_here(), on_error="return").items():
            if isinstance(complaint, Exception):  # the worker cannot even import this module
                complaint = f"cannot run our code ({complaint}): start it in a checkout, with that checkout's Python"
            if complaint:
                raise ClusterError(f"the worker at {name} {complaint}; {SEE}")

    def _send(self) -> None:
        while self.firsts and self._has_room():
            first = self.firsts.popleft()
            if others := tuple(one for one in self.workers if one != first.worker):
                self._submit(_Task([first.item], others, first))
            else:
                self._compare(first, self.function(first.item))
        self.next = self.next or self._take_items()
        while self.next and self._has_room():
            self._submit(_Task(self.next, self.workers if self.check and self.check.caught else None))
            self.next = self._take_items()

    def _has_room(self) -> bool:
        return len(self.sent) < AHEAD * len(self.workers)

    def _submit(self, task: _Task) -> None:
        work_of = pickle.dumps((self.function, task.items))
        future = self.client.submit(
            work, work_of, sources_digest(), versions_here(), pure=False, workers=task.workers and list(task.workers)
        )
        self.sent[future] = task
        self.arriving.add(future)

    def _take_items(self) -> list[Item]:
        again = [self.again.popleft() for _ in range(min(self.size, len(self.again)))]
        return again or list(islice(self.items, self.size))

    def _finish(self, future: Future, result: Any) -> tuple[list[Value], str]:
        """Return (results of a task, address of the worker), or raise the exception that the task raised."""
        if future.status == "error":
            _, error, trace = result
            if isinstance(error, KilledWorker):
                raise ClusterError(
                    f"{error.allowed_failures + 1} workers died one after another on the same task: "
                    "see the workers' logs; `dask worker --memory-limit` may be too low"
                ) from None
            raise error.with_traceback(trace)
        if future.status != "finished":
            raise self._lost_scheduler()
        done: list[Value]
        done, seconds, worker = pickle.loads(result)
        self.size = max(1, min(2 * self.size, MOST, round(len(done) * BATCH / max(seconds, 1e-6))))
        return done, worker

    def _take(self, task: _Task, done: list[Value], worker: str) -> Iterator[tuple[Item, Value]]:
        """Yield (item, result) for a task's new results.

        Queue the items that the task skipped, and the results that the check chooses for a second computation. Compare
        the result of a second computation with the first result. If the worker is known to return wrong results, ignore
        the results and queue the whole task again.
        """
        if self.check and worker in self.check.caught:
            self._queue(task)
        elif task.first:
            self._compare(task.first, done[0], worker)
        else:
            self.again.extend(task.items[len(done) :])
            for item, value in zip(task.items, done, strict=False):
                yield item, value
                if self.check and self.check.chooses(item, worker):
                    self.firsts.append(_First(item, value, worker))

    def _compare(self, first: _First, value: Value, worker: str = "") -> None:
        """Compare a worker's first result for an item with a second result.

        If the two results differ, this process computes a third result to decide which worker is wrong. worker: the
        address of the worker that computed the second result, '' for this process.
        """
        assert self.check is not None
        if first.worker in self.check.caught or self.check.same(first.value, value):
            return
        truth = self.function(first.item)
        found = {first.worker: first.value, worker: value}
        wrong = tuple(name for name, one in found.items() if not self.check.same(one, truth))
        self.check.differ(Difference(first.item, wrong, len(wrong) < 2 and "" not in wrong))
        self._use(tuple(self.client.nthreads()))

    def _lost_scheduler(self) -> ClusterError:
        return ClusterError(f"lost the scheduler at {self.address}: restart it, then run this command again")
