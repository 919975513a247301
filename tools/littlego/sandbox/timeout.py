"""An answer that must come before a clock runs out, while whoever gives it still thinks. Runs on Python 3.7."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any, Callable, Generic, TypeVar

Answer = TypeVar("Answer")
AGAIN = 0.1  # seconds after which one that still thinks is told again
HOOK = "unraisablehook"  # of sys, from Python 3.8 on
LONGEST = 0.05  # seconds of one wait: what is left may change meanwhile, by a pause or by what a server charges


class Abandoned(BaseException):
    """Raised in the thread of an answer that nobody waits for any more. No Exception: a player's own are caught."""


def choose_within(choose: Callable[[], Answer], left: Callable[[], float]) -> Answer | None:
    """Return choose(), or None as soon as left() says that no second is left; then it may not even be called.

    It is called in a thread of its own. A late one is abandoned: Abandoned is raised in it as soon as it is in Python
    code again, and what it says or raises is not heard. An exception is raised here, as is Ctrl-C; after that nobody
    waits either.
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
    """choose() in a thread that begins at once. answers: gets (the answer, None) or (None, what it raised)."""

    def __init__(self, choose: Callable[[], Answer]) -> None:
        self.answers: Queue[tuple[Answer | None, BaseException | None]] = Queue()
        self._choose = choose
        self._lock = Lock()
        self._is_over = False  # under the lock: from then on nothing is raised in the thread
        self._told = 0.0
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(Abandoned):  # told again just as it dealt with the first
            try:
                self._think()
            except BaseException:  # Abandoned comes at any place, also while _think deals with another exception
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
        """Raise Abandoned in the thread if it still thinks; nothing where it does not, or Python cannot do so."""
        with self._lock:
            if not self._is_over and self._thread.ident is not None:
                _late.append(self)
                self._told = time.monotonic()
                _raise_in(self._thread.ident, Abandoned)

    def remind(self) -> None:
        """Raise it once more, as what was run just then may have made nothing of it: a callback of a weak reference."""
        if not self._thread.is_alive():
            _late.remove(self)
        elif time.monotonic() - self._told > AGAIN:
            _late.remove(self)
            self.abandon()


_late: list[_Thought[Any]] = []  # those abandoned whose threads may still run


def _remind() -> None:
    for thought in list(_late):
        with suppress(ValueError):  # another game's thread has been here
            thought.remind()


def _raise_in(thread: int, kind: type[BaseException]) -> None:
    """Have a thread raise an exception before its next step of Python code."""
    import ctypes  # takes a while to load, and few games end so

    api = getattr(ctypes, "pythonapi", None)  # CPython's
    if api is not None:
        _hush()
        api.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


def _hush() -> None:
    """Have Python say nothing of an Abandoned that came where none can be raised; before 3.8 it cannot be told."""
    said = getattr(sys, HOOK, None)
    if said is None or getattr(said, "hushed", False):
        return

    def say(unraisable: Any) -> None:
        if unraisable.exc_type is not Abandoned:
            said(unraisable)

    say.hushed = True  # type: ignore[attr-defined]
    setattr(sys, HOOK, say)
