"""A line from the keyboard, waited for no longer than a clock allows."""

from __future__ import annotations

import os
import select
import sys
import time
from contextlib import suppress

LONGEST_LINE = 1000  # bytes of a line that are kept: an entry has a few


class TimeoutReached(Exception):
    """The time went by before a line was typed."""


def ask_within(prompt: str, seconds: float) -> str:
    """Show a prompt and return the line that is typed, without its end.

    Raise EOFError at the end of the input, TimeoutReached after so many seconds. A line is read byte by byte and only
    when there is one to read: so what is typed ahead waits for whoever reads next, and no thread is caught in a read
    that would keep the program from ending. Where standard input cannot be waited for (Windows, tests) it is input().
    """
    descriptor = _standard_input()
    if descriptor is None:
        return input(prompt)
    print(prompt, end="", flush=True)
    until, line = time.monotonic() + seconds, b""
    while True:
        if not select.select([descriptor], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutReached
        byte = os.read(descriptor, 1)
        if not byte and not line:
            raise EOFError
        if byte in (b"", b"\n"):
            return line.decode(sys.stdin.encoding or "utf-8", "replace").rstrip("\r")
        line += byte if len(line) < LONGEST_LINE else b""


def _standard_input() -> int | None:
    """Return the descriptor of standard input where one can wait for it."""
    try:
        descriptor = sys.stdin.fileno()
        select.select([descriptor], [], [], 0)
    except (AttributeError, OSError, ValueError):
        return None
    return descriptor


def forget_typed() -> None:
    """Drop what is typed at a terminal and was not read: it was meant for a game that is over, not for the shell."""
    try:
        import termios
    except ImportError:  # Windows
        return
    with suppress(AttributeError, OSError, ValueError, termios.error):  # no terminal: a pipe keeps what is in it
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
