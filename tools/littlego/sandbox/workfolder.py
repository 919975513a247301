"""A program's work folder, accessed by descriptor so that the program cannot replace it with a link.

The host reads, writes and removes files through the folder's descriptor, so that each operation affects the original
folder or fails. This module runs on Python 3.7. Access by descriptor needs a POSIX system.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

DISK = 1 << 28  # maximum bytes of all files in a folder
FILES = 10_000  # maximum number of files and folders
FILLED = "has filled its work folder with {}"
IN_MEMORY = 5 * DISK // 4  # bytes of a folder in memory: the program's own files, at most 64 MB, and DISK
SPARE = 1 << 20  # free bytes below which a disk counts as full: room for a program's small files
SOURCE = "littlego-{}"  # the name of the file system of a folder in memory, with the process id of its owner
MS_NOSUID, MS_NODEV, MNT_DETACH = 2, 4, 2
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
FOLDERS = 100  # maximum number of folders that wait for a scan, each with an open descriptor
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class FolderError(OSError):
    """Raised if a work folder is missing, replaced or inaccessible.

    The message is a verb phrase about the program, such as `has removed its work folder`.
    """


class WorkFolder:
    """A work folder at an absolute path. `open` rejects a folder that has replaced the original folder."""

    def __init__(self, path: str):
        self.path = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.basename(path))
        self._known: tuple[int, int] | None = None

    @contextmanager
    def open(self, make: bool = False) -> Iterator[int]:
        """Yield the open folder's descriptor. make: whether to create a missing folder.

        Raise FolderError if the folder is missing, replaced or inaccessible.
        """
        above = os.path.dirname(self.path)
        if os.path.realpath(above) != above:
            raise FolderError("has put a link in place of a folder above its work folder")
        if make and not os.path.lexists(self.path):
            os.makedirs(self.path)
            self._known = None
        descriptor = self._open()
        try:
            status = os.fstat(descriptor)
            identity = (status.st_dev, status.st_ino)
            if self._known not in (None, identity):
                raise FolderError("has put another folder in place of its work folder")
            self._known = identity
            yield descriptor
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        for attempt in (0, 1):
            try:
                return os.open(self.path, os.O_RDONLY | _FOLDER)
            except FileNotFoundError:
                raise FolderError("has removed its work folder") from None
            except PermissionError:  # the program removed the permissions; the owner can restore them
                if attempt or os.path.islink(self.path):
                    raise FolderError("has removed the permissions of its work folder") from None
                os.chmod(self.path, 0o700)
            except OSError:
                what = "a link" if os.path.islink(self.path) else "a file"
                raise FolderError(f"has put {what} in place of its work folder") from None
        raise AssertionError

    def excess(self, had: tuple[int, int] = (0, 0)) -> str:
        """Return the limit that the folder exceeds, as a verb phrase about the program.

        An example is `has filled its work folder with more than 256 MB`. The result is '' if the folder exceeds no
        limit or cannot be read. `had` is (bytes, number of files and folders) in the folder at the start; the limits
        apply to the increase since then.
        """
        with suppress(OSError), self.open() as folder:
            filled = describe_excess(folder, had)
            return filled and FILLED.format(filled)
        return ""

    def remove(self) -> None:
        """Remove the folder and its contents; stop silently at the first error.

        If a link or a file replaced the folder, remove only the link or file.
        """
        if _unmount(self.path):
            self._known = None  # the unmounted file system had covered another folder
        with suppress(OSError):
            if os.path.islink(self.path) or os.path.isfile(self.path):
                os.unlink(self.path)
                return
            with self.open() as folder:
                empty(folder)
            os.rmdir(self.path)


def make_bounded(path: str) -> None:
    """Create a work folder, in memory if this process may mount a file system.

    A folder in memory is limited to IN_MEMORY bytes. Any other folder has no limit: a running program can fill the disk
    before the folder is next checked.
    """
    os.mkdir(path, 0o700)
    if sys.platform != "linux" or os.geteuid():
        return
    _remove_old_mounts()
    source, options = SOURCE.format(os.getpid()).encode(), f"size={IN_MEMORY},mode=700".encode()
    _libc().mount(source, os.fsencode(path), b"tmpfs", MS_NOSUID | MS_NODEV, options)  # may fail


def is_bounded(path: str) -> bool:
    """Return whether a folder is a separate file system, whose space only files in the folder can use."""
    return os.path.ismount(path)


def is_full(path: str) -> bool:
    """Return whether a folder's disk has no room for a program's small files.

    The result is False if the folder is a separate file system or the free space is unknown.
    """
    try:
        disk = os.statvfs(path)
    except (OSError, AttributeError):  # Windows
        return False
    is_out_of_files = disk.f_files > 0 and not disk.f_favail
    return (disk.f_bavail * disk.f_frsize < SPARE or is_out_of_files) and not is_bounded(path)


def _unmount(folder: str) -> bool:
    """Unmount the in-memory folders at or below a path; their files are lost.

    Return whether an in-memory folder existed.
    """
    paths = [path for path, _ in _mounts() if path == folder or path.startswith(folder + "/")]
    for path in paths:
        _libc().umount2(os.fsencode(path), MNT_DETACH)
    return bool(paths)


@lru_cache(maxsize=None)
def _remove_old_mounts() -> None:
    """Unmount the in-memory folders of killed commands."""
    for path, owner in _mounts():
        if not os.path.isdir(f"/proc/{owner}"):
            _unmount(path)


def _mounts() -> Iterator[tuple[str, int]]:
    """Yield the path of each folder in memory, and the process id of its owner."""
    with suppress(OSError), open("/proc/self/mounts", "rb") as file:
        for source, path, *_ in (line.split(b" ") for line in file):
            owner = re.fullmatch(SOURCE.format(r"(\d+)").encode(), source)
            if owner:
                plain = re.sub(rb"\\(\d{3})", lambda match: bytes([int(match[1], 8)]), path)  # spaces are escaped
                yield os.fsdecode(plain), int(owner[1])


@lru_cache(maxsize=None)
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def empty(folder: int) -> None:
    """Remove the content of an open folder. Nested folders are first moved to the top level.

    The removal therefore works for paths of any depth and length, unlike shutil.rmtree.
    """
    number = 0
    while True:
        names = os.listdir(folder)
        if not names:
            return
        for name in names:
            if not _is_folder(folder, name):
                os.unlink(name, dir_fd=folder)
                continue
            number = _move_up(folder, name, number)
            os.rmdir(name, dir_fd=folder)


def _move_up(folder: int, name: str, number: int) -> int:
    """Empty a subfolder of an open folder; return the `number` for the next call.

    Remove the subfolder's files, and move its folders into the open folder. The moved folders are renamed to unused
    numbers from `number` on.
    """
    below = _open_below(folder, name)
    try:
        for inner in os.listdir(below):
            if not _is_folder(below, inner):
                os.unlink(inner, dir_fd=below)
                continue
            with suppress(PermissionError):
                os.chmod(inner, 0o700, dir_fd=below)  # a folder without write permission cannot be moved
            while _exists(folder, f"{number}"):
                number += 1
            os.rename(inner, f"{number}", src_dir_fd=below, dst_dir_fd=folder)
    finally:
        os.close(below)
    return number


def remove(folder: int, name: str) -> None:
    """Remove a file, link or folder, if it exists, from an open folder. The target of a link is not removed."""
    if not _exists(folder, name):
        return
    if _is_folder(folder, name):
        below = _open_below(folder, name)
        try:
            empty(below)
        finally:
            os.close(below)
        os.rmdir(name, dir_fd=folder)
    else:
        os.unlink(name, dir_fd=folder)


def remove_tree(path: str) -> None:
    """Remove a folder and its contents, or only a link at the path; stop silently at the first error."""
    WorkFolder(path).remove()


def describe_excess(folder: int, had: tuple[int, int] = (0, 0)) -> str:
    """Return the limit that an open folder exceeds, such as `more than 10,000 files`.

    The result is '' if the folder exceeds no limit. had: see WorkFolder.excess.
    """
    size, files = measure(folder, (had[0] + DISK, had[1] + FILES))
    if size > had[0] + DISK:
        return f"more than {DISK >> 20} MB"
    return f"more than {FILES:,} files" if files > had[1] + FILES else ""


def measure(folder: int, most: tuple[float, float]) -> tuple[int, int]:
    """Return (bytes on the disk, number of files and folders) of an open folder.

    Counting stops once a number exceeds its limit in `most`.

    If more than FOLDERS subfolders are still to be scanned, the number of files is increased by FILES to stop the
    counting.
    """
    size = files = 0
    waiting = [os.dup(folder)]
    try:
        while waiting:
            place = waiting.pop()
            try:
                for name in os.listdir(place):
                    with suppress(FileNotFoundError):  # the file was removed in the meantime
                        status = os.stat(name, dir_fd=place, follow_symlinks=False)
                        size, files = size + status.st_blocks * 512, files + 1
                        if stat.S_ISDIR(status.st_mode):
                            waiting.append(_open_below(place, name))
                    if len(waiting) > FOLDERS:
                        files += FILES
                    if size > most[0] or files > most[1]:
                        return size, files
            finally:
                os.close(place)
    finally:
        for place in waiting:
            os.close(place)
    return size, files


def _open_below(folder: int, name: str) -> int:
    """Open a subfolder of an open folder, even if a program removed this user's permissions."""
    try:
        return os.open(name, os.O_RDONLY | _FOLDER, dir_fd=folder)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=folder)
        return os.open(name, os.O_RDONLY | _FOLDER, dir_fd=folder)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _is_folder(folder: int, name: str) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
