"""Disks that fail: stand-ins for the file operations of rules.turn, since no file mode stops root."""

from __future__ import annotations

import errno
import os

from rules import turn


class Disk:
    """`open`, `replace` and `unlink` for rules.turn, of which some fail.

    denied: names that cannot be opened for writing; locked: nothing can be created, renamed or removed; room: bytes
    that writes may still take up, then ENOSPC; unread: name -> error that reading it gives.
    """

    def __init__(self, denied=(), locked=False, room=None, unread=None, interrupt=()):
        self.denied = denied
        self.locked = locked
        self.room = room
        self.unread = unread or {}
        self.interrupt = interrupt

    def install(self, monkeypatch):
        monkeypatch.setattr(turn, "open", self.open, raising=False)
        monkeypatch.setattr(turn, "replace", self.replace)
        monkeypatch.setattr(turn, "unlink", self.unlink)

    def open(self, path, mode, opener=None):
        if path in self.unread and "r" in mode and "+" not in mode:
            raise self.unread[path]
        writes = "w" in mode or "+" in mode
        if writes and (path in self.denied or (self.locked and not os.path.exists(path))):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        file = open(path, mode, opener=opener)  # noqa: SIM115 - the caller closes it
        return Limited(file, self, path) if writes else file

    def replace(self, source, target):
        if self.locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.replace(source, target)

    def unlink(self, path):
        if self.locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.unlink(path)


class Limited:
    """A file on a disk with little room: it takes what fits and then fails, or is interrupted."""

    def __init__(self, file, disk, path):
        self.file = file
        self.disk = disk
        self.path = path

    def write(self, data):
        if self.path in self.disk.interrupt:
            self.file.write(data[: len(data) // 2])
            self.file.flush()
            raise KeyboardInterrupt
        if self.disk.room is not None and len(data) > self.disk.room:
            self.file.write(data[: self.disk.room])
            self.file.flush()
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
