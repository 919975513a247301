"""Child processes with limits on CPU time, wall-clock time, memory, processes and files.

The main limit is CPU time. The limit on wall-clock time also ends programs that only wait. On a busy machine, a program
can reach the wall-clock limit after using little CPU time. Therefore, during a long run, a sentinel process
(littlego.sandbox.sentinel) measures what share of a core a process can get.

A control group (littlego.sandbox.cgroups) confines a child if the machine supports groups. The group counts the CPU
time of all the child's descendants. On request, a sandbox (littlego.sandbox.sandbox) confines the child, too. The
system's limits for each process (setrlimit) always apply. This module runs on Python 3.7, only on POSIX systems.
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

from littlego.sandbox import supervise
from littlego.sandbox.processes import count_of_user, count_of_user_before, threads_in
from littlego.sandbox.sandbox import ENDING
from littlego.sandbox.sentinel import Sentinel
from littlego.sandbox.supervise import PROCESSES, UNENDED, Confined, confine
from littlego.sandbox.workfolder import is_full
from littlego.signals import release, signals_held

if TYPE_CHECKING:
    import resource

BACKSTOP = 5  # wall limit of a turn as a multiple of its CPU limit
GRACE = 2.0  # CPU seconds beyond the limit, counted for all processes together, at which the host stops the child
LARGEST = 1 << 26  # maximum bytes of a file that a program writes, so that output.txt cannot fill the disk
DESCRIPTORS = 256  # maximum number per process: an open descriptor keeps a removed file on the disk
SPARE = 16  # if the user may start fewer than SPARE further processes, a program may fail to start one
KEPT = 4000  # bytes kept of the beginning and of the end of standard error
CHUNK = 1 << 16  # bytes to read at once: the capacity of a pipe
POLL = 0.01  # seconds between two checks of a silent child
NAP = 0.001  # seconds to wait after a short read, so that several short outputs are read at once
SOON = 5.0  # wall seconds, or half of the wall limit if less, after which a sentinel starts beside a child
LOOK = 0.1  # minimum seconds between two expensive checks, which look at the folder and the control group


class Run(NamedTuple):
    """The result of a child process."""

    status: int  # exit status, or minus the number of the signal that ended the child
    cpu: float  # seconds
    wall: float  # seconds
    stopped: bool  # whether the host killed the child at a time limit
    errors: str  # end of the child's standard error
    printed: int  # number of bytes written to standard error
    left: int  # number of processes left running
    struck: tuple[str, ...] = ()  # descriptions of other limits that the child reached
    held: str = ""  # the child's confinement in words
    began: str = ""  # beginning of the child's standard error
    # share of a core, 0 to 1, that a ready process got beside the child; 1 for a short run, which is not measured
    share: float = 1.0
    # a clause about a full disk or an exhausted process limit, which excuses a failure of the child; '' for none
    lacked: str = ""

    def is_stalled(self, cpu_limit: float, wall_limit: float) -> bool:
        """Return whether other work on the machine, not the child, caused the timeout.

        Without a timeout, the result is False.

        The child's available CPU time is its share of a core times its wall time. After a timeout, the result is True
        if both the available and the used CPU time are below cpu_limit and below a fifth of wall_limit, all in seconds.
        """
        return self.stopped and max(self.cpu, self.share * self.wall) < min(cpu_limit, wall_limit / BACKSTOP)

    def ended_by(self, number: int) -> bool:
        """Return whether a signal ended the child. A shell reports a signal as 128 plus the signal's number."""
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
    """Run a command in a folder until it ends or exceeds a limit; return its Run.

    CPU time is user plus system time of the child, its threads and its descendants. With a control group, all
    descendants count. Otherwise, a descendant counts only if it was reaped or found by a check; at most ten checks run
    per second. The sandbox's own time is excluded. RLIMIT_CPU ends each process whose CPU time reaches the next whole
    second beyond cpu_limit. RLIMIT_FSIZE limits each file that a process writes to LARGEST bytes.

    When the child ends, its descendants are killed. With neither a sandbox nor a control group, only descendants in the
    child's process group, or with this run's mark in their environment, are killed.

    After `wall_limit` seconds, all processes are killed, even if they only wait; see Run.is_stalled for timeouts that a
    busy machine causes. `extra` contains environment variables to add. In a sandbox, the command can write to its
    folder and to the `writable` folders. `excess` is called repeatedly; it returns a reason to stop the child, or '' to
    continue. Raise OSError if the command cannot be started.
    """
    with closing(confine(command, folder, extra or {}, sandboxed, writable)) as held:
        return _run_held(held, folder, _Limits(cpu_limit, wall_limit, excess))


class _Limits(NamedTuple):
    """The limits at which this process stops a child.

    cpu: CPU seconds. wall: wall seconds. excess: see run_limited.
    """

    cpu: float
    wall: float
    excess: Callable[[], str]


def start(held: Confined, folder: str, cpu_limit: float | None, talks: bool = False) -> subprocess.Popen[bytes]:
    """Start a confined child and return its process. cpu_limit: CPU seconds, or None for no limit.

    talks: whether the child's standard input and output are pipes. The caller must defer termination signals
    (littlego.signals) until it has stored the returned process.
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


def _run_held(held: Confined, folder: str, limits: _Limits) -> Run:
    """Run a confined child until it ends or exceeds a limit; return the Run."""
    started = time.monotonic()
    child: subprocess.Popen[bytes] | None = None
    ended: Ended | None = None
    clock = _Clock(held, started, limits, folder)
    try:
        with signals_held():  # defer signals until this process knows which child to end
            child = start(held, folder, limits.cpu)
            held.started(child.pid)
        assert child.stderr is not None
        errors = _Errors(child.stderr.fileno())
        ended = _wait(child, clock, errors)
        share = clock.share()
        left = 0 if ended.is_cut else held.count_left()
    finally:
        clock.close()
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
        share,
        clock.lacked or (find_lack(folder, held) if ended.status else ""),
    )


def _end(child: subprocess.Popen[bytes], held: Confined, reaped: bool) -> None:
    """Kill a child and all its descendants. reaped: whether the child's exit status has been read."""
    if not reaped:
        child.kill()
        with suppress(subprocess.TimeoutExpired):
            child.wait(ENDING)
    held.kill()
    assert child.stderr is not None
    child.stderr.close()


