"""Processes of the system as /proc shows them: those of a group or with a mark, what they spent. Runs on Python 3.7."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

PROC = "/proc"
MARK = "LITTLEGO_RUN"  # the environment variable by which processes without sandbox and control group are found
STATE, GROUP = 0, 2  # places in /proc/PID/stat, counted after the name, which may hold anything


def kill_group(group: int) -> None:
    if not group:  # it would be ours
        return
    with suppress(ProcessLookupError, PermissionError):  # nobody left; macOS says so in the second way
        os.killpg(group, signal.SIGKILL)


class Spent(NamedTuple):
    """Seconds that threads have run, and seconds that they could have run but waited for a core."""

    running: float
    waiting: float


def spent_by(group: int, proc: str = PROC) -> Spent | None:
    """Return what the threads of a process group that live now have spent since they began, added up.

    None where the system does not tell, or nobody of the group is left.
    """
    threads = [times for pid, _ in members_of(group, proc) for times in threads_of(os.path.join(proc, pid, "task"))]
    if not threads:
        return None
    return Spent(sum(times[0] for times in threads) / 1e9, sum(times[1] for times in threads) / 1e9)


def count_alive(group: int, proc: str = PROC) -> int:
    """Return how many processes of a group have not ended; 0 where the system does not tell."""
    return sum(state not in "ZX" for _, state in members_of(group, proc))


def members_of(group: int, proc: str) -> Iterator[tuple[str, str]]:
    """Yield the id, as text, and the state of each process of a group; one that has ended may wait to be reaped."""
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError, ValueError, IndexError):  # it has just ended
                with open(os.path.join(proc, pid, "stat"), encoding="latin-1") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[GROUP]) == group:
                    yield pid, fields[STATE]


def marked(mark: str) -> list[int]:
    """Return the processes that carry the mark of a run in the environment that they began with."""
    wanted, found = f"{MARK}={mark}".encode("ascii"), []
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(PROC)):
            with suppress(OSError), open(os.path.join(PROC, pid, "environ"), "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(pid))
    return found


def threads_of(folder: str) -> Iterator[tuple[int, int]]:
    """Yield (nanoseconds run, nanoseconds waited) of each thread of a process."""
    with suppress(OSError):
        for thread in os.listdir(folder):
            with suppress(OSError, ValueError), open(os.path.join(folder, thread, "schedstat"), "rb") as file:
                run, waited, _ = map(int, file.read().split())
                yield run, waited


@lru_cache(maxsize=None)
def count_of_user(proc: str = PROC) -> int:
    """Return how many processes and threads our user had when this was first asked; 0 where the system is silent."""
    total = 0
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError):
                if os.stat(os.path.join(proc, pid)).st_uid == os.getuid():
                    total += len(os.listdir(os.path.join(proc, pid, "task")))
    return total
