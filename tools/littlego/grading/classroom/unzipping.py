"""Safe extraction of a submitted zip file: an archive cannot create files outside the target folder.

The module extracts only plain files of accepted or harmless types, and limits their number and total size. The sizes in
an archive's directory may be wrong, so the module counts the bytes while extracting.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from littlego.match.student_programs import ACCEPTED, MOST_BYTES, MOST_FILES, TOLERATED
from littlego.sandbox.plain_files import Budget, SizeError

PIECE = 1 << 16  # bytes extracted at once
MOST_ENTRIES = 20_000  # maximum entries of an archive, including files that are not extracted
MOST_NAME = 240  # maximum bytes of a path in an archive
MOST_DEPTH = 8  # maximum number of folders above a file
JUNK = ("__MACOSX", "__pycache__")
# Characters that no extracted name has: control characters, and characters that have a special meaning on Windows.
_ODD = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')


class ArchiveError(ValueError):
    """Raised for an invalid or hostile archive; the message describes the problem."""


class Extracted(NamedTuple):
    """The result of extracting an archive.

    left_out: the names of the files that were not extracted. newest: the time of the newest extracted file, or None.

    An archive stores times in the time zone of the author's machine but does not name the zone; `newest` assumes this
    machine's zone.
    """

    left_out: tuple[str, ...]
    newest: datetime | None


def extract(archive: str, folder: Path) -> Extracted:
    """Extract an archive's files of accepted or tolerated types into an empty folder.

    Raise ArchiveError for an invalid or hostile archive.
    """
    budget, left_out, times = Budget(MOST_FILES, MOST_BYTES), [], []
    with _reading(), zipfile.ZipFile(archive) as file:
        for entry in _entries_of(file):
            if _is_wanted(entry):
                times.append(_time_of(entry))
                _extract_entry(file, entry, folder, budget)
            elif not entry.is_dir():
                left_out.append(entry.filename)
    return Extracted(tuple(left_out), max(filter(None, times), default=None))


@contextmanager
def _reading() -> Iterator[None]:
    """Turn exceptions that a damaged or oversized archive causes in the `with` block into ArchiveErrors.

    An OSError is turned into an ArchiveError only if the cause is an impossible offset in the archive.
    """
    try:
        yield
    except (ArchiveError, SizeError) as error:
        raise ArchiveError(str(error)) from None
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError) as error:
        raise ArchiveError(f"damaged zip file: {error}") from None
    except OSError as error:
        if error.errno != errno.EINVAL:  # an impossible offset in the archive
            raise
        raise ArchiveError("damaged zip file: an offset lies outside the file") from None


def _entries_of(file: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    entries = file.infolist()
    if len(entries) > MOST_ENTRIES:
        raise ArchiveError(f"{len(entries):,} entries in the zip file; expected at most {MOST_ENTRIES:,}")
    return entries


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    """Return whether an entry is a plain file of an accepted or tolerated type.

    Hidden files and files in hidden or JUNK folders are not wanted. Raise ArchiveError for a hostile entry.
    """
    name = entry.filename
    parts = name.split("/")
    if not name or name.startswith("/") or ".." in parts or _ODD.search(name):
        raise ArchiveError(
            f"the zip file has an entry {name!r}; expected a relative path without '..', control characters "
            'or any of \\ : * ? " < > |'
        )
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ArchiveError(f"the zip file has an entry {name!r} that is a link or a device; expected plain files")
    hidden = any(part.startswith(".") or part in JUNK for part in parts)
    return not entry.is_dir() and not hidden and name.endswith((*ACCEPTED, *TOLERATED))


def _extract_entry(file: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, budget: Budget) -> None:
    name = entry.filename
    if len(os.fsencode(name)) > MOST_NAME or name.count("/") > MOST_DEPTH:
        raise ArchiveError(
            f"the zip file has a path that is too long or too deep ({len(name)} characters): {name[:60]!r}...; "
            "expected a shorter path"
        )
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ArchiveError(
            f"{name!r} in the zip file uses an unsupported compression method; expected Deflate or no compression"
        )
    if entry.flag_bits & 1:
        raise ArchiveError(f"{name!r} in the zip file is encrypted; expected a zip file without a password")
    target = folder / name
    budget.begin_file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = open(target, "xb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise ArchiveError(f"{name!r} in the zip file cannot be extracted: {error.strerror}") from None
    with made, file.open(entry) as packed:
        while piece := packed.read(PIECE):
            budget.spend(len(piece))
            made.write(piece)


def _time_of(entry: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*entry.date_time).astimezone()
    except (ValueError, OverflowError, OSError):  # an impossible date
        return None
