"""A monitor that reports changes to the open file on disk within half a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

from watchfiles import awatch

LOOK = 500  # milliseconds between checks of the file if the system reports no change
STEP = 20  # milliseconds during which changes are collected into one report
Stamp = tuple[int, int, int] | None


def stamp_of(path: Path) -> Stamp:
    """Return a value that changes when a file is saved, or None if the file is missing or inaccessible."""
    try:
        stat = path.lstat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


async def looks(folder: Path) -> AsyncGenerator[None, None]:
    """Yield None forever: after each change in a folder, and at least every LOOK milliseconds."""
    while True:
        try:
            changes = awatch(
                folder, watch_filter=None, recursive=False, step=STEP, rust_timeout=LOOK, yield_on_timeout=True
            )
            async with aclosing(changes):
                async for _ in changes:
                    yield
        except (OSError, RuntimeError):  # the folder is gone, or its disk reports no changes
            yield
            await asyncio.sleep(LOOK / 1000)


async def watch(path: Callable[[], Path], changed: Callable[[], object]) -> None:
    """Call `changed` at the start and whenever the file may have changed, until this task is cancelled.

    path: a function that returns the file's path. If the path changes, the new file is monitored from then on.
    """
    while True:
        watched = path()
        stamp = stamp_of(watched)
        changed()  # the file may have changed since it was read
        async with aclosing(looks(watched.parent)) as events:
            async for _ in events:
                if path() != watched:
                    break
                before, stamp = stamp, stamp_of(watched)
                if stamp != before:
                    changed()
