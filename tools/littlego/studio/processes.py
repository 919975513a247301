"""Child processes of the studio: connected by a pipe, ended with all their children when the studio ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from types import FrameType

from littlego.editor.methods import answer_modules
from littlego.signals import signals_held

WORK = "littlego.studio.worker"
PATIENCE = 2.0  # seconds that a process has to clean up before it is killed
LATER = 0.02  # seconds until an interrupt is tried again that came at a delicate time
_starting = Lock()
_has_started = False  # whether a process could be started: from then on it takes milliseconds


def _context() -> BaseContext:
    """Return how processes are started: never by a fork of this one, whose threads a fork would leave behind."""
    if "forkserver" not in multiprocessing.get_all_start_methods():  # Windows
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([WORK, *answer_modules()])  # what is forked then need not import it
    return context


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let a Python that is started look for no module in the folder of the caller, which may hold anything."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def abandon_start() -> None:
    """Let nobody wait for the first process, which takes as long as loading all that answers: `Child` raises EOFError.

    Where there are processes nothing is done: with what they were forked from their exit statuses would be lost.
    """
    pid = getattr(forkserver._forkserver, "_forkserver_pid", None)
    if pid and not _has_started:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Child:
    """A process that runs `work(link)`: `link` is this end of its pipe. `pid` is its number."""

    def __init__(self, work: Callable[[Connection], None], name: str) -> None:
        """Start it. Raise EOFError or OSError where that cannot be done."""
        global _has_started
        context = _context()
        self.link, theirs = context.Pipe()
        make = context.Process  # type: ignore[attr-defined]
        self._process: BaseProcess = make(target=_begin, args=(work, theirs, dict(os.environ)), name=name)
        with _starting, _safe_path(), signals_held():
            self._process.start()
        _has_started = True
        theirs.close()  # else the end of the process would not end the pipe
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._ending = Lock()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in what it does, where it lets that (see `interruptible`) and the system can."""
        if hasattr(signal, "SIGUSR1"):
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)

    def end(self, patience: float = PATIENCE) -> None:
        """Ask it to end, wait for so many seconds, then kill it, with all that it started. Any thread may do so."""
        with self._ending:
            if patience and self._process.is_alive():
                self._process.terminate()
                self._process.join(patience)
            self.kill()
            self._process.join()
            self.link.close()

    def kill(self) -> None:
        """Kill it with all that it started; `end` is still to be called."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        if self._process.is_alive():  # it has not made its group yet
            self._process.kill()


_is_interruptible = False
_is_ending = False  # whether it was asked to end
_is_put_off = False  # whether it was interrupted where it could not be


def _begin(work: Callable[[Connection], None], link: Connection, environment: dict[str, str]) -> None:
    """Run in the new process: leave Ctrl-C to the server, end with it, be the first of a group of processes.

    environment: the server's; here is what the process had that this one was forked from.
    """
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()
    signal.signal(signal.SIGTERM, _terminate)
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, _interrupt)
        signal.signal(signal.SIGALRM, _interrupt)
    multiprocessing.set_start_method(None, force=True)  # what it starts, it starts as commands do
    Thread(target=_follow, daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the server has ended
        work(link)


def _terminate(number: int, frame: FrameType | None) -> None:
    """End; a moment later where compiled code has called back, from which no exception comes through."""
    global _is_ending
    _is_ending = True
    if is_called_back(frame) and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, LATER)
        return
    sys.exit(128 + signal.SIGTERM)


def is_called_back(frame: FrameType | None) -> bool:
    """Return whether compiled code has called Python, through ctypes: what is raised then is printed, and lost."""
    return any(_module(one).startswith("llvmlite.") for one in _frames(frame))


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame, and those that called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name


def was_asked_to_end() -> bool:
    """Return whether this process was asked to end: what fails then is no fault, such as a lock half taken."""
    return _is_ending


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _is_interruptible, _is_put_off
    if _is_ending:
        _terminate(number, frame)
        return
    _is_put_off = True
    if _is_interruptible and is_delicate(frame):
        signal.setitimer(signal.ITIMER_REAL, LATER)
    elif _is_interruptible:
        _is_interruptible = False  # once is enough: a second one could come while the first is being handled
        raise KeyboardInterrupt


def is_delicate(frame: FrameType | None) -> bool:
    """Return whether something is being done that no exception may end.

    Code that is imported or compiled: half of a module would stay behind, and fail for good. A process that is forked:
    what is raised in the hooks of a fork is printed, and lost.
    """
    return any(
        _module(one).startswith(("importlib._bootstrap", "numba."))
        or (_module(one).startswith("multiprocessing.popen_") and one.f_code.co_name == "_launch")
        for one in _frames(frame)
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """Let `Child.interrupt` raise KeyboardInterrupt in the body."""
    global _is_interruptible
    _is_interruptible = True
    try:
        yield
    finally:
        _is_interruptible = False
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)  # it was not about what comes next


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off what `Child.interrupt` raises until the body is done: what is half written would spoil a pipe."""
    global _is_interruptible, _is_put_off
    before, _is_interruptible, _is_put_off = _is_interruptible, False, False
    try:
        yield
    finally:
        _is_interruptible = before
    if before and _is_put_off:
        raise KeyboardInterrupt


def _follow() -> None:
    """End this process, and what it started, once the server is gone: nobody is left to do that."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    if hasattr(os, "killpg"):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(1)
