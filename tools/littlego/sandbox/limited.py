"""Child processes with limits on CPU time, wall-clock time and files. Python 3.7, POSIX only.

Wall-clock time says little about a program while other processes keep the cores busy, because the program may have been
ready to run all the time. Linux records for every thread how long it ran and how long it waited for a core.

A sandbox (littlego.sandbox.sandbox) and a control group (littlego.sandbox.cgroups) confine a child if the machine
supports them. The group counts the CPU time of all processes, however they were started. The system's limits for each
process (setrlimit) always apply.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Callable, NamedTuple

from littlego.sandbox import cgroups
from littlego.sandbox.processes import count_of_user, spent_by
from littlego.sandbox.sandbox import ENDING
from littlego.sandbox.supervise import UNENDED, Boxed, Plain
from littlego.signals import release, signals_held

if TYPE_CHECKING:
    import resource

PATIENCE = 5  # factor for the wall limit if the system does not report the waiting time for a core
GRACE = 2.0  # seconds of CPU time beyond the limit that RLIMIT_CPU allows
LARGEST = 1 << 26  # maximum bytes of a file that a program writes, so that output.txt cannot fill the disk
MEMORY = 1 << 32  # maximum bytes of a process (RLIMIT_DATA), and of all processes in a control group
PROCESSES = 256  # maximum number of processes and threads: Java has dozens
DESCRIPTORS = 256  # maximum number per process: an open descriptor keeps a removed file on the disk
KEPT = 4000  # bytes kept of the beginning and of the end of standard error
CHUNK = 1 << 16  # bytes to read at once: the capacity of a pipe
POLL = 0.01  # seconds between two checks of a silent child
NAP = 0.001  # seconds to wait for more output, so that a short output does not wake this process each time
LOOK = 0.1  # minimum seconds between two expensive checks, which look at the folder and the control group


class Run(NamedTuple):
    """The result of a child.

    status: the exit status, or minus the number of the signal that ended the child. cpu, wall: seconds. stopped:
    whether the child exceeded the wall limit. errors: the end of its standard error. printed: the number of bytes
    written to standard error. began: the beginning of standard error. left: number of processes left running. struck:
    descriptions of other limits that the child reached. held: the child's confinement.
    """

    status: int
    cpu: float
    wall: float
    stopped: bool
    errors: str
    printed: int
    left: int
    struck: tuple[str, ...] = ()
    held: str = ""
    began: str = ""

    def ended_by(self, number: int) -> bool:
        """Return whether a signal ended the child or, according to a shell's status, the child of that shell."""
        return self.status in (-number, 128 + number)


def run_limited(
    command: list[str],
    folder: str,
    cpu_limit: float,
    wall_limit: float,
    extra: dict[str, str] | None = None,
    *,
    sandboxed: bool = False,
    writable: tuple[str, ...] = (),
    excess: Callable[[], str] = lambda: "",
) -> Run:
    """Run a command in a folder to its end; stop all its processes when a limit is exceeded.

    CPU time is the user and system time of the child, its threads and its descendants. With a control group, all
    descendants count, otherwise only those that were waited for. The sandbox's own time is excluded. RLIMIT_CPU ends
    each process at the next whole second beyond cpu_limit. RLIMIT_FSIZE ends each process that writes a file of more
    than LARGEST bytes. wall_limit: seconds until all processes are killed. Seconds in which the process group was ready
    to run but got no core do not count, so that only CPU time decides on a busy machine. When the run ends, all
    processes are killed, so that none continues to compute. Without a sandbox and a control group, "all processes"
    means the process group and the processes with this run's mark in their environment. extra: environment variables to
    add. sandboxed: whether to run the command in a sandbox, which contains the command's folder and the `writable`
    folders. excess: a function that is called repeatedly and returns why the child must be stopped, or ''. Raise
    OSError if the command cannot be started.
    """
    with closing(cgroups.open_group(MEMORY, PROCESSES)) as group:
        kind = Boxed if sandboxed else Plain
        with closing(kind(command, folder, extra or {}, group, writable)) as held:
            return _run_held(held, folder, _Limits(cpu_limit, wall_limit, excess))


class _Limits(NamedTuple):
    """Limits of a child: the host stops a child that exceeds a limit."""

    cpu: float
    wall: float
    excess: Callable[[], str]


def start(held: Plain | Boxed, folder: str, cpu_limit: float | None, talks: bool = False) -> subprocess.Popen[bytes]:
    """Start a confined child. cpu_limit: seconds, or None. talks: whether pipes connect the caller to the child.

    The caller must defer termination signals (littlego.signals) until it knows which process to end.
    """
    return subprocess.Popen(
        held.words,
        cwd=folder,
        env=held.environment,
        stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
        stdout=subprocess.PIPE if talks else held.output,
        stderr=subprocess.PIPE,
        start_new_session=True,
        pass_fds=held.passed,
        preexec_fn=_limiter(cpu_limit, held),
    )


def _run_held(held: Plain | Boxed, folder: str, limits: _Limits) -> Run:
    """Run a confined child to its end."""
    started = time.monotonic()
    child: subprocess.Popen[bytes] | None = None
    ended: Ended | None = None
    try:
        with signals_held():  # defer signals until this process knows which child to end
            child = start(held, folder, limits.cpu)
            held.started(child.pid)
        assert child.stderr is not None
        errors = _Errors(child.stderr.fileno())
        ended = _wait(child, _Clock(held, started, limits), limits, errors)
        left = 0 if ended.is_cut else held.count_left()
    finally:
        if child is not None:
            _end(child, held, reaped=ended is not None)
    cpu, struck = held.settle(ended.usage), held.group.refusals()
    struck += [ended.excess] * bool(ended.excess) + held.findings(ended.is_cut, ended.status, errors.text)
    return Run(
        held.plain_status(ended.status),
        cpu,
        time.monotonic() - started,
        ended.stopped,
        errors.text,
        errors.length,
        left,
        tuple(struck),
        held.name(),
        errors.start.decode("utf-8", "replace"),
    )


