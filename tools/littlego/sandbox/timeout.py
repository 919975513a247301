"""Calls with a deadline, after which the caller stops waiting.

The thread of a late call can continue for a while. This module runs on Python 3.7.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any, Callable, Generic, TypeVar

Answer = TypeVar("Answer")
AGAIN = 0.1  # seconds after which Abandoned is raised again in a busy thread
HOOK = "unraisablehook"  # attribute of sys from Python 3.8 on
LONGEST = 0.05  # longest single wait in seconds, because a pause or a server may change the time left


class Abandoned(BaseException):
    """Raised in the thread of an abandoned call.

    Abandoned derives from BaseException, so that a player's `except Exception` does not catch it.
    """


def choose_within(choose: Callable[[], Answer], left: Callable[[], float]) -> Answer | None:
    """Return the result of `choose()`, or None after the deadline. left: returns the remaining seconds.

    `choose` runs in its own thread. If no time remains at the start, `choose` is not called. A late call is abandoned:
    Abandoned is raised in the thread at its next step of Python code, and the call's answer or exception is ignored. An
    exception that `choose` raises in time is raised in the caller's thread. A KeyboardInterrupt in the caller's thread
    also abandons the call.
    """
    seconds = left()
    if seconds <= 0:
        return None
    _remind()
    thought = _Thought(choose)
    try:
        while seconds > 0:
            try:
                answer, error = thought.answers.get(timeout=min(seconds, LONGEST))
            except Empty:
                seconds = left()
                _remind()
                continue
            if error is not None:
                raise error
            return answer
        return None
    finally:
        thought.abandon()


class _Thought(Generic[Answer]):
    """A call of `choose()` in a thread that starts immediately.

    answers: a queue that receives (the answer, None) or (None, the exception).
    """

    def __init__(self, choose: Callable[[], Answer]) -> None:
        self.answers: Queue[tuple[Answer | None, BaseException | None]] = Queue()
        self._choose = choose
        self._lock = Lock()
        self._is_over = False  # guarded by the lock; once it is True, no exception is raised in the thread
        self._told = 0.0
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(Abandoned):  # Abandoned may be raised again while the first one is handled
            try:
                self._think()
            except BaseException:  # Abandoned can occur anywhere, even while _think handles another exception
                self._is_over = True

    def _think(self) -> None:
        answer, error = None, None
        try:
            answer = self._choose()
        except BaseException as raised:
            error = raised
        with self._lock:
            self._is_over = True
        self.answers.put((answer, error))

    def abandon(self) -> None:
        """In CPython, raise Abandoned in the thread if the thread is still busy."""
        with self._lock:
            if not self._is_over and self._thread.ident is not None:
                _late.append(self)
                self._told = time.monotonic()
                _raise_in(self._thread.ident, Abandoned)

    def remind(self) -> None:
        """Raise Abandoned again if the thread is still running, at most once per AGAIN seconds.

        Code such as a weakref callback may have swallowed the first Abandoned.
        """
        if not self._thread.is_alive():
            _late.remove(self)
        elif time.monotonic() - self._told > AGAIN:
            _late.remove(self)
            self.abandon()


_late: list[_Thought[Any]] = []  # abandoned calls whose threads may still be running


def _remind() -> None:
    for thought in list(_late):
        with suppress(ValueError):  # the thread of another game has removed the call
            thought.remind()


def _raise_in(thread: int, kind: type[BaseException]) -> None:
    """Raise an exception in a thread before its next step of Python code."""
    import ctypes  # slow to load and rarely needed

    api = getattr(ctypes, "pythonapi", None)  # CPython only
    if api is not None:
        _hush()
        api.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


def _hush() -> None:
    """Keep Python from reporting an Abandoned exception that cannot propagate; do nothing in Python 3.7."""
    hook = getattr(sys, HOOK, None)
    if hook is None or getattr(hook, "hushed", False):
        return

    def say(unraisable: Any) -> None:
        if unraisable.exc_type is not Abandoned:
            hook(unraisable)

    say.hushed = True  # type: ignore[attr-defined]
    setattr(sys, HOOK, say)
