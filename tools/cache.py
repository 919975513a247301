"""Results kept between runs: a table of JSON values in one SQLite file, which several processes may use at once.

A key names all that the result depends on; `digest` makes it from texts, and `tools.meaning` from the
source that computed it, so that a result is never read back for other knowledge or other code. Losing the file costs
time only. It lies in the repository, in the user's own cache where the tools are installed, or where the variable
LITTLEGO_CACHE says: SQLite wants a disk of this machine.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from tools.data import CODE, INSTALLED

ROOT = CODE


def _cache_folder() -> Path:
    """Return the folder of everything that is kept between runs; nothing is ever written into an installed package."""
    if named := os.environ.get("LITTLEGO_CACHE"):
        return Path(named)
    if not INSTALLED:
        return CODE / ".cache"  # git-ignored
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("littlego", appauthor=False))


FOLDER = _cache_folder()


def digest(*parts: str) -> str:
    """Return a digest of these texts in this order."""
    return sha256("\0".join(parts).encode("utf-8")).hexdigest()[:32]


class Cache:
    """A table of results by key.

    A damaged file is thrown away. A cache that cannot be opened or written forgets everything, and says nothing.
    """

    def __init__(self, name: str, folder: Path = FOLDER):
        path = folder / f"{name}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            try:
                self.base = _open_base(path)
            except sqlite3.OperationalError:  # locked, or not to be written: it may be sound
                raise
            except sqlite3.DatabaseError:
                path.unlink()
                self.base = _open_base(path)
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
