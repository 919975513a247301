"""The work folder of a program, which may have put anything in its place: reached by one descriptor, never by a link.

Whatever the host reads, writes or removes goes through the folder's own descriptor, so that it happens in the folder
that was given, or not at all. POSIX only; runs on Python 3.7.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

DISK = 1 << 28  # bytes that the files of a folder may take together
FILES = 10_000  # files and folders that there may be
FOLDERS = 100  # folders that may wait to be looked into, each with a descriptor
_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class FolderError(OSError):
    """A work folder that is no longer what it was; the text says what a program did to it."""


class WorkFolder:
    """A folder by its absolute path. What it was at first is remembered; another one in its place is refused."""

    def __init__(self, path: str):
        self.path = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(path))), os.path.basename(path))
        self._known: tuple[int, int] | None = None

    @contextmanager
    def open(self, make: bool = False) -> Iterator[int]:
        """Open the folder; raise FolderError where it is gone or another one. make: where it is gone, make it anew."""
        above = os.path.dirname(self.path)
        if os.path.realpath(above) != above:
            raise FolderError("has put a link in the place of a folder above its work folder")
        if make and not os.path.lexists(self.path):
            os.makedirs(self.path)
            self._known = None
        descriptor = self._open()
        try:
            status = os.fstat(descriptor)
            identity = (status.st_dev, status.st_ino)
            if self._known not in (None, identity):
                raise FolderError("has put another folder in the place of its work folder")
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
            except PermissionError:  # it has taken our rights away; they are ours to give back
                if attempt or os.path.islink(self.path):
                    raise FolderError("has closed its work folder to the host") from None
                os.chmod(self.path, 0o700)
            except OSError:
                what = "a link" if os.path.islink(self.path) else "a file"
                raise FolderError(f"has put {what} in the place of its work folder") from None
        raise AssertionError

    def remove(self) -> None:
        """Remove the folder with all that is in it; of what is in its place only a link or a file."""
        with suppress(OSError):
            if os.path.islink(self.path) or os.path.isfile(self.path):
                os.unlink(self.path)
                return
            with self.open() as folder:
                empty(folder)
            os.rmdir(self.path)


def empty(folder: int) -> None:
    """Remove all that is in an open folder, however deep: what lies in a folder below is first moved up.

    So that neither the depth nor the length of a path counts, as they do for shutil.rmtree.
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
    """Empty a folder in an open one: files are removed, folders moved into the open one under names that are free."""
    below = _open_below(folder, name)
    try:
        for inner in os.listdir(below):
            if not _is_folder(below, inner):
                os.unlink(inner, dir_fd=below)
                continue
            with suppress(PermissionError):
                os.chmod(inner, 0o700, dir_fd=below)  # a folder that cannot be written to cannot be moved
            while _exists(folder, f"{number}"):
                number += 1
            os.rename(inner, f"{number}", src_dir_fd=below, dst_dir_fd=folder)
    finally:
        os.close(below)
    return number


def remove(folder: int, name: str) -> None:
    """Remove a file or a folder in an open folder, or what a player put in its place."""
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
    """Remove a folder with all that is in it, as far as that can be done; a link in its place alone."""
    WorkFolder(path).remove()


def describe_excess(folder: int, had: tuple[int, int] = (0, 0)) -> str:
    """Return what is too much in an open folder beyond what it had at first; '' where all is within the limits."""
    size, files = measure(folder, (had[0] + DISK, had[1] + FILES))
    if size > had[0] + DISK:
        return f"more than {DISK >> 20} MB"
    return f"more than {FILES:,} files" if files > had[1] + FILES else ""


def measure(folder: int, most: tuple[float, float]) -> tuple[int, int]:
    """Return (bytes on the disk, files and folders) of an open folder; counting ends where one is above the most.

    Where more than FOLDERS lie side by side, as in no program's folder that was seen, that is too many files.
    """
    size = files = 0
    waiting = [os.dup(folder)]
    try:
        while waiting:
            place = waiting.pop()
            try:
                for name in os.listdir(place):
                    with suppress(FileNotFoundError):  # removed meanwhile
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
    """Open a folder in an open one, where a program may have taken our rights away."""
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
