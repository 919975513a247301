"""Keyboard input with a deadline."""

from __future__ import annotations

import os
import select
import sys
import time
from contextlib import suppress

LONGEST_LINE = 1000  # bytes kept of one line: an entry has a few bytes


class TimeoutReached(Exception):
    """Raised if the deadline passes before a complete line is typed."""


def ask_within(prompt: str, seconds: float) -> str:
    """Show a prompt and return the typed line without the line end.

    Raise EOFError at the end of the input, and TimeoutReached after `seconds`. Later lines remain unread for the next
    reader. If standard input does not support select() (on Windows and in tests), the function calls input() without a
    deadline.
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
    """Return the descriptor of standard input if it supports select(), else None."""
    try:
        descriptor = sys.stdin.fileno()
        select.select([descriptor], [], [], 0)
    except (AttributeError, OSError, ValueError):
        return None
    return descriptor


def forget_typed() -> None:
    """Discard unread keyboard input, which the shell would otherwise run as commands after the game."""
    try:
        import termios
    except ImportError:  # Windows
        return
    with suppress(AttributeError, OSError, ValueError, termios.error):  # no terminal; input from a pipe remains unread
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
