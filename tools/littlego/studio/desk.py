"""The studio's API, independent of HTTP and processes: a page's requests and the studio's answers.

A request is a method (GET, POST or DELETE), a path and a JSON object. An answer is a JSON object, or a stream of such
objects. littlego.studio.app serves the API over HTTP.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from littlego.editor.changes import as_json
from littlego.editor.links import read_link
from littlego.editor.methods import METHODS, Refusal, find, is_a, refusal_of
from littlego.studio.studio import Studio

MOST_AT_ONCE = 20  # maximum number of questions in one request
MOST_HELD = 40  # maximum number of questions with stored answers: see Desk.edit
LATEST = 3  # number of stored answers to each question; during fast typing a page may not hold the last answer yet
Body = dict[str, Any]
Answer = Body | AsyncIterator[Body]
# An endpoint gets the page's name (which the page chose), the request's object, and the variable parts of the path.
Endpoint = Callable[..., Awaitable[Answer]]


class Desk:
    """The API endpoints of a studio."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._held: dict[tuple[str, str], dict[int, Body]] = {}  # page, question -> {revision: answer to an edit}
        self._endpoints: dict[str, dict[str, Endpoint]] = {  # path, `*` for a variable part -> method -> endpoint
            "/api/state": {"GET": self.state},
            "/api/events": {"GET": self.events},
            "/api/ask": {"POST": self.ask_several},
            "/api/ask/*": {"POST": self.ask},
            "/api/edit": {"POST": self.edit},
            "/api/open": {"POST": self.open},
            "/api/link": {"POST": self.link},
            "/api/save": {"POST": self.save},
            "/api/reload": {"POST": self.reload},
            "/api/unsaved": {"POST": self.unsaved},
            "/api/merge": {"POST": self.merge},
            "/api/jobs/*": {"POST": self.start, "DELETE": self.cancel},
            "/api/jobs/*/events": {"GET": self.listen},
        }

    async def answer(self, page: str, method: str, path: str, body: Body) -> Answer:
        """Return the answer to a request: a JSON object or a stream of JSON objects.

        The caller must convert any exception to a Refusal with `refusal_of`.

        page: the page's name from the request, or '' if the request contains no name.
        """
        for pattern, endpoints in self._endpoints.items():
            if (variables := _variables_of(path, pattern)) is not None:
                if method not in endpoints:
                    raise Refusal("method", f"{method} {path[:100]}: expected {' or '.join(endpoints)}")
                return await endpoints[method](page, body, *variables)
        raise Refusal("unknown", f"{method} {path[:100]}: the studio has no such path")

    @staticmethod
    def is_question(path: str) -> bool:
        """Return whether a request to a path, such as /api/ask/NAME, consists of questions only.

        Such a request is cancelled if the page no longer waits for the answer.
        """
        return path == "/api/ask" or path.startswith("/api/ask/")

    async def state(self, page: str, body: Body) -> Answer:
        return self.studio.state()

    async def events(self, page: str, body: Body) -> Answer:
        return self.studio.listen()

    async def ask(self, page: str, body: Body, name: str) -> Answer:
        asked = dict(check_object(body, revision=int))
        revision, slot = asked.pop("revision"), asked.pop("slot", 0)
        return {"revision": revision, "answer": await self._answer(page, revision, name, asked, slot)}

    async def ask_several(self, page: str, body: Body) -> Answer:
        """Return an answer or a problem for each question of a request, in the questions' order."""
        check_object(body, revision=int, asks=list)
        _check_count(body["asks"])
        return {"answers": await self._answers(page, body["revision"], body["asks"])}

    def _answers(self, page: str, revision: int, asks: list[Any]) -> Awaitable[list[Body]]:
        """Return an answer or a problem for each question about a revision, in the questions' order."""
        return asyncio.gather(*(self._answer_or_problem(page, revision, ask) for ask in asks))

    async def _answer(self, page: str, revision: int, name: str, parameters: Body, slot: Any) -> Body:
        """Return the answer to a question about a revision; the method's lane (see Lane) computes the answer.

        slot: the page's number for the component that asks. A newer question with the same page, slot and channel (see
        editor.methods.ask) replaces this question.
        """
        method = find(METHODS, name)
        if not is_a(slot, int):
            raise Refusal("invalid", f"slot: found {str(slot)[:60]!r}; expected int")
        lane = self.studio.lanes.workers[method.lane]
        return await lane.ask(f"{page} {slot}", revision, method, method.checked(parameters))

    async def _answer_or_problem(self, page: str, revision: int, asked: Any) -> Body:
        try:
            check_object(asked, method=str, parameters=dict)
            slot = asked.get("slot", 0)
            return {"answer": await self._answer(page, revision, asked["method"], asked["parameters"], slot)}
        except Exception as error:
            return refusal_of(error, "/api/ask").as_json()

    async def edit(self, page: str, body: Body) -> Answer:
        """Edit the text, and answer the request's questions about the new revision.

        The optional field `asks` of the request contains lists of questions. Without questions, the answer is the
        edit's result. With questions, the answer is a stream: the edit's result, then an object with `answers` for each
        list. If the page still holds a question's answer from an earlier edit, the question's field `held` is the
        revision of that answer. If the studio also still stores that answer, it sends only the changes since then, as
        {"changes": ...}: see changes_of.
        """
        check_object(body, revision=int, changes=list)
        asks = body.get("asks", [])
        if not is_a(asks, list[list[Any]]):
            raise Refusal("invalid", f"asks: found {str(asks)[:60]!r}; expected lists of questions")
        _check_count(sum(asks, []))
        revision = self.studio.edit(page, body["revision"], body["changes"])
        edited = {"revision": revision, "saved": self.studio.document.is_saved}
        return self._edited(page, edited, asks) if asks else edited

    async def _edited(self, page: str, edited: Body, asks: list[list[Any]]) -> AsyncIterator[Body]:
        """Yield an edit's result, then the answers to each list of questions about the new revision.

        Each list waits for the answers to the previous list, so that later questions never delay earlier answers.
        """
        yield edited
        for some in asks:
            answers = await self._answers(page, edited["revision"], some)
            both = zip(some, answers, strict=True)
            yield {"answers": [self._short(page, edited["revision"], ask, answer) for ask, answer in both]}

    def _short(self, page: str, revision: int, ask: Body, found: Body) -> Body:
        """Return a question's answer or problem, or {"changes": ...}: see `edit`."""
        if "answer" not in found:
            return found
        question = page, key_of(ask["method"], ask["parameters"])
        before = self._held.pop(question, {})
        newest = dict(list(before.items())[1 - LATEST :])
        self._held[question] = {**newest, revision: found["answer"]}
        if len(self._held) > MOST_HELD:
            del self._held[next(iter(self._held))]
        held = before.get(ask["held"]) if is_a(ask.get("held"), int) else None
        if held is None or held.keys() != found["answer"].keys():
            return found
        return {"changes": changes_of(held, found["answer"])}

    async def open(self, page: str, body: Body) -> Answer:
        self.studio.open(page, check_object(body, file=str)["file"])
        return self.studio.state()

    async def link(self, page: str, body: Body) -> Answer:
        """Open a link; return the state with the link's pattern and board.

        The field `own` states whether the open text equals the link's text; see Studio.open_link.
        """
        link = read_link(check_object(body, link=str)["link"])
        is_own = self.studio.open_link(page, link)
        return {**self.studio.state(), "link": {"pattern": link.id, "board": link.board, "own": is_own}}

    async def save(self, page: str, body: Body) -> Answer:
        check_object(body, revision=int, digest=str)
        digest = self.studio.save(page, body["revision"], body["digest"])
        return {"revision": body["revision"], "digest": digest}

    async def reload(self, page: str, body: Body) -> Answer:
        return self.studio.reload(page, check_object(body, revision=int)["revision"])

    async def unsaved(self, page: str, body: Body) -> Answer:
        self.studio.document.check(check_object(body, revision=int)["revision"])
        return {"revision": body["revision"], "changes": as_json(self.studio.document.to_saved())}

    async def merge(self, page: str, body: Body) -> Answer:
        return self.studio.merge(page, check_object(body, revision=int)["revision"])

    async def start(self, page: str, body: Body, kind: str) -> Answer:
        snapshot = self.studio.snapshot()
        job = self.studio.lanes.jobs.start(page, kind, snapshot, body)
        return {"job": job.number, "revision": snapshot.revision}

    async def listen(self, page: str, body: Body, number: str) -> Answer:
        return self.studio.lanes.jobs.find(_number_of(number)).listen()

    async def cancel(self, page: str, body: Body, number: str) -> Answer:
        self.studio.lanes.jobs.find(_number_of(number)).cancel()
        return {}


