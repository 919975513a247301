"""The monitor of the open file: reports changes by other programs at once, at the latest after half a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

from watchfiles import awatch

LOOK = 500  # milliseconds after which the file is looked at even if nothing told of a change
STEP = 20  # milliseconds in which changes are gathered
Stamp = tuple[int, int, int] | None


def stamp_of(path: Path) -> Stamp:
    """Return what changes when a file is saved, None where it is not there."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


async def looks(folder: Path) -> AsyncGenerator[None, None]:
    """Yield whenever something has happened in a folder, and every LOOK milliseconds, for ever."""
    while True:
        try:
            changes = awatch(
                folder, watch_filter=None, recursive=False, step=STEP, rust_timeout=LOOK, yield_on_timeout=True
            )
            async with aclosing(changes):
                async for _ in changes:
                    yield
        except (OSError, RuntimeError):  # no such folder (any more), or a disk that tells of nothing
            yield
            await asyncio.sleep(LOOK / 1000)


async def watch(path: Callable[[], Path], changed: Callable[[], object]) -> None:
    """Call `changed` whenever a file may be another than before, until this task is cancelled.

    path: returns which file; that may change meanwhile, and is then no change of it.
    """
    while True:
        watched = path()
        stamp = stamp_of(watched)
        changed()  # it may have been, since it was read
        async with aclosing(looks(watched.parent)) as events:
            async for _ in events:
                if path() != watched:
                    break
                before, stamp = stamp, stamp_of(watched)
                if stamp != before:
                    changed()
