"""One function over many items on a Dask cluster: batches of items as tasks, those of a lost worker once more.

The workers are processes of one thread each that run a checkout of the same sources with the same Python and Dask: each
task carries our versions and a digest of our sources. Needs the extra `cluster`: import this module where it is used.
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
from typing import Any, Generic, TypeVar

from distributed import Client, Future, KilledWorker, Worker, as_completed, get_worker
from distributed.security import Security

from littlego.cache import digest
from littlego.cli.arguments import ArgumentError
from littlego.paths import HOME, PACKAGE

Item = TypeVar("Item")
Value = TypeVar("Value")

CONNECTING = 10.0  # seconds to wait for the scheduler
BATCH = 1.0  # seconds that a task should take: short enough to stop early, long enough for one scheduler to keep up
MOST = 256  # items in a task
AHEAD = 2  # tasks under way for each worker: one that it does, one that waits there
LOOK = 2.0  # seconds from one look at the workers to the next
TICK = 0.01  # seconds from one look for results to the next
# What can change a result, and so must be the same everywhere.
SOURCES = (HOME / "rules", PACKAGE, *(HOME / name for name in ("my_player3.py", "patterns.txt", "overrides.txt")))
SUFFIXES = (".py", ".txt", ".json")
SEE = "see docs/cluster.md"
TLS = "DASK_DISTRIBUTED__COMM__TLS__"  # how the variables begin that name certificates


class ClusterError(ArgumentError):
    """A cluster that cannot do the work; the message says what was found and what to do."""


def each_on(address: str, function: Callable[[Item], Value], items: Iterable[Item]) -> Iterator[tuple[Item, Value]]:
    """Yield (item, function(item)) as each is done by a worker of the scheduler at this address, in any order.

    Each item comes out once. It may be worked on twice, if a worker is lost: the function must give the same again.
    It must be importable by name, and items and results must pickle. An exception in the function is raised here;
    raise ClusterError where there is no cluster, or it ends. If the caller stops early, the cluster forgets the rest.
    """
    with _connect(address) as client:
        yield from _Work(client, address, function, items).results()


def try_scheduler(address: str) -> None:
    """Raise ClusterError unless a scheduler with workers like us, or none yet, answers there: before long work."""
    with _connect(address):
        pass


@contextmanager
def _connect(address: str) -> Iterator[Client]:
    """Connect to a scheduler; when this ends, however it does, the cluster forgets what it was asked to do."""
    for name in ("distributed", "distributed.client"):  # what goes wrong is said here, in one line
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _refuse_insecure(address)
    try:
        with warnings.catch_warnings(action="ignore"):  # of other versions: see _refuse_versions
            client = Client(address, timeout=CONNECTING, set_as_default=False, name="littlego")
    except OSError:
        what = "start one" if not _is_encrypted(address) else "start one, with the certificates that are named here"
        raise ClusterError(f"no scheduler answered at {address} in {CONNECTING:g} s: {what}, {SEE}") from None
    try:
        _refuse_versions(client)
        yield client
    finally:
        client.close(timeout=CONNECTING)


def _is_encrypted(address: str) -> bool:
    return address.startswith("tls://")


def _refuse_insecure(address: str) -> None:
    """Raise ClusterError where the environment does not say what TLS needs, or wants TLS and the address has none."""
    security = Security()  # of Dask's configuration, which its variables are part of
    if not _is_encrypted(address):
        if security.require_encryption:
            raise ClusterError(f"{address}: this environment requires encryption; expected tls://HOST:PORT, {SEE}")
        return
    known = security.get_tls_config_for_role("client")
    names = {"CA_FILE": "ca_file", "CLIENT__CERT": "cert", "CLIENT__KEY": "key"}
    if missing := [f"{TLS}{name}" for name, key in names.items() if not known.get(key)]:
        raise ClusterError(f"{address}: TLS needs certificates; set {', '.join(missing)}, {SEE}")
    try:
        security.get_connection_args("client")
    except OSError as error:
        files = ", ".join(known[key] for key in names.values())
        raise ClusterError(f"{address}: cannot use {files}: {error.strerror or error}") from None


def _refuse_versions(client: Client) -> None:
    """Raise ClusterError where the scheduler or a worker has another Python or another Dask than this process."""
    versions = client.get_versions()
    here = _describe_versions(versions["client"])
    workers = {f"the worker at {address}": there for address, there in versions["workers"].items()}
    for name, there in {"the scheduler": versions["scheduler"], **workers}.items():
        if there and _describe_versions(there) != here:  # a worker that is just ending answers nothing
            raise ClusterError(
                f"{name} has {_describe_versions(there)}, this process {here}: install the same versions there"
            )


def _describe_versions(environment: Mapping[str, Any]) -> str:
    python, dask = ".".join(environment["host"]["python"].split(".")[:2]), environment["packages"]["distributed"]
    return f"Python {python} and distributed {dask}"


def versions_here() -> str:
    """Return this process's versions of what must be the same everywhere, for people."""
    from importlib.metadata import version

    environment = {"host": {"python": platform.python_version()}, "packages": {"distributed": version("distributed")}}
    return _describe_versions(environment)


