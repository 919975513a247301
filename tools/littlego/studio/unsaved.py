"""Drafts: unsaved texts stored on disk, which the next studio can restore after a crash."""

from __future__ import annotations

import ctypes
import json
import os
import re
import struct
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from itertools import count
from pathlib import Path

from littlego.cache import FOLDER, make_private
from littlego.editor.documents import Draft
from littlego.files import read_plain, remove_abandoned, write_json
from littlego.scratch import PROCESS, is_running, process_name

LARGEST = 60_000_000  # maximum bytes of a draft: two texts of the largest size, with escapes

# Linux reports a folder's creation time only by statx(2), which Python supports from 3.15 on.
_CURRENT, _BORN, _AT = -100, 0x800, 80  # AT_FDCWD, STATX_BTIME, and the offset of stx_btime


_numbers = count()
_open: set[str] = set()  # the sessions of this process that are not closed


class Drafts:
    """The drafts of one session; a session is one running studio. Each draft is a file in a private folder.

    Several studios may edit the same file, each with its own draft. A later session takes over a draft that an ended
    session left behind.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or FOLDER / "studio-drafts"
        self._session = f"{process_name()}-{next(_numbers)}"
        _open.add(self._session)

    def close(self) -> None:
        """End the session and leave its drafts to later sessions; a second call does nothing."""
        _open.discard(self._session)

    def _own(self, path: Path) -> Path:
        return self._folder / f"{_key(path)}-{self._session}.json"

    def keep(self, draft: Draft) -> None:
        """Write a draft to disk, in place of any earlier draft of the same file in this session.

        Raise OSError if writing fails.
        """
        make_private(self._folder)
        path = Path(draft.path)
        write_json(self._own(path), {**asdict(draft), "born": born(path.parent)})

    def drop(self, path: Path) -> None:
        """Delete this session's draft of a file, if any."""
        with suppress(OSError):
            self._own(path).unlink()

    def find(self, path: Path) -> Draft | None:
        """Return this session's draft of a file, or None."""
        return _read(self._own(path), path)

    def take(self, path: Path) -> Draft | None:
        """Return this session's draft of a file, else the newest draft left by an ended session, else None.

        This session renames an ended session's draft, so that no other session restores it.
        """
        remove_abandoned(self._folder)
        if draft := self.find(path):
            return draft
        for place in self._left(path):
            if draft := _read(place, path):
                with suppress(OSError):  # another studio was faster
                    os.rename(place, self._own(path))
                    return draft
        return None

    def count_left(self, path: Path) -> int:
        """Return the number of a file's readable drafts that ended sessions left behind."""
        return sum(_read(place, path) is not None for place in self._left(path))

    def _left(self, path: Path) -> list[Path]:
        """Return the paths of a document's drafts that ended sessions left behind, newest first."""
        found = []
        with suppress(OSError):
            for name in os.listdir(self._folder):
                match = _DRAFT.fullmatch(name)
                if match and match[1] == _key(path) and not _is_running(match[2]):
                    place = self._folder / name
                    found.append((place.stat().st_mtime_ns, place))
        return [place for _, place in sorted(found, reverse=True)]


_DRAFT = re.compile(rf"([0-9a-f]{{32}})(?:-({PROCESS}-\d+))?\.json")  # drafts of earlier versions name no session


def _key(path: Path) -> str:
    return sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _is_running(session: str | None) -> bool:
    """Return whether a session is still running; return False if `session` is None."""
    if session is None:
        return False
    process = session.rpartition("-")[0]
    return session in _open if process == process_name() else is_running(process)


def _read(place: Path, path: Path) -> Draft | None:
    """Return the draft in the file `place`, or None for a file without a readable draft.

    The result is also None if the draft does not belong to the document at `path`. If the document's folder was deleted
    and created again under the same name, the old draft belongs to another file and is ignored.
    """
    try:
        found = json.loads(read_plain(place, LARGEST))
        if found.pop("born", None) != born(path.parent):
            return None
        draft = Draft(**found)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    is_whole = all(isinstance(part, str) for part in (draft.path, draft.base, draft.text))
    return draft if is_whole and draft.path == str(path) else None


def born(folder: Path) -> int:
    """Return a folder's creation time in nanoseconds; 0 if the time is unknown or the folder is missing."""
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
