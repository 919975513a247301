"""Compiled patterns of players whose names contain a patterns file, as `ours:HEAD:patterns.yaml` does.

If the name contains a YAML file or a git revision, the player uses a cached copy of the compiled patterns, so that a
change to the patterns file does not affect a game in progress.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from zlib import compress, decompress

from littlego.cache import FOLDER
from littlego.files import write_bytes
from littlego.knowledge.files import read_compiled
from littlego.knowledge.overrides import NAME as OVERRIDES
from littlego.knowledge.revisions import read_beside
from littlego.match.host import OUR_PLAYER
from littlego.paths import HOME, is_shipped

# patterns.txt and overrides.txt compressed by zlib; the second is b"" if there are no overrides
Packed = tuple[bytes, bytes]


def read_packed(path: str, with_overrides: bool) -> Packed:
    """Return (patterns at `path`, overrides in the same folder), both compressed.

    with_overrides: whether to read the overrides. Without overrides, the second value is b"". Raise ArgumentError if
    the patterns file is missing or invalid.
    """
    overrides = read_beside(path, OVERRIDES) if with_overrides else b""
    return compress(read_compiled(path)), overrides and compress(overrides)


def read_packed_once(path: str, with_overrides: bool) -> Packed:
    """Return read_packed's result, cached until a file's modification time or size changes.

    The files are the patterns file and the overrides in the same folder. Files of a git revision have no modification
    time, so their results stay in the cache. The cache saves time, because every game creates new players.
    """
    beside = os.path.join(os.path.dirname(path), OVERRIDES)
    return _read_once(path, with_overrides, os.getcwd(), (_state_of(path), _state_of(beside)))


def _state_of(path: str) -> tuple[int, int]:
    """Return a file's modification time in ns and its size in bytes.

    The result is (0, 0) if the file cannot be examined.
    """
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=16)
def _read_once(path: str, with_overrides: bool, _folder: str, _states: tuple[tuple[int, int], ...]) -> Packed:
    return read_packed(path, with_overrides)


def unpack_book(patterns: bytes, overrides: bytes) -> str:
    """Unpack patterns and overrides to the cache; return the path of patterns.txt. Both arguments are compressed."""
    path = _unpack(patterns, overrides)
    if not path.is_file():  # the cache was emptied in the meantime
        _unpack.cache_clear()
        path = _unpack(patterns, overrides)
    return str(path)


def program_with(path: str) -> str:
    """Return the path of a my_player3.py that uses the patterns file at `path`.

    The program also uses the overrides in the same folder. For a patterns file that is not shipped with the project,
    the program and its modules are copied to the cache. Raise ArgumentError if the patterns file is missing or invalid.
    """
    if is_shipped(Path(path)):
        return OUR_PLAYER
    book = Path(unpack_book(*read_packed_once(path, with_overrides=True)))
    for source in (Path(OUR_PLAYER), *sorted((HOME / "rules").glob("*.py"))):
        target, data = book.parent / source.relative_to(HOME), source.read_bytes()
        target.parent.mkdir(exist_ok=True)
        if not (target.is_file() and target.read_bytes() == data):
            write_bytes(target, data)
    return str(book.with_name(Path(OUR_PLAYER).name))


@lru_cache(maxsize=16)
def _unpack(patterns: bytes, overrides: bytes) -> Path:
    """Write patterns.txt and any overrides to a cache folder; return the path of patterns.txt."""
    folder = FOLDER / "arena" / sha256(patterns + b"\0" + overrides).hexdigest()[:32]
    folder.mkdir(parents=True, exist_ok=True)
    for name, packed in ((OVERRIDES, overrides), ("patterns.txt", patterns)):
        path, data = folder / name, packed and decompress(packed)
        if packed and not (path.is_file() and path.read_bytes() == data):
            write_bytes(path, data)
    return folder / "patterns.txt"
