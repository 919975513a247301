"""Drafts: unsaved texts kept on disk, so that the next studio can restore them after a crash."""

from __future__ import annotations

import ctypes
import json
import os
import struct
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from littlego.cache import FOLDER, make_private
from littlego.editor.documents import Draft
from littlego.files import read_limited, write_json

LARGEST = 60_000_000  # bytes: two texts of the largest size, their escapes counted

# Linux tells when a folder was made by statx(2) alone, which Python has from 3.15 on.
_CURRENT, _BORN, _AT = -100, 0x800, 80  # AT_FDCWD, STATX_BTIME, and where stx_btime lies


class Drafts:
    """The drafts of all files, each in a file of its own in a folder that is ours alone."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or FOLDER / "studio-drafts"

    def _place(self, path: Path) -> Path:
        return self._folder / f"{sha256(str(path).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.json"

    def keep(self, draft: Draft) -> None:
        """Put a draft on the disk in the place of an earlier one of the same file. Raise OSError."""
        make_private(self._folder)
        path = Path(draft.path)
        write_json(self._place(path), {**asdict(draft), "born": born(path.parent)})

    def drop(self, path: Path) -> None:
        """Forget the draft of a file; there may be none."""
        with suppress(OSError):
            self._place(path).unlink()

    def find(self, path: Path) -> Draft | None:
        """Return the draft of a file; None where there is none that can be read.

        One of a folder that is gone, and was made anew under the same name, is about another file.
        """
        try:
            found = json.loads(read_limited(self._place(path), LARGEST))
            if found.pop("born", None) != born(path.parent):
                return None
            draft = Draft(**found)
        except (OSError, ValueError, TypeError, AttributeError):
            return None
        is_whole = all(isinstance(part, str) for part in (draft.path, draft.base, draft.text))
        return draft if is_whole and draft.path == str(path) else None


def born(folder: Path) -> int:
    """Return when a folder was made, in nanoseconds; 0 where the system does not tell, or there is none."""
    try:
        stat = folder.stat()
    except OSError:
        return 0
    if os.name == "nt":
        return stat.st_ctime_ns
    if found := getattr(stat, "st_birthtime", None):  # macOS, BSD
        return int(found * 1e9)
    try:
        statx = ctypes.CDLL(None).statx
    except (OSError, AttributeError):
        return 0
    told = ctypes.create_string_buffer(256)
    if statx(_CURRENT, os.fsencode(folder), 0, _BORN, told) or not struct.unpack_from("=I", told)[0] & _BORN:
        return 0
    seconds, nanoseconds = struct.unpack_from("=qI", told, _AT)
    return int(seconds) * 10**9 + int(nanoseconds)
