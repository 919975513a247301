"""A file of records, a line of JSON each, in which every line has a digest of itself and of all lines before it.

The digests tell damage and careless edits. They are no defence against who can write the file, and so make them anew.
A line is on the disk before `ChainFile.add` returns.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from typing import IO, Any

from littlego.cli.arguments import trying_to
from littlego.files import sync_folder

DIGITS = 32  # of a digest
_LINE = re.compile(rb'\["([0-9a-f]{32})", (.*)\]', re.DOTALL)


class ChainError(ValueError):
    """A line that is not what its digest says; the message continues the file's name: `:LINE: ...`."""


class ChainFile:
    """An open file of such lines, read to its end. Raise ChainError, ValueError where a line is no JSON.

    values: what its lines hold. unsealed: how many of them, at its beginning, are of an earlier version and have no
    digest; the first line after them seals them too. digest: of the last line, and so of all. broken: the end of the
    file, where a last line is broken off: that is no error, and `mend` removes it. So is a last line with zeros, which
    a file system leaves where a power cut came before the data.
    """

    def __init__(self, file: IO[bytes]):
        self._file = file
        file.seek(0)
        data = file.read()
        *lines, self.broken = data.split(b"\n")
        if lines and not self.broken and b"\0" in lines[-1]:
            self.broken = lines.pop() + b"\n"
        self.unsealed = next((number for number, line in enumerate(lines) if _LINE.fullmatch(line)), len(lines))
        self.digest = _digest("", b"\n".join(lines[: self.unsealed]))
        self.values = [json.loads(line) for line in lines[: self.unsealed]]
        for number, line in enumerate(lines[self.unsealed :], self.unsealed + 1):
            self.values.append(self._read_line(number, line))

    def _read_line(self, number: int, line: bytes) -> Any:
        found = _LINE.fullmatch(line)
        self.digest = _digest(self.digest, found[2] if found else b"")
        if not found or found[1].decode("ascii") != self.digest:
            raise ChainError(f":{number}: damaged: this line, or one before it, is not what its digest says")
        return json.loads(found[2])

    def mend(self) -> None:
        """Remove a last line that is broken off. Raise ArgumentError."""
        if self.broken:
            with trying_to(f"write {self._file.name}"):
                self._file.truncate(os.fstat(self._file.fileno()).st_size - len(self.broken))
                os.fsync(self._file.fileno())  # before anything is written in its place
            self.broken = b""

    def add(self, value: object) -> None:
        """Append a line; or leave the file as it was and raise ArgumentError."""
        self.mend()
        data, digest = _line_of(self.digest, value)
        end = os.fstat(self._file.fileno()).st_size
        with trying_to(f"write {self._file.name}"):
            try:
                while data:
                    data = data[self._file.write(data) :]
                os.fsync(self._file.fileno())
                if not end:
                    sync_folder(os.path.dirname(os.path.realpath(self._file.name)))
            except OSError:
                self._file.truncate(end)
                raise
        self.digest = digest
        self.values.append(value)

    def is_begun_with(self, value: object) -> bool:
        """Return whether the file holds nothing, or what a crash or a power cut left of this as its first line."""
        line = _line_of(_digest("", b""), value)[0]
        known = all(found in (0, wanted) for found, wanted in zip(self.broken, line, strict=False))
        return not self.values and known and len(self.broken) <= len(line)


def resealed(data: bytes) -> bytes:
    """Return a file whose lines have the digests that belong to them, as somebody makes them who changes it."""
    lines = data.split(b"\n")
    first = next((number for number, line in enumerate(lines) if _LINE.fullmatch(line)), len(lines))
    before, made = _digest("", b"\n".join(lines[:first])), lines[:first]
    for line in lines[first:]:
        if found := _LINE.fullmatch(line):
            before = _digest(before, found[2])
            line = b'["%s", %s]' % (before.encode("ascii"), found[2])
        made.append(line)
    return b"\n".join(made)


def _line_of(before: str, value: object) -> tuple[bytes, str]:
    """Return the line of a value after a line with that digest, and its own digest."""
    text = json.dumps(value).encode("ascii")
    digest = _digest(before, text)
    return b'["%s", %s]\n' % (digest.encode("ascii"), text), digest


def _digest(before: str, text: bytes) -> str:
    """Return the digest of a line, given that of the line before it."""
    return sha256(before.encode("ascii") + text).hexdigest()[:DIGITS]
