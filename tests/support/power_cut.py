"""Simulated power cuts: the possible contents of a disk after unsynced writes and truncations.

Any subset of the unsynced operations may have reached the disk. Some sectors of a write may be missing; these sectors
contain zeros. The end of an extended file may be missing, too. File names and the order of sectors are always intact.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import combinations

SECTOR = 512


class RecordingFile:
    """A wrapper of an unbuffered file that forwards all operations and records them for `states`.

    log: ("write", offset, bytes), ("truncate", length) or ("sync",); callers may add their own marks.
    """

    def __init__(self, file):
        self.file = file
        self.begun = file.seek(0) or file.read()
        self.log = []

    def install(self, monkeypatch, module) -> None:
        """Make a module's os.fsync record syncs of this file."""
        fsync = os.fsync

        def sync(handle):
            fsync(handle)
            if not self.file.closed and handle == self.file.fileno():
                self.log.append(("sync",))

        monkeypatch.setattr(module.os, "fsync", sync)

    def write(self, data):
        self.log.append(("write", os.fstat(self.file.fileno()).st_size, bytes(data)))
        return self.file.write(data)

    def truncate(self, length):
        self.log.append(("truncate", length))
        return self.file.truncate(length)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def states(self) -> Iterator[tuple[list, bytes]]:
        """Yield (log up to a power cut, possible file contents) for each moment and set of lost operations."""
        chance = random.Random(1)
        for moment in range(len(self.log) + 1):
            past = self.log[:moment]
            last = max((at for at, entry in enumerate(past) if entry[0] == "sync"), default=-1)
            pending = [entry for entry in past[last + 1 :] if entry[0] in ("write", "truncate")]
            kept = _apply(self.begun, past[: last + 1])
            for size in range(len(pending) + 1):
                for some in combinations(pending, size):
                    yield past, _apply(kept, some)
                    for _ in range(12):
                        yield past, _apply(kept, some, chance)


def _apply(data: bytes, entries, chance: random.Random | None = None) -> bytes:
    """Return a file's contents after these operations.

    If `chance` is given, some written sectors become zeros, and the end may be missing."""
    held = bytearray(data)
    for entry in entries:
        if entry[0] == "write":
            _, offset, written = entry
            held.extend(bytes(max(0, offset + len(written) - len(held))))
            held[offset : offset + len(written)] = torn(written, offset, chance) if chance else written
        elif entry[0] == "truncate":
            del held[entry[1] :]
    if chance and chance.random() < 0.5 and len(held) > len(data):
        del held[chance.randrange(len(data), len(held)) :]
    return bytes(held)


def torn(written: bytes, offset: int, chance: random.Random) -> bytes:
    """Return written bytes with some sectors zeroed."""
    parts, at = [], 0
    while at < len(written):
        end = at + SECTOR - (offset + at) % SECTOR
        piece = written[at:end]
        parts.append(piece if chance.random() < 0.5 else bytes(len(piece)))
        at = end
    return b"".join(parts)
