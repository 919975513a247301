"""A clock that a test controls."""

from __future__ import annotations


class FakeTime:
    """A clock in seconds that advances by `step` at each reading, and when a test calls `advance`.

    Calling the clock returns the time.
    """

    def __init__(self, step: float = 0.0):
        self.seconds = 1000.0
        self.step = step
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        self.seconds += self.step
        return self.seconds

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.seconds += seconds
