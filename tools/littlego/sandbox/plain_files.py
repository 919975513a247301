"""Plain files in submitted folders: tests of a file's type, copies within a limit, and hashing.

A symbolic link in a submitted folder may point to any file, so copying the link would read that file with the rights of
this process. A hard link is copied like any other file: under Linux's setting fs.protected_hardlinks, users can create
hard links only to files that they own or may both read and write.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator

PIECE = 1 << 20  # bytes read at once


class SizeError(ValueError):
    """Raised for too many files or too many bytes in total; the message names the limit."""


class Budget:
    """A limit on the number of files and on their total bytes. The methods raise SizeError if a limit is exceeded."""

    def __init__(self, files: int, size: int) -> None:
        self.most_files, self.most_bytes = files, size
        self.files = self.bytes = 0

    def begin_file(self) -> None:
        """Count a file."""
        self.files += 1
        if self.files > self.most_files:
            raise SizeError(f"more than {self.most_files:,} files, the maximum for a program")

    def spend(self, size: int) -> None:
        """Count `size` bytes."""
        self.bytes += size
        if self.bytes > self.most_bytes:
            raise SizeError(f"the files have more than {self.most_bytes / 1e6:g} MB, the maximum for a program")


def is_plain(path: str) -> bool:
    """Return whether a path names a plain file and not a link."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def kind_of(path: str) -> str:
    """Return the type of the file at a path in words, such as `a folder`."""
    if os.path.islink(path):
        return "a symbolic link"
    return "a folder" if os.path.isdir(path) else "a plain file" if is_plain(path) else "not a plain file"


def copy_plain(path: str, copy: str, budget: Budget) -> None:
    """Copy a plain file within a budget.

    Raise SizeError if the file exceeds the budget, and OSError if the file is not plain or cannot be copied.
    """
    budget.begin_file()
    # The path may have changed since its check, so it is opened without following links or blocking.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb", buffering=0) as file, open(copy, "wb") as made:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file", path)
        for piece in _pieces(file.fileno()):
            budget.spend(len(piece))
            made.write(piece)


def hash_file(seen: hashlib._Hash, name: str, path: str) -> None:
    """Add a file's name, size and content to a hash; raise OSError if the file cannot be read."""
    with open(path, "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        seen.update(f"\0{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        for piece in _pieces(file.fileno()):
            seen.update(piece)


def _pieces(handle: int) -> Iterator[bytes]:
    while piece := os.read(handle, PIECE):
        yield piece
