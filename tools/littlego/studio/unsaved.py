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

LARGEST = 60_000_000  # maximum bytes of a draft: two texts of the largest size, with escapes

# Linux reports a folder's creation time only by statx(2), which Python supports from 3.15 on.
_CURRENT, _BORN, _AT = -100, 0x800, 80  # AT_FDCWD, STATX_BTIME, and the offset of stx_btime


class Drafts:
    """The drafts of all files, each in its own file in a private folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or FOLDER / "studio-drafts"

    def _place(self, path: Path) -> Path:
        return self._folder / f"{sha256(str(path).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.json"

    def keep(self, draft: Draft) -> None:
        """Write a draft to disk, replacing an earlier draft of the same file. Raise OSError."""
        make_private(self._folder)
        path = Path(draft.path)
        write_json(self._place(path), {**asdict(draft), "born": born(path.parent)})

    def drop(self, path: Path) -> None:
        """Delete the draft of a file if one exists."""
        with suppress(OSError):
            self._place(path).unlink()

    def find(self, path: Path) -> Draft | None:
        """Return the draft of a file, or None if there is no readable draft.

        If the folder was deleted and created again under the same name, the old draft is about another file and is
        ignored.
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
    """Return a folder's creation time in nanoseconds; 0 if it is unknown or the folder is missing."""
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
