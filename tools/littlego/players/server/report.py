"""What a server says on standard output: a line each, never so fast and never so much that a client could drown it.

A thread of its own writes, so that a reader who has stopped reading stops no clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Full, Queue
from threading import Thread

from littlego.printable import printable

LONGEST_LINE = 400  # characters
BURST, A_SECOND = 40, 10  # lines about what clients did: at once, and in the long run
WAITING = 1000  # lines that wait for the reader; more are dropped


class Report:
    """Says lines to write(line), in order. now: seconds of a steady clock."""

    def __init__(self, write: Callable[[str], object], now: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._now = now
        self._allowed, self._since = float(BURST), now()
        self._left_out = 0
        self._lines: Queue[str | None] = Queue(WAITING)
        self._thread = Thread(target=self._print, daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Say what the server did, or what was asked: text in one or more lines, shown whole."""
        for line in text.split("\n"):
            self._put(printable(line))

    def note(self, text: str) -> None:
        """Say what a client did, in a line that is cut where it is long, or left out where there are too many."""
        now = self._now()
        self._allowed = min(BURST, self._allowed + A_SECOND * (now - self._since))
        self._since = now
        if self._allowed < 1:
            self._left_out += 1
            return
        self._allowed -= 1
        self._tell_left_out()
        line = printable(text)
        self._put(line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}...")

    def _tell_left_out(self) -> None:
        if self._left_out:
            self._put(f"({self._left_out} more lines about clients left out: they came too fast)")
            self._left_out = 0

    def _put(self, line: str) -> None:
        try:
            self._lines.put_nowait(line)
        except Full:
            self._left_out += 1

    def _print(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._write(line)
            except (OSError, ValueError):  # closed, or on a disk that is full: the game goes on unseen
                return

    def close(self) -> None:
        """Wait a moment until all is said, and stop."""
        self._tell_left_out()
        try:
            self._lines.put(None, timeout=1)
        except Full:
            return
        self._thread.join(timeout=2)
