"""Cancellable long jobs in separate processes, with stored events for later listeners."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from threading import Lock, Thread, Timer
from typing import Any

from littlego.editor.methods import JOBS, Method, Refusal, find, refusal_of
from littlego.editor.session import Session, Snapshot
from littlego.files import guard
from littlego.parallel import Returning
from littlego.studio.processes import PATIENCE, Child, interruptible, uninterrupted, was_asked_to_end

Event = dict[str, Any]  # {"progress": [done, all]}, {"result": ...}, {"done": ...} or {"problem": ...}
MOST_KEPT = 4  # number of finished jobs whose events are stored
MOST_SPARE = 2  # maximum number of idle processes: a page may run two lasting jobs at once, to compare and to judge
REST = 15.0  # seconds until only one idle process remains: each process contains a compiled engine of at least 110 MB
ENDING = 1.0  # seconds for jobs to clean up when the studio ends
STEP = 0.05  # seconds between checks whether the studio is ending
LOADING = 20.0  # maximum seconds that a lasting job waits for the job that loads its data
ABANDONED = 10.0  # seconds that a job continues without listeners, after a page was closed or reloaded
PREPARED_BY = {"diff": "prepare"}  # job -> the job that loads data for it in advance
ENDINGS = "done", "problem"


def is_ending(event: Event) -> bool:
    """Return whether an event is the last event of a job."""
    return any(name in event for name in ENDINGS)


class Spares:
    """A pool of idle processes that new lasting jobs can reuse. For lasting jobs, see editor.methods.job."""

    def __init__(self) -> None:
        self._children: list[tuple[Child, float]] = []  # (process, time when it became idle), oldest first
        self._is_closed = False
        self._lock = Lock()

    def take(self) -> Child | None:
        """Return the newest living process and remove it from the pool; None if no process is alive."""
        while True:
            with self._lock:
                child = self._children.pop()[0] if self._children else None
            if child is None or child.is_alive:
                return child
            child.end(0.0)

    def keep(self, child: Child) -> bool:
        """Add a process to the pool if possible, and return whether the process was added.

        The pool rejects a process if the pool is closed or has MOST_SPARE processes.
        """
        with self._lock:
            if len(self._children) >= MOST_SPARE or self._is_closed:
                return False
            self._children.append((child, time.monotonic()))
            if len(self._children) > 1:
                self._rest()
            return True

    def _rest(self) -> None:
        """Start a timer that ends the oldest idle process after REST seconds.

        The timer ends a process only if at least two processes are idle. If the oldest process has been idle for less
        than REST seconds, a new timer starts instead.
        """
        timer = Timer(REST, self._trim)
        timer.daemon = True
        timer.start()

    def _trim(self) -> None:
        with self._lock:
            if len(self._children) < 2:
                return
            child, since = self._children[0]
            if time.monotonic() - since < REST:
                self._rest()
                return
            del self._children[0]
        child.end(0.0)

    @property
    def is_closed(self) -> bool:
        """Whether the pool accepts no more processes."""
        return self._is_closed

    def close(self) -> None:
        """End all processes in the pool and accept no more processes."""
        with self._lock:
            self._is_closed = True
        while (child := self.take()) is not None:
            child.end(0.0)


class Job:
    """A long job. events: all events so far; the last event of a finished job is `done` or `problem`."""

    def __init__(
        self, number: int, kind: str, page: str, loop: asyncio.AbstractEventLoop, spares: Spares | None = None
    ) -> None:
        self.number, self.kind, self.page = number, kind, page
        self._spares = spares
        self._handing = Lock()  # the lock is held while the process is interrupted or passed to the next job
        self.events: list[Event] = []
        self._loop, self._more = loop, asyncio.Event()
        self._child: Child | None = None
        self._thread: Thread | None = None
        self._listeners = 0

    @property
    def is_over(self) -> bool:
        """Whether the last event has arrived."""
        return bool(self.events) and is_ending(self.events[-1])

    def start(self, snapshot: Snapshot, method: Method, parameters: dict[str, Any], before: Job | None = None) -> None:
        """Start a thread that runs the job in a process and forwards the job's events.

        before: an earlier job to wait for, whose process the new job can take over, or None.
        """
        name = f"studio-job-{self.number}"
        arguments = snapshot, method, parameters, before
        self._thread = Thread(target=self._run, args=arguments, name=name, daemon=True)
        self._thread.start()
        self._count_listeners(0)

    def _count_listeners(self, more: int) -> None:
        self._listeners += more
        if not self._listeners:
            self._loop.call_later(ABANDONED, self._end_if_abandoned)

    def _end_if_abandoned(self) -> None:
        if not self._listeners:
            self.cancel("nobody listened")

    def _run(self, snapshot: Snapshot, method: Method, parameters: dict[str, Any], before: Job | None) -> None:
        if before:
            before.join(PATIENCE if before.is_over else LOADING)  # to load the data again would take longer
        if self.is_over:  # cancelled in the meantime
            return
        child = None
        try:
            child = self._spares.take() if self._spares else None
            self._child = child = child or Child(serve, f"studio-job-{self.number}")
            if not self.is_over:  # not cancelled in the meantime
                child.link.send((snapshot, method, parameters))
                self._pass_on(child.link)
            with self._handing:
                self._child = None
            if self._spares and self._spares.keep(child):
                return
        except (EOFError, OSError):  # the process died or cannot start: no memory, or the fork server was killed
            self._say(Refusal("died", f"the process of the job {self.kind} ended early; start the job again").as_json())
        if child:
            child.end(0.0 if self.is_over else PATIENCE)

    def _pass_on(self, link: Connection) -> None:
        while not is_ending(event := link.recv()):
            self._say(event)
        self._say(event)

    def _say(self, event: Event) -> None:
        with suppress(RuntimeError):  # the loop is closed: there are no listeners
            self._loop.call_soon_threadsafe(self._take, event)

    def _take(self, event: Event) -> None:
        if not self.is_over:
            self.events.append(event)
            self._more.set()

    def cancel(self, why: str = "cancelled", code: str = "stale", patience: float = PATIENCE) -> None:
        """Cancel the job without waiting for its end, and send the reason to its listeners.

        why, code: the text and the code of the problem that the listeners get. patience: the number of seconds that the
        cleanup may take.
        """
        if self.is_over:
            return
        self._take(Refusal(code, why).as_json())
        if self._child:  # without a child, the process is still starting and will end by itself
            Thread(target=self._end, args=(patience,), name=f"studio-end-{self.number}", daemon=True).start()

    def _end(self, patience: float) -> None:
        """End the job: interrupt a lasting job and keep its process if possible, otherwise end the process."""
        with self._handing:
            child = self._child
            if child is None:
                return
            if self._spares:
                child.interrupt()
        if self._spares and self._has_stopped(self._spares):  # the next job takes over its process
            return
        child.end(patience)

    def _has_stopped(self, spares: Spares) -> bool:
        """Wait until the job stops, and return whether the job has stopped.

        The wait ends early after PATIENCE seconds or when the pool closes.
        """
        assert self._thread is not None
        until = time.monotonic() + PATIENCE
        while self._thread.is_alive() and time.monotonic() < until and not spares.is_closed:
            self._thread.join(STEP)
        return not self._thread.is_alive()

    def join(self, longest: float | None = None) -> None:
        """Wait until the job no longer uses a process, for at most `longest` seconds if given."""
        if self._thread:
            self._thread.join(longest)

    async def listen(self) -> AsyncGenerator[Event, None]:
        """Yield all events, including past events, until the job is over."""
        seen = 0
        self._count_listeners(1)
        try:
            while True:
                while seen < len(self.events):
                    yield self.events[seen]
                    seen += 1
                if self.is_over:
                    return
                self._more.clear()
                await self._more.wait()
        finally:
            self._count_listeners(-1)


class Jobs:
    """The running and recently finished jobs of a server, by number."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._jobs: dict[int, Job] = {}
        self._spares = Spares()
        self._is_ended = False

    def start(self, page: str, kind: str, snapshot: Snapshot, parameters: dict[str, Any]) -> Job:
        """Start and return a job; cancel a running job of the same kind and page.

        Raise Refusal for an unknown kind, for invalid parameters, and after a call of `end`.
        """
        if self._is_ended:
            raise Refusal("died", "the studio is stopping")
        method = find(JOBS, kind)
        checked = method.checked(parameters)
        before = next(
            (job for job in self._jobs.values() if job.kind == PREPARED_BY.get(kind) and not job.is_over), None
        )
        for job in self._jobs.values():
            if job.kind == kind and job.page == page and not job.is_over:
                job.cancel("a newer job replaced this one")
                before = job
        spares = self._spares if method.lasting else None
        job = Job(next(self._numbers), kind, page, asyncio.get_running_loop(), spares)
        self._jobs[job.number] = job
        self._forget()
        job.start(snapshot, method, checked, before if method.lasting else None)
        return job

    def _forget(self) -> None:
        for number in [number for number, job in self._jobs.items() if job.is_over][:-MOST_KEPT]:
            del self._jobs[number]

    def find(self, number: int) -> Job:
        """Return a job by number; raise Refusal for an unknown number."""
        if number not in self._jobs:
            raise Refusal("unknown", f"there is no job {number}, or its events were deleted; start the job again")
        return self._jobs[number]

    def end(self) -> None:
        """Cancel all running jobs without waiting, and reject new jobs."""
        self._is_ended = True
        self._spares.close()
        for job in self._jobs.values():
            job.cancel("the studio is stopping", "died", ENDING)

    def close(self) -> None:
        """End all running jobs, wait for them, and reject new jobs."""
        self.end()
        for job in self._jobs.values():
            job.join()


def serve(link: Connection) -> None:
    """Run the jobs that arrive through a pipe, and send back their events. A job is (snapshot, method, parameters)."""
    session = Session()
    while True:
        snapshot, method, parameters = link.recv()
        session.take(snapshot)
        guard(session.folder)
        try:
            with interruptible():
                ending = _do(link, session, method, parameters)
        except KeyboardInterrupt:
            ending = Refusal("stale", "cancelled").as_json()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:
            if was_asked_to_end():
                raise SystemExit from None
            ending = refusal_of(error, method.name).as_json()
        link.send(ending)


def _do(link: Connection, session: Session, method: Method, parameters: dict[str, Any]) -> Event:
    """Run a job, send all its events except the last, and return the last event."""
    with closing(method.function(session, **parameters)) as generator:
        work: Returning[Event, Any] = Returning(generator)
        for event in work:
            with uninterrupted():
                link.send(event)
        return {"done": work.result}
