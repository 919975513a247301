"""A child process with limits on its CPU time, its time on the clock and its files. Runs on Python 3.7, POSIX only.

Time on the clock tells nothing about a program as long as others keep the cores busy: it may have been ready to run
all the while. Linux keeps for every thread what it has had of the cores, and how long it waited for one.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import resource

PATIENCE = 5  # times the wall limit where the system does not tell who waits for a core
GRACE = 2.0  # seconds of CPU time past the limit, as RLIMIT_CPU allows them
LARGEST = 1 << 26  # bytes of each file that a program may write: its output.txt could fill the disk
KEPT = 4000  # bytes of standard error that are kept
CHUNK = 1 << 16  # bytes read at once: what a pipe holds
POLL = 0.01  # seconds between two looks at a child that says nothing
NAP = 0.001  # seconds in which one that prints little can print more, else each word would wake us
FAREWELL = 0.1  # seconds that descendants may take to end after the child
PROC = "/proc"
STATE, GROUP = 0, 2  # places in /proc/PID/stat, counted after the name, which may hold anything


class Run(NamedTuple):
    """How a child ended.

    status: its exit status (negative: the signal). cpu, wall: seconds. stopped: whether the clock stopped it. errors:
    the end of its standard error, printed: the bytes of all of it. left: how many processes it left running.
    """

    status: int
    cpu: float
    wall: float
    stopped: bool
    errors: str
    printed: int
    left: int

    def ended_by(self, number: int) -> bool:
        """Return whether a signal ended the child, or its own child as a shell tells it."""
        return self.status in (-number, 128 + number)


def run_limited(
    command: list[str], folder: str, cpu_limit: float, wall_limit: float, extra: dict[str, str] | None = None
) -> Run:
    """Run a command in a folder to its end, and stop it and its process group when a limit is passed.

    CPU time is user plus system time of the child, its threads and the descendants that it waited for. RLIMIT_CPU
    ends each process at the next whole second past cpu_limit, RLIMIT_FSIZE each that writes a file of more than
    LARGEST bytes. wall_limit: seconds, after which the whole process group is killed. Seconds in which the group was
    ready to run but got no core are not among them: on a machine under load CPU time alone decides. The group is
    killed at the end too, so that nothing goes on thinking. A descendant that leaves it is out of reach, its CPU time
    bounded by RLIMIT_CPU. extra: environment variables to add. Raise OSError where the command cannot be started.
    """
    import resource  # missing on Windows, where no program can be played

    def limit() -> None:
        _lower(resource.RLIMIT_CPU, math.floor(cpu_limit) + 1, math.floor(cpu_limit) + 2)
        _lower(resource.RLIMIT_FSIZE, LARGEST, LARGEST)

    started = time.monotonic()
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(os.environ, **(extra or {})),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=limit,
    )
    assert child.stderr is not None
    errors = _Errors(child.stderr.fileno())
    try:
        status, usage, stopped = _wait(child, _Clock(child.pid, started, cpu_limit, wall_limit), errors)
        left = 0 if stopped else _count_left(child.pid)
    finally:
        _kill_group(child.pid)
        child.stderr.close()
    cpu, wall = usage.ru_utime + usage.ru_stime, time.monotonic() - started
    return Run(status, cpu, wall, stopped, errors.end.decode("utf-8", "replace"), errors.length, left)


def _lower(kind: int, soft: int, hard: int) -> None:
    import resource

    allowed = resource.getrlimit(kind)[1]
    if allowed != resource.RLIM_INFINITY:  # we may be limited ourselves
        soft, hard = min(soft, allowed), min(hard, allowed)
    resource.setrlimit(kind, (soft, hard))


class _Clock:
    """When to stop a process group that does not end by itself; the system is asked only once that may be so."""

    def __init__(self, group: int, started: float, cpu_limit: float, wall_limit: float):
        self.group = group
        self.started = started
        self.cpu_limit = cpu_limit
        self.wall_limit = wall_limit
        self.deadline = started + wall_limit

    def is_over(self) -> bool:
        """Return whether the group has had its time."""
        return time.monotonic() > self.deadline and not self._extend_deadline()

    def _extend_deadline(self) -> bool:
        """Put the deadline off by the time without a core; return whether it lies ahead then.

        The times of several threads add up. That can only put it off too far, and not for ever: where all wait all
        the time, somebody runs, and the limit on CPU time is near. How long helper processes that have ended waited is
        not known, and counts.
        """
        times = spent_by(self.group)
        if times is None:
            self.deadline = self.started + PATIENCE * self.wall_limit
        elif times.running > self.cpu_limit + GRACE:
            return False
        else:
            self.deadline = self.started + self.wall_limit + times.waiting
        return time.monotonic() <= self.deadline


class _Errors:
    """The standard error of a child: read so that the child is never held up; only its end is kept."""

    def __init__(self, pipe: int):
        self.pipe = pipe
        self.open = True
        self.end = b""
        self.length = 0

    def read(self, seconds: float) -> None:
        """Read what is there, or comes within some seconds."""
        if not self.open:
            time.sleep(min(NAP, seconds))
        elif select.select([self.pipe], [], [], seconds)[0]:
            chunk = os.read(self.pipe, CHUNK)
            self.open = bool(chunk)
            self.end = (self.end + chunk[-KEPT:])[-KEPT:]
            self.length += len(chunk)
            if len(chunk) < CHUNK // 2:
                time.sleep(min(NAP, seconds))


def _wait(child: subprocess.Popen[bytes], clock: _Clock, errors: _Errors) -> tuple[int, resource.struct_rusage, bool]:
    """Wait for the child; return (status, resource usage, whether the clock stopped it)."""
    stopped = False
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            errors.read(0)
            return child.returncode, usage, stopped
        if not stopped and clock.is_over():
            stopped = True
            _kill_group(child.pid)
        errors.read(POLL)


def _count_left(group: int) -> int:
    """Return how many processes of a group outlive their leader, as far as the system tells."""
    until = time.monotonic() + FAREWELL
    with suppress(ProcessLookupError, PermissionError):  # nobody left: the rule, and told at once
        while True:
            os.killpg(group, 0)
            left = count_alive(group)
            if not left or time.monotonic() > until:
                return left
            time.sleep(POLL)
    return 0


def _kill_group(group: int) -> None:
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
    threads = [times for pid, _ in _members(group, proc) for times in _threads(os.path.join(proc, pid, "task"))]
    if not threads:
        return None
    return Spent(sum(times[0] for times in threads) / 1e9, sum(times[1] for times in threads) / 1e9)


def count_alive(group: int, proc: str = PROC) -> int:
    """Return how many processes of a group have not ended; 0 where the system does not tell."""
    return sum(state not in "ZX" for _, state in _members(group, proc))


def _members(group: int, proc: str) -> Iterator[tuple[str, str]]:
    """Yield the id, as text, and the state of each process of a group; one that has ended may wait to be reaped."""
    with suppress(OSError):
        for pid in filter(str.isdigit, os.listdir(proc)):
            with suppress(OSError, ValueError, IndexError):  # it has just ended
                with open(os.path.join(proc, pid, "stat"), encoding="latin-1") as file:
                    fields = file.read().rpartition(")")[2].split()
                if int(fields[GROUP]) == group:
                    yield pid, fields[STATE]


def _threads(folder: str) -> Iterator[tuple[int, int]]:
    """Yield (nanoseconds run, nanoseconds waited) of each thread of a process."""
    with suppress(OSError):
        for thread in os.listdir(folder):
            with suppress(OSError, ValueError), open(os.path.join(folder, thread, "schedstat"), "rb") as file:
                run, waited, _ = map(int, file.read().split())
                yield run, waited
