"""Who plays which pair, where several play the same tournament: a byte of a side file is locked for each pair.

The system gives a lock back when its process ends, however it ends, so no claim outlives who made it. All must be on
one machine, as SQLite's own locks ask for too.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from tools.arguments import trying_to
from tools.files import short_name

ENDING = "-claims"


class Claims:
    """The claims of this process on the pairs of a tournament; a context that gives them all back.

    file: the tournament's.
    """

    def __init__(self, file: Path):
        self.path = f"{file}{ENDING}"
        with trying_to(f"write {short_name(self.path)}"):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_) -> None:
        os.close(self._file)

    def take(self, pair: int) -> bool:
        """Claim a pair; return False where another process has it."""
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, pair)
        except (BlockingIOError, PermissionError):  # both are in use
            return False
        return True

    def leave(self, pair: int) -> None:
        """Give a claim back."""
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, pair)

    def remove(self) -> None:
        """Remove the side file: nothing is left to claim."""
        with suppress(OSError):
            os.unlink(self.path)
