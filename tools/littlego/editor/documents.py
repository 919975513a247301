"""The open document with its text, revisions and file.

The module also finds the paths of other files in the same folder.
"""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from littlego.cli.arguments import ArgumentError, check_target, read_file, trying_to
from littlego.editor.changes import Change, applied, as_json, difference, read_changes
from littlego.editor.lineends import normal, restored
from littlego.editor.merging import Conflict, merge
from littlego.editor.methods import Refusal
from littlego.editor.session import Session, Snapshot
from littlego.files import LARGEST_INPUT, short_name, write_bytes
from littlego.printable import printable
from littlego.rules.ruleset import LITTLE_GO

MOST_KEPT = 1000  # maximum number of stored edits, for pages that have not received them yet
MISSING = ""  # stands for the digest of a missing file


@dataclass(frozen=True)
class Draft:
    """An unsaved text.

    path: the path of the text's file. base: the file's contents at the last read, write or merge.
    """

    path: str
    base: str
    text: str


class Document:
    """A text that is being edited, and its file.

    revision: a counter that every edit increases; a revision is never reused, not even for another file. base: the
    file's contents at the last read, write or merge. digest: the digest of the file's bytes when `base` was last set.
    start: the initial text if the file does not exist yet, else None; saving creates the file. opened: the value of
    `base` when the file was opened. All texts use line feeds. The file keeps its own line ends (see lineends).
    """

    def __init__(self, path: Path, revision: int = 1, draft: Draft | None = None, start: str | None = None) -> None:
        self.path, self.revision = path.absolute(), revision
        self.start = None if start is None or os.path.lexists(path) else start
        self._take(read_file(self.path) if self.start is None else self.start.encode())
        if self.start is not None:
            self.digest = MISSING
        self.text = self.opened = self.base
        self.conflicts: list[Conflict] = []  # conflicts of the restored draft
        self.is_restored = draft is not None and draft.text != self.base
        if draft and self.is_restored:
            self.text, self.conflicts = merge(draft.base, draft.text, self.base)
        self._edits: deque[tuple[int, list[Change]]] = deque(maxlen=MOST_KEPT)  # (previous revision, changes)

    def _take(self, data: bytes) -> None:
        """Store `data` as the last known contents of the file; raise ArgumentError unless `data` is UTF-8."""
        self._raw, self.digest = decoded(data, self.path), digest_of(data)
        self.base = normal(self._raw)

    @property
    def name(self) -> str:
        """The file's name for messages."""
        return short_name(self.path)

    @property
    def is_saved(self) -> bool:
        """Whether the text equals the last known contents of the file."""
        return self.text == self.base

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the document for the worker processes."""
        return Snapshot(self.revision, self.text, self.name, str(self.path), start=self.start, opened=self.opened)

    def draft(self) -> Draft:
        """Return the draft to store while the text is unsaved."""
        return Draft(str(self.path), self.base, self.text)

    def ruleset_name(self) -> str:
        """Return the name of the ruleset in the first line that starts with `ruleset:`, by default little-go."""
        found = re.search(r"^ruleset:[ \t]*([\w-]+)", self.text, re.MULTILINE)
        return found[1] if found else LITTLE_GO.name

    def why_not_writable(self) -> str:
        """Return the reason why the file cannot be written, or '' for a writable file."""
        try:
            check_target(self.path)
        except ArgumentError as error:
            return str(error)
        return ""

    def edit(self, revision: int, changes: Any) -> list[Change]:
        """Apply a page's changes to the text and return the parsed changes.

        Raise Refusal for invalid changes, an old revision, or a text that becomes too long.
        """
        self.check(revision)
        read = read_changes(changes, len(self.text))
        self._apply(read)
        return read

    def check(self, revision: int) -> None:
        """Raise Refusal, with the newer edits, if `revision` is not the newest revision."""
        if revision != self.revision:
            said = f"the edit is for revision {revision}, but the document is at revision {self.revision}"
            raise Refusal("stale", f"{said}: apply the newer edits", revision=self.revision, since=self.since(revision))

    def _apply(self, changes: list[Change]) -> None:
        text = applied(self.text, changes)
        if len(text) > LARGEST_INPUT:
            raise Refusal("large", f"the text has {len(text):,} characters; at most {LARGEST_INPUT:,} are allowed")
        self._edits.append((self.revision, changes))
        while sum(len(change.insert) for _, edit in self._edits for change in edit) > LARGEST_INPUT:
            self._edits.popleft()
        self.text = text
        self.revision += 1

    def since(self, revision: int) -> list[list[dict[str, Any]]] | None:
        """Return the edits since a revision, one list of changes per edit.

        The result is None if an edit is no longer stored, or if the revision does not exist yet.
        """
        kept = [changes for before, changes in self._edits if before >= revision]
        return [as_json(changes) for changes in kept] if len(kept) == self.revision - revision else None

    def found_on_disk(self) -> tuple[bytes, str]:
        """Return the file's bytes and digest, or (b"", MISSING) for a missing file.

        Raise ArgumentError if the file cannot be read.
        """
        if not os.path.lexists(self.path):
            return b"", MISSING
        data = read_file(self.path)
        return data, digest_of(data)

    def save(self, revision: int, digest: str) -> str:
        """Write the text to its file; return the file's new digest.

        digest: the digest of the file's contents as last sent to the page. Raise Refusal for an old revision, or if the
        file on disk equals neither the contents last sent to the page nor the text. Raise ArgumentError if the file
        cannot be read or written.
        """
        self.check(revision)
        data = restored(self.text, self._raw).encode("utf-8")
        _, found = self.found_on_disk()
        if found not in (digest, digest_of(data)):
            text = f"{self.name} {'was deleted' if found == MISSING else 'was changed'} after it was last read"
            raise Refusal("changed", f"{text}: merge, reload or overwrite it", digest=found)
        with trying_to(f"write {self.name}"):
            write_bytes(self.path, data)
        self._take(data)
        return self.digest

    def to_saved(self) -> list[Change]:
        """Return the changes that reset the text to the file's contents at the last read, write or merge."""
        return difference(self.text, self.base)

    def take_from_disk(self, revision: int) -> list[Change]:
        """Replace the text with the file's contents; return the changes.

        Raise Refusal for an old revision or a missing file, and ArgumentError for an unreadable file.
        """
        self.check(revision)
        data, theirs = self._read_again()
        changes = difference(self.text, theirs)
        self._apply(changes)
        self._take(data)
        return changes

    def merge_from_disk(self, revision: int) -> tuple[list[Change], list[Conflict]]:
        """Update the text with the changes made to the file since the last read, write or merge.

        In a conflict, the edited text takes precedence over the file. Return the changes and the conflicts. Raise
        Refusal for an old revision, a missing file or a merged text that is too long, and ArgumentError for an
        unreadable file.
        """
        self.check(revision)
        data, theirs = self._read_again()
        merged, conflicts = merge(self.base, self.text, theirs)
        changes = difference(self.text, merged)
        self._apply(changes)
        self._take(data)
        return changes, conflicts

    def _read_again(self) -> tuple[bytes, str]:
        """Return the bytes and the text of the file; raise Refusal for a missing file."""
        data, digest = self.found_on_disk()
        if digest == MISSING:
            raise Refusal(
                "changed", f"{self.name} was deleted from the disk: save the page to restore the file", digest=MISSING
            )
        return data, normal(decoded(data, self.path))


