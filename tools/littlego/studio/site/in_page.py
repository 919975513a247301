"""The studio in a page: two web workers answer the page's messages, without a server.

The first worker runs the studio and answers quick questions. The second worker answers slow questions and runs jobs, so
that typing never waits for slow answers. Between two events of a job, the second worker answers a slow question or
stops a cancelled job. Otherwise, a running task can be interrupted only by ending the second worker. All messages are
JSON texts.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import shutil
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from littlego.editor.changes import Change, applied, changed_part
from littlego.editor.links import read_link
from littlego.editor.methods import (
    BOARD,
    JOBS,
    METHODS,
    QUICK,
    SLOW,
    Method,
    Refusal,
    call,
    find,
    load_answers,
    only_installed,
    refusal_of,
)
from littlego.editor.session import Session, Snapshot
from littlego.parallel import Returning
from littlego.paths import MATCH_TXT, MATCH_YAML, PATTERNS_TXT, PATTERNS_YAML
from littlego.studio.desk import Desk, check_object
from littlego.studio.lanes import Lanes
from littlego.studio.site.later import MATCH, Later, needed_by
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts

ASK, JOB = "ask", "job"  # the kinds of tasks
SUPERSEDED = "a newer request replaced this one"
MOST_KEPT = 4  # number of finished jobs whose events are stored
DRAFTS = ".drafts"
ELSEWHERE = {"arena_page": "littlego arena report FILE --open"}  # job that needs a database -> a command
SESSION = Session()  # the worker's session, for its single document
KEEP_EVERY = 1.0  # seconds between two checks for changed files, which the browser stores
# Seconds that an abandoned question may continue. Its cached results for unchanged patterns speed up the next question,
# whereas a new worker would start with empty caches.
FINISHING = 20.0
STOPPING = 3.0  # seconds that a cancelled job may run until its next event; a new worker would start with empty caches
Message = dict[str, Any]
Event = dict[str, Any]


class Browser(Protocol):
    """JavaScript functions that Python calls in the first worker. `data`: JSON in UTF-8, see `encoded`."""

    def send(self, data: bytes) -> None:
        """Send a message to the page."""

    def post(self, data: bytes) -> None:
        """Send a message to the second worker, which is started if necessary."""

    def end(self) -> None:
        """End the second worker."""

    def keep(self, text: str) -> None:
        """Copy files to the browser's storage. text: a JSON list of file names in the page's folder.

        A file that the folder lacks is removed from the storage.
        """

    def load(self, address: str) -> Awaitable[bool]:
        """Load and unpack an archive of the site; return whether loading succeeded."""


def encoded(message: Message) -> bytes:
    """Return a message for JavaScript, as JSON in UTF-8.

    JavaScript decodes bytes in one step, whereas Pyodide converts a str character by character and makes about 20 bytes
    of garbage for each character.
    """
    return json.dumps(message).encode("ascii")


class PageStudio(Studio):
    """A studio that runs in a page, without a server.

    The number of the first revision depends on the text. The list of files includes patterns.match.yaml even before the
    browser has loaded this file.
    """

    def __init__(self, path: Path, drafts: Drafts, lanes: Callable[[Callable[[], Snapshot]], Lanes]) -> None:
        super().__init__(path, drafts, lanes=lanes)
        self.document.revision = first_revision(self.document.text)

    def files(self) -> list[str]:
        """Return the names of the files that can be opened."""
        return sorted({*super().files(), MATCH_YAML.name})


def first_revision(text: str) -> int:
    """Return the number of a text's first revision in a page.

    Different texts get different numbers, so that a page never uses the site's answers about the shipped patterns (see
    first_view) for another text.
    """
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:6], "big")


class Page:
    """A page's studio, in the first worker.

    folder: the folder of the files that the browser stores, and of the shipped patterns. file: the name of the file to
    open. The browser stores shipped patterns only after an edit, so that a visitor who edits nothing sees the patterns
    of the site's newest version.
    """

    def __init__(self, browser: Browser, folder: str, file: str) -> None:
        self.browser = browser
        self._folder = Path(folder)
        self._changes = Changes(self._folder, self._folder / DRAFTS)  # since the browser last stored the files
        self._changes.skip()
        self._ship(PATTERNS_YAML, PATTERNS_TXT)
        self._later = Later(browser.load)
        self.second = Second(browser, self._folder)
        drafts = Drafts(self._folder / DRAFTS)
        self.studio = PageStudio(Path(folder) / file, drafts, lanes=self._lanes)
        self.desk = Desk(self.studio)
        self._asked: dict[int, asyncio.Task[None]] = {}
        self._keeping = asyncio.ensure_future(self._keep())
        gc.freeze()  # the code is permanent, and a garbage collection of all of it would delay a keystroke

    def _lanes(self, snapshot: Callable[[], Snapshot]) -> Lanes:
        quick = Direct(snapshot, SESSION)
        return Lanes({QUICK: quick, BOARD: quick, SLOW: SlowLane(snapshot, self.second)}, PageJobs(self.second))

    def receive(self, text: str) -> None:
        """Handle a message from the page: a request, the cancellation of a request, or a ping."""
        message = json.loads(text)
        number = message["id"]
        if "ping" in message:
            self._send(number, {})
            return
        if "abort" in message:
            if task := self._asked.get(number):
                task.cancel()
            return
        self._asked[number] = asyncio.ensure_future(self._answer(number, message))

    def _ship(self, source: Path, compiled: Path) -> None:
        """Copy shipped patterns into the folder, unless the browser has stored edited patterns."""
        if not (self._folder / source.name).exists():
            for shipped in (source, compiled):
                shutil.copy(shipped, self._folder)
            self._changes.skip(source.name, compiled.name)

    async def _provide_for(self, path: str, body: Any) -> None:
        """Load the files for the match ruleset if a request needs them; raise Refusal if loading fails.

        An edit never needs these files, so editing works without a network.
        """
        if MATCH in self._later.loaded:
            return
        if path.startswith("/api/ask"):
            needed = needed_by("", body, self.studio.document.ruleset_name())
        elif path == "/api/link":
            needed = needed_by("", {}, read_link(check_object(body, link=str)["link"]).ruleset)
        else:
            needed = needed_by("", body, "") if path == "/api/open" else []
        await self._later.provide(needed)
        if needed:
            self._ship(MATCH_YAML, MATCH_TXT)

    async def _answer(self, number: int, message: Message) -> None:
        send = partial(self._send, number)
        try:
            await self._provide_for(message["path"], message["body"])
            answer = await self.desk.answer(message["page"], message["method"], message["path"], message["body"])
            if isinstance(answer, dict):
                send({"answer": answer})
            else:
                async for event in answer:
                    send({"event": event})
                send({"over": True})
        except Exception as error:
            send(refusal_of(error, message["path"]).as_json())
        finally:
            del self._asked[number]

    def _send(self, number: int, message: Message) -> None:
        self.browser.send(encoded({"id": number, **message}))

    def hear(self, text: str) -> None:
        """Handle a message from the second worker."""
        self.second.hear(text)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(KEEP_EVERY)
            self.studio.keep_draft()
            if changed := self._changes.take():
                self.browser.keep(json.dumps(changed))


class Changes:
    """A detector of changed files in the given folders, excluding subfolders.

    Names are relative to the first folder.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = folders
        self._states: dict[str, tuple[int, int]] = {}  # name -> modification time in ns, size in bytes

    def take(self) -> list[str]:
        """Return the names of files that are new, changed or removed since the last call.

        Unless `skip` was called before, the first call returns all names.
        """
        before, self._states = self._states, self._found()
        names = before.keys() | self._states.keys()
        return sorted(name for name in names if before.get(name) != self._states.get(name))

    def skip(self, *names: str) -> None:
        """Record the current state of files, so that `take` reports only later changes. names: by default all files."""
        found = self._found()
        for name in names or found.keys() | self._states.keys():
            if name in found:
                self._states[name] = found[name]
            else:
                self._states.pop(name, None)

    def _found(self) -> dict[str, tuple[int, int]]:
        paths = [path for folder in self._folders if folder.is_dir() for path in folder.iterdir() if path.is_file()]
        stats = {path.relative_to(self._folders[0]).as_posix(): path.stat() for path in paths}
        return {name: (stat.st_mtime_ns, stat.st_size) for name, stat in stats.items()}


