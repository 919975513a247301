"""How long a run may take in all, and what it left undone when that was over."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

SEARCH, TRIALS = 0.6, 0.9  # parts of what is left when they begin: the rest is for what comes after


class Limit:
    """A number of seconds from now on, 0 for no limit; cut: a line for each part of the work that it ended early."""

    def __init__(self, seconds: float = 0):
        self.seconds = seconds
        self.end = time.monotonic() + seconds if seconds else float("inf")
        self.cut: list[str] = []

    def is_over(self) -> bool:
        """Return whether the time is gone."""
        return time.monotonic() >= self.end

    def take(self, work: Sequence[Item], what: str, part: float = 1.0) -> Iterator[Item]:
        """Yield what there is to do until this part of the time left is gone, and note how much was begun by then."""
        now = time.monotonic()
        end = now + part * max(self.end - now, 0)
        for number, item in enumerate(work):
            if time.monotonic() >= end:
                self.cut.append(f"{number} of {len(work)} {what}")
                return
            yield item

    def describe(self) -> str:
        """Return what was left undone, '' if nothing was."""
        done = "; ".join(self.cut)
        return (
            f"Ended by --time-limit {self.seconds:g}, the rest not looked at: {done}. --time-limit 0 looks at all."
            if done
            else ""
        )
