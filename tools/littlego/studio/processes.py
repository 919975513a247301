"""Child processes of the studio, connected by pipes; all descendants end with the studio."""

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
from littlego.signals import release, signals_held

WORK = "littlego.studio.worker"
PATIENCE = 2.0  # seconds for a process to clean up before it is killed
LATER = 0.02  # seconds until a deferred interrupt is retried
_starting = Lock()
_has_started = False  # whether a process has started: later starts take milliseconds


def _context() -> BaseContext:
    """Return a multiprocessing context that never forks this process.

    A forked process would lack this process's other threads.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():  # Windows
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([WORK, *answer_modules()])  # preloaded for the forked processes
    return context


@contextmanager
def _safe_path() -> Iterator[None]:
    """Prevent processes that start in the `with` block from importing modules in the current folder."""
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
    """Abort the start of the first process, which can be slow.

    The function kills the fork server, so that the waiting call of Child raises EOFError. Once a process has started,
    the function does nothing: without the fork server, the exit status of the process would be lost.
    """
    pid = getattr(forkserver._forkserver, "_forkserver_pid", None)
    if pid and not _has_started:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Child:
    """A process that calls `work` with the child's end of a pipe.

    link: the parent's end of the pipe. pid: the child's process id.
    """

    def __init__(self, work: Callable[[Connection], None], name: str) -> None:
        """Start the process. Raise EOFError or OSError if the process cannot start."""
        global _has_started
        context = _context()
        self.link, theirs = context.Pipe()
        make = context.Process  # type: ignore[attr-defined]
        self._process: BaseProcess = make(target=_begin, args=(work, theirs, dict(os.environ)), name=name)
        with _starting, _safe_path(), signals_held():
            self._process.start()
        _has_started = True
        theirs.close()  # otherwise the pipe would stay open after the process ends
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._ending = Lock()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def interrupt(self) -> None:
        """Raise KeyboardInterrupt in the process if the process is in an `interruptible` block.

        The method does nothing on a system without SIGUSR1.
        """
        if hasattr(signal, "SIGUSR1"):
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGUSR1)

    def end(self, patience: float = PATIENCE) -> None:
        """Ask the process to end, wait at most `patience` seconds, then kill the process and its children.

        If `patience` is 0, kill the process at once. Any thread may call this method.
        """
        with self._ending:
            if patience and self._process.is_alive():
                self._process.terminate()
                self._process.join(patience)
            self.kill()
            self._process.join()
            self.link.close()

    def kill(self) -> None:
        """Kill the process and all its children; the caller must still call `end`."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        if self._process.is_alive():  # the process has not created its group yet
            self._process.kill()


_is_interruptible = False
_is_ending = False  # whether the process was asked to end
_is_put_off = False  # whether an interrupt was deferred


def _begin(work: Callable[[Connection], None], link: Connection, environment: dict[str, str]) -> None:
    """Run `work` in the new process.

    The process ignores Ctrl-C, ends when the server ends, and leads a new process group.

    environment: the server's environment, which replaces the environment of the fork server.
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
    release()
    # The children of this process use the default start method, as in a command.
    multiprocessing.set_start_method(None, force=True)
    Thread(target=_follow, daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the server has ended
        work(link)


def _terminate(number: int, frame: FrameType | None) -> None:
    """Exit on SIGTERM, but not during a callback from compiled code.

    During a callback, compiled code would discard SystemExit, so the function sets a timer to try again later.
    """
    global _is_ending
    _is_ending = True
    if is_called_back(frame) and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, LATER)
        return
    sys.exit(128 + signal.SIGTERM)


def is_called_back(frame: FrameType | None) -> bool:
    """Return whether compiled code called Python through ctypes, which prints and discards exceptions."""
    return any(_module(one).startswith("llvmlite.") for one in _frames(frame))


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name


def was_asked_to_end() -> bool:
    """Return whether this process received SIGTERM.

    Failures after SIGTERM, such as a lost lock, need not be reported.
    """
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
        _is_interruptible = False  # a second interrupt could arrive while the first is handled
        raise KeyboardInterrupt


def is_delicate(frame: FrameType | None) -> bool:
    """Return whether the process is in an import, a compilation or a fork.

    No exception may interrupt these operations: a half-loaded module would stay loaded and keep failing, and exceptions
    in fork hooks are printed and lost.
    """
    return any(
        _module(one).startswith(("importlib._bootstrap", "numba."))
        or (_module(one).startswith("multiprocessing.popen_") and one.f_code.co_name == "_launch")
        for one in _frames(frame)
    )


@contextmanager
def interruptible() -> Iterator[None]:
    """Allow `Child.interrupt` to raise KeyboardInterrupt in the `with` block."""
    global _is_interruptible
    _is_interruptible = True
    try:
        yield
    finally:
        _is_interruptible = False
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0.0)  # a deferred interrupt must not hit the code after the body


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Defer `Child.interrupt` until the `with` block ends: a half-written message would break a pipe."""
    global _is_interruptible, _is_put_off
    before, _is_interruptible, _is_put_off = _is_interruptible, False, False
    try:
        yield
    finally:
        _is_interruptible = before
    if before and _is_put_off:
        raise KeyboardInterrupt


def _follow() -> None:
    """Wait until the server ends, then kill this process and its children."""
    server = multiprocessing.parent_process()
    assert server is not None
    server.join()
    if hasattr(os, "killpg"):
        os.killpg(os.getpgid(0), signal.SIGKILL)
    os._exit(1)
