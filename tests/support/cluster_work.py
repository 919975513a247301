"""Tasks for the processes of a test's cluster, which import this module by name."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def picky(number: int) -> int:
    if number == 5:
        raise ValueError("not five")
    return number


def slowly(number: int) -> int:
    time.sleep(0.05)
    return number * number


def harder(number: int) -> tuple[int, int]:
    """Return (the number, this process's id); the call takes 0.4 seconds for numbers from 600 on."""
    time.sleep(0.4 if number >= 600 else 0)
    return number, os.getpid()


def process(number: int) -> int:
    """Return a different number at each call, like a player with an unseeded random generator."""
    return time.monotonic_ns()


def noted(folder: Path, number: int) -> int:
    """Create a file whose name contains this process's id, and return the id."""
    (folder / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    time.sleep(0.05)
    return os.getpid()


def deadly(number: int) -> int:
    """Kill the process that runs this task."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number