def _contents(folder: Path, names: Iterable[str]) -> dict[str, str | None]:
    """Return {name: content of the file, or None if the file is missing}."""
    return {name: (folder / name).read_bytes().decode() if (folder / name).exists() else None for name in names}


class Direct:
    """A lane (see Lanes) in this process; a newer request replaces a waiting request of the same channel."""

    def __init__(self, snapshot: Callable[[], Snapshot], session: Session) -> None:
        self._snapshot, self._session = snapshot, session
        self._newest: dict[tuple[str, str], int] = {}
        self._numbers = itertools.count()

    async def ask(self, page: str, revision: int, method: Method, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a page's question about a revision; raise Refusal for any error."""
        current(self._snapshot, revision)
        channel, number = (page, method.channel), next(self._numbers)
        self._newest[channel] = number
        await asyncio.sleep(0)  # first receive newer requests that are already waiting
        if self._newest[channel] != number:
            raise Refusal("stale", SUPERSEDED)
        self._session.take(current(self._snapshot, revision))
        return call(self._session, method, parameters)

    async def warm(self) -> None:
        """Import the modules that answer questions, so that the first question does not wait."""
        load_answers()

    def end(self) -> None:
        """Do nothing: each question is answered in the next step of the event loop."""

    close = end


def current(snapshot: Callable[[], Snapshot], revision: int) -> Snapshot:
    """Return the current snapshot; raise Refusal if its revision differs from `revision`."""
    found = snapshot()
    if found.revision != revision:
        text = f"the request is about revision {revision}; the document has revision {found.revision}: try again"
        raise Refusal("stale", text, revision=found.revision)
    return found


class Work:
    """A task of the second worker: the task's message, and the function that receives the task's events."""

    def __init__(self, message: Message, hear: Callable[[Event], None]) -> None:
        self.message, self.hear = message, hear
        self.number = 0  # set when the task is sent to the worker
        self.is_given_up = False

    @property
    def is_question(self) -> bool:
        """Whether the task is a question, not a job."""
        return bool(self.message["kind"] == ASK)


class Second:
    """The second worker's queue, from which one task runs at a time.

    As an exception, one question may run while a job is paused.

    folder: the folder of the page's files. A task's message contains the task's number, the edited part of the
    document's text, the document's text as opened (if changed since the previous message), and the changed files. Each
    event contains the number of its task. The task's last event contains the files that the task changed.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._text, self._changes = "", Changes(folder)  # as of the last message to the worker
        self._opened: str | None = None  # likewise
        self._waiting: deque[Work] = deque()
        self._running: dict[int, Work] = {}  # the tasks that the worker has, by number: a job, a question, or both
        self._numbers = itertools.count(1)

    def do(self, work: Work) -> None:
        """Queue a task. Questions take precedence over waiting jobs."""
        self._waiting.append(work)
        self._next()

    def _next(self) -> None:
        question = next((work for work in self._waiting if work.is_question), None)
        if question and not any(work.is_question for work in self._running.values()):
            self._post(question)
        elif self._waiting and not self._running:
            self._post(self._waiting[0])

    def _post(self, work: Work) -> None:
        self._waiting.remove(work)
        work.number = next(self._numbers)
        self._running[work.number] = work
        snapshot = dict(work.message["snapshot"])
        before, self._text = self._text, snapshot.pop("text")
        if snapshot["opened"] == self._opened:
            del snapshot["opened"]
        else:
            self._opened = snapshot["opened"]
        changed = {"change": asdict(changed_part(before, self._text)), "snapshot": snapshot}
        files = _contents(self._folder, self._changes.take())
        self._browser.post(encoded({**work.message, **changed, "files": files, "id": work.number}))

    def give_up(self, work: Work, after: float) -> None:
        """Remove a task from the queue, or end the worker if the task still runs after `after` seconds.

        The worker is asked to stop a running job at the job's next event. After the end of the worker, the next task
        starts a new worker. The removal of a question never ends a worker that runs a job.
        """
        work.is_given_up = True
        if work in self._waiting:
            self._waiting.remove(work)
        elif work.number in self._running:
            if not work.is_question:
                self._browser.post(encoded({"id": work.number, "stop": True}))
            asyncio.get_running_loop().call_later(after, self._end_if_running, work)

    def _end_if_running(self, work: Work) -> None:
        if work.number in self._running and (not work.is_question or len(self._running) == 1):
            self._browser.end()
            self._waiting.extendleft(other for other in self._running.values() if not other.is_given_up)
            self._running, self._text, self._opened, self._changes = {}, "", None, Changes(self._folder)
            self._next()

    def hear(self, text: str) -> None:
        """Handle an event that a running task sent."""
        event = json.loads(text)
        number = event.pop("id")
        work = self._running.get(number)
        if work is None:  # an event that was still in transit when the worker was ended
            return
        if is_ending(event):
            _write(self._folder, event.pop("files", {}))  # no files if Python did not start
            del self._running[number]
            self._next()
        work.hear(event)


def is_ending(event: Mapping[str, Any]) -> bool:
    """Return whether an event is the last event of its task."""
    return "done" in event or "problem" in event


class SlowLane:
    """A lane of the second worker. A newer question cancels an older question of the same channel."""

    def __init__(self, snapshot: Callable[[], Snapshot], second: Second) -> None:
        self._snapshot, self._second = snapshot, second
        self._newest: dict[tuple[str, str], tuple[Work, asyncio.Future[Event]]] = {}

    async def ask(self, page: str, revision: int, method: Method, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a page's question about a revision; raise Refusal for any error."""
        snapshot = current(self._snapshot, revision)
        answered: asyncio.Future[Event] = asyncio.get_running_loop().create_future()
        work = Work(_task(snapshot, ASK, method.name, parameters), partial(_settle, answered))
        channel = page, method.channel
        if older := self._newest.get(channel):
            self._second.give_up(older[0], FINISHING)
            _settle(older[1], Refusal("stale", SUPERSEDED).as_json())
        self._newest[channel] = work, answered
        self._second.do(work)
        try:
            event = await answered
        except asyncio.CancelledError:
            self._second.give_up(work, FINISHING)
            raise
        finally:
            if self._newest.get(channel) == (work, answered):
                del self._newest[channel]
        if problem := event.get("problem"):
            raise Refusal(**problem)
        found: dict[str, Any] = event["done"]
        return found

    async def warm(self) -> None:
        """Do nothing: the second worker is not started before its first task."""

    def end(self) -> None:
        """Do nothing: the workers end with the page."""

    close = end


def _task(snapshot: Snapshot, kind: str, name: str, parameters: Mapping[str, Any]) -> Message:
    return {"snapshot": asdict(snapshot), "kind": kind, "name": name, "parameters": parameters}


def _settle(answered: asyncio.Future[Event], event: Event) -> None:
    if not answered.done():
        answered.set_result(event)


class PageJob:
    """A job of the second worker, with its events so far."""

    def __init__(self, number: int, kind: str, page: str, second: Second, message: Message) -> None:
        self.number, self.kind, self.page = number, kind, page
        self.events: list[Event] = []
        self._more, self._second = asyncio.Event(), second
        self._work = Work(message, self._hear)
        second.do(self._work)

    @property
    def is_over(self) -> bool:
        """Whether the last event has arrived."""
        return bool(self.events) and is_ending(self.events[-1])

    def _hear(self, event: Event) -> None:
        if not self.is_over:
            self.events.append(event)
            self._more.set()

    def cancel(self, why: str = "cancelled") -> None:
        """Cancel the job."""
        if not self.is_over:
            self._hear(Refusal("stale", why).as_json())
            self._second.give_up(self._work, STOPPING)

    async def listen(self) -> AsyncGenerator[Event, None]:
        """Yield all events, including past events, until the job is over."""
        seen = 0
        while True:
            while seen < len(self.events):
                yield self.events[seen]
                seen += 1
            if self.is_over:
                return
            self._more.clear()
            await self._more.wait()


class PageJobs:
    """The running and recently finished jobs of a page, by number."""

    def __init__(self, second: Second) -> None:
        self._second = second
        self._numbers = itertools.count(1)
        self._jobs: dict[int, PageJob] = {}

    def start(self, page: str, kind: str, snapshot: Snapshot, parameters: dict[str, Any]) -> PageJob:
        """Start and return a job; cancel a running job of the same kind and page.

        Raise Refusal for an unknown kind or invalid parameters.
        """
        method = find(JOBS, kind)
        message = _task(snapshot, JOB, kind, method.checked(parameters))
        for job in self._jobs.values():
            if (job.kind, job.page) == (kind, page):
                job.cancel("a newer job replaced this one")
        job = PageJob(next(self._numbers), kind, page, self._second, message)
        self._jobs[job.number] = job
        for number in [number for number, job in self._jobs.items() if job.is_over][:-MOST_KEPT]:
            del self._jobs[number]
        return job

    def find(self, number: int) -> PageJob:
        """Return a job by number; raise Refusal for an unknown number."""
        if number not in self._jobs:
            raise Refusal("unknown", f"there is no job {number}, or its events were deleted; start the job again")
        return self._jobs[number]

    def end(self) -> None:
        """Do nothing: the workers end with the page."""

    close = end


def _check_available(name: str) -> None:
    """Raise Refusal for a job that a page cannot run; the message names an equivalent command."""
    if name in ELSEWHERE:
        raise only_installed(ELSEWHERE[name])


def _write(folder: Path, files: Mapping[str, str | None]) -> None:
    """Write files, given as {name: text}, to a folder; remove each file whose text is None."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        if text is None:
            path.unlink(missing_ok=True)
        elif not path.exists() or path.read_bytes() != text.encode():
            path.write_bytes(text.encode())


class SecondWorker:
    """The second worker's part of the studio, which performs the tasks that the first worker sends.

    Between two events of a job, the worker answers the questions that have arrived, and stops the job if it was
    cancelled. send: a function that sends an event to the first worker. load: see Later.
    """

    def __init__(self, send: Callable[[bytes], None], load: Callable[[str], Awaitable[bool]]) -> None:
        load_answers()
        self._session, self._text, self._send, self._later = SESSION, "", send, Later(load)
        self._opened: str | None = None  # the document's text when the studio opened its file
        self._folder = Path()
        self._arrived: deque[Message] = deque()  # tasks that wait for the running task
        self._stopped: set[int] = set()  # numbers of cancelled jobs
        self._is_busy = False
        self._changes: Changes | None = None  # None before the first task

    async def do(self, text: str) -> None:
        """Handle a message, which contains a task or the number of a job to stop.

        The task is performed, or is queued if another task runs.
        """
        message = json.loads(text)
        if "stop" in message:
            self._stopped.add(message["id"])
            return
        self._arrived.append(message)
        if self._is_busy:
            return
        self._is_busy = True
        try:
            await self._perform_arrived()
        finally:
            self._is_busy = False

    async def _perform_arrived(self) -> None:
        while self._arrived:
            await self._perform(self._arrived.popleft())

    async def _perform(self, task: Message) -> None:
        table = METHODS if task["kind"] == ASK else JOBS
        try:
            self._take(task)
            _check_available(task["name"])
            ruleset = self._session.entries.ruleset.name
            await self._later.provide(needed_by(task["name"], task["parameters"], ruleset))
            method = find(table, task["name"])
            if table is METHODS:
                ending = {"done": call(self._session, method, task["parameters"])}
            else:
                ending = {"done": await self._job(task["id"], method, task["parameters"])}
        except Exception as error:
            ending = refusal_of(error, task["name"]).as_json()
        self._stopped.discard(task["id"])
        files = _contents(self._folder, self._changes.take()) if self._changes else {}
        self._send(encoded({**ending, "id": task["id"], "files": files}))

    def _take(self, task: Message) -> None:
        """Switch to the document and the files of a task."""
        snapshot = dict(task["snapshot"])
        self._text = applied(self._text, [Change(**task["change"])])
        self._opened = snapshot.pop("opened", self._opened)
        players = tuple(snapshot.pop("players"))
        document = Snapshot(**snapshot, text=self._text, opened=self._opened, players=players)
        self._folder = Path(document.path).parent
        self._take_files(self._folder, task["files"])
        self._session.take(document)

    def _take_files(self, folder: Path, files: Mapping[str, str | None]) -> None:
        """Write the files of a message to the folder, and do not report these files as changed."""
        _write(folder, files)
        if self._changes is None:
            self._changes = Changes(folder)
            self._changes.skip()
        elif files:  # a job must not send these files back, because the page may have replaced them by then
            self._changes.skip(*files)

    async def _job(self, number: int, method: Method, parameters: Mapping[str, Any]) -> Any:
        snapshot = self._session.snapshot
        with closing(method.function(self._session, **parameters)) as generator:
            work: Returning[Event, Any] = Returning(generator)
            for event in work:
                self._send(encoded({**event, "id": number}))
                await asyncio.sleep(0)  # receive a question, or the order to stop
                if number in self._stopped:
                    raise Refusal("stale", "cancelled")
                await self._perform_arrived()
                self._session.take(snapshot)
            return work.result
