"""A file with one JSON value per line. Each line contains a digest of its value and of all earlier lines.

The digests detect damage and careless edits, but not edits by a person who also recomputes the digests. `ChainFile.add`
returns only after the line is on the disk.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from typing import IO, Any

from littlego.cli.arguments import trying_to
from littlego.files import sync_folder

DIGITS = 32  # hexadecimal digits of a digest
_LINE = re.compile(rb'\["([0-9a-f]{32})", (.*)\]', re.DOTALL)


class ChainError(ValueError):
    """Raised for a line that does not match its digest.

    The message starts with `:LINE: `; callers put the file's name before the message.
    """


class ChainFile:
    """An open file of JSON lines with chained digests.

    The constructor reads all lines, and raises ChainError for a line that does not match its digest and ValueError for
    invalid JSON.

    values: the JSON value of each line. unsealed: the number of leading lines without digests, written by an earlier
    version of littlego; the first digest covers these lines. digest: the digest of the last line, which covers all
    lines. broken: the bytes of an incomplete last line, or b"". An incomplete line is not an error; `mend` removes it.
    A last line with NUL bytes is also treated as incomplete, because a power cut may leave NUL bytes in a file.
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
        match = _LINE.fullmatch(line)
        self.digest = _digest(self.digest, match[2] if match else b"")
        if not match or match[1].decode("ascii") != self.digest:
            raise ChainError(f":{number}: damaged: this line or an earlier line does not match its digest")
        return json.loads(match[2])

    def mend(self) -> None:
        """Remove an incomplete last line; raise ArgumentError if writing fails."""
        if self.broken:
            with trying_to(f"write {self._file.name}"):
                self._file.truncate(os.fstat(self._file.fileno()).st_size - len(self.broken))
                os.fsync(self._file.fileno())  # before another line is appended
            self.broken = b""

    def add(self, value: object) -> None:
        """Append a line with a value; raise ArgumentError and add no line if writing fails."""
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
        """Return whether the file is empty or contains only an incomplete line for `value`."""
        line = _line_of(_digest("", b""), value)[0]
        known = all(byte in (0, wanted) for byte, wanted in zip(self.broken, line, strict=False))
        return not self.values and known and len(self.broken) <= len(line)


def resealed(data: bytes) -> bytes:
    """Return a file's bytes with every digest recomputed to match the file's lines."""
    lines = data.split(b"\n")
    first = next((number for number, line in enumerate(lines) if _LINE.fullmatch(line)), len(lines))
    before, made = _digest("", b"\n".join(lines[:first])), lines[:first]
    for line in lines[first:]:
        if match := _LINE.fullmatch(line):
            before = _digest(before, match[2])
            line = b'["%s", %s]' % (before.encode("ascii"), match[2])
        made.append(line)
    return b"\n".join(made)


def _line_of(before: str, value: object) -> tuple[bytes, str]:
    """Return (line, digest) for a value. before: the digest of the preceding line."""
    text = json.dumps(value).encode("ascii")
    digest = _digest(before, text)
    return b'["%s", %s]\n' % (digest.encode("ascii"), text), digest


def _digest(before: str, text: bytes) -> str:
    """Return the digest of a line. before: the digest of the preceding line, or ''. text: the line's JSON."""
    return sha256(before.encode("ascii") + text).hexdigest()[:DIGITS]
