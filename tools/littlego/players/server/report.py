"""The server's standard output. Lines about clients are rate-limited, so that no client can flood the output.

A separate thread writes the lines, so that a blocked reader of the output does not affect the players' clocks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Full, Queue
from threading import Thread

from littlego.printable import printable

LONGEST_LINE = 400  # characters
BURST, A_SECOND = 40, 10  # lines about clients' actions: the burst, and the rate per second
WAITING = 1000  # lines queued for the reader; further lines are dropped


class Report:
    """A queue of output lines; a thread passes each line to `write`. now: returns the monotonic time in seconds."""

    def __init__(self, write: Callable[[str], object], now: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._now = now
        self._allowed, self._since = float(BURST), now()
        self._left_out = 0
        self._lines: Queue[str | None] = Queue(WAITING)
        self._thread = Thread(target=self._print, daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Report an action of the server or an answer to the operator, in one or more lines of any length."""
        for line in text.split("\n"):
            self._put(printable(line))

    def note(self, text: str) -> None:
        """Report a client's action in one line. Truncate a long line, and drop a line beyond the rate limit."""
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
            self._put(f"({self._left_out} more lines omitted: rate limit or full queue)")
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
            except (OSError, ValueError):  # output closed or disk full: the game continues without output
                return

    def close(self) -> None:
        """Wait until the queued lines are written and the thread ends, but at most 3 s."""
        self._tell_left_out()
        try:
            self._lines.put(None, timeout=1)
        except Full:
            return
        self._thread.join(timeout=2)