def _limiter(cpu_limit: float | None, held: Confined) -> Callable[[], None]:
    """Return a function that moves the child into its control group and sets the child's limits.

    The child calls the function before the program starts. cpu_limit: CPU seconds, or None for no limit.
    """
    import resource  # missing on Windows, where programs cannot be played

    # RLIMIT_NPROC limits the number of all processes and threads of the user.
    users = 0 if "processes" in held.group.holds() else count_of_user_before()

    def limit() -> None:
        release()
        held.join()
        if cpu_limit is not None:
            _lower(resource.RLIMIT_CPU, math.floor(cpu_limit) + 1, math.floor(cpu_limit) + 2)
        _lower(resource.RLIMIT_FSIZE, LARGEST, LARGEST)
        _lower(resource.RLIMIT_DATA, supervise.MEMORY, supervise.MEMORY)
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
    """A child's deadline, and the periodic checks of its limits.

    The clock also owns the sentinel that runs beside a long-running child.
    """

    def __init__(self, held: Confined, started: float, limits: _Limits, folder: str):
        self.held = held
        self.folder = folder
        self.excess = limits.excess
        self.lacked = ""
        self.cpu_limit = limits.cpu
        self.deadline = started + limits.wall
        self.soon = started + min(SOON, limits.wall / 2)
        self.look_at = started + LOOK
        self.sentinel: Sentinel | None = None

    def is_over(self) -> bool:
        """Return whether the child has exceeded its wall limit. Also start the sentinel once it is due."""
        now = time.monotonic()
        if self.sentinel is None and now > self.soon:
            self.sentinel = Sentinel()
        return now > self.deadline

    def look(self) -> str:
        """Return the limit that the child exceeds, as text; '' if no limit is exceeded or no check is due yet.

        The next check is due after LOOK seconds or ten times the duration of this check, whichever is longer.
        """
        began = time.monotonic()
        if began < self.look_at:
            return ""
        excess = self.held.look() or self.excess()
        self.lacked = self.lacked or find_lack(self.folder, self.held)
        now = time.monotonic()
        self.look_at = now + max(LOOK, 10 * (now - began))
        return excess

    def is_spent(self) -> bool:
        """Return whether the child exceeded the CPU limit by more than GRACE seconds.

        The result is based on the child's CPU time at the last check.
        """
        return self.held.spent > self.cpu_limit + GRACE

    def share(self) -> float:
        """Return the share of a core that a process could get during the run.

        The result is 1 if this share was not measured.
        """
        return 1.0 if self.sentinel is None else self.sentinel.share()

    def close(self) -> None:
        """End the sentinel."""
        if self.sentinel is not None:
            self.sentinel.close()


def find_lack(folder: str, held: Confined | None = None) -> str:
    """Return a clause that reports a full disk, or a process limit that other programs exhausted, else ''.

    `held` is the child's confinement, or None if the child could not be started. The process limit is ignored if the
    user is root or if a control group limits the child's processes. It is also ignored if the child has at least
    PROCESSES / 2 threads, because the child then counts as the cause.
    """
    if is_full(folder):
        return f"the disk of {folder} was full"
    if not os.getuid() or held and "processes" in held.group.holds():
        return ""
    is_crowded = count_of_user() > count_of_user_before() + PROCESSES - SPARE
    is_others = held is None or threads_in(held.processes()) < PROCESSES // 2
    return "other programs exhausted your user's process limit" if is_crowded and is_others else ""


class _Errors:
    """A reader that drains a child's standard error and keeps only the start and the end of the output."""

    def __init__(self, pipe: int):
        self.pipe = pipe
        self.open = True
        self.start = b""
        self.end = b""
        self.length = 0

    @property
    def text(self) -> str:
        """The end of the child's standard error as text."""
        return self.end.decode("utf-8", "replace")

    def read(self, seconds: float) -> None:
        """Read the available standard error; wait up to `seconds` for output if none is available."""
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
    """The end of a child process: exit status, resource usage and exceeded limits.

    stopped: whether the child was stopped at a time limit. excess: a text about another exceeded limit, or ''.
    """

    status: int
    usage: resource.struct_rusage
    stopped: bool
    excess: str

    @property
    def is_cut(self) -> bool:
        """Whether this process stopped the child at a limit."""
        return self.stopped or bool(self.excess)


def _wait(child: subprocess.Popen[bytes], clock: _Clock, errors: _Errors) -> Ended:
    """Wait until the child ends, and return an Ended; kill the child if it exceeds a limit.

    Stop waiting ENDING seconds after the kill.
    """
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
            if not stopped:
                excess = clock.look()
                stopped = clock.is_spent() and not excess
            if stopped or excess:
                clock.held.stop()
                until = time.monotonic() + ENDING
        if time.monotonic() > until:
            child.returncode = -signal.SIGKILL  # the real exit status remains unknown
            return Ended(child.returncode, resource.struct_rusage([0] * 16), stopped, excess or UNENDED)
        errors.read(POLL)
