"""Signals that ask a process to end: which they are, and how they wait while it starts another. Runs on Python 3.7."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from collections.abc import Iterator

    Handler = Callable[[int, Any], Any]

ASKING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGTERM") if hasattr(signal, name))


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that ask a process to end, Ctrl-C aside: not SIGHUP where that is ignored, as after nohup."""
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # Windows has none
        return (signal.SIGTERM,)
    return signal.SIGTERM, signal.SIGHUP


@contextmanager
def signals_held() -> Iterator[None]:
    """Let the signals that ask for the end wait until the block has ended.

    Without that, one that comes while a process is started is taken too early twice: by the new process, with the
    handlers of this one, as if it were this one; and here, before anybody knows whom to end. The new process inherits
    that they wait: it calls `release` once it can take them. Here the system gives a signal that this thread lets wait
    to any other thread of the process, and Python runs the handler in the main one all the same: so the handlers wait
    as well.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows, which does not fork
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
    came: list[int] = []
    handlers = _replace_handlers(lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in came:
            handlers[number](number, None)


def _replace_handlers(handler: Handler) -> dict[int, Handler]:
    """Take the place of Python's handlers, which the main thread alone runs and may change; return what was there."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    handlers: dict[int, Handler] = {}
    for number in ASKING:
        found = signal.getsignal(number)
        if callable(found):
            handlers[number] = found
            signal.signal(number, handler)
    return handlers


def release() -> None:
    """Take again, in a process that was started meanwhile, what signals_held lets wait."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)
