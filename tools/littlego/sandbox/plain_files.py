"""Plain files of strangers: told from links and the like, and copied and hashed in pieces, up to so much.

A link in a folder that somebody hands in leads wherever its maker likes, and whoever copies it reads there with rights
of his own. Hard links cannot be told apart from files, and need none: their maker could open the file.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator

PIECE = 1 << 20  # bytes of a file that are in memory at once


class SizeError(ValueError):
    """Files that are too many or too large together; the message says the limit."""


class Budget:
    """How many files there may be, and how many bytes they may have together. The methods raise SizeError."""

    def __init__(self, files: int, size: int) -> None:
        self.most_files, self.most_bytes = files, size
        self.files = self.bytes = 0

    def begin_file(self) -> None:
        """Count a file."""
        self.files += 1
        if self.files > self.most_files:
            raise SizeError(f"more than {self.most_files:,} files, the most that one program may have")

    def spend(self, size: int) -> None:
        """Count so many bytes."""
        self.bytes += size
        if self.bytes > self.most_bytes:
            raise SizeError(f"its files hold more than {self.most_bytes / 1e6:g} MB, the most of one program together")


def is_plain(path: str) -> bool:
    """Return whether a plain file lies there, and no link to one."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def kind_of(path: str) -> str:
    """Return what lies there, in words."""
    if os.path.islink(path):
        return "a symbolic link"
    return "a folder" if os.path.isdir(path) else "a plain file" if is_plain(path) else "no plain file"


def copy_plain(path: str, copy: str, budget: Budget) -> None:
    """Copy a plain file, counting it; raise OSError, also for what is none by now, and SizeError."""
    budget.begin_file()
    # What the name means may have changed since it was looked at: it is not followed, not waited for, and held open.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb", buffering=0) as file, open(copy, "wb") as made:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file", path)
        for piece in _pieces(file.fileno()):
            budget.spend(len(piece))
            made.write(piece)


def hash_file(seen: hashlib._Hash, name: str, path: str) -> None:
    """Add a file's name, size and content to what is hashed; raise OSError."""
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        seen.update(f"\0{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        for piece in _pieces(file.fileno()):
            seen.update(piece)


def _pieces(handle: int) -> Iterator[bytes]:
    while piece := os.read(handle, PIECE):
        yield piece
