"""A game's clock: absolute time for each player, on a clock that never goes back. Runs on Python 3.7.

It runs for one player at a time. What time it is, it asks a function, so that tests can say it themselves.
"""

from __future__ import annotations

import time
from typing import Callable, NamedTuple

from rules.position import BLACK, WHITE


class Times(NamedTuple):
    """Seconds that Black and White have left; 0 or less where the flag has fallen."""

    black: float
    white: float

    def of(self, colour: int) -> float:
        """Return the seconds that a colour has left."""
        return self[colour - 1]


class Clock:
    """The time that both players have left. budgets: (Black's, White's) in seconds. now: seconds of a steady clock."""

    def __init__(self, budgets: tuple[float, float], now: Callable[[], float] = time.monotonic) -> None:
        self._left = [float(budgets[0]), float(budgets[1])]
        self._now = now
        self._running: int | None = None  # whose time runs
        self._since = 0.0
        self._paused: int | None = None

    @property
    def running(self) -> int | None:
        """The colour whose time runs, None while it stands."""
        return self._running

    def start(self, colour: int) -> None:
        """Let the time of a colour run; the other's stands."""
        self.stop()
        self._running, self._since, self._paused = colour, self._now(), None

    def stop(self) -> None:
        """Let both stand."""
        if self._running is not None:
            self._left[self._running - 1] -= self._now() - self._since
        self._running = None

    def pause(self) -> None:
        """Let both stand until resume; nothing where they stand already."""
        if self._running is not None:
            self._paused = self._running
            self.stop()

    def resume(self) -> None:
        """Go on where pause let it stand."""
        if self._paused is not None:
            self.start(self._paused)

    def times(self) -> Times:
        """Return what both have left now."""
        return Times(self._left_of(BLACK), self._left_of(WHITE))

    def _left_of(self, colour: int) -> float:
        spent = self._now() - self._since if colour == self._running else 0.0
        return self._left[colour - 1] - spent

    def flagged(self) -> int:
        """Return the colour whose time is up, 0 where neither's is."""
        return next((colour for colour in (BLACK, WHITE) if self._left_of(colour) <= 0), 0)

    def charge(self, colour: int, seconds: float) -> None:
        """Take seconds from what a colour has left, as for the time that a server was down."""
        self._left[colour - 1] -= seconds
