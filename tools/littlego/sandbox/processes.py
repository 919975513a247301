"""Processes in /proc: members of a process group, marked processes, and their CPU time.

Runs on Python 3.7.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

PROC = "/proc"
MARK = "LITTLEGO_RUN"  # environment variable that marks processes without sandbox and control group
STATE, GROUP = 0, 2  # fields of /proc/PID/stat after the name, which may contain any text


def kill_group(group: int) -> None:
    if not group:  # 0 means this process's own group
        return
    with suppress(ProcessLookupError, PermissionError):  # no process is left; macOS raises PermissionError
        os.killpg(group, signal.SIGKILL)


def spent_by(group: int, proc: str = PROC) -> float | None:
    """Return the CPU seconds of the living threads of a process group since their start.

    Return None if the system does not report the times, or if no process of the group is left.
    """
    threads = [spent for pid, _ in members_of(group, proc) for spent in threads_of(os.path.join(proc, pid, "task"))]
    return sum(threads) / 1e9 if threads else None


def count_alive(group: int, proc: str = PROC) -> int:
    """Return the number of living processes of a group; 0 if the system does not report it."""
    return sum(state not in "ZX" for _, state in members_of(group, proc))


def members_of(group: int, proc: str) -> Iterator[tuple[str, str]]:
    """Yield (id as text, state) of each process of a group, including zombies."""
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError, ValueError, IndexError):  # the process has just ended
                with open(os.path.join(proc, pid, "stat"), encoding="latin-1") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[GROUP]) == group:
                    yield pid, fields[STATE]


def marked(mark: str) -> list[int]:
    """Return the ids of the processes whose initial environment contains the mark of a run."""
    wanted, pids = f"{MARK}={mark}".encode("ascii"), []
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(PROC)):
            with suppress(OSError), open(os.path.join(PROC, pid, "environ"), "rb") as file:
                if wanted in file.read().split(b"\0"):
                    pids.append(int(pid))
    return pids


def threads_of(folder: str) -> Iterator[int]:
    """Yield the CPU nanoseconds of each thread of a process. folder: its folder `task` in /proc."""
    with suppress(OSError):
        for thread in os.listdir(folder):
            with suppress(OSError, ValueError), open(os.path.join(folder, thread, "schedstat"), "rb") as file:
                yield int(file.read().split()[0])


@lru_cache(maxsize=None)
def count_of_user(proc: str = PROC) -> int:
    """Return the number of the user's processes and threads at the first call; 0 if unknown."""
    total = 0
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError):
                if os.stat(os.path.join(proc, pid)).st_uid == os.getuid():
                    total += len(os.listdir(os.path.join(proc, pid, "task")))
    return total
