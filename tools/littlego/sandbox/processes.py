"""Processes in /proc: the members of a process group, of a PID namespace or of a program's run.

The module measures the processes' CPU time and memory, and the disk space of removed files that the processes hold
open. It also counts threads and sends signals.

This module runs on Python 3.7.
"""

from __future__ import annotations

import os
import re
import signal
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache

PROC = "/proc"
MARK = "LITTLEGO_RUN"  # environment variable that marks processes without sandbox and control group
STATE, GROUP, USER, SYSTEM, START = 0, 2, 11, 12, 19  # indexes of the fields of /proc/PID/stat that follow the name
PASSES = 50  # maximum number of rounds of signals, because processes may keep creating others


def kill_group(group: int) -> None:
    if not group:  # 0 means this process's own group
        return
    with suppress(ProcessLookupError, PermissionError):  # no process is left; macOS raises PermissionError
        os.killpg(group, signal.SIGKILL)


def spent_by(group: int, proc: str = PROC) -> float | None:
    """Return the CPU seconds that the living threads of a process group have used.

    Return None if the system does not report the times, or if no process of the group is left.
    """
    threads = [spent for pid, _ in members_of(group, proc) for spent in threads_of(os.path.join(proc, pid, "task"))]
    return sum(threads) / 1e9 if threads else None


def count_alive(group: int, proc: str = PROC) -> int:
    """Return the number of living processes of a process group, or 0 if unknown."""
    return sum(state not in "ZX" for _, state in members_of(group, proc))


def members_of(group: int, proc: str) -> Iterator[tuple[str, str]]:
    """Yield (id as text, state) for each process of a process group, including zombies."""
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError, ValueError, IndexError):  # the process has just ended
                fields = _fields_of(pid, proc)
                if int(fields[GROUP]) == group:
                    yield pid, fields[STATE]


def _fields_of(pid: int | str, proc: str = PROC) -> list[str]:
    """Return the fields of /proc/PID/stat that follow the name; raise OSError if the process has ended."""
    with open(os.path.join(proc, str(pid), "stat"), encoding="latin-1") as file:
        return file.read().rpartition(")")[2].split()


def in_namespace_of(process: int) -> list[int]:
    """Return the ids of all processes in a process's PID namespace.

    Return [] if the namespace is unknown.
    """
    pids = []
    with suppress(OSError):
        wanted = os.readlink(f"{PROC}/{process}/ns/pid")
        for pid in filter(str.isdigit, os.listdir(PROC)):
            with suppress(OSError):
                if os.readlink(f"{PROC}/{pid}/ns/pid") == wanted:
                    pids.append(int(pid))
    return pids


class Census:
    """A record of the CPU times of a program's processes. The caller updates it repeatedly.

    The system does not report the CPU time of an ended process that no parent waited for. For such a process, the last
    recorded time counts.
    """

    def __init__(self) -> None:
        self._spent: dict[tuple[int, str], float] = {}  # CPU seconds by process id and start time

    def count(self, pids: Iterable[int]) -> None:
        """Record the CPU time that each of the processes has used so far."""
        ticks = os.sysconf("SC_CLK_TCK")
        for pid in pids:
            with suppress(OSError, ValueError, IndexError):
                fields = _fields_of(pid)
                self._spent[pid, fields[START]] = (int(fields[USER]) + int(fields[SYSTEM])) / ticks

    def cpu(self) -> float:
        """Return the CPU seconds of all processes ever counted.

        CPU time that a process used after its last count is not included.
        """
        return sum(self._spent.values())


def memory_of(pids: Iterable[int], enough: int) -> int:
    """Return the bytes of memory that processes occupy, including shared memory but not mapped files.

    The function adds up the sizes of the processes, so a shared page counts once for each process. If the sum exceeds
    `enough` bytes and the system reports proportional sizes (Pss), a shared page counts only once.
    """
    pids = list(pids)
    quick = sum(_sum_of(pid, "status", rb"^Rss(?:Anon|Shmem):\s+(\d+)") for pid in pids)
    if quick <= enough:
        return quick
    exact = sum(_sum_of(pid, "smaps_rollup", rb"^Pss_(?:Anon|Shmem):\s+(\d+)") for pid in pids)
    return min(quick, exact) if exact else quick


def _sum_of(pid: int, name: str, line: bytes) -> int:
    """Return the sum, in bytes, of the sizes that match `line` in the file /proc/PID/NAME."""
    with suppress(OSError), open(f"{PROC}/{pid}/{name}", "rb") as file:
        return 1024 * sum(map(int, re.findall(line, file.read(), re.M)))
    return 0


def threads_in(pids: Iterable[int]) -> int:
    """Return the number of threads of the processes."""
    total = 0
    for pid in pids:
        with suppress(OSError):
            total += len(os.listdir(f"{PROC}/{pid}/task"))
    return total


def removed_bytes(pids: Iterable[int], device: int) -> int:
    """Return the disk space, in bytes, of removed files on `device` that the processes still hold open."""
    sizes: dict[int, int] = {}
    for pid in pids:
        with suppress(OSError):
            for name in os.listdir(f"{PROC}/{pid}/fd"):
                with suppress(OSError):
                    status = os.stat(f"{PROC}/{pid}/fd/{name}")
                    if stat.S_ISREG(status.st_mode) and not status.st_nlink and status.st_dev == device:
                        sizes[status.st_ino] = status.st_blocks * 512
    return sum(sizes.values())


def signal_all(pids: Callable[[], Iterable[int]], number: int) -> None:
    """Send a signal once to each process, including processes created in the meantime.

    The function sends the signal in at most PASSES rounds. `pids` returns the ids of the current processes. number: the
    signal's number.
    """
    reached: set[int] = set()
    for _ in range(PASSES):
        left = set(pids()) - reached
        if not left:
            return
        for pid in left:
            with suppress(OSError):
                os.kill(pid, number)
        reached |= left
        time.sleep(0)


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
    """Yield the CPU nanoseconds of each thread of a process. folder: the path /proc/PID/task."""
    with suppress(OSError):
        for thread in os.listdir(folder):
            with suppress(OSError, ValueError), open(os.path.join(folder, thread, "schedstat"), "rb") as file:
                yield int(file.read().split()[0])


@lru_cache(maxsize=None)
def count_of_user_before() -> int:
    """Return the number of threads of the user's processes at the first call of this function."""
    return count_of_user()


def count_of_user(proc: str = PROC) -> int:
    """Return the number of threads of all the user's processes, or 0 if unknown."""
    total = 0
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError):
                if os.stat(os.path.join(proc, pid)).st_uid == os.getuid():
                    total += len(os.listdir(os.path.join(proc, pid, "task")))
    return total
