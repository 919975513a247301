"""Players that are programs of their own: the course's file protocol, with limits. Runs on Python 3.7, POSIX only."""

from __future__ import annotations

import contextlib
import math
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from tools.match.protocol import INPUT, OUTPUT, BadOutput, Turn, read_output, write_input
from tools.match.referee import CPU_LIMIT, Player, Reply
from tools.match.starving import spent

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUR_PLAYER = os.path.join(ROOT, "my_player3.py")
WALL_LIMIT = 60.0  # seconds: six times the CPU limit, for a player that sleeps; waiting for a core is not counted
PATIENCE = 5  # times the wall limit where the system does not tell who waits for a core
GRACE = 2.0  # seconds of CPU time past the limit, as RLIMIT_CPU allows them
KEPT = 4000  # bytes of standard error that are kept
POLL = 0.01  # seconds between two looks at a child that has closed its standard error but not ended


class Run(NamedTuple):
    """How a child ended: exit status (negative: the signal), CPU and wall-clock seconds, end of its standard error."""

    status: int
    cpu: float
    wall: float
    stopped: bool
    errors: str


def run_limited(command: list, folder: str, cpu_limit: float, wall_limit: float, extra: dict | None = None) -> Run:
    """Run a command in a folder to its end, and stop it and its process group when a limit is passed.

    CPU time is user plus system time of the child, its threads and the descendants that it waited for. RLIMIT_CPU
    ends each process at the next whole second past cpu_limit. wall_limit: seconds, after which the whole process
    group is killed. Seconds in which the group was ready to run but got no core are not among them: on a machine
    under load CPU time alone decides. The group is killed at the end too, so that nothing goes on thinking. A
    descendant that leaves it is out of reach, its CPU time bounded by RLIMIT_CPU. extra: environment variables to
    add. Raise OSError where the command cannot be started.
    """
    soft, hard = math.floor(cpu_limit) + 1, math.floor(cpu_limit) + 2
    allowed = resource.getrlimit(resource.RLIMIT_CPU)[1]
    if allowed != resource.RLIM_INFINITY:  # we may be limited ourselves
        soft, hard = min(soft, allowed), min(hard, allowed)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))

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
    try:
        status, usage, stopped, errors = _wait(child, _Clock(child.pid, started, cpu_limit, wall_limit))
    finally:
        _kill_group(child.pid)
        child.stderr.close()
    cpu = usage.ru_utime + usage.ru_stime
    return Run(status, cpu, time.monotonic() - started, stopped, errors.decode("utf-8", "replace"))


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
        return time.monotonic() > self.deadline and not self._extended()

    def _extended(self) -> bool:
        """Put the deadline off by the time without a core; return whether it lies ahead then.

        The times of several threads add up. That can only put it off too far, and not for ever: where all wait all
        the time, somebody runs, and the limit on CPU time is near.
        """
        found = spent(self.group)
        if found is None:
            self.deadline = self.started + PATIENCE * self.wall_limit
        elif found.running > self.cpu_limit + GRACE:
            return False
        else:
            self.deadline = self.started + self.wall_limit + found.waiting
        return time.monotonic() <= self.deadline


def _wait(child: subprocess.Popen, clock: _Clock) -> tuple:
    """Wait for the child; return (status, resource usage, whether the clock stopped it, end of standard error)."""
    pipe = child.stderr.fileno()
    errors, open_pipe, stopped = b"", True, False
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            if open_pipe and select.select([pipe], [], [], 0)[0]:
                errors += os.read(pipe, 65536)
            return child.returncode, usage, stopped, errors[-KEPT:]
        if not stopped and clock.is_over():
            stopped = True
            _kill_group(child.pid)
        if not open_pipe:
            time.sleep(POLL / 10)
        elif select.select([pipe], [], [], POLL)[0]:
            chunk = os.read(pipe, 65536)
            open_pipe = bool(chunk)
            errors = (errors + chunk)[-KEPT:]


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody left; macOS says so in the second way
        os.killpg(group, signal.SIGKILL)


