"""The signals that stop a process, and a way to defer them while the process starts another process.

This module runs on Python 3.7.
"""

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
    """Return the signals that should end this process: SIGTERM and usually SIGHUP.

    SIGHUP is omitted if the system lacks it, or if this process ignores it, as after a start with nohup. SIGINT
    (Ctrl-C) is not included.
    """
    if not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # Windows has no SIGHUP
        return (signal.SIGTERM,)
    return signal.SIGTERM, signal.SIGHUP


@contextmanager
def signals_held() -> Iterator[None]:
    """Defer, until the `with` block ends, the signals that stop a process.

    Start a new process inside the block. Without the deferral, a signal during the start would run the parent's
    handlers in the new process. The parent's handler could also run before the parent knows which new process to stop.
    The new process starts with these signals blocked and must call `release` when its handlers are ready.

    In this process, blocking is not enough: the system can deliver the signal to another thread, and Python still runs
    the handler in the main thread. Therefore the handlers are also replaced.
    """
    if not hasattr(signal, "pthread_sigmask"):  # processes do not fork on Windows
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
    """Replace the Python handlers of the signals in ASKING; return the old handlers by signal.

    Outside the main thread, which alone may replace handlers, do nothing and return {}.
    """
    if threading.current_thread() is not threading.main_thread():
        return {}
    handlers: dict[int, Handler] = {}
    for number in ASKING:
        result = signal.getsignal(number)
        if callable(result):
            handlers[number] = result
            signal.signal(number, handler)
    return handlers


def release() -> None:
    """Unblock the signals in a process that was started inside `signals_held`."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)
