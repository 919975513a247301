"""A persistent cache: JSON values by key in one SQLite file, shared by several processes.

A key must depend on everything that determines the value, such as the patterns and the code. `digest` returns a key for
texts, and `littlego.meaning` returns digests of code. If the file is lost, each value is recomputed when needed. The
environment variable LITTLEGO_CACHE names the file's folder, which must be on a local disk. The default is `.cache` in
the repository or, for a package installed without the repository, the user's cache folder.

Some cached files are executed: numba unpickles its files, and programs are built in the cache. Therefore the folder
must belong to the user, and nobody else may write to it. If `.cache` breaks this rule or is read-only, the user's cache
folder is used instead. If the folder that LITTLEGO_CACHE names breaks this rule, `make_private` refuses it.

If the folder that LITTLEGO_CACHE names is read-only, or neither default folder is usable, the cache uses a temporary
folder until the process ends. Child processes share this folder.
"""

from __future__ import annotations

import atexit
import errno
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from littlego.paths import HOME, INSTALLED
from littlego.printable import printable
from littlego.scratch import prefix

try:
    import sqlite3
except ImportError:  # in a browser, where a cache file would not persist either
    sqlite3 = None  # type: ignore[assignment]

ROOT = HOME  # the folder of the repository, or of the installed package
VARIABLE = "LITTLEGO_CACHE"
WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class PrivateFolderError(OSError):
    """Raised for a folder that belongs to another user, or that other users can write to.

    `filename` is the folder; `strerror` says what is wrong and what to do.
    """


def _cache_folder() -> Path:
    """Return the folder for cached files. The default never lies inside an installed package."""
    if named := os.environ.get(VARIABLE):
        folder = Path(named)
        return _temporary_folder(f"{folder} {fault}") if (fault := _find_obstacle(folder)) else folder
    beside = HOME / ".cache"  # ignored by git
    unfit = "" if INSTALLED else find_fault(beside) or _find_obstacle(beside)
    if not INSTALLED and not unfit:
        return beside
    from platformdirs import user_cache_dir

    try:
        own = Path(user_cache_dir("littlego", appauthor=False))
    except RuntimeError:  # a service account: neither HOME nor an entry in the list of users
        return _temporary_folder("this user has no home folder")
    if fault := find_fault(own) or _find_obstacle(own):
        return _temporary_folder(f"{own} {fault}")
    if unfit:
        print(f"littlego: {beside} {unfit}: caching results in {own} instead", file=sys.stderr)
    return own


def _find_obstacle(folder: Path) -> str:
    """Return why a folder is not writable, or '' if it is writable. The folder need not exist.

    The text continues a sentence that starts with the folder's name.
    """
    nearest = str(folder)
    while nearest and not os.path.lexists(nearest):
        nearest = os.path.dirname(nearest)
    if os.path.isdir(nearest or ".") and os.access(nearest or ".", os.W_OK | os.X_OK):
        return ""
    return "cannot be written" if nearest == str(folder) else f"cannot be created in {nearest}"


def _temporary_folder(fault: str) -> Path:
    """Return a temporary cache folder for this process and its children, and print a message.

    fault: the reason for not using the usual folder. The temporary folder is removed at exit. If no temporary folder
    can be created, return a path that cannot be written to.
    """
    try:
        folder = tempfile.mkdtemp(prefix=prefix("cache"))
    except OSError:
        folder, effect = os.path.join(os.devnull, "cache"), "nothing is cached"
    else:
        atexit.register(_remove_in, os.getpid(), folder)
        os.environ[VARIABLE] = folder
        effect = f"caching results in {folder} until the command ends"
    line = f"littlego: {fault}: {effect}; set {VARIABLE} to a folder of your own"
    print(printable(line), file=sys.stderr)
    return Path(folder)


def _remove_in(process: int, folder: str) -> None:
    if os.getpid() == process:  # a forked child must not remove its parent's folder
        shutil.rmtree(folder, ignore_errors=True)


