"""A clock that goes when a test says so."""

from __future__ import annotations


class FakeTime:
    """Seconds that pass by `advance`, and by `step` at each look. Called, it says what time it is."""

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
