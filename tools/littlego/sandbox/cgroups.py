"""Control groups of Linux: the CPU time, the memory and the number of all processes of a run, whoever began them.

A group is a child of the one that this process is in, made for one run and removed with it. Where the machine allows
none, or only some of what a group can do, the rest goes without. Runs on Python 3.7.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import time
from collections.abc import Iterable
from contextlib import suppress

MOUNTS, OWN = "/proc/self/mounts", "/proc/self/cgroup"
V1 = ("cpuacct", "memory", "pids")
PREFIX = "littlego-"
ENDING = 2.0  # seconds in which the system may take a killed process away
NAP = 0.002
_numbers = itertools.count()


class Group:
    """A group of processes. folders: of each controller; in version 2 they are one and the same."""

    def __init__(self, folders: dict[str, str]):
        self.folders = folders

    def __bool__(self) -> bool:
        return bool(self.folders)

    def holds(self) -> list[str]:
        """Return what the group counts or bounds: CPU time, memory, processes."""
        names: dict[str, tuple[str, ...]]
        names = {"CPU time": ("cpuacct.usage", "cpu.stat"), "memory": ("memory.max", "memory.limit_in_bytes")}
        names["processes"] = ("pids.max",)
        return [what for what, files in names.items() if any(map(os.path.exists, self._files(files)))]

    def _files(self, names: tuple[str, ...]) -> list[str]:
        return [os.path.join(folder, name) for folder in self._places() for name in names]

    def limit(self, memory: int, processes: int) -> None:
        """Bound memory, in bytes and without swap, and the number of processes and threads."""
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
        """Put this process into the group; for a child before it becomes the program."""
        for folder in self._places():
            with suppress(OSError):
                _write(os.path.join(folder, "cgroup.procs"), "0")

    def cpu(self) -> float | None:
        """Return the CPU seconds of all processes that have been in the group; None where it does not tell."""
        folder = self.folders.get("cpuacct", "")
        nanoseconds = _read(os.path.join(folder, "cpuacct.usage"))
        microseconds = re.search(r"^usage_usec (\d+)", _read(os.path.join(folder, "cpu.stat")), re.M)
        if microseconds:
            return int(microseconds[1]) / 1e6
        return int(nanoseconds) / 1e9 if nanoseconds.strip().isdigit() else None

    def refusals(self) -> list[str]:
        """Return which limits of the group have struck, in words."""
        memory, pids = self.folders.get("memory", ""), self.folders.get("pids", "")
        told = [_read(os.path.join(memory, name)) for name in ("memory.events", "memory.oom_control")]
        killed = any(int(number) for text in told for number in re.findall(r"^oom_kill (\d+)", text, re.M))
        most = re.search(r"^max ([1-9]\d*)", _read(os.path.join(pids, "pids.events")), re.M)
        return ["ran into its limit of memory"] * killed + ["ran into its limit of processes"] * bool(most)

    def pids(self) -> list[int]:
        """Return the processes that are in the group now, and in groups that were made below it."""
        return sorted({pid for place in self._places() for pid in _members(place)})

    def kill(self) -> None:
        """End all processes of the group, and wait until they are gone."""
        until = time.monotonic() + ENDING
        while True:
            left = self.pids()
            _end(left)
            if not left or time.monotonic() > until:
                return
            time.sleep(NAP)

    def close(self) -> None:
        """Remove the group, with whatever is in it."""
        self.kill()
        until = time.monotonic() + ENDING
        for folder in self._places():
            while not _remove(folder) and time.monotonic() < until:  # else a later command sweeps it away
                time.sleep(NAP)

    def _places(self) -> list[str]:
        return sorted(set(self.folders.values()))


def open_group(memory: int, processes: int) -> Group:
    """Return a new group with these limits; one without folders, which holds nobody, where the machine allows none."""
    name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
    folders: dict[str, str] = {}
    for controller, parent in _parents().items():
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


def _parents() -> dict[str, str]:
    """Return the group that this process is in, as a folder, for each controller that could take a child."""
    own = {names: path for _, names, path in (line.split(":", 2) for line in _read(OWN).splitlines())}
    mounts = [line.split() for line in _read(MOUNTS).splitlines()]
    parents: dict[str, str] = {}
    for _, place, kind, options, *_ in mounts:
        for names, path in own.items():
            controllers = V1 if kind == "cgroup2" and not names else tuple(set(names.split(",")) & set(V1))
            is_mine = kind == "cgroup2" if not names else kind == "cgroup" and names in options
            folder = os.path.normpath(place + "/" + path)
            if is_mine and _takes_children(folder, kind):
                for controller in controllers:
                    parents.setdefault(controller, folder)
    return parents


def _takes_children(folder: str, kind: str) -> bool:
    """Return whether a group can be made in a folder; those of runs that were killed are swept away on the way."""
    if not os.access(folder, os.W_OK):
        return False
    if kind == "cgroup2" and not set(_read(os.path.join(folder, "cgroup.controllers")).split()) & {"cpu", *V1}:
        return False  # its controllers are all with version 1
    with suppress(OSError):
        for name in os.listdir(folder):
            owner = re.match(PREFIX + r"(\d+)-\d+$", name)
            if owner and not os.path.isdir(f"/proc/{owner[1]}"):
                _end(_members(os.path.join(folder, name)))  # such as a sandbox whose start was cut short
                _remove(os.path.join(folder, name))  # by the next command, where some take a moment to end
    return True


def _members(folder: str) -> set[int]:
    """Return the processes in a group and in those below it, without any that this process cannot see."""
    texts = [_read(os.path.join(below, "cgroup.procs")) for below, _, _ in os.walk(folder)]
    return {int(pid) for text in texts for pid in text.split()} - {0}


def _end(pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _remove(folder: str) -> bool:
    """Remove a group and those that were made below it, as far as nobody is in them; return whether it is gone."""
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
