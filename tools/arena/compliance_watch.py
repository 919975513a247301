"""What a program leaves behind: folders before and after it ran, and the places where programs keep things."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path

PLACES = {
    "HOME": "home",
    "TMPDIR": "tmp",
    "XDG_CACHE_HOME": "cache",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
}
LARGEST = 1 << 22  # bytes of a file that are compared; of a larger one its size and time
BYTECODE = "__pycache__"  # Python's own, whoever runs it


@contextmanager
def places() -> Iterator[tuple[dict[str, str], Path]]:
    """Make empty folders for what programs keep; yield the variables that name them, and the folder that holds them."""
    with tempfile.TemporaryDirectory(prefix="littlego-check-") as name:
        folder = Path(name)
        for place in PLACES.values():
            (folder / place).mkdir()
        yield {variable: str(folder / place) for variable, place in PLACES.items()}, folder


def snapshot(kept: Path, folders: Iterable[Path]) -> dict[Path, str]:
    """Return the files anywhere below `kept` and right in some folders, each with a key for what it holds."""
    paths = chain(kept.rglob("*"), *(folder.iterdir() for folder in folders))
    return {path: _key(path) for path in paths if BYTECODE not in path.parts and not path.is_dir()}


def differences(before: dict[Path, str], after: dict[Path, str]) -> list[str]:
    """Return what happened between two snapshots, a line for each file."""
    made = [f"made {path}" for path in sorted(after.keys() - before.keys())]
    changed = [f"changed {path}" for path in sorted(after.keys() & before.keys()) if after[path] != before[path]]
    return made + changed + [f"removed {path}" for path in sorted(before.keys() - after.keys())]


def _key(path: Path) -> str:
    try:
        found = path.stat()
        if not path.is_file() or found.st_size > LARGEST:
            return f"{found.st_size} {found.st_mtime_ns}"
        return sha256(path.read_bytes()).hexdigest()
    except OSError:  # gone meanwhile, or not to be read
        return ""