def find_fault(place: Path | int) -> str:
    """Return why a folder or an open file cannot be trusted, or '' if it can be trusted.

    The result is also '' for a missing folder or file, and on systems without POSIX user ids. The text continues a
    sentence whose subject is the file's name. place: a path or a file descriptor.
    """
    if not os.path.exists(place) or not hasattr(os, "getuid"):  # Windows has no such user ids and modes
        return ""
    result = os.stat(place)
    if result.st_uid != os.getuid():
        return f"belongs to user id {result.st_uid}, not to you"
    if result.st_mode & WRITTEN_BY_OTHERS:
        return f"is writable by others (mode {stat.S_IMODE(result.st_mode):o})"
    return ""


def make_private(folder: Path) -> None:
    """Create a folder with mode 700, or set the mode of an existing folder to 700.

    Raise PrivateFolderError if the existing folder belongs to another user or is writable by others. Raise OSError if
    the folder cannot be created.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if fault := find_fault(folder):
        raise PrivateFolderError(
            errno.EPERM,
            f"{fault}, so its cached code is not safe to run; set {VARIABLE} to a folder of your own, or remove "
            "this folder",
            str(folder),
        )
    if folder.stat().st_mode & 0o077:
        with suppress(OSError):  # a read-only disk
            folder.chmod(0o700)


FOLDER = _cache_folder()


def digest(*parts: str) -> str:
    """Return a digest of texts as 32 hexadecimal digits."""
    return sha256("\0".join(parts).encode("utf-8")).hexdigest()[:32]


MOST_IN_MEMORY = 20_000  # maximum number of results of a cache without a file
_in_memory: dict[str, dict[str, str]] = {}  # without SQLite: the table of each name


class Cache:
    """A persistent table of JSON values by key.

    A damaged file is deleted and replaced. If the file cannot be opened, results are stored only in memory. If
    `make_private` refuses the folder, the reason is printed on standard error. Without SQLite, as in a web browser, all
    caches with the same name share at most MOST_IN_MEMORY results in memory.
    """

    def __init__(self, name: str, folder: Path = FOLDER):
        self.kept = {} if sqlite3 else _in_memory.setdefault(name, {})  # used without a file
        self.base = _open_file(folder, name) if sqlite3 else None

    def get(self, key: str) -> Any:
        """Return the value of a key, or None if the value is missing or unreadable."""
        if self.base is None:
            return json.loads(self.kept.get(key, "null"))
        try:
            row = self.base.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            return json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError):
            return None

    def put(self, key: str, value: object) -> None:
        """Store a JSON value under a key. Database errors are ignored."""
        self.put_all([(key, value)])

    def put_all(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Store several (key, value) pairs in one transaction. Database errors are ignored."""
        rows = [(key, json.dumps(value)) for key, value in pairs]
        if self.base is None:
            self.kept.update(rows)
            while len(self.kept) > MOST_IN_MEMORY:
                del self.kept[next(iter(self.kept))]
            return
        with suppress(sqlite3.Error), self.base:
            self.base.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", rows)


def _open_file(folder: Path, name: str) -> sqlite3.Connection | None:
    """Return the open file of a cache, or None if it cannot be opened."""
    path = folder / f"{name}.sqlite"
    try:
        make_private(folder)
        try:
            return _open_base(path)
        except sqlite3.OperationalError:  # locked or read-only: the file may be sound
            raise
        except sqlite3.DatabaseError:
            path.unlink()
            return _open_base(path)
    except PrivateFolderError as error:
        _say_once(f"littlego: results are not cached: {error.filename} {error.strerror}")
    except (OSError, sqlite3.Error):
        pass
    return None


@lru_cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr)


def _open_base(path: Path | str) -> sqlite3.Connection:
    base = sqlite3.connect(path, timeout=30)
    base.executescript(
        """
        PRAGMA journal_mode=WAL;
        PRAGMA synchronous=OFF;
        CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT);
        """
    )
    return base