@lru_cache(maxsize=1)
def sources_digest() -> str:
    """Return a digest of the sources and the knowledge that this process works with."""
    paths = []
    for path in SOURCES:
        paths += sorted(one for one in path.rglob("*") if one.suffix in SUFFIXES) if path.is_dir() else [path]
    return digest(*(f"{path.relative_to(HOME)}\0{path.read_text(encoding='utf-8')}" for path in paths if path.exists()))


def objection(sources: str, versions: str, dask_worker: Worker | None = None) -> str:
    """Return, on a worker, why it cannot do our work, or ''.

    sources, versions: sources_digest() and versions_here() where the work comes from. dask_worker: given by Dask's
    `Client.run`; a task finds its worker itself.
    """
    threads = (dask_worker or get_worker()).state.nthreads
    if threads != 1:  # CPU time is counted by process: two games at once would be charged for each other
        return f"has {threads} threads: start it with --nthreads 1, and one worker a core with --nworkers"
    if versions_here() != versions:
        return f"has {versions_here()}, the command {versions}: install the same versions there"
    if sources_digest() != sources:
        return f"runs other sources, in {HOME}: bring it to the same revision, uncommitted edits too, and start it anew"
    return ""


def work(task: bytes, sources: str, versions: str) -> bytes:
    """Do, on a worker, one task: a pickled function and its items; return the pickled results and the seconds taken.

    A task that takes longer than BATCH leaves the rest of its items undone.
    """
    if complaint := objection(sources, versions):  # of a worker that joined later than the others
        raise ClusterError(f"the worker at {get_worker().address} {complaint}; {SEE}")
    function, items = pickle.loads(task)
    done, begun = [], time.monotonic()
    for item in items:
        done.append(function(item))
        if time.monotonic() - begun > BATCH:
            break
    return pickle.dumps((done, time.monotonic() - begun))


class _Work(Generic[Item, Value]):
    """Items on their way through a cluster."""

    def __init__(self, client: Client, address: str, function: Callable[[Item], Value], items: Iterable[Item]):
        self.client, self.address, self.function = client, address, function
        self.items = iter(items)
        self.again: deque[Item] = deque()  # what a task left undone
        self.size = 1  # items in a task
        self.next: list[Item] = []  # the items of the next task
        self.sent: dict[Future, list[Item]] = {}
        self.arriving = as_completed(loop=client.loop, with_results=True, raise_errors=False)
        self.workers = 0
        self.looked = self.told = False
        self.next_look = 0.0

    def results(self) -> Iterator[tuple[Item, Value]]:
        while True:
            self._look()
            self._send()
            if not (self.next or self.sent):
                return
            batch: list[tuple[Future, Any]] = self.arriving.next_batch(block=False)
            if not batch:
                time.sleep(TICK)
            for future, result in batch:
                items = self.sent.pop(future)
                done = self._finish(future, result)
                self.again.extend(items[len(done) :])
                yield from zip(items, done, strict=False)

    def _look(self) -> None:
        """Count the workers, now and then. None at all are waited for: those of a queue may take a while."""
        if time.monotonic() < self.next_look:
            return
        try:
            self.workers = len(self.client.nthreads())
            if self.workers and not self.looked:
                self._refuse_workers()
                self.looked = True
        except OSError:
            raise self._lost_scheduler() from None
        if not self.workers and not self.told:
            print(f"waiting for workers at {self.address}: start some, {SEE}", file=sys.stderr, flush=True)
        self.told = not self.workers
        self.next_look = time.monotonic() + LOOK

    def _refuse_workers(self) -> None:
        """Raise ClusterError where a connected worker cannot do our work."""
        for name, complaint in self.client.run(objection, sources_digest(), versions_here(), on_error="return").items():
            if isinstance(complaint, Exception):  # it does not even find this module
                complaint = (
                    f"cannot run our code, {complaint}: start it in a checkout, with the Python of its environment"
                )
            if complaint:
                raise ClusterError(f"the worker at {name} {complaint}; {SEE}")

    def _send(self) -> None:
        self.next = self.next or self._take_items()
        while self.next and len(self.sent) < AHEAD * self.workers:
            task = pickle.dumps((self.function, self.next))
            future = self.client.submit(work, task, sources_digest(), versions_here(), pure=False)
            self.sent[future] = self.next
            self.arriving.add(future)
            self.next = self._take_items()

    def _take_items(self) -> list[Item]:
        again = [self.again.popleft() for _ in range(min(self.size, len(self.again)))]
        return again or list(islice(self.items, self.size))

    def _finish(self, future: Future, result: Any) -> list[Value]:
        """Return the results of a task; raise what it raised."""
        if future.status == "error":
            _, error, trace = result
            if isinstance(error, KilledWorker):
                raise ClusterError(
                    f"{error.allowed_failures + 1} workers died one after another at the same work: "
                    "their logs say why; `dask worker --memory-limit` may be too low"
                ) from None
            raise error.with_traceback(trace)
        if future.status != "finished":
            raise self._lost_scheduler()
        done: list[Value]
        done, seconds = pickle.loads(result)
        self.size = max(1, min(2 * self.size, MOST, round(len(done) * BATCH / max(seconds, 1e-6))))
        return done

    def _lost_scheduler(self) -> ClusterError:
        return ClusterError(f"lost the scheduler at {self.address}: start it again, and then this command again")
