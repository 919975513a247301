"""What holds a program while it runs: a sandbox with a control group, or what there is of them. Runs on Python 3.7."""

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

END_SECONDS = 0.1  # seconds that descendants may take to end after the child
POLL = 0.01  # seconds between two looks at them
BWRAP_SAYS = "bwrap: "  # how its own errors begin; a program that says so itself loses as well
BROKE = "ended the shell that watched it"  # and with it, where there is no control group, what tells its CPU time
UNENDED = "could not be ended"
OVERHEAD_MOST = 0.05  # CPU seconds of bubblewrap and the shell that are taken off: what gets into them thinks no longer
_runs = itertools.count()


class Plain:
    """A child without a sandbox. words, environment, output, passed: for Popen."""

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
        """Return what holds the child, in words."""
        return f"no sandbox, {_describe_group(self.group)}"

    def join(self) -> None:
        """Put this process under what holds it; for a child before it becomes the program."""
        self.group.join()

    def started(self, leader: int) -> None:
        """Take the process that has been started."""
        self.leader = leader

    def count_left(self) -> int:
        """Return how many processes outlive their leader, as far as the system tells."""
        until = time.monotonic() + END_SECONDS
        while True:
            left = len(self.group.pids()) if self.group else len(self._strays()) + count_alive(self.leader)
            if not left or time.monotonic() > until:
                return left
            time.sleep(POLL)

    def stop(self) -> None:
        """End the leader before its time."""
        kill_group(self.leader)

    def kill(self) -> None:
        """End all processes that can be found; what they have spent is kept."""
        strays = [] if self.group else self._strays()
        if not self.group:
            times = [one for pid in strays for one in threads_of(os.path.join(PROC, str(pid), "task"))]
            spent = spent_by(self.leader)
            self.left_cpu = sum(run for run, _ in times) / 1e9 + (spent.running if spent else 0.0)
        kill_group(self.leader)
        for pid in strays:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.group.kill()

    def settle(self, usage: resource.struct_rusage) -> float:
        """Return the CPU seconds of the run, once all is killed."""
        return max(usage.ru_utime + usage.ru_stime + self.left_cpu, self.group.cpu() or 0.0)

    def findings(self, cut: bool, status: int, errors: str) -> list[str]:
        """Return what else is to be told. cut: whether the host has stopped it. status: of the leader."""
        return [UNENDED] * bool(self.group.pids())

    def plain_status(self, status: int) -> int:
        """Return the exit status of the program itself."""
        return status

    def close(self) -> None:
        """Give back what was opened."""

    def _strays(self) -> list[int]:
        """Return the processes of the run that have left the process group."""
        group = {int(pid) for pid, _ in members_of(self.leader, PROC)}
        return [pid for pid in marked(self.mark) if pid not in group]


class Boxed:
    """A child in a sandbox; bubblewrap is the leader, the program one of those below it. watched: as Box has it."""

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
        """Return what holds the child, in words."""
        unfiltered = "" if is_filtered() else "no filter of system calls, "
        return f"bubblewrap, {unfiltered}{_describe_group(self.group)}"

    def join(self) -> None:
        """Put this process under what holds it; for a child before it becomes bubblewrap."""
        self.group.join()
        if self.keyutils:
            self.keyutils.keyctl_join_session_keyring(None)  # a new one, where the filter does not close all

    def started(self, leader: int) -> None:
        """Take the process that has been started."""
        self.leader = leader
        self.box.started()

    def count_left(self) -> int:
        """Return how many processes outlived the program, as the shell inside has counted them."""
        self.told = self.box.report.read()
        return self.told.left if self.told else 0

    def stop(self) -> None:
        """End the leader before its time."""
        if not self.group:  # else what they have spent is lost with them
            spent = spent_by(self.leader)
            self.left_cpu = spent.running if spent else 0.0
        kill_group(self.leader)

    def kill(self) -> None:
        """End all processes: with bubblewrap its namespace ends, and all that is in it."""
        kill_group(self.leader)
        self.box.kill()
        self.group.kill()
        self.ended = self.box.ended()

    def settle(self, usage: resource.struct_rusage) -> float:
        """Return the CPU seconds of the run, without those of bubblewrap and of the shell."""
        waited, own = self.ended or Usage(0.0, 0.0)
        told = self.told or Outcome(0, self.left_cpu, 0.0, 0)
        leader = usage.ru_utime + usage.ru_stime
        counted = max(leader + waited + told.spent, self.group.cpu() or 0.0)  # the group does not need to be told
        return max(0.0, counted - min(leader + own + told.own, OVERHEAD_MOST))

    def findings(self, cut: bool, status: int, errors: str) -> list[str]:
        """Return what else is to be told: that the shell, which the program may reach, did not live to speak.

        Raise OSError where bubblewrap has not started.
        """
        if not self.told and not cut and errors.startswith(BWRAP_SAYS):
            raise OSError(f"the sandbox does not start: {errors.strip()[:300]}")
        broke = not cut and (not self.told or status)
        return [BROKE] * bool(broke) + [UNENDED] * (self.ended is None or bool(self.group.pids()))

    def plain_status(self, status: int) -> int:
        """Return the exit status of the program itself: the shell tells signals by numbers from 129 on."""
        status = self.told.status if self.told else status
        return 128 - status if status > 128 else status

    def close(self) -> None:
        """Give back what was opened."""
        self.box.close()


@lru_cache(maxsize=None)
def _load_keyutils() -> ctypes.CDLL | None:
    with suppress(OSError):
        return ctypes.CDLL("libkeyutils.so.1")
    return None


def _describe_group(group: cgroups.Group) -> str:
    holds = group.holds()
    return f"a control group ({', '.join(holds)})" if holds else "no control group"
