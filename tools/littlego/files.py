"""Files of people: read up to a size, written whole or not at all and on the disk; JSON on request. Python 3.7 too."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from collections.abc import Callable
from typing import BinaryIO

from littlego.paths import INSTALLED, PACKAGE
from littlego.printable import printable

STANDARD_OUTPUT = "-"
LARGEST_INPUT = 10_000_000  # bytes of a file that people write: eighty times the shipped patterns.yaml
LARGEST_SERIES = 200_000_000  # bytes of a file that a command writes line by line: games by the ten thousand, overrides


def read_limited(path: str | os.PathLike[str], most: int = LARGEST_INPUT) -> bytes:
    """Return what a file, a device or a pipe holds. Raise OSError, also where that is more than so many bytes."""
    with open(path, "rb") as file:
        return read_open(file, most)


def read_open(file: BinaryIO, most: int = LARGEST_INPUT) -> bytes:
    """Return what is left in an open file, as read_limited does."""
    data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EOVERFLOW, f"it holds more than {most:,} bytes, the most that is read")
    return data


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace a file by this text (UTF-8, LF); a failure leaves the old file whole. Raise OSError."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: str | os.PathLike[str], data: bytes, check: Callable[[str], object] = lambda name: None) -> None:
    """Replace a file, or the one that a symbolic link leads to, by these bytes; a failure leaves the old file whole.

    When this returns they are on the disk: a power cut no longer takes them. Before, it leaves the old file or the new.
    check: given the name of a file with the new bytes, raises where they should not be kept. Raise OSError.
    """
    refuse_installed(path)
    if os.path.exists(path) and not os.path.isfile(path):  # a device or a pipe: renaming would put a file in its place
        with open(path, "wb") as file:
            file.write(data)
        return
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=name + ".", suffix=".new", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # else the new name could reach the disk before what it names
        check(temporary)
        os.chmod(temporary, os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    sync_folder(folder)


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Bring the names in a folder to the disk: of what was made, renamed or removed there. Raise OSError."""
    if not hasattr(os, "O_DIRECTORY"):  # Windows, which knows no such thing
        return
    try:
        handle = os.open(folder or os.curdir, os.O_RDONLY | os.O_DIRECTORY)
    except PermissionError:  # a folder that may be written and not read
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network disks have no such operation
            raise
    finally:
        os.close(handle)


def refuse_installed(path: str | os.PathLike[str]) -> None:
    """Raise OSError where a path lies within the installed package: nothing is ever written there."""
    package = str(PACKAGE) + os.sep
    if INSTALLED and (os.path.realpath(path) + os.sep).startswith(package):
        raise OSError(errno.EROFS, "part of the installed package; `littlego init FOLDER` makes a folder of yours")


def short_name(path: str | os.PathLike[str]) -> str:
    """Return a path as people write it: relative to where they are, if it lies below; see printable."""
    relative = os.path.relpath(path)
    return printable(os.fspath(path) if relative.startswith("..") else relative)


def json_text(value: object) -> str:
    """Return a value as JSON in ASCII, which is valid JSON wherever it is printed."""
    return json.dumps(value, indent=1) + "\n"


def write_json(path: str | os.PathLike[str], value: object) -> None:
    """Write a value as JSON to a file, whole or not at all, or to standard output for `-`. Raise OSError."""
    put_text(path, json_text(value))


def put_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text to a file, whole or not at all, or to standard output for `-`. Raise OSError."""
    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        write_text(path, text)
