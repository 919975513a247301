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
    """Return the number and the id of the process that received it; numbers from 600 on take a while."""
    time.sleep(0.4 if number >= 600 else 0)
    return number, os.getpid()


def process(number: int) -> int:
    """Return another number at each call, as a player does that draws lots without a seed."""
    return time.monotonic_ns()


def noted(folder: Path, number: int) -> int:
    """Write a file that names the process that started this task."""
    (folder / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    time.sleep(0.05)
    return os.getpid()


def deadly(number: int) -> int:
    """End the worker, unless this is the test's own process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return number
