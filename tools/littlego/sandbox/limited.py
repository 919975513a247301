"""A child process with limits on its CPU time, its time on the clock and its files. Runs on Python 3.7, POSIX only.

Time on the clock tells nothing about a program as long as others keep the cores busy: it may have been ready to run
all the while. Linux keeps for every thread what it has had of the cores, and how long it waited for one.

Two things hold a child where the machine has them: a sandbox (littlego.sandbox.sandbox), and a control group
(littlego.sandbox.cgroups), which counts the CPU time of all processes, however they came to be. Limits of the system
for each process hold it everywhere.
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

PATIENCE = 5  # times the wall limit where the system does not tell who waits for a core
GRACE = 2.0  # seconds of CPU time past the limit, as RLIMIT_CPU allows them
LARGEST = 1 << 26  # bytes of each file that a program may write: its output.txt could fill the disk
MEMORY = 1 << 32  # bytes: of each process (RLIMIT_DATA), and of all together in a control group
PROCESSES = 256  # processes and threads: Java has dozens
DESCRIPTORS = 256  # of a process; what is written to a removed file stays on the disk while one is open
KEPT = 4000  # bytes of standard error that are kept, at its end and at its beginning
CHUNK = 1 << 16  # bytes read at once: what a pipe holds
POLL = 0.01  # seconds between two looks at a child that says nothing
NAP = 0.001  # seconds in which one that prints little can print more, else each word would wake us
LOOK = 0.1  # seconds between two looks at what costs more: its folder, its control group


class Run(NamedTuple):
    """How a child ended.

    status: its exit status (negative: the signal). cpu, wall: seconds. stopped: whether the clock stopped it. errors:
    the end of its standard error, printed: the bytes of all of it, began: its beginning. left: how many processes it
    left running. struck: which other limits it ran into, in words. held: what held it.
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
        """Return whether a signal ended the child, or its own child as a shell tells it."""
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
    """Run a command in a folder to its end, and stop it with all its processes when a limit is passed.

    CPU time is user plus system time of the child, its threads and its descendants: those that somebody waited for,
    and with a control group all. That of the sandbox itself is not among it. RLIMIT_CPU ends each process at the next
    whole second past cpu_limit, RLIMIT_FSIZE each that writes a file of more than LARGEST bytes. wall_limit: seconds,
    after which all is killed. Seconds in which the group was ready to run but got no core are not among them: on a
    machine under load CPU time alone decides. All is killed at the end too, so that nothing goes on thinking; without
    sandbox and control group that is the process group, and what carries the mark of this run in its environment.
    extra: environment variables to add. sandboxed: run it in one, where it sees, besides its folder, the `writable`
    ones. excess: says from time to time whether to stop it, and why. Raise OSError where it cannot be started.
    """
    with closing(cgroups.open_group(MEMORY, PROCESSES)) as group:
        kind = Boxed if sandboxed else Plain
        with closing(kind(command, folder, extra or {}, group, writable)) as held:
            return _run_held(held, folder, _Limits(cpu_limit, wall_limit, excess))


class _Limits(NamedTuple):
    """When to stop a child."""

    cpu: float
    wall: float
    excess: Callable[[], str]


