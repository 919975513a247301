"""Confinement of a running program, as far as the machine allows.

The confinement consists of a sandbox, a control group and checks of the program's processes.

This module runs on Python 3.7.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
import subprocess
import time
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from littlego.sandbox import cgroups
from littlego.sandbox.monitor import Outcome
from littlego.sandbox.processes import (
    MARK,
    PROC,
    Census,
    count_alive,
    in_namespace_of,
    kill_group,
    marked,
    members_of,
    memory_of,
    removed_bytes,
    signal_all,
    spent_by,
    threads_in,
    threads_of,
)
from littlego.sandbox.sandbox import Box, Usage, is_filtered
from littlego.sandbox.workfolder import DISK, FILLED, is_bounded

if TYPE_CHECKING:
    import resource

MEMORY = 1 << 32  # maximum bytes of a process (RLIMIT_DATA), and of all processes together
PROCESSES = 256  # maximum number of processes and threads; a Java program has dozens
OWN_THREADS = 3  # bubblewrap's processes and the shell
END_SECONDS = 0.1  # seconds for descendants to end after the child
POLL = 0.01  # seconds between two checks of the descendants
BWRAP_SAYS = "bwrap: "  # prefix of bubblewrap's errors
BROKE = "ended its supervising shell"  # without a control group, the program's CPU time is also lost
UNENDED = "could not be ended"
OVERHEAD_MOST = 0.05  # maximum CPU seconds subtracted for bubblewrap and the shell, so that no program gains more
_runs = itertools.count()


class Confined:
    """The confinement of a child (the leader) and all its processes.

    The attributes `words`, `environment`, `output` and `passed` are arguments for Popen. `spent` is the CPU time of all
    processes at the last check, in seconds.
    """

    words: list[str]
    environment: dict[str, str]
    output = subprocess.DEVNULL
    passed: tuple[int, ...] = ()

    def __init__(self, folder: str, group: cgroups.Group):
        self.folder = folder
        self.group = group
        self.leader = 0
        self.left_cpu = 0.0
        self.spent = 0.0
        self._census = Census()

    def name(self) -> str:
        """Return a description of the child's confinement."""
        holds = self.group.holds()
        group = f"a control group ({', '.join(holds)})" if holds else "no control group"
        return ", ".join([group, *["a work folder in memory"] * is_bounded(self.folder)])

    def join(self) -> None:
        """Confine this process; call this method in the child, before the program starts."""
        self.group.join()

    def started(self, leader: int) -> None:
        """Record the process id of the started child."""
        self.leader = leader

    def processes(self) -> list[int]:
        """Return the ids of all known processes of the child."""
        raise NotImplementedError

    def look(self) -> str:
        """Return, as a verb phrase, the limit that the processes together exceed, or '' if they exceed none.

        Limits that the control group enforces are not checked. This method also updates `spent`.
        """
        pids, holds = self.processes(), self.group.holds()
        counted = self.group.cpu()
        if counted is None:
            self._census.count(pids)
        self.spent = self._census.cpu() if counted is None else counted
        if "memory" not in holds and memory_of(pids, MEMORY) > MEMORY:
            return f"used more than {MEMORY / (1 << 30):.3g} GB of memory"
        if "processes" not in holds and threads_in(pids) > PROCESSES + OWN_THREADS:
            return f"ran more than {PROCESSES} processes and threads"
        with suppress(OSError):
            if not is_bounded(self.folder) and removed_bytes(pids, os.stat(self.folder).st_dev) > DISK:
                return FILLED.format(f"more than {DISK >> 20} MB in removed files")
        return ""

    def freeze(self, frozen: bool) -> None:
        """Suspend or resume all processes."""
        if not self.group.freeze(frozen):
            signal_all(self.processes, signal.SIGSTOP if frozen else signal.SIGCONT)

    def count_left(self) -> int:
        """Return the number of known processes that still run after the program's end."""
        raise NotImplementedError

    def stop(self) -> None:
        """Kill the leader's process group, for example when the program exceeds a limit."""
        kill_group(self.leader)

    def kill(self) -> None:
        """Kill all known processes and record their CPU time."""
        raise NotImplementedError

    def settle(self, usage: resource.struct_rusage) -> float:
        """Return the CPU seconds of the run; call this method after `kill`. usage: the leader's usage."""
        raise NotImplementedError

    def findings(self, cut: bool, status: int, errors: str) -> list[str]:
        """Return the violations other than exceeded limits, as verb phrases.

        cut: whether this process stopped the program at a limit. status, errors: the leader's exit status and error
        output.
        """
        return [UNENDED] * bool(self.group.pids())

    def plain_status(self, status: int) -> int:
        """Return the program's exit status. status: the leader's exit status."""
        return status

    def close(self) -> None:
        """Kill the remaining processes of the control group and remove the group."""
        self.group.close()


