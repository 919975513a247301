"""What processes have had of the machine's cores, and how long they waited for one. Runs on Python 3.7.

Linux keeps both for every thread. Time on the clock tells nothing about a program as long as others keep the cores
busy: it may have been ready to run all the while.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import NamedTuple

PROC = "/proc"
STATE, GROUP = 0, 2  # places in /proc/PID/stat, counted after the name, which may hold anything


class Spent(NamedTuple):
    """Seconds that threads have run, and seconds that they could have run but waited for a core."""

    running: float
    waiting: float


def spent(group: int, proc: str = PROC) -> Spent | None:
    """Return what the threads of a process group that live now have spent since they began, added up.

    None where the system does not tell, or nobody of the group is left.
    """
    found = [times for pid, _ in _members(group, proc) for times in _threads(os.path.join(proc, pid, "task"))]
    if not found:
        return None
    return Spent(sum(times[0] for times in found) / 1e9, sum(times[1] for times in found) / 1e9)


def alive(group: int, proc: str = PROC) -> int:
    """Return how many processes of a group have not ended; 0 where the system does not tell."""
    return sum(state not in "ZX" for _, state in _members(group, proc))


def _members(group: int, proc: str) -> list:
    """Return the id, as text, and the state of each process of a group; one that has ended may wait to be reaped."""
    found = []
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError, ValueError, IndexError):  # it has just ended
                with open(os.path.join(proc, pid, "stat"), encoding="latin-1") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[GROUP]) == group:
                    found.append((pid, fields[STATE]))
    return found


def _threads(folder: str) -> list:
    """Return (nanoseconds run, nanoseconds waited) of each thread of a process."""
    found = []
    with suppress(OSError):
        for thread in os.listdir(folder):
            with suppress(OSError, ValueError), open(os.path.join(folder, thread, "schedstat"), "rb") as file:
                run, waited, _ = map(int, file.read().split())
                found.append((run, waited))
    return found
