"""The state of a studio: the open document, its draft, the lanes and the pages."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from shlex import quote
from typing import Any

from littlego.cli.arguments import ArgumentError
from littlego.editor.changes import Change, as_json
from littlego.editor.documents import Document, conflicts_json, file_in
from littlego.editor.links import Link
from littlego.editor.methods import QUICK, Refusal, load_answers
from littlego.editor.session import Snapshot
from littlego.files import guard, remove_abandoned, short_name
from littlego.printable import printable
from littlego.studio.feed import Event, Feed
from littlego.studio.lanes import Lanes, in_processes
from littlego.studio.unsaved import Drafts

DRAFT_EVERY = 1.0  # seconds between two drafts while the user types
ENDINGS = ".yaml", ".yml"


class Studio:
    """A studio: the open document, its lanes, and the pages that show the document.

    folder: the only folder in which files are opened and written. is_demo: whether the folder is the demo folder
    (littlego.studio.demo); the page of the demo offers a guided tour. players: additional opponents, which may be
    programs; a page cannot name programs. lanes: a function that makes the lanes; its argument is a function that
    returns the current snapshot.
    """

    def __init__(
        self,
        path: Path,
        drafts: Drafts | None = None,
        is_demo: bool = False,
        players: Sequence[str] = (),
        lanes: Callable[[Callable[[], Snapshot]], Lanes] = in_processes,
    ) -> None:
        self.is_demo, self.players = is_demo, tuple(players)
        self.drafts = drafts or Drafts()
        path = path.resolve()  # a link that the user names is followed once, here
        self.folder = path.parent
        guard(self.folder)
        self.document = self._open_document(path, 1)
        self.feed, self.lanes = Feed(), lanes(self.snapshot)
        self._disk = self.document.digest  # the file's digest as last reported to the pages
        self._drafted = self._state_of_text()  # the text's state when the draft was last written or deleted
        self.draft_fault = ""  # why the unsaved text is not on disk

    def snapshot(self) -> Snapshot:
        """Return the snapshot for the worker processes: the current document, and the players."""
        return replace(self.document.snapshot(), players=self.players)

    def _open_document(self, path: Path, revision: int, start: str | None = None) -> Document:
        """Open a file as a document and restore the file's draft; delete drafts that equal the file.

        start: the initial text of a file that does not exist yet. Raise ArgumentError for an unreadable file.
        """
        remove_abandoned(self.folder, [path.name, path.with_suffix(".txt").name])
        while True:
            draft = self.drafts.take(path)
            document = Document(path, revision, draft, start)
            if draft is None or document.is_restored:
                self._drafts_left = self.drafts.count_left(path)
                return document
            self.drafts.drop(path)

    def state(self) -> dict[str, Any]:
        """Return the state that a newly opened page needs."""
        document = self.document
        return {
            "file": self._name_of(document.path),
            "revision": document.revision,
            "digest": document.digest,
            "text": document.text,
            "saved": document.is_saved,
            "restored": document.is_restored,
            "undrafted": self.draft_fault,
            "drafts": self._drafts_left,
            "conflicts": conflicts_json(document.conflicts),
            "readonly": document.why_not_writable(),
            "ruleset": document.ruleset_name(),
            "files": self.files(),
            "version": version("littlego"),
            "demo": self.is_demo,
            "command": "littlego studio --demo" if self.is_demo else f"littlego studio {quote(document.name)}",
        }

    def _name_of(self, path: Path) -> str:
        return printable(path.name) if path.parent == self.folder else short_name(path)

    def files(self) -> list[str]:
        """Return the names of the folder's files that the studio can open."""
        with suppress(OSError):
            found = (path for path in self.folder.iterdir() if path.suffix in ENDINGS and path.is_file())
            return sorted(path.name for path in found)
        return []

    def open(self, page: str, name: str) -> None:
        """Open another file of the folder; the unsaved text of the current file is stored as a draft.

        Raise Refusal if the name is invalid or the draft cannot be written, and ArgumentError if the file is
        unreadable.
        """
        path = file_in(self.folder, name, ENDINGS)
        self._replace_document(page, lambda revision: self._open_document(path, revision))

    def open_link(self, page: str, link: Link) -> bool:
        """Open a link as the unsaved text of a new file; the file is created only when the text is saved.

        Return whether the open text equals the link's text; the texts can differ if the file or an edited draft of the
        file already exists. Raise Refusal if the link is invalid or the current text cannot be stored as a draft, and
        ArgumentError if the file is unreadable.
        """
        path, start, text = self.folder / link.filename(), link.base(), link.applied()

        def document(revision: int) -> Document:
            found = self._open_document(path, revision, start)
            if found.start is not None and not found.is_restored:
                found.text = text
            return found

        self._replace_document(page, document)
        return self.document.text == text

    def _replace_document(self, page: str, document: Callable[[int], Document]) -> None:
        """Store a draft of the open document, replace the document, and notify all pages.

        The new document is the result of `document(revision)`. Raise Refusal if the draft cannot be written.
        """
        self.keep_draft()
        if self.draft_fault:
            raise Refusal("disk", f"{self.draft_fault}: save {self.document.name} before you open another file")
        self.document = document(self.document.revision + 1)
        self._disk, self._drafted = self.document.digest, self._state_of_text()
        opened = {"opened": self._name_of(self.document.path), "revision": self.document.revision}
        self.tell({**opened, "page": page})

    def edit(self, page: str, revision: int, changes: Any) -> int:
        """Apply a page's edit, send it to all pages, and return the new revision.

        Raise Refusal for an invalid edit.
        """
        made = self.document.edit(revision, changes)
        self._tell_edit(page, made)
        return self.document.revision

    def _tell_edit(self, page: str, changes: list[Change]) -> None:
        document = self.document
        self.tell({"edit": as_json(changes), "revision": document.revision, "saved": document.is_saved, "page": page})

    def save(self, page: str, revision: int, digest: str) -> str:
        """Save the text at a page's request and notify all pages; return the file's new digest.

        Raise Refusal and ArgumentError as `Document.save` does.
        """
        remove_abandoned(self.folder, [self.document.path.name])
        self._disk = self.document.save(revision, digest)
        self.document.is_restored = False
        self.keep_draft()
        self.tell({"saved": self._disk, "revision": revision, "page": page})
        return self._disk

    def reload(self, page: str, revision: int) -> dict[str, Any]:
        """Replace the text with the file's contents; return the answer for the page.

        Raise Refusal and ArgumentError as `Document.take_from_disk` does.
        """
        return self._taken(page, self.document.take_from_disk(revision), [])

    def merge(self, page: str, revision: int) -> dict[str, Any]:
        """Merge the file's changes into the text; return the answer for the page.

        Raise Refusal and ArgumentError as `Document.merge_from_disk` does.
        """
        changes, conflicts = self.document.merge_from_disk(revision)
        return self._taken(page, changes, conflicts_json(conflicts))

    def _taken(self, page: str, changes: list[Change], conflicts: list[dict[str, Any]]) -> dict[str, Any]:
        document = self.document
        self._disk, document.is_restored = document.digest, False
        self._tell_edit(page, changes)
        return {
            "revision": document.revision,
            "digest": document.digest,
            "changes": as_json(changes),
            "saved": document.is_saved,
            "conflicts": conflicts,
        }

    def look_at_disk(self) -> None:
        """Notify the pages if the file on disk has changed.

        A changed file is also loaded, unless it is missing or the text has unsaved edits.
        """
        document = self.document
        try:
            _, found = document.found_on_disk()
            if found == self._disk:
                return
            self._disk = found
            if found and document.is_saved and found != document.digest:
                changes = document.take_from_disk(document.revision)
                self._tell_edit("", changes)
        except (ArgumentError, Refusal) as error:  # the file is not text, so the current text stays
            self.tell({"disk": self._disk, "taken": False, "text": str(error), "page": ""})
            return
        self.tell({"disk": found, "taken": found == document.digest, "page": ""})

    def tell(self, event: Event) -> None:
        """Send an event to all pages.

        The event's field `page` is the name of the page that caused the event, or '' if no page did.
        """
        self.feed.tell(event)

    def listen(self) -> AsyncIterator[Event]:
        """Return an iterator of events: first the state without the text, then all later events."""
        state = {name: value for name, value in self.state().items() if name != "text"}
        return self.feed.listen({"state": state, "page": ""})

    def keep_draft(self) -> None:
        """Write the text to disk as a draft if it is unsaved, else delete the draft.

        Nothing is written if the draft on disk is current. If the draft cannot be written, the method reports the
        failure to the pages, and the next call tries again.
        """
        document, state = self.document, self._state_of_text()
        if self._drafted == state:
            return
        if document.is_saved:
            self.drafts.drop(document.path)
        else:
            try:
                self.drafts.keep(document.draft())
            except OSError as error:
                self._tell_draft(f"Draft not saved: {error.strerror or error}")
                return
        self._drafted = state
        self._tell_draft("")

    def _state_of_text(self) -> tuple[int, bool]:
        """Return (the revision of the text, whether the text is saved)."""
        return self.document.revision, self.document.is_saved

    def _tell_draft(self, fault: str) -> None:
        """Report a changed `fault` on standard error and to the pages.

        fault: the reason why the draft is not on disk, or ''.
        """
        if fault != self.draft_fault:
            self.draft_fault = fault
            print(printable(f"littlego: {fault or 'saving the draft works again'}"), file=sys.stderr)
            self.tell({"undrafted": fault, "page": ""})

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Monitor the file, save drafts and warm up a lane during the `with` block; then close the studio."""
        from littlego.studio.monitor import watch

        tasks = [
            asyncio.create_task(watch(lambda: self.document.path, self.look_at_disk)),
            asyncio.create_task(_every(DRAFT_EVERY, self.keep_draft)),
            asyncio.create_task(self.lanes.workers[QUICK].warm()),
            asyncio.create_task(asyncio.to_thread(load_answers)),  # because this process checks parameters
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            self.close()
            await asyncio.gather(*tasks, return_exceptions=True)

    def end_streams(self) -> None:
        """End all streams, jobs and questions that pages wait for."""
        self.feed.close()
        self.lanes.jobs.end()
        for worker in self.lanes.workers.values():
            worker.end()

    def close(self) -> None:
        """Store unsaved text as a draft and end all processes; a second call does nothing."""
        self.keep_draft()
        self.drafts.close()
        self.end_streams()
        self.lanes.jobs.close()
        for worker in self.lanes.workers.values():
            worker.close()


async def _every(seconds: float, do: Callable[[], object]) -> None:
    while True:
        await asyncio.sleep(seconds)
        do()
