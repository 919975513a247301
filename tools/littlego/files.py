"""Access to users' files: reads with a size limit, atomic writes that survive a power cut, and JSON.

This module runs on Python 3.7.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import BinaryIO

from littlego.paths import INSTALLED, PACKAGE
from littlego.printable import printable
from littlego.scratch import PROCESS, is_running, process_name

STANDARD_OUTPUT = "-"
_CONFLICT = re.compile(r"(?m)^(?:([<|=>])\1{6})(?= |\r?$)")  # a conflict marker of git
_TEMPORARY = re.compile(rf"(.*)\.[a-z0-9_]{{8}}\.({PROCESS})\.new", re.DOTALL)
MOST_OF_NAME = 150  # maximum characters of a file's name in the names of its temporary files
LARGEST_INPUT = 10_000_000  # maximum bytes of a file that people write: over thirty times the shipped patterns.yaml
LARGEST_SERIES = 200_000_000  # maximum bytes of a file of many lines, such as ten thousand games, or overrides
PIECE = 1 << 20  # bytes read at a time
_guarded: set[str] = set()  # folders in which this process opens and replaces only plain files


def guard(folder: str | os.PathLike[str]) -> None:
    """Make this module refuse links, pipes and devices in a folder until the process ends.

    Callers guard folders that may come from strangers: a link could lead to a file outside the folder, and opening a
    pipe could block. The guard covers the files in the folder, but not the files in its subfolders.
    """
    _guarded.add(os.path.realpath(folder))


def is_guarded(path: str | os.PathLike[str]) -> bool:
    """Return whether a path lies directly in a guarded folder."""
    return bool(_guarded) and os.path.realpath(os.path.dirname(os.path.abspath(path))) in _guarded


def open_plain(path: str | os.PathLike[str], follow: bool = True) -> BinaryIO:
    """Open a plain file for reading without blocking. Raise OSError for a pipe, a device or a folder.

    follow: whether the path may be a symbolic link.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not follow:
        refuse_link(path)
        flags |= getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags)
    try:
        _refuse_mode(os.fstat(handle).st_mode, path)
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def refuse_link(path: str | os.PathLike[str]) -> None:
    """Raise OSError if a path is a symbolic link."""
    if os.path.islink(path):
        raise OSError(errno.ELOOP, "it is a symbolic link; expected a plain file", os.fspath(path))


def _refuse_mode(mode: int, path: str | os.PathLike[str]) -> None:
    """Raise OSError unless a file's mode is that of a plain file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device; expected a plain file", os.fspath(path))


def refuse_special(path: str | os.PathLike[str]) -> None:
    """Raise OSError if a guarded folder has a link, a pipe, a device or a folder at this path."""
    if is_guarded(path) and os.path.lexists(path):
        refuse_link(path)
        _refuse_mode(os.lstat(path).st_mode, path)


def open_to_read(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file, a device or a pipe for reading. In a guarded folder, raise OSError unless it is a plain file."""
    return open_plain(path, follow=False) if is_guarded(path) else open(path, "rb")


def read_limited(path: str | os.PathLike[str], most: int = LARGEST_INPUT) -> bytes:
    """Return the content of a file, a device or a pipe.

    Raise OSError if reading fails, if the file has more than `most` bytes, or if the folder is guarded and the file is
    not a plain file.
    """
    with open_to_read(path) as file:
        return read_open(file, most)


def read_plain(path: str | os.PathLike[str], most: int = LARGEST_INPUT) -> bytes:
    """Return the content of a plain file. Raise OSError if the file is not plain or is too large."""
    with open_plain(path) as file:
        return read_open(file, most)


def read_open(file: BinaryIO, most: int = LARGEST_INPUT) -> bytes:
    """Return the unread bytes of an open file. Raise OSError for more than `most` bytes."""
    pieces: list[bytes] = []
    count = 0
    while count <= most:
        piece = file.read(min(PIECE, most + 1 - count))  # `read` allocates a buffer of the requested size
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        count += len(piece)
    raise OSError(errno.EOVERFLOW, f"it exceeds the limit of {most:,} bytes")


