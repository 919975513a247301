"""Unique process names, and temporary folders named after process ids.

A later command uses the folders' names to find and remove the leftovers of killed commands.

This module runs on Python 3.7.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import tempfile
import time
from functools import lru_cache
from hashlib import sha256
from platform import node
from typing import Iterator

OLD = 24 * 3600.0  # seconds without a change after which a folder counts as a leftover
_NAME = re.compile(r"littlego-(?:[a-z]+-)?(\d+)-[a-z0-9_]{8}|littlego-(?:bench|build|check|grade|submit)-[a-z0-9_]{8}")
PROCESS = r"[0-9a-f]{6}-[0-9a-f]{6}-\d+-\d+"  # the form of `process_name`: machine, boot, process id, start time
BOOT = "/proc/sys/kernel/random/boot_id"
STARTED = 19  # index of the start time among the fields of /proc/PID/stat that follow the process's name
MODE = 0o700  # the mode of all folders that tempfile creates, and of few folders that people create


def prefix(kind: str = "") -> str:
    """Return the prefix for the name of a temporary folder; the first call also removes old leftovers.

    kind: a word for the folder's purpose. Pass the result to tempfile, as in
    `tempfile.mkdtemp(prefix=prefix("grade"))`.
    """
    _sweep_once()
    return f"littlego-{kind + '-' if kind else ''}{os.getpid()}-"


@lru_cache(maxsize=None)
def _sweep_once() -> None:
    sweep(tempfile.gettempdir())


def sweep(folder: str, now: float | None = None) -> None:
    """Remove old temporary folders (see _is_old) of ended littlego processes from `folder`.

    A folder that cannot be removed is skipped without an error. now: the current time in seconds, for tests.
    """
    if not hasattr(os, "getuid"):  # Windows
        return
    now = time.time() if now is None else now
    with contextlib.suppress(OSError):
        for entry in _left_behind(folder, now):
            shutil.rmtree(entry, ignore_errors=True)


def _left_behind(folder: str, now: float) -> Iterator[str]:
    """Yield the paths of the folders that `sweep` must remove."""
    for name in os.listdir(folder):
        match, path = _NAME.fullmatch(name), os.path.join(folder, name)
        if match and not _is_alive(match.group(1)) and _is_old(path, now):
            yield path


def _is_alive(process: str | None) -> bool:
    """Return whether a process with this id, of any user, is alive.

    process: the process id, or None if the folder's name contains no id, as in earlier versions.
    """
    if process is None:
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def process_name(process: int | None = None) -> str:
    """Return a unique name for this process, or for another process on this machine.

    process: the other process's id. Names from different machines differ. On systems without /proc, a later process
    with the same id gets the same name.
    """
    return f"{_machine()}-{process or os.getpid()}-{_start_of(process or os.getpid())}"


@lru_cache(maxsize=None)
def _machine() -> str:
    """Return a digest of the machine's name and a digest of the current boot's id, joined by `-`."""
    return "-".join(sha256(text.encode()).hexdigest()[:6] for text in (node(), _read(BOOT)))


def _start_of(process: int) -> int:
    """Return the start time of a process in ticks since the boot, or 0 if it is unknown."""
    fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    return int(fields[STARTED]) if len(fields) > STARTED else 0


def _read(path: str) -> str:
    with contextlib.suppress(OSError), open(path, encoding="latin-1") as file:
        return file.read()
    return ""


def is_running(name: str) -> bool:
    """Return whether a process is running.

    The result is True for any process of another machine, because its state is unknown. name: the process's name as
    returned by process_name.
    """
    machine, process = name.split("-")[0], name.split("-")[2]
    if machine != _machine().split("-")[0]:
        return True
    return _is_alive(process) and process_name(int(process)) == name


def _is_old(path: str, now: float) -> bool:
    """Return whether a path is an old folder that belongs to this user and has mode 0700.

    A folder is old if it has not changed for a day. Modifications of the folder and of its direct entries count as
    changes. now: the current time in seconds.
    """
    with contextlib.suppress(OSError):
        result = os.lstat(path)
        if result.st_mode == stat.S_IFDIR | MODE and result.st_uid == os.getuid():
            with os.scandir(path) as entries:
                changed = [entry.stat(follow_symlinks=False).st_mtime for entry in entries]
            return now - max([result.st_mtime, *changed]) > OLD
    return False
