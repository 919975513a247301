"""Results kept between runs: a table of JSON values in one SQLite file, which several processes may use at once.

A key names all that the result depends on; `digest` makes it from texts, and `littlego.meaning` from the
source that computed it, so that a result is never read back for other knowledge or other code. Losing the file costs
time only. It lies in the repository, in the user's own cache where the tools are installed, or where the variable
LITTLEGO_CACHE says: SQLite wants a disk of this machine.

What is kept there is believed, and some of it is run: numba's files are pickles, programs are built there. So the
folder must be ours, and nobody else's to write to. Where the repository's is not, as in a checkout of somebody else or
one that a group shares, the user's own cache takes its place; a folder that LITTLEGO_CACHE names is refused.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from littlego.paths import HOME, INSTALLED

ROOT = HOME  # of the repository, or of the installed package
VARIABLE = "LITTLEGO_CACHE"
WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class PrivateFolderError(OSError):
    """A folder that is not ours alone: `filename`; `strerror` says why, and what to do."""


def _cache_folder() -> Path:
    """Return the folder of everything that is kept between runs; nothing is ever written into an installed package."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    folder = HOME / ".cache"  # git-ignored
    fault = find_fault(folder)
    if not INSTALLED and not fault:
        return folder
    from platformdirs import user_cache_dir

    own = Path(user_cache_dir("littlego", appauthor=False))
    if not INSTALLED:
        print(f"littlego: {folder} {fault}: keeping results in {own} instead", file=sys.stderr)
    return own


def find_fault(place: Path | int) -> str:
    """Return why what a folder or an open file holds cannot be believed, '' where it can, or where there is nothing.

    The words continue its name.
    """
    if not os.path.exists(place) or not hasattr(os, "getuid"):  # Windows keeps users apart in other ways
        return ""
    found = os.stat(place)
    if found.st_uid != os.getuid():
        return f"belongs to the user with the number {found.st_uid}, not to you"
    if found.st_mode & WRITTEN_BY_OTHERS:
        return f"can be written to by others (its mode is {stat.S_IMODE(found.st_mode):o})"
    return ""


def make_private(folder: Path) -> None:
    """Make a folder with mode 700; raise PrivateFolderError where it is there and not ours alone, or OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if fault := find_fault(folder):
        raise PrivateFolderError(
            errno.EPERM,
            f"{fault}, and what is kept there is run; name a folder of your own in {VARIABLE}, or remove this one",
            str(folder),
        )
    if folder.stat().st_mode & 0o077:
        with suppress(OSError):  # a disk that is only read
            folder.chmod(0o700)


FOLDER = _cache_folder()


def digest(*parts: str) -> str:
    """Return a digest of these texts in this order."""
    return sha256("\0".join(parts).encode("utf-8")).hexdigest()[:32]


class Cache:
    """A table of results by key.

    A damaged file is thrown away. A cache that cannot be opened or written forgets everything, and says nothing; one
    in a folder that is not ours alone says so.
    """

    def __init__(self, name: str, folder: Path = FOLDER):
        path = folder / f"{name}.sqlite"
        try:
            make_private(folder)
            try:
                self.base = _open_base(path)
            except sqlite3.OperationalError:  # locked, or not to be written: it may be sound
                raise
            except sqlite3.DatabaseError:
                path.unlink()
                self.base = _open_base(path)
        except PrivateFolderError as error:
            _say_once(f"littlego: nothing is kept between runs: {error.filename} {error.strerror}")
            self.base = _open_base(":memory:")
        except (OSError, sqlite3.Error):
            self.base = _open_base(":memory:")

    def get(self, key: str) -> Any:
        """Return the value kept under a key, or None."""
        try:
            row = self.base.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            return json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError):
            return None

    def put(self, key: str, value: object) -> None:
        """Keep a JSON value under a key."""
        self.put_all([(key, value)])

    def put_all(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Keep several (key, value) at once."""
        rows = [(key, json.dumps(value)) for key, value in pairs]
        with suppress(sqlite3.Error), self.base:
            self.base.executemany("INSERT OR REPLACE INTO results VALUES (?, ?)", rows)


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