def start(held: Plain | Boxed, folder: str, cpu_limit: float | None, talks: bool = False) -> subprocess.Popen[bytes]:
    """Start what is held. cpu_limit: seconds, None without one. talks: whether somebody speaks with it by pipes.

    Hold the signals that ask for the end back (littlego.signals) until it is known whom to end.
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
    """Run what is held to its end."""
    started = time.monotonic()
    child: subprocess.Popen[bytes] | None = None
    ended: Ended | None = None
    try:
        with signals_held():  # we may be asked to end at any time, and must then know whom to end
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
    """End a child and all that it has started. reaped: whether its exit status has been taken."""
    if not reaped:
        child.kill()
        with suppress(subprocess.TimeoutExpired):
            child.wait(ENDING)
    held.kill()
    assert child.stderr is not None
    child.stderr.close()


def _limiter(cpu_limit: float | None, held: Plain | Boxed) -> Callable[[], None]:
    """Return what a child does before it becomes the program. cpu_limit: seconds, None where nothing limits them."""
    import resource  # missing on Windows, where no program can be played

    users = 0 if "processes" in held.group.holds() else count_of_user()  # the system counts those of the whole user

    def limit() -> None:
        release()
        held.join()
        if cpu_limit is not None:
            _lower(resource.RLIMIT_CPU, math.floor(cpu_limit) + 1, math.floor(cpu_limit) + 2)
        _lower(resource.RLIMIT_FSIZE, LARGEST, LARGEST)
        _lower(resource.RLIMIT_DATA, MEMORY, MEMORY)
        _lower(resource.RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS)
        _lower(resource.RLIMIT_CORE, 0, 0)
        if users and hasattr(resource, "RLIMIT_NPROC"):  # root is not held by it
            _lower(resource.RLIMIT_NPROC, users + PROCESSES, users + PROCESSES)

    return limit


def _lower(kind: int, soft: int, hard: int) -> None:
    import resource

    allowed = resource.getrlimit(kind)[1]
    if allowed != resource.RLIM_INFINITY:  # we may be limited ourselves
        soft, hard = min(soft, allowed), min(hard, allowed)
    resource.setrlimit(kind, (soft, hard))


class _Clock:
    """When to stop a child that does not end by itself; the system is asked only once that may be so."""

    def __init__(self, held: Plain | Boxed, started: float, limits: _Limits):
        self.held = held
        self.started = started
        self.cpu_limit = limits.cpu
        self.wall_limit = limits.wall
        self.deadline = started + limits.wall
        self.look = started + LOOK

    def is_over(self) -> bool:
        """Return whether the child has had its time."""
        return time.monotonic() > self.deadline and not self._extend_deadline()

    def is_due(self) -> bool:
        """Return whether to look at what costs more to look at; then, whether all its processes have had their CPU."""
        return time.monotonic() > self.look

    def looked(self, began: float) -> bool:
        """Put the next look off, the longer the more the last one cost; return whether the CPU time is used up."""
        now = time.monotonic()
        self.look = now + max(LOOK, 10 * (now - began))
        return (self.held.group.cpu() or 0.0) > self.cpu_limit + GRACE

    def _extend_deadline(self) -> bool:
        """Put the deadline off by the time without a core; return whether it lies ahead then.

        The times of several threads add up. That can only put it off too far, and not for ever: where all wait all
        the time, somebody runs, and the limit on CPU time is near. How long helper processes that have ended waited is
        not known, and counts.
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
    """The standard error of a child: read so that the child is never held up; only its end is kept."""

    def __init__(self, pipe: int):
        self.pipe = pipe
        self.open = True
        self.start = b""
        self.end = b""
        self.length = 0

    @property
    def text(self) -> str:
        """What is kept of the end."""
        return self.end.decode("utf-8", "replace")

    def read(self, seconds: float) -> None:
        """Read what is there, or comes within some seconds."""
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
    """The end of a child: its status and usage, whether the clock stopped it, and what other excess did."""

    status: int
    usage: resource.struct_rusage
    stopped: bool
    excess: str

    @property
    def is_cut(self) -> bool:
        """Whether the host has ended it."""
        return self.stopped or bool(self.excess)


def _wait(child: subprocess.Popen[bytes], clock: _Clock, limits: _Limits, errors: _Errors) -> Ended:
    """Wait for the child, and stop it once a limit is passed; where even that does not end it, do not wait for ever."""
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
            child.returncode = -signal.SIGKILL  # nobody will learn another one
            return Ended(child.returncode, resource.struct_rusage([0] * 16), stopped, excess or UNENDED)
        errors.read(POLL)
