"""The time limit of a run, and a record of the unfinished work."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

SEARCH, TRIALS = 0.6, 0.9  # maximum share of the remaining time for a part of the work, so that later parts have time


class Limit:
    """A time limit.

    seconds: 0 for no limit. cut: descriptions of the work that the limit ended early, such as `3 of 7 seeds`.
    """

    def __init__(self, seconds: float = 0):
        self.seconds = seconds
        self.end = time.monotonic() + seconds if seconds else float("inf")
        self.cut: list[str] = []

    def is_over(self) -> bool:
        """Return whether the time limit has passed."""
        return time.monotonic() >= self.end

    def take(self, work: Sequence[Item], what: str, part: float = 1.0) -> Iterator[Item]:
        """Yield items until the share `part` of the remaining time is used.

        If this time ends before the last item, add a text such as `3 of 7 seeds` to `cut`. what: a plural noun for the
        items, such as `seeds`.
        """
        now = time.monotonic()
        end = now + part * max(self.end - now, 0)
        for number, item in enumerate(work):
            if time.monotonic() >= end:
                self.cut.append(f"{number} of {len(work)} {what}")
                return
            yield item

    def describe(self) -> str:
        """Return a message about unfinished work, or '' if the time limit ended no work early."""
        done = "; ".join(self.cut)
        return f"Ended by --time-limit {self.seconds:g} after {done}. --time-limit 0 removes the limit." if done else ""
