"""Clocks that do not depend on the machine's speed."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


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


class CallTime:
    """A clock of the work done in a `with` block: it counts the calls of functions in the current thread.

    Calling the clock returns the number of calls so far, including calls of functions in C.
    """

    def __init__(self) -> None:
        self.calls = 0.0

    def __call__(self) -> float:
        return self.calls

    def _count(self, frame: FrameType, event: str, arg: Any) -> None:
        self.calls += event in ("call", "c_call")

    def __enter__(self) -> CallTime:
        sys.setprofile(self._count)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
