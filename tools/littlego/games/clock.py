"""The clock of a game: absolute time for each player, measured by a monotonic clock. This module runs on Python 3.7.

Time runs for one player at a time. The current time comes from a function that tests can replace. One thread may start,
pause or stop the clock while another thread reads it.
"""

from __future__ import annotations

import time
from threading import RLock
from typing import Callable, NamedTuple

from littlego.rules.position import BLACK, WHITE


class Times(NamedTuple):
    """The seconds left for Black and for White; at most 0 for a player whose time is up."""

    black: float
    white: float

    def of(self, colour: int) -> float:
        """Return the seconds left for one colour."""
        return self[colour - 1]


class Clock:
    """A clock with the time left for both players.

    budgets: the seconds for (Black, White). now: a function that returns the seconds of a monotonic clock. A new clock
    is stopped. `start` has no effect if the colour's time is already running.
    """

    def __init__(self, budgets: tuple[float, float], now: Callable[[], float] = time.monotonic) -> None:
        self.budgets = Times(float(budgets[0]), float(budgets[1]))
        self._left = list(self.budgets)
        self._now = now
        self._lock = RLock()  # prevents a reading thread from counting the running time twice
        self._running: int | None = None  # the colour whose time runs
        self._since = 0.0
        self._paused: int | None = None

    @property
    def running(self) -> int | None:
        """The colour whose time runs, or None while the clock is stopped."""
        return self._running

    @property
    def paused(self) -> int | None:
        """The colour whose time `resume` restarts, or None if the clock is not paused."""
        return self._paused

    def start(self, colour: int) -> None:
        """Start one colour's time and stop the other colour's time."""
        with self._lock:
            self.stop()
            self._running, self._since = colour, self._now()

    def stop(self, at: float | None = None) -> None:
        """Stop the clock, so that `resume` has no effect. at: the moment of the stop, by default the current time."""
        with self._lock:
            self._halt(at)
            self._paused = None

    def pause(self) -> None:
        """Stop the clock until `resume`; do nothing if the clock is already stopped."""
        with self._lock:
            if self._running is not None:
                self._paused = self._running
                self._halt()

    def resume(self) -> None:
        """Restart the clock after a pause."""
        with self._lock:
            if self._paused is not None:
                self.start(self._paused)

    def _halt(self, at: float | None = None) -> None:
        if self._running is not None:
            self._left[self._running - 1] -= (self._now() if at is None else at) - self._since
        self._running = None

    def times(self) -> Times:
        """Return the seconds left for both players."""
        with self._lock:
            now = self._now() if self._running is not None else 0.0
            return Times(self._left_of(BLACK, now), self._left_of(WHITE, now))

    def _left_of(self, colour: int, now: float) -> float:
        return self._left[colour - 1] - (now - self._since if colour == self._running else 0.0)

    def has_flagged(self, colour: int) -> bool:
        """Return whether a colour's time is up."""
        return self.times().of(colour) <= 0

    def flagged(self) -> int:
        """Return the colour whose time is up: BLACK if both players' time is up, 0 if neither's is."""
        return next((colour for colour in (BLACK, WHITE) if self.has_flagged(colour)), 0)

    def charge(self, colour: int, seconds: float) -> None:
        """Subtract seconds from a colour's time, for example seconds during which a server was down."""
        with self._lock:
            self._left[colour - 1] -= seconds