class FilePlayer(Player):
    """A program that reads input.txt and writes output.txt in its work folder, started anew for every move.

    command: words, run without a shell. folder: the work folder; a fresh one is made, and removed by close, if it
    is None. extra: environment variables to add. slower: how many times slower the machine is whose CPU seconds
    count; those of the limits and of the replies are its seconds. Its exit status and what it prints decide nothing.
    """

    timed = False  # the host measures the child itself

    def __init__(
        self,
        name: str,
        command: list,
        folder: str | None = None,
        extra: dict | None = None,
        cpu_limit: float = CPU_LIMIT,
        wall_limit: float = WALL_LIMIT,
        slower: float = 1.0,
    ):
        self.name = name
        self.command = command
        self.fresh = None if folder else tempfile.mkdtemp(prefix="littlego-")
        self.folder = folder or self.fresh
        self.extra = extra
        self.cpu_limit = cpu_limit
        self.wall_limit = wall_limit
        self.slower = slower

    def choose(self, turn: Turn) -> Reply:
        """Write input.txt, run the program, read output.txt; whatever goes wrong is the reply's fault."""
        if self.fresh and os.path.islink(self.fresh):  # what we write or remove there would be somebody else's
            return Reply(None, 0.0, "has put a link in the place of its work folder")
        os.makedirs(self.folder, exist_ok=True)  # a player may have removed it
        self.clean()
        write_input(self.folder, turn)
        try:
            run = self._run()
        except OSError as error:
            return Reply(None, 0.0, f"cannot be started: {error}")
        note = _note(run)
        late = self._late(run)
        if late:
            return Reply(None, run.cpu, late, note=note)
        try:
            answer = read_output(self.folder, turn.position.ruleset.size)
        except BadOutput as error:
            return Reply(None, run.cpu, str(error), note=note)
        if answer.move is None:
            return Reply(None, run.cpu, f"illegal move {answer.text}: off the board", note=note)
        return Reply(answer.move, run.cpu, warning=answer.warning, note=note)

    def _run(self) -> Run:
        here = self.cpu_limit / self.slower
        run = run_limited(self.command, self.folder, here, self.wall_limit / min(1, self.slower), self.extra)
        return run._replace(cpu=run.cpu * self.slower)

    def _late(self, run: Run) -> str:
        if run.cpu > self.cpu_limit:
            return f"used {run.cpu:.2f} s of CPU time, the limit is {self.cpu_limit:g} s"
        return f"was stopped after {self.wall_limit:g} s on the clock" if run.stopped else ""

    def clean(self) -> None:
        """Remove input.txt and output.txt, whatever they are by now; leave all other files."""
        for name in (INPUT, OUTPUT):
            path = os.path.join(self.folder, name)
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.lexists(path):
                os.remove(path)

    def close(self) -> None:
        """Remove the two files, and the folder if it was made for this player."""
        if self.fresh and os.path.isdir(self.fresh) and not os.path.islink(self.fresh):
            shutil.rmtree(self.fresh, ignore_errors=True)
        elif self.fresh and os.path.lexists(self.fresh):  # the player put something else in its place
            os.remove(self.fresh)
        elif os.path.isdir(self.folder):
            self.clean()


def _note(run: Run) -> str:
    """Return what a reader should see of the program's own troubles, in one line."""
    ended = f"exit status {run.status}" if run.status > 0 else f"signal {-run.status}"
    parts = [ended] if run.status else []
    lines = [line.strip() for line in run.errors.splitlines() if line.strip()]
    return "; ".join(parts + lines[-1:])


def our_player(folder: str | None = None, python: str = sys.executable) -> FilePlayer:
    """Return our own player as the course runs it: a new process every turn."""
    return FilePlayer("my_player3", [python, OUR_PLAYER], folder)


def role_player(role: str, seed: int, folder: str | None = None) -> FilePlayer:
    """Return one of the roles (see tools.opponents) over the file protocol: a new process every turn."""
    program = os.path.join(ROOT, "tools", "opponents", "__main__.py")  # with -m, modules in the folder come first
    command = [sys.executable, program, role, "--seed", str(seed)]
    return FilePlayer("file:" + role, command, folder, {"PYTHONPATH": ROOT})