def _variables_of(path: str, pattern: str) -> list[str] | None:
    """Return the parts of a path that match the wildcards `*` of a pattern.

    The result is None if the path does not match. An empty part does not match `*`.
    """
    parts, wanted = path.split("/"), pattern.split("/")
    if len(parts) != len(wanted) or any(part != want for part, want in zip(parts, wanted, strict=True) if want != "*"):
        return None
    variables = [part for part, want in zip(parts, wanted, strict=True) if want == "*"]
    return variables if all(variables) else None


def key_of(name: str, parameters: Body) -> str:
    """Return the key of a question; `keyOf` in site/static/link.js computes the same key."""
    return json.dumps([name, sorted(parameters.items())], separators=(",", ":"), ensure_ascii=False)


def changes_of(before: Body, after: Body) -> Body:
    """Return the changes from an answer to a later answer to the same question, as {field: change}.

    A change is {"value": the new value}, or {"items": {index: new item}} for a list of unchanged length. `patched` in
    static/carried.js applies the changes. Both answers must have the same fields.
    """
    changes: Body = {}
    for name, value in after.items():
        old = before[name]
        if isinstance(old, list) and isinstance(value, list) and len(old) == len(value):
            items = {at: new for at, (was, new) in enumerate(zip(old, value, strict=True)) if was != new}
            changes |= {name: {"items": items}} if items else {}
        elif old != value:
            changes[name] = {"value": value}
    return changes


def _number_of(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refusal("unknown", f"there is no job {text[:40]}; expected the number of a job")
    return int(text)


def _check_count(asks: list[Any]) -> None:
    """Raise Refusal if a request contains more than MOST_AT_ONCE questions."""
    if len(asks) > MOST_AT_ONCE:
        raise Refusal("invalid", f"found {len(asks):,} questions; expected at most {MOST_AT_ONCE} in one request")


def check_object(found: Any, **wanted: type) -> Body:
    """Return `found`, which must be a JSON object with fields of the types in `wanted`.

    Raise Refusal for any other value.
    """
    if not isinstance(found, dict):
        raise Refusal("invalid", f"found {type(found).__name__}; expected a JSON object")
    for name, kind in wanted.items():
        if not is_a(found.get(name), kind):
            raise Refusal("invalid", f"{name}: found {str(found.get(name))[:60]!r}; expected {kind.__name__}")
    return found
