"""Signals that ask a process to end, held back while it starts another one. Runs on Python 3.7."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

ASKING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGTERM") if hasattr(signal, name))


@contextmanager
def signals_held() -> Iterator[None]:
    """Let the signals that ask for the end wait until the block has ended.

    Without that, one that comes while a process is started is taken too early twice: by the new process, with the
    handlers of this one, as if it were this one; and here, before anybody knows whom to end. The new process inherits
    that they wait: it calls `release` once it can take them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows, which does not fork
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def release() -> None:
    """Take again, in a process that was started meanwhile, what signals_held lets wait."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)
