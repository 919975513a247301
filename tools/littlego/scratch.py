"""Folders that a command needs for a while: named after its process, so that what a killed one left can be removed.

Runs on Python 3.7.
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
from typing import Iterator

OLD = 24 * 3600.0  # seconds in which nothing changed in a folder before it is taken for left behind
_NAME = re.compile(r"littlego-(?:[a-z]+-)?(\d+)-[a-z0-9_]{8}|littlego-(?:bench|build|check|grade|submit)-[a-z0-9_]{8}")
MODE = 0o700  # of all that tempfile makes, and of few that people make


def prefix(kind: str = "") -> str:
    """Return how the name of a folder in the system's temporary folder begins; the first time, sweep that before.

    kind: what the folder is for, a word; to be given to tempfile, as in `tempfile.mkdtemp(prefix=prefix("grade"))`.
    """
    _sweep_once()
    return f"littlego-{kind + '-' if kind else ''}{os.getpid()}-"


@lru_cache(maxsize=None)
def _sweep_once() -> None:
    sweep(tempfile.gettempdir())


def sweep(folder: str, now: float | None = None) -> None:
    """Remove what commands that were killed have left in a folder: ours, old, and of a process that is gone.

    Says nothing, and leaves what it cannot remove. now: the time, for tests.
    """
    if not hasattr(os, "getuid"):  # Windows
        return
    now = time.time() if now is None else now
    with contextlib.suppress(OSError):
        for entry in _left_behind(folder, now):
            shutil.rmtree(entry, ignore_errors=True)


def _left_behind(folder: str, now: float) -> Iterator[str]:
    """Yield the paths of the folders to remove."""
    for name in os.listdir(folder):
        match, path = _NAME.fullmatch(name), os.path.join(folder, name)
        if match and not _is_alive(match.group(1)) and _is_old(path, now):
            yield path


def _is_alive(process: str | None) -> bool:
    """Return whether a process of that number lives, ours or not. Names of earlier versions have none."""
    if process is None:
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _is_old(path: str, now: float) -> bool:
    """Return whether a path is a folder of ours, no link, and nothing right in it has changed for a day."""
    with contextlib.suppress(OSError):
        found = os.lstat(path)
        if found.st_mode == stat.S_IFDIR | MODE and found.st_uid == os.getuid():
            with os.scandir(path) as entries:
                changed = [entry.stat(follow_symlinks=False).st_mtime for entry in entries]
            return now - max([found.st_mtime, *changed]) > OLD
    return False