def find_conflicts(text: str) -> list[int]:
    """Return the zero-based offsets at which the unresolved git conflicts of a text start."""
    starts: list[int] = []
    is_open = False
    for marker in _CONFLICT.finditer(text):
        if marker[1] == "<" or not is_open:
            starts.append(marker.start())
        is_open = marker[1] != ">"
    return starts


def describe_conflict(data: bytes) -> str:
    """Return `line N: an unresolved merge conflict` for a file's first git conflict.

    The result is '' if the file has no git conflict.
    """
    text = data.decode("latin-1")
    lines = [text.count("\n", 0, start) + 1 for start in find_conflicts(text)]
    return f"line {lines[0]}: an unresolved merge conflict" if lines else ""


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file's content with a text (UTF-8, LF).

    If writing fails, keep the old file and raise OSError.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], data: bytes, check: Callable[[str], object] = lambda name: None) -> None:
    """Replace a file, or the target of a symbolic link, atomically.

    If writing fails, the old file stays intact. Once the function returns, the bytes are on the disk and survive a
    power cut. A power cut before the return leaves either the old file or the new file. A device or a pipe is written
    directly. Otherwise, the function calls `check` with the name of a temporary file that contains the new bytes. If
    `check` raises an exception, the function passes the exception on and leaves the old file unchanged. Raise OSError
    if writing fails, if the path lies in the installed package, or if a guarded folder has a link, a pipe, a device or
    a folder at this path.
    """
    refuse_installed(path)
    refuse_special(path)
    if is_guarded(path):
        path = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.basename(path))
    elif os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe: a rename would replace it by a file
        with open(path, "wb") as file:
            file.write(data)
        return
    else:
        path = os.path.realpath(path)
    folder, name = os.path.split(path)
    handle, temporary = tempfile.mkstemp(f".{process_name()}.new", name[:MOST_OF_NAME] + ".", folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # otherwise the rename could reach the disk before the content
        check(temporary)
        os.chmod(temporary, os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    sync_folder(folder)


def remove_abandoned(folder: str | os.PathLike[str], names: Collection[str] = ()) -> None:
    """Remove the temporary files that killed processes left in a folder.

    names: the names of the files that the processes were writing; if empty, the function removes all temporary files of
    killed processes.
    """
    wanted = {name[:MOST_OF_NAME] for name in names}
    with suppress(OSError):
        for found in os.listdir(folder):
            match = _TEMPORARY.fullmatch(found)
            if match and (not names or match[1] in wanted) and not is_running(match[2]):
                os.unlink(os.path.join(folder, found))


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Flush a folder's entries (created, renamed or removed files) to the disk.

    The function does nothing if the folder is not readable, or if the system cannot flush a folder. Raise OSError for
    any other failure.
    """
    if not hasattr(os, "O_DIRECTORY"):  # Windows has no such operation
        return
    try:
        handle = os.open(folder or os.curdir, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # a folder with write but no read permission
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network disks have no such operation
            raise
    finally:
        os.close(handle)


def refuse_installed(path: str | os.PathLike[str]) -> None:
    """Raise OSError if a path lies in the installed package, to which commands never write."""
    package = str(PACKAGE) + os.sep
    if INSTALLED and (os.path.realpath(path) + os.sep).startswith(package):
        text = "it is part of the installed package; `littlego init FOLDER` creates a folder of your own"
        raise OSError(errno.EROFS, text)


def short_name(path: str | os.PathLike[str]) -> str:
    """Return a printable path for messages.

    The path is relative to the current folder if the file is in or below this folder. Otherwise, it is `path` itself.
    """
    relative = os.path.relpath(path)
    return printable(os.fspath(path) if relative.startswith("..") else relative)


def json_text(value: object) -> str:
    """Return a value as JSON text in ASCII, which can be printed in any encoding."""
    return json.dumps(value, indent=1) + "\n"


def write_json(path: str | os.PathLike[str], value: object) -> None:
    """Write a value as JSON to a file atomically, or to standard output for `-`.

    Raise OSError if writing fails.
    """
    put_text(path, json_text(value))


def put_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text to a file atomically, or to standard output for `-`; raise OSError if writing fails."""
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_text(path, text)
