"""Confinement of a running program: sandbox and control group, as far as the machine supports them.

Runs on Python 3.7.
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
from littlego.sandbox.processes import MARK, PROC, count_alive, kill_group, marked, members_of, spent_by, threads_of
from littlego.sandbox.sandbox import Box, Usage, is_filtered

if TYPE_CHECKING:
    import resource

END_SECONDS = 0.1  # seconds for descendants to end after the child
POLL = 0.01  # seconds between two checks of the descendants
BWRAP_SAYS = "bwrap: "  # prefix of bubblewrap's errors; a program that prints this prefix also loses
BROKE = "ended the shell that watched it"  # without a control group, the program's CPU time is also lost
UNENDED = "could not be ended"
OVERHEAD_MOST = 0.05  # maximum CPU seconds subtracted for bubblewrap and the shell, which a program could abuse
_runs = itertools.count()


class Plain:
    """A child without a sandbox. words, environment, output, passed: arguments for Popen."""

    output = subprocess.DEVNULL
    passed: tuple[int, ...] = ()

    def __init__(
        self, command: list[str], folder: str, extra: dict[str, str], group: cgroups.Group, writable: tuple[str, ...]
    ):
        self.words = command
        self.group = group
        self.mark = f"{os.getpid()}-{next(_runs)}"
        self.environment = dict(os.environ, **{MARK: self.mark}, **extra)
        self.leader = 0
        self.left_cpu = 0.0

    def name(self) -> str:
        """Return the child's confinement in words."""
        return f"no sandbox, {_describe_group(self.group)}"

    def join(self) -> None:
        """Confine this process; called in a child before the child becomes the program."""
        self.group.join()

    def started(self, leader: int) -> None:
        """Record the started process."""
        self.leader = leader

    def count_left(self) -> int:
        """Return the number of reported processes that outlive their leader."""
        until = time.monotonic() + END_SECONDS
        while True:
            left = len(self.group.pids()) if self.group else len(self._strays()) + count_alive(self.leader)
            if not left or time.monotonic() > until:
                return left
            time.sleep(POLL)

    def stop(self) -> None:
        """Kill the leader early."""
        kill_group(self.leader)

    def kill(self) -> None:
        """Kill all known processes and record their CPU time."""
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
        """Return the CPU seconds of the run after all processes are killed."""
        return max(usage.ru_utime + usage.ru_stime + self.left_cpu, self.group.cpu() or 0.0)

    def findings(self, cut: bool, status: int, errors: str) -> list[str]:
        """Return further violations. cut: whether the host stopped the program. status: the leader's exit status."""
        return [UNENDED] * bool(self.group.pids())

    def plain_status(self, status: int) -> int:
        """Return the exit status of the program itself."""
        return status

    def close(self) -> None:
        """Release resources."""

    def _strays(self) -> list[int]:
        """Return the processes of the run that left the process group."""
        group = {int(pid) for pid, _ in members_of(self.leader, PROC)}
        return [pid for pid in marked(self.mark) if pid not in group]


class Boxed:
    """A child in a sandbox; bubblewrap is the leader, the program a descendant. watched: see Box."""

    def __init__(
        self,
        command: list[str],
        folder: str,
        extra: dict[str, str],
        group: cgroups.Group,
        writable: tuple[str, ...],
        watched: bool = True,
    ):
        self.box = Box(command, folder, extra, writable, watched)
        self.words, self.environment = self.box.words, self.box.environment
        self.output, self.passed = self.box.output, self.box.passed
        self.group = group
        self.leader = 0
        self.keyutils = None if is_filtered() else _load_keyutils()
        self.told: Outcome | None = None
        self.left_cpu = 0.0
        self.ended: Usage | None = None

    def name(self) -> str:
        """Return the child's confinement in words."""
        unfiltered = "" if is_filtered() else "no filter of system calls, "
        return f"bubblewrap, {unfiltered}{_describe_group(self.group)}"

    def join(self) -> None:
        """Confine this process; called in a child before the child becomes bubblewrap."""
        self.group.join()
        if self.keyutils:
            self.keyutils.keyctl_join_session_keyring(None)  # a new session keyring, in case the filter allows keyrings

    def started(self, leader: int) -> None:
        """Record the started process."""
        self.leader = leader
        self.box.started()

    def count_left(self) -> int:
        """Return the number of processes that outlived the program, as counted by the shell in the sandbox."""
        self.told = self.box.report.read()
        return self.told.left if self.told else 0

    def stop(self) -> None:
        """Kill the leader early."""
        if not self.group:  # without a group the processes' CPU time would be lost
            self.left_cpu = spent_by(self.leader) or 0.0
        kill_group(self.leader)

    def kill(self) -> None:
        """Kill all processes; the end of bubblewrap ends its namespace and all processes in the namespace."""
        kill_group(self.leader)
        self.box.kill()
        self.group.kill()
        self.ended = self.box.ended()

    def settle(self, usage: resource.struct_rusage) -> float:
        """Return the CPU seconds of the run, excluding bubblewrap and the shell."""
        waited, own = self.ended or Usage(0.0, 0.0)
        report = self.told or Outcome(0, self.left_cpu, 0.0, 0)
        leader = usage.ru_utime + usage.ru_stime
        counted = max(leader + waited + report.spent, self.group.cpu() or 0.0)  # the group measures independently
        return max(0.0, counted - min(leader + own + report.own, OVERHEAD_MOST))

    def findings(self, cut: bool, status: int, errors: str) -> list[str]:
        """Return a violation if the shell, which the program can reach, ended without a report.

        Raise OSError if bubblewrap did not start.
        """
        if not self.told and not cut and errors.startswith(BWRAP_SAYS):
            raise OSError(f"the sandbox does not start: {errors.strip()[:300]}")
        broke = not cut and (not self.told or status)
        return [BROKE] * bool(broke) + [UNENDED] * (self.ended is None or bool(self.group.pids()))

    def plain_status(self, status: int) -> int:
        """Return the exit status of the program itself; the shell reports signals as numbers above 128."""
        status = self.told.status if self.told else status
        return 128 - status if status > 128 else status

    def close(self) -> None:
        """Release resources."""
        self.box.close()


@lru_cache(maxsize=None)
def _load_keyutils() -> ctypes.CDLL | None:
    with suppress(OSError):
        return ctypes.CDLL("libkeyutils.so.1")
    return None


def _describe_group(group: cgroups.Group) -> str:
    holds = group.holds()
    return f"a control group ({', '.join(holds)})" if holds else "no control group"
