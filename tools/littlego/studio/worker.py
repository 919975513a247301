"""A process that answers one request at a time.

A newer request replaces an older request of the same channel.
"""

from __future__ import annotations

import asyncio
import gc
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any

from littlego.editor.methods import QUICK, Method, Refusal, call, load_answers, refusal_of
from littlego.editor.session import Session, Snapshot
from littlego.files import guard
from littlego.studio.processes import Child, interruptible

Channel = tuple[str, str]  # the page's name, and the method's channel
SUPERSEDED = "a newer request replaced this one"
DIED = "the worker process ended and will be restarted; send the request again"


@dataclass(eq=False)
class _Request:
    channel: Channel
    revision: int
    method: Method
    parameters: dict[str, Any]
    answered: asyncio.Future[dict[str, Any]]

    def refuse(self, why: Refusal) -> None:
        if not self.answered.done():
            self.answered.set_exception(why)


class Worker:
    """A process that answers requests, started on demand and restarted after a crash.

    snapshot: a function that returns the current document; a request about another revision is rejected as stale. All
    public methods must be called from the same event loop.
    """

    def __init__(self, name: str, snapshot: Callable[[], Snapshot]) -> None:
        self.name, self._snapshot = name, snapshot
        self._waiting: OrderedDict[Channel, _Request] = OrderedDict()
        self._running: _Request | None = None
        self._task: asyncio.Task[None] | None = None
        self._child: Child | None = None
        self._told = Snapshot()  # the document last sent to the process
        self._thread = ThreadPoolExecutor(1, f"studio-{name}")
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The process id, or None if no process runs."""
        return self._child.pid if self._child else None

    async def ask(self, page: str, revision: int, method: Method, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a page's request.

        Raise Refusal for any error, or if a newer request replaces this request.
        """
        if self._is_closed:
            raise Refusal("died", "the studio is stopping")
        self._text_of(revision)  # checked first, because a stale request must not replace another request
        channel = page, method.channel
        request = _Request(channel, revision, method, parameters, asyncio.get_running_loop().create_future())
        if older := self._waiting.pop(channel, None):
            older.refuse(Refusal("stale", SUPERSEDED))
        if self._running and self._running.channel == channel and self._child:
            self._child.interrupt()
        self._waiting[channel] = request
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        try:
            return await request.answered
        except asyncio.CancelledError:  # the page disconnected
            if self._running is request and self._child:
                self._child.interrupt()
            raise
        finally:
            if self._waiting.get(channel) is request:
                del self._waiting[channel]

    def _text_of(self, revision: int) -> Snapshot:
        """Return the current document; raise Refusal if its revision differs from `revision`."""
        snapshot = self._snapshot()
        if snapshot.revision != revision:
            text = f"the request is about revision {revision}; the document has revision {snapshot.revision}: try again"
            raise Refusal("stale", text, revision=snapshot.revision)
        return snapshot

    async def _work(self) -> None:
        while self._waiting and not self._is_closed:
            _, self._running = self._waiting.popitem(last=False)
            await self._do(self._running)
            self._running = None

    async def _do(self, request: _Request) -> None:
        try:
            found = await self._find(request)
        except Exception as error:  # an error of this process must not leave the page waiting
            request.refuse(refusal_of(error, request.method.name))
        else:
            if not request.answered.done():
                request.answered.set_result(found)

    async def _find(self, request: _Request) -> dict[str, Any]:
        snapshot = self._text_of(request.revision)
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._thread, self._exchange, snapshot, request)
        except (EOFError, OSError):
            if not self._is_closed:
                self._thread.submit(self._end)
            raise Refusal("died", DIED) from None
        if isinstance(found, Refusal):
            raise found
        return found

    def _exchange(self, snapshot: Snapshot, request: _Request) -> dict[str, Any] | Refusal:
        """Send a request to the process and return the answer; raise EOFError or OSError if the process dies.

        Call this method only in the worker's thread.
        """
        child = self._start()
        child.link.send((snapshot.changes_since(self._told), request.method, request.parameters))
        self._told = snapshot
        found: dict[str, Any] | Refusal = child.link.recv()
        return found

    def _start(self) -> Child:
        """Return the process, started if necessary. Call this method only in the worker's thread."""
        if self._is_closed:
            raise EOFError
        if self._child is None:
            self._child, self._told = Child(serve, f"studio-{self.name}"), Snapshot()
            if self._is_closed:  # `end` or `close` was called in the meantime and found no process to kill
                raise EOFError
        return self._child

    def _end(self) -> None:
        """Kill the process, which needs no cleanup. Call this method only in the worker's thread."""
        child, self._child = self._child, None
        if child:
            child.end(0.0)

    async def warm(self) -> None:
        """Start the process in advance, so that the first request does not wait."""
        with suppress(EOFError):
            await asyncio.get_running_loop().run_in_executor(self._thread, self._start)

    def end(self) -> None:
        """Reject all running, waiting and future requests, and kill the process.

        The caller must call `close` afterwards.
        """
        self._is_closed = True
        for request in [*self._waiting.values(), *filter(None, [self._running])]:
            request.refuse(Refusal("died", "the studio is stopping"))
        if child := self._child:
            child.kill()  # the thread may be waiting for the process's answer

    def close(self) -> None:
        """Reject all requests, end the process, and wait until it has ended. A second call does nothing."""
        self.end()
        with suppress(RuntimeError):  # already closed
            self._thread.submit(self._end)
        self._thread.shutdown()


def serve(link: Connection) -> None:
    """Answer requests from a pipe until the pipe closes, then raise EOFError.

    An answer is a dict or a Refusal. A request is (changes, method, parameters). `changes` is {field name: new value}
    for the snapshot's fields that have changed since the previous request.
    """
    load_answers()  # loaded in advance, so that the first request does not wait
    gc.freeze()  # the code is permanent, and a garbage collection of all of it would delay a keystroke
    session = Session()
    while True:
        changes, method, parameters = link.recv()
        if changes:
            session.take(replace(session.snapshot, **changes))
            guard(session.folder)
        link.send(_answer(session, method, parameters))


def _answer(session: Session, method: Method, parameters: dict[str, Any]) -> dict[str, Any] | Refusal:
    try:
        if method.lane == QUICK:
            return call(session, method, parameters)
        with interruptible():
            return call(session, method, parameters)
    except Refusal as why:
        return why
    except KeyboardInterrupt:
        return Refusal("stale", SUPERSEDED)