def conflicts_json(conflicts: list[Conflict]) -> list[dict[str, Any]]:
    """Return conflicts as JSON objects with the keys `from`, `to`, `mine`, `theirs` and `base`."""
    return [
        {
            "from": conflict.start,
            "to": conflict.end,
            "mine": conflict.mine,
            "theirs": conflict.theirs,
            "base": conflict.base,
        }
        for conflict in conflicts
    ]


def digest_of(data: bytes) -> str:
    """Return the SHA-256 digest of a file's bytes as a hexadecimal string."""
    return sha256(data).hexdigest()


def decoded(data: bytes, path: Path) -> str:
    """Return the text of a file's bytes; raise ArgumentError unless the bytes are UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = (
            f"{short_name(path)}: found the byte 0x{data[error.start]:02x}; expected UTF-8 text: save the file as UTF-8"
        )
        raise ArgumentError(text) from None


def file_beside(session: Session, name: str, endings: Collection[str] = ()) -> Path:
    """Return the path of a file in the folder of the open file; see file_in."""
    return file_in(Path(session.snapshot.path or session.filename).absolute().parent.resolve(), name, endings)


def file_in(folder: Path, name: str, endings: Collection[str] = ()) -> Path:
    """Return the path of a regular file that lies directly in a folder; raise Refusal for any other name.

    folder: the folder's path without links. name: the name in a request. endings: the allowed suffixes; () allows all.
    For a link, return the path of its target, which must also lie in the folder.
    """
    wanted = f"a file in {short_name(folder)}" + (f" that ends in {' or '.join(endings)}" if endings else "")
    said = f"cannot use the name {printable(name[:100])!r}; expected {wanted}"
    try:
        path = (folder / name).resolve()
        if path.parent != folder or endings and path.suffix not in endings:
            raise Refusal("forbidden", said)
        mode = path.lstat().st_mode
    except FileNotFoundError:
        raise Refusal("unknown", said) from None
    except (OSError, ValueError, RuntimeError):  # too long, not encodable, or a circle of links
        raise Refusal("forbidden", said) from None
    if not stat.S_ISREG(mode):
        raise Refusal("unknown", said)
    return path
