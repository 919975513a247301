"""Linux control groups, with which the tools measure, limit and freeze all processes of a run.

Each group is a child of this process's original group, created for one run and removed after the run. In version 2 of
control groups, a group that contains processes cannot enable controllers for its children. Therefore, this process
first moves into a separate child group. If the machine allows no groups or lacks a controller, the affected limits do
not apply. This module runs on Python 3.7.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

MOUNTS, OWN = "/proc/self/mounts", "/proc/self/cgroup"
V1 = ("cpuacct", "memory", "pids")
FREEZER = "freezer"  # only for runs that can be frozen: each further controller costs time
PASSED_ON = ("cpu", "memory", "pids")  # controllers of version 2
PREFIX = "littlego-"
OWN_END = "-self"  # suffix of the name of this process's group, a sibling of the groups of its runs
ENDING = 2.0  # maximum seconds for the system to remove a killed process
NAP = 0.002  # seconds between two attempts
SCOPE = ("systemd-run", "--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--")
TRIED = "LITTLEGO_SCOPE"  # environment variable of a command that has tried to enter a scope
PATIENCE = 10.0  # maximum seconds for systemd's answer
_numbers = itertools.count()


class Group:
    """A control group. folders: {controller: folder}; in version 2 of cgroups all controllers share one folder."""

    def __init__(self, folders: dict[str, str]):
        self.folders = folders

    def __bool__(self) -> bool:
        return bool(self.folders)

    def holds(self) -> list[str]:
        """Return which resources the group measures or limits, out of CPU time, memory and processes."""
        names: dict[str, tuple[str, ...]]
        names = {"CPU time": ("cpuacct.usage", "cpu.stat"), "memory": ("memory.max", "memory.limit_in_bytes")}
        names["processes"] = ("pids.max",)
        return [what for what, files in names.items() if any(map(os.path.exists, self._files(files)))]

    def _files(self, names: tuple[str, ...]) -> list[str]:
        return [os.path.join(folder, name) for folder in self._places() for name in names]

    def limit(self, memory: int, processes: int) -> None:
        """Limit memory, in bytes and without swap, and the number of processes and threads."""
        for controller, name, value in (
            ("memory", "memory.max", memory),
            ("memory", "memory.swap.max", 0),
            ("memory", "memory.limit_in_bytes", memory),
            ("memory", "memory.memsw.limit_in_bytes", memory),
            ("pids", "pids.max", processes),
        ):
            path = os.path.join(self.folders.get(controller, ""), name)
            with suppress(OSError):
                if os.path.exists(path):
                    _write(path, str(value))

    def join(self) -> None:
        """Move this process into the group; a child calls this method before it executes the program."""
        for folder in self._places():
            with suppress(OSError):
                _write(os.path.join(folder, "cgroup.procs"), "0")

    def cpu(self) -> float | None:
        """Return the CPU seconds of all processes that have been in the group, or None if unknown."""
        folder = self.folders.get("cpuacct", "")
        nanoseconds = _read(os.path.join(folder, "cpuacct.usage"))
        microseconds = re.search(r"^usage_usec (\d+)", _read(os.path.join(folder, "cpu.stat")), re.M)
        if microseconds:
            return int(microseconds[1]) / 1e6
        return int(nanoseconds) / 1e9 if nanoseconds.strip().isdigit() else None

    def refusals(self) -> list[str]:
        """Return verb phrases such as `reached its memory limit` for the limits that the group reached."""
        memory, pids = self.folders.get("memory", ""), self.folders.get("pids", "")
        texts = [_read(os.path.join(memory, name)) for name in ("memory.events", "memory.oom_control")]
        killed = any(int(number) for text in texts for number in re.findall(r"^oom_kill (\d+)", text, re.M))
        most = re.search(r"^max ([1-9]\d*)", _read(os.path.join(pids, "pids.events")), re.M)
        return ["reached its memory limit"] * killed + ["reached its process limit"] * bool(most)

    def freeze(self, frozen: bool) -> bool:
        """Freeze or thaw all processes of the group; return whether the change succeeded."""
        folder = self.folders.get(FREEZER, "")
        for name, words in (("cgroup.freeze", ("0", "1")), ("freezer.state", ("THAWED", "FROZEN"))):
            with suppress(OSError):
                if folder and os.path.exists(os.path.join(folder, name)):
                    _write(os.path.join(folder, name), words[frozen])
                    return True
        return False

    def pids(self) -> list[int]:
        """Return the ids of the processes in the group and in the groups below it."""
        return sorted({pid for place in self._places() for pid in _members(place)})

    def kill(self) -> None:
        """Kill all processes of the group; wait at most ENDING seconds for the processes to end."""
        self.freeze(False)  # in version 1 a frozen process does not end
        until = time.monotonic() + ENDING
        while True:
            left = self.pids()
            _end(left)
            if not left or time.monotonic() > until:
                return
            time.sleep(NAP)

    def close(self) -> None:
        """Kill the remaining processes and remove the group."""
        self.kill()
        until = time.monotonic() + ENDING
        for folder in self._places():
            while not _remove(folder) and time.monotonic() < until:  # if this fails, a later command removes it
                time.sleep(NAP)

    def _places(self) -> list[str]:
        return sorted(set(self.folders.values()))


def open_group(memory: int, processes: int, freezes: bool = False) -> Group:
    """Return a new group with limits on memory, in bytes, and on the number of processes.

    If the machine allows no groups, the returned group has no folders and no effect.

    freezes: whether to add the controller that can freeze the group.
    """
    name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
    folders: dict[str, str] = {}
    for controller, parent in _parents().items():
        if controller == FREEZER and not freezes:
            continue
        folder = os.path.join(parent, name)
        try:
            if folder not in folders.values():
                os.mkdir(folder)
            if os.access(os.path.join(folder, "cgroup.procs"), os.W_OK):
                folders[controller] = folder
        except OSError:
            continue
    group = Group(folders)
    group.limit(memory, processes)
    return group


def enter_scope(command: list[str]) -> None:
    """Replace this process with `command`, run in a systemd scope that lets the user create groups.

    Do nothing if this process can already create control groups, if a scope has already been tried, or if systemd
    provides no scope for this user.
    """
    if sys.platform != "linux" or os.environ.get(TRIED) or not shutil.which(SCOPE[0]) or _parents():
        return
    os.environ[TRIED] = "1"
    with suppress(OSError, subprocess.TimeoutExpired):
        null = subprocess.DEVNULL
        tried = subprocess.run([*SCOPE, "true"], stdin=null, stdout=null, stderr=null, timeout=PATIENCE)
        if not tried.returncode:
            os.execvp(SCOPE[0], [*SCOPE, *command])


def _parents() -> dict[str, str]:
    """Return {controller: folder of this process's group} for each controller that allows child groups.

    This process may move into a child group (see _pass_controllers_on).
    """
    own = {names: path for _, names, path in (line.split(":", 2) for line in _read(OWN).splitlines())}
    mounts = [line.split() for line in _read(MOUNTS).splitlines()]
    parents: dict[str, str] = {}
    for _, place, kind, options, *_ in mounts:
        for names, path in own.items():
            known = (*V1, FREEZER)
            controllers = known if kind == "cgroup2" and not names else tuple(set(names.split(",")) & set(known))
            is_mine = kind == "cgroup2" if not names else kind == "cgroup" and names in options
            folder = os.path.normpath(place + "/" + path)
            if is_mine and kind == "cgroup2":
                folder = _pass_controllers_on(folder)
            if is_mine and _takes_children(folder, kind):
                for controller in controllers:
                    parents.setdefault(controller, folder)
    return parents


def _pass_controllers_on(folder: str) -> str:
    """Return the folder of this process's original group, in which the groups of runs are created.

    If the original group does not enable its controllers for child groups yet, this process moves into a new child
    group and enables the controllers. If other processes in the original group prevent the change, this process moves
    back.
    """
    above, name = os.path.split(folder)
    if name.startswith(PREFIX) and name.endswith(OWN_END):
        return above
    wanted = set(PASSED_ON) & set(_read(os.path.join(folder, "cgroup.controllers")).split())
    passed = set(_read(os.path.join(folder, "cgroup.subtree_control")).split())
    if wanted <= passed or not os.access(folder, os.W_OK):
        return folder
    waiting = os.path.join(folder, f"{PREFIX}{os.getpid()}{OWN_END}")
    with suppress(OSError):
        os.mkdir(waiting)
        _write(os.path.join(waiting, "cgroup.procs"), "0")
        try:
            _write(os.path.join(folder, "cgroup.subtree_control"), " ".join(f"+{name}" for name in sorted(wanted)))
        except OSError:  # the group has other processes, too
            _write(os.path.join(folder, "cgroup.procs"), "0")
            os.rmdir(waiting)
    return folder


def _takes_children(folder: str, kind: str) -> bool:
    """Return whether a folder allows child groups and has a usable controller.

    Also remove child groups that killed commands left behind.
    """
    if not os.access(folder, os.W_OK):
        return False
    if kind == "cgroup2" and not set(_read(os.path.join(folder, "cgroup.controllers")).split()) & {"cpu", *V1}:
        return False  # this machine has all controllers in version 1
    with suppress(OSError):
        for name in os.listdir(folder):
            owner = re.match(PREFIX + rf"(\d+)(?:-\d+|{OWN_END})$", name)
            if owner and not os.path.isdir(f"/proc/{owner[1]}"):
                if not name.endswith(OWN_END):
                    _end(_members(os.path.join(folder, name)))  # for example after an interrupted start of a sandbox
                _remove(os.path.join(folder, name))  # if its processes end later, the next command removes the group
    return True


def _members(folder: str) -> set[int]:
    """Return the ids of the visible processes in a group and in the groups below it."""
    texts = [_read(os.path.join(below, "cgroup.procs")) for below, _, _ in os.walk(folder)]
    return {int(pid) for text in texts for pid in text.split()} - {0}


def _end(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _remove(folder: str) -> bool:
    """Remove an empty group and the empty groups below it; return whether the group no longer exists."""
    for below, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            os.rmdir(below)
    return not os.path.isdir(folder)


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