class Plain(Confined):
    """A child without a sandbox."""

    def __init__(self, command: list[str], folder: str, extra: dict[str, str], group: cgroups.Group):
        super().__init__(folder, group)
        self.words = command
        self.mark = f"{os.getpid()}-{next(_runs)}"
        self.environment = dict(os.environ, **{MARK: self.mark}, **extra)

    def name(self) -> str:
        return f"no sandbox, {super().name()}"

    def processes(self) -> list[int]:
        if self.group:
            return self.group.pids()
        return [*map(int, (pid for pid, _ in members_of(self.leader, PROC))), *self._strays()]

    def count_left(self) -> int:
        until = time.monotonic() + END_SECONDS
        while True:
            left = len(self.group.pids()) if self.group else len(self._strays()) + count_alive(self.leader)
            if not left or time.monotonic() > until:
                return left
            time.sleep(POLL)

    def kill(self) -> None:
        strays = [] if self.group else self._strays()
        if not self.group:
            spent = sum(spent for pid in strays for spent in threads_of(os.path.join(PROC, str(pid), "task")))
            self.left_cpu = spent / 1e9 + (spent_by(self.leader) or 0.0)
        kill_group(self.leader)
        for pid in strays:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.group.kill()

    def settle(self, usage: resource.struct_rusage) -> float:
        counted = usage.ru_utime + usage.ru_stime + self.left_cpu
        return max(counted, self._census.cpu(), self.group.cpu() or 0.0)

    def _strays(self) -> list[int]:
        """Return the ids of the run's processes that left the process group."""
        group = {int(pid) for pid, _ in members_of(self.leader, PROC)}
        return [pid for pid in marked(self.mark) if pid not in group]


class Boxed(Confined):
    """A child in a sandbox. The leader is bubblewrap, not the program. writable, watched: see Box."""

    def __init__(
        self,
        command: list[str],
        folder: str,
        extra: dict[str, str],
        group: cgroups.Group,
        writable: tuple[str, ...] = (),
        watched: bool = True,
    ):
        super().__init__(folder, group)
        self.box = Box(command, folder, extra, writable, watched)
        self.words, self.environment = self.box.words, self.box.environment
        self.output, self.passed = self.box.output, self.box.passed
        self.keyutils = None if is_filtered() else _load_keyutils()
        self.told: Outcome | None = None
        self.ended: Usage | None = None

    def name(self) -> str:
        unfiltered = "" if is_filtered() else "no system-call filter, "
        return f"bubblewrap, {unfiltered}{super().name()}"

    def join(self) -> None:
        super().join()
        if self.keyutils:
            self.keyutils.keyctl_join_session_keyring(None)  # a new session keyring, as no filter forbids keyrings

    def processes(self) -> list[int]:
        if self.group:
            return self.group.pids()
        return in_namespace_of(self.box.keeper) if self.box.keeper else []

    def started(self, leader: int) -> None:
        super().started(leader)
        self.box.started()

    def count_left(self) -> int:
        self.told = self.box.report.read()
        return self.told.left if self.told else 0

    def stop(self) -> None:
        if not self.group:  # without a group the processes' CPU time would be lost
            self._census.count(self.processes())
            self.left_cpu = spent_by(self.leader) or 0.0
        super().stop()

    def kill(self) -> None:
        """Kill all processes: when bubblewrap ends, the system kills all processes in its namespace."""
        kill_group(self.leader)
        self.box.kill()
        self.group.kill()
        self.ended = self.box.ended()

    def settle(self, usage: resource.struct_rusage) -> float:
        """Return the CPU seconds of the run, minus at most OVERHEAD_MOST seconds for bubblewrap and the shell."""
        waited, own = self.ended or Usage(0.0, 0.0)
        report = self.told or Outcome(0, self.left_cpu, 0.0, 0)
        leader = usage.ru_utime + usage.ru_stime
        # the group and the census measure independently
        counted = max(leader + waited + report.spent, self._census.cpu(), self.group.cpu() or 0.0)
        return max(0.0, counted - min(leader + own + report.own, OVERHEAD_MOST))

    def findings(self, cut: bool, status: int, errors: str) -> list[str]:
        """Return the violations other than exceeded limits, as verb phrases.

        An example is `ended its supervising shell`. Raise OSError if bubblewrap did not start.
        """
        if not self.told and not cut and errors.startswith(BWRAP_SAYS):
            raise OSError(f"the sandbox does not start: {errors.strip()[:300]}")
        broke = not cut and (not self.told or status)
        return [BROKE] * bool(broke) + [UNENDED] * (self.ended is None or bool(self.group.pids()))

    def plain_status(self, status: int) -> int:
        """Return the program's exit status, or -N if signal N ended the program; the shell reports 128 + N."""
        status = self.told.status if self.told else status
        return 128 - status if status > 128 else status

    def close(self) -> None:
        self.box.close()
        super().close()


def confine(
    command: list[str],
    folder: str,
    extra: dict[str, str],
    sandboxed: bool,
    writable: tuple[str, ...] = (),
    talks: bool = False,
) -> Confined:
    """Return the confinement of a command that is about to run in a folder.

    talks: whether the command runs for a whole game and exchanges text with this process. With a sandbox, raise OSError
    if the program is missing; without a sandbox, Popen raises the error.
    """
    group = cgroups.open_group(MEMORY, PROCESSES, freezes=talks)
    try:
        if sandboxed:
            return Boxed(command, folder, extra, group, writable, watched=not talks)
        return Plain(command, folder, extra, group)
    except BaseException:
        group.close()
        raise


@lru_cache(maxsize=None)
def _load_keyutils() -> ctypes.CDLL | None:
    with suppress(OSError):
        return ctypes.CDLL("libkeyutils.so.1")
    return None
