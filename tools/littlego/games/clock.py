"""A game's clock: absolute time for each player, on a clock that never goes back. Runs on Python 3.7.

It runs for one player at a time. What time it is, it asks a function, so that tests can say it themselves. One thread
may let it run, pause or stand while another one reads it.
"""

from __future__ import annotations

import time
from threading import RLock
from typing import Callable, NamedTuple

from littlego.rules.position import BLACK, WHITE


class Times(NamedTuple):
    """Seconds that Black and White have left; 0 or less where the flag has fallen."""

    black: float
    white: float

    def of(self, colour: int) -> float:
        """Return the seconds that a colour has left."""
        return self[colour - 1]


class Clock:
    """The time that both players have left. budgets: (Black's, White's) in seconds. now: seconds of a steady clock.

    It stands at first. An illegal try needs nothing of it: the time of the mover runs on until someone says otherwise,
    and to start it again for the colour whose time runs already changes nothing.
    """

    def __init__(self, budgets: tuple[float, float], now: Callable[[], float] = time.monotonic) -> None:
        self.budgets = Times(float(budgets[0]), float(budgets[1]))
        self._left = list(self.budgets)
        self._now = now
        self._lock = RLock()  # a reader never sees time that is charged and still runs
        self._running: int | None = None  # whose time runs
        self._since = 0.0
        self._paused: int | None = None

    @property
    def running(self) -> int | None:
        """The colour whose time runs, None while it stands."""
        return self._running

    @property
    def paused(self) -> int | None:
        """The colour whose time runs again after resume, None where nothing is paused."""
        return self._paused

    def start(self, colour: int) -> None:
        """Let the time of a colour run, and the other's stand."""
        with self._lock:
            self.stop()
            self._running, self._since = colour, self._now()

    def stop(self, at: float | None = None) -> None:
        """Let both stand; a pause is over, too. at: when it was to stand, if that is not now."""
        with self._lock:
            self._halt(at)
            self._paused = None

    def pause(self) -> None:
        """Let both stand until resume; nothing where they stand already."""
        with self._lock:
            if self._running is not None:
                self._paused = self._running
                self._halt()

    def resume(self) -> None:
        """Go on where pause let it stand."""
        with self._lock:
            if self._paused is not None:
                self.start(self._paused)

    def _halt(self, at: float | None = None) -> None:
        if self._running is not None:
            self._left[self._running - 1] -= (self._now() if at is None else at) - self._since
        self._running = None

    def times(self) -> Times:
        """Return what both have left now."""
        with self._lock:
            now = self._now() if self._running is not None else 0.0
            return Times(self._left_of(BLACK, now), self._left_of(WHITE, now))

    def _left_of(self, colour: int, now: float) -> float:
        return self._left[colour - 1] - (now - self._since if colour == self._running else 0.0)

    def has_flagged(self, colour: int) -> bool:
        """Return whether a colour's time is up."""
        return self.times().of(colour) <= 0

    def flagged(self) -> int:
        """Return the colour whose time is up, 0 where neither's is; Black where both are."""
        return next((colour for colour in (BLACK, WHITE) if self.has_flagged(colour)), 0)

    def charge(self, colour: int, seconds: float) -> None:
        """Take seconds from what a colour has left, as for the time that a server was down."""
        with self._lock:
            self._left[colour - 1] -= seconds
