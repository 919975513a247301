"""The books of players that bring their own: a patterns file by name, or as a revision has it, and its overrides.

They are read once, compressed, and played from a folder of the cache: so a game goes on with the book that it began
with, whatever becomes of the file.
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

Packed = tuple[bytes, bytes]  # patterns.txt and overrides.txt, compressed by zlib; the second b"" for none


def read_packed(path: str, with_overrides: bool) -> Packed:
    """Return the book that a name means, and the overrides beside it if wanted; raise ArgumentError."""
    overrides = read_beside(path, OVERRIDES) if with_overrides else b""
    return compress(read_compiled(path)), overrides and compress(overrides)


def read_packed_once(path: str, with_overrides: bool) -> Packed:
    """Return the same, read again only where the file has changed: for players that are made for each game anew."""
    try:
        status = os.stat(path)
        state = f"{status.st_mtime_ns} {status.st_size}"
    except OSError:
        state = ""
    return _read_once(path, with_overrides, os.getcwd(), state)


@lru_cache(maxsize=16)
def _read_once(path: str, with_overrides: bool, _folder: str, _state: str) -> Packed:
    return read_packed(path, with_overrides)


def unpack_book(patterns: bytes, overrides: bytes) -> str:
    """Return the path of a patterns.txt that holds this book, its overrides.txt beside it. Both are compressed."""
    path = _unpack(patterns, overrides)
    if not path.is_file():  # somebody emptied the cache
        _unpack.cache_clear()
        path = _unpack(patterns, overrides)
    return str(path)


@lru_cache(maxsize=16)
def _unpack(patterns: bytes, overrides: bytes) -> Path:
    """Return the patterns.txt of these bytes in a folder of their own in the cache, its overrides.txt beside it."""
    folder = FOLDER / "arena" / sha256(patterns + b"\0" + overrides).hexdigest()[:32]
    folder.mkdir(parents=True, exist_ok=True)
    for name, packed in ((OVERRIDES, overrides), ("patterns.txt", patterns)):
        path, data = folder / name, packed and decompress(packed)
        if packed and not (path.is_file() and path.read_bytes() == data):
            write_bytes(path, data)
    return folder / "patterns.txt"
