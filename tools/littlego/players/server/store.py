"""The files of a table's games.

checkpoint.json and seats.json belong to the current game; the files archive-TIME.json contain finished games.

Files are written atomically, and `save` returns only after the data is on the disk. The store overwrites only the
checkpoint and seats.json. The moves of a cleared game remain in discarded-TIME.json.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from littlego.cli.arguments import ArgumentError, trying_to
from littlego.files import read_limited, short_name, sync_folder, write_json, write_text
from littlego.match.matchlog import MatchLog, log_text, read_log

CHECKPOINT, SECRETS, LOCK = "checkpoint.json", "seats.json", "lock"
MOST_SECRETS = 10_000  # largest size in bytes of the file of secrets


class Store:
    """The folder with the files of one table. The constructor raises ArgumentError if the folder is not usable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkpoint = folder / CHECKPOINT
        self._made = [path for path in (folder, *folder.parents) if not path.exists()]
        with trying_to(f"make the folder {short_name(folder)}"):
            folder.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(folder)

    def close(self) -> None:
        """Release the folder for other servers. The folder is also released when the process ends.

        Also remove the folders that this store created, if they are still empty.
        """
        with suppress(OSError):  # Windows cannot remove an open file
            if self._made and os.listdir(self.folder) == [LOCK]:
                os.remove(self.folder / LOCK)
        os.close(self._lock)
        with suppress(OSError):  # the folder is not empty
            for folder in self._made:
                folder.rmdir()

    def load(self) -> MatchLog | None:
        """Return the log of an unfinished game, or None. Raise ArgumentError if the checkpoint is invalid.

        If the saved game is over, archive its file and return None.
        """
        if not self.checkpoint.exists():
            return None
        with trying_to(f"read {short_name(self.checkpoint)}"):
            log = read_log(self.checkpoint)
            if log.other_rules:
                raise ArgumentError(
                    f"{short_name(self.checkpoint)}: a game with other rules ({', '.join(log.other_rules)}), which "
                    "the server does not support; move the file elsewhere, or use another --folder"
                )
            if log.ending is None:
                return log
            self.archive()
            return None

    def save(self, log: MatchLog) -> None:
        """Save a game's log as the checkpoint. Raise OSError if the file cannot be written."""
        write_text(self.checkpoint, log_text(log))

    def save_secrets(self, secrets: tuple[str, str]) -> None:
        """Save the secrets of both seats, Black's first, in a file that only this user can read.

        Raise OSError if the file cannot be written.
        """
        path = self.folder / SECRETS
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))  # write_json keeps a file's mode
        write_json(path, secrets)

    def load_secrets(self) -> tuple[str, str]:
        """Return the secrets of both seats, Black's first. Both secrets are '' if the file is missing or invalid."""
        with suppress(OSError, ValueError, TypeError):
            black, white = json.loads(read_limited(self.folder / SECRETS, MOST_SECRETS))
            return str(black), str(white)
        return "", ""

    def archive(self) -> Path:
        """Rename a finished game's checkpoint to archive-TIME.json; return the new path.

        Raise OSError if renaming fails.
        """
        return self._put_aside("archive")

    def discard(self) -> Path | None:
        """Rename the checkpoint to discarded-TIME.json, and return the new path.

        Return None if there is no checkpoint. Raise OSError if renaming fails.
        """
        return self._put_aside("discarded") if self.checkpoint.exists() else None

    def _put_aside(self, kind: str) -> Path:
        stamp = f"{datetime.now():%Y-%m-%d-%H-%M-%S}"
        names = (f"{kind}-{stamp}{f'-{number}' if number else ''}.json" for number in range(10**6))
        target = next(path for path in (self.folder / name for name in names) if not path.exists())
        os.rename(self.checkpoint, target)
        sync_folder(self.folder)
        return target


def _lock(folder: Path) -> int:
    """Lock the folder, and return the lock's descriptor. Raise ArgumentError if another server holds the lock."""
    with trying_to(f"write in {short_name(folder)}"):
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows
        return handle
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.stat(folder / LOCK)  # the previous holder may have removed the file in the meantime
    except OSError:
        os.close(handle)
        raise ArgumentError(f"{short_name(folder)}: another server uses this folder; name another --folder") from None
    return handle
