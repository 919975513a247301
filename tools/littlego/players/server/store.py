"""Where a server keeps a game: checkpoint.json while it goes on, archive-TIME.json when it is over.

A file is replaced whole, and what save has returned from is on the disk. Nothing is ever overwritten but the
checkpoint: what is cleared keeps its moves in discarded-TIME.json.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import short_name, sync_folder, write_text
from littlego.match.matchlog import MatchLog, log_text, read_log

CHECKPOINT, LOCK = "checkpoint.json", "lock"


class Store:
    """The files of one table, in a folder of its own. Raise ArgumentError where that cannot be had."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkpoint = folder / CHECKPOINT
        self._made = [one for one in (folder, *folder.parents) if not one.exists()]
        with trying_to(f"make the folder {short_name(folder)}"):
            folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder)

    def close(self) -> None:
        """Let another server have the folder; the end of the process does, too.

        Folders that were made for it go again where nothing was kept.
        """
        with suppress(OSError):  # Windows removes no file that is open
            if self._made and os.listdir(self.folder) == [LOCK]:
                os.remove(self.folder / LOCK)
        os.close(self._lock)
        with suppress(OSError):  # something is kept there
            for folder in self._made:
                folder.rmdir()

    def load(self) -> MatchLog | None:
        """Return the game that was going on, None without any. Raise ArgumentError where it cannot be read.

        One that was over when the server was killed is archived now.
        """
        if not self.checkpoint.exists():
            return None
        with trying_to(f"read {short_name(self.checkpoint)}"):
            log = read_log(self.checkpoint)
            if log.other_rules:
                raise ArgumentError(
                    f"{short_name(self.checkpoint)}: a game by other rules ({', '.join(log.other_rules)}); "
                    "put the file elsewhere, or serve from another --folder"
                )
            if log.ending is None:
                return log
            self.archive()
            return None

    def save(self, log: MatchLog) -> None:
        """Keep the game as it stands. Raise OSError."""
        write_text(self.checkpoint, log_text(log))

    def archive(self) -> Path:
        """Put the checkpoint of a game that is over aside; return its new name. Raise OSError."""
        return self._put_aside("archive")

    def discard(self) -> Path | None:
        """Put the checkpoint aside, so that a new game begins; return its new name, None without one. Raise OSError."""
        return self._put_aside("discarded") if self.checkpoint.exists() else None

    def _put_aside(self, kind: str) -> Path:
        stamp = f"{datetime.now():%Y-%m-%d-%H-%M-%S}"
        names = (f"{kind}-{stamp}{f'-{number}' if number else ''}.json" for number in range(10**6))
        target = next(path for path in (self.folder / name for name in names) if not path.exists())
        os.rename(self.checkpoint, target)
        sync_folder(self.folder)
        return target


def _lock(folder: Path) -> int:
    """Return a lock that no other server can have on the folder; raise ArgumentError where one has it."""
    with trying_to(f"write in {short_name(folder)}"):
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.stat(folder / LOCK)  # whoever had it may have taken it away meanwhile
    except OSError:
        os.close(handle)
        raise ArgumentError(
            f"{short_name(folder)}: another server keeps its games here; name another --folder"
        ) from None
    return handle