def _end(child: subprocess.Popen[bytes], held: Plain | Boxed, reaped: bool) -> None:
    """Kill a child and all its descendants. reaped: whether the child's exit status has been read."""
    if not reaped:
        child.kill()
        with suppress(subprocess.TimeoutExpired):
            child.wait(ENDING)
    held.kill()
    assert child.stderr is not None
    child.stderr.close()


def _limiter(cpu_limit: float | None, held: Plain | Boxed) -> Callable[[], None]:
    """Return a function that a child calls to set its own limits. cpu_limit: seconds, None for no limit."""
    import resource  # missing on Windows, where programs cannot be played

    users = 0 if "processes" in held.group.holds() else count_of_user()  # the system counts all processes of the user

    def limit() -> None:
        release()
        held.join()
        if cpu_limit is not None:
            _lower(resource.RLIMIT_CPU, math.floor(cpu_limit) + 1, math.floor(cpu_limit) + 2)
        _lower(resource.RLIMIT_FSIZE, LARGEST, LARGEST)
        _lower(resource.RLIMIT_DATA, MEMORY, MEMORY)
        _lower(resource.RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS)
        _lower(resource.RLIMIT_CORE, 0, 0)
        if users and hasattr(resource, "RLIMIT_NPROC"):  # RLIMIT_NPROC does not limit root
            _lower(resource.RLIMIT_NPROC, users + PROCESSES, users + PROCESSES)

    return limit


def _lower(kind: int, soft: int, hard: int) -> None:
    import resource

    allowed = resource.getrlimit(kind)[1]
    if allowed != resource.RLIM_INFINITY:  # this process may itself be limited
        soft, hard = min(soft, allowed), min(hard, allowed)
    resource.setrlimit(kind, (soft, hard))


class _Clock:
    """The deadlines of a child. The process times are read only when a deadline may have passed."""

    def __init__(self, held: Plain | Boxed, started: float, limits: _Limits):
        self.held = held
        self.started = started
        self.cpu_limit = limits.cpu
        self.wall_limit = limits.wall
        self.deadline = started + limits.wall
        self.look = started + LOOK

    def is_over(self) -> bool:
        """Return whether the child has exceeded its time."""
        return time.monotonic() > self.deadline and not self._extend_deadline()

    def is_due(self) -> bool:
        """Return whether the next expensive check is due."""
        return time.monotonic() > self.look

    def looked(self, began: float) -> bool:
        """Schedule the next expensive check; return whether the CPU time is exhausted.

        A slow check delays the next one.
        """
        now = time.monotonic()
        self.look = now + max(LOOK, 10 * (now - began))
        return (self.held.group.cpu() or 0.0) > self.cpu_limit + GRACE

    def _extend_deadline(self) -> bool:
        """Extend the deadline by the time spent waiting for a core; return whether time is left.

        The waiting times of several threads are added, so the deadline may be extended too far. The deadline is not
        extended indefinitely: as soon as the threads run, they approach the CPU limit. The waiting time of helper
        processes that have ended is unknown and therefore counts as used.
        """
        times = spent_by(self.held.leader)
        if times is None:
            self.deadline = self.started + PATIENCE * self.wall_limit
        elif times.running > self.cpu_limit + GRACE:
            return False
        else:
            self.deadline = self.started + self.wall_limit + times.waiting
        return time.monotonic() <= self.deadline


class _Errors:
    """A child's standard error, read continuously so that the child never blocks; only the end is kept."""

    def __init__(self, pipe: int):
        self.pipe = pipe
        self.open = True
        self.start = b""
        self.end = b""
        self.length = 0

    @property
    def text(self) -> str:
        """The end of standard error as text."""
        return self.end.decode("utf-8", "replace")

    def read(self, seconds: float) -> None:
        """Read the available output; wait up to `seconds` if there is none."""
        if not self.open:
            time.sleep(min(NAP, seconds))
        elif select.select([self.pipe], [], [], seconds)[0]:
            chunk = os.read(self.pipe, CHUNK)
            self.open = bool(chunk)
            self.end = (self.end + chunk[-KEPT:])[-KEPT:]
            self.start += chunk[: max(0, KEPT - self.length)]
            self.length += len(chunk)
            if len(chunk) < CHUNK // 2:
                time.sleep(min(NAP, seconds))


class Ended(NamedTuple):
    """The end of a child: its status, its usage, whether it exceeded the wall limit, any other violation."""

    status: int
    usage: resource.struct_rusage
    stopped: bool
    excess: str

    @property
    def is_cut(self) -> bool:
        """Whether the host stopped the child."""
        return self.stopped or bool(self.excess)


def _wait(child: subprocess.Popen[bytes], clock: _Clock, limits: _Limits, errors: _Errors) -> Ended:
    """Wait for the child and kill it if it exceeds a limit. Give up if the child survives the kill."""
    import resource

    stopped, excess, until = False, "", math.inf
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            errors.read(0)
            return Ended(child.returncode, usage, stopped, excess)
        if not stopped and not excess:
            stopped = clock.is_over()
            if not stopped and clock.is_due():
                began, excess = time.monotonic(), limits.excess()
                stopped = clock.looked(began) and not excess
            if stopped or excess:
                clock.held.stop()
                until = time.monotonic() + ENDING
        if time.monotonic() > until:
            child.returncode = -signal.SIGKILL  # the real exit status remains unknown
            return Ended(child.returncode, resource.struct_rusage([0] * 16), stopped, excess or UNENDED)
        errors.read(POLL)
