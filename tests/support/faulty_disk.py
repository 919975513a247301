"""Simulated disk failures for the file operations of rules.turn; file permissions would not stop root."""

from __future__ import annotations

import errno
import os

from littlego.rules import turn


class Disk:
    """`open`, `write`, `replace` and `unlink` for rules.turn, some of which fail.

    denied: names that cannot be opened for writing. locked: nothing can be created, renamed or removed. room: the
    maximum number of bytes that can be written to a file before ENOSPC is raised, or None. unread: name -> the error
    raised when the file is read. interrupt: names of files whose writing is interrupted half-way.
    """

    def __init__(self, denied=(), locked=False, room=None, unread=None, interrupt=()):
        self.denied = denied
        self.locked = locked
        self.room = room
        self.unread = unread or {}
        self.interrupt = interrupt
        self.names = {}  # file number -> name, for files opened for writing
        self.written = {}  # bytes, by number

    def install(self, monkeypatch):
        monkeypatch.setattr(turn, "open_file", self.open)
        monkeypatch.setattr(turn, "write", self.write)
        monkeypatch.setattr(turn, "replace", self.replace)
        monkeypatch.setattr(turn, "unlink", self.unlink)

    def open(self, path, flags, mode=0o666):
        writes = flags & (os.O_WRONLY | os.O_RDWR)
        if not writes and path in self.unread:
            raise self.unread[path]
        if writes and (path in self.denied or (self.locked and not os.path.exists(path))):
            missing = not os.path.exists(path) and not flags & os.O_CREAT
            raise FileNotFoundError(path) if missing else PermissionError(errno.EACCES, "Permission denied", path)
        number = os.open(path, flags, mode)
        self.names[number], self.written[number] = path, 0
        return number

    def write(self, number, data):
        if self.names[number] in self.interrupt:
            os.write(number, data[: len(data) // 2])
            raise KeyboardInterrupt
        if self.room is None:
            return os.write(number, data)
        room = self.room - self.written[number]
        if not room:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.written[number] += min(len(data), room)
        return os.write(number, data[:room])

    def replace(self, source, target):
        if self.locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.replace(source, target)

    def unlink(self, path):
        if self.locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        os.unlink(path)
