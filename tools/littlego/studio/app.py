"""The studio's HTTP endpoints."""

from __future__ import annotations

import asyncio
import base64
import json
import math
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from littlego.editor.changes import as_json
from littlego.editor.methods import METHODS, Refusal, find, is_a, refusal_of
from littlego.studio.guard import AsciiJson, Guard, refused
from littlego.studio.studio import Studio

STATIC = Path(__file__).with_name("static")
PAGE = "X-Studio-Page"  # header with the name that a page (a browser tab) chooses for itself
CODES = {404: "unknown", 405: "method", 400: "invalid"}
MOST_AT_ONCE = 20  # maximum number of questions in one HTTP request
Endpoint = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")


class Endpoints:
    """The request handlers of the API for a studio."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    async def state(self, request: Request) -> Response:
        return AsciiJson(self.studio.state())

    async def events(self, request: Request) -> Response:
        return event_stream(self.studio.listen())

    async def ask(self, request: Request) -> Response:
        body = await read_body(request, revision=int)
        revision, slot = body.pop("revision"), body.pop("slot", 0)
        asked = self._answer(request, revision, request.path_params["method"], body, slot)
        answer = await while_awaited(request, asked)
        return AsciiJson({"revision": revision, "answer": answer})

    async def ask_several(self, request: Request) -> Response:
        """Answer several questions of one request in order; return an answer or a problem for each."""
        body = await read_body(request, revision=int, asks=list)
        check_count(body["asks"])
        return AsciiJson(
            {"answers": await while_awaited(request, self._answers(request, body["revision"], body["asks"]))}
        )

    def _answers(self, request: Request, revision: int, asks: list[Any]) -> Awaitable[list[dict[str, Any]]]:
        """Return the answers to questions about a revision, in order."""
        return asyncio.gather(*(self._answer_or_problem(request, revision, ask) for ask in asks))

    async def _answer(
        self, request: Request, revision: int, name: str, parameters: dict[str, Any], slot: Any
    ) -> dict[str, Any]:
        """Return the answer to a question; a newer question of the same page, method and `slot` replaces it."""
        method = find(METHODS, name)
        if not is_a(slot, int):
            raise Refusal("invalid", f"slot: found {str(slot)[:60]!r}, expected int")
        worker = self.studio.workers[method.lane]
        return await worker.ask(f"{page_of(request)} {slot}", revision, method, method.checked(parameters))

    async def _answer_or_problem(self, request: Request, revision: int, asked: Any) -> dict[str, Any]:
        try:
            check_object(asked, method=str, parameters=dict)
            slot = asked.get("slot", 0)
            return {"answer": await self._answer(request, revision, asked["method"], asked["parameters"], slot)}
        except Exception as error:
            return refusal_of(error, request.url.path[:100]).as_json()

    async def edit(self, request: Request) -> Response:
        """Edit the text, and answer the request's questions about the new revision.

        asks: lists of questions, optional. The response is a stream: first the edit's result, so that the next edit
        does not wait, then `answers` for each list as soon as all answers of the list are ready.
        """
        body = await read_body(request, revision=int, changes=list)
        asks = body.get("asks", [])
        if not is_a(asks, list[list[Any]]):
            raise Refusal("invalid", f"asks: found {str(asks)[:60]!r}, expected lists of questions")
        check_count(sum(asks, []))
        revision = self.studio.edit(page_of(request), body["revision"], body["changes"])
        edited = {"revision": revision, "saved": self.studio.document.is_saved}
        return event_stream(self._edited(request, edited, asks)) if asks else AsciiJson(edited)

    async def _edited(
        self, request: Request, edited: dict[str, Any], asks: list[list[Any]]
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield an edit's result, then the answers to each list of questions about it."""
        answering = [asyncio.create_task(_outcome(self._answers(request, edited["revision"], some))) for some in asks]
        try:
            yield edited
            for answers in answering:
                yield {"answers": await answers}
        finally:
            for answers in answering:
                answers.cancel()

    async def open(self, request: Request) -> Response:
        body = await read_body(request, file=str)
        self.studio.open(page_of(request), body["file"])
        return AsciiJson(self.studio.state())

    async def save(self, request: Request) -> Response:
        body = await read_body(request, revision=int, digest=str)
        digest = self.studio.save(page_of(request), body["revision"], body["digest"])
        return AsciiJson({"revision": body["revision"], "digest": digest})

    async def reload(self, request: Request) -> Response:
        body = await read_body(request, revision=int)
        return AsciiJson(self.studio.reload(page_of(request), body["revision"]))

    async def unsaved(self, request: Request) -> Response:
        body = await read_body(request, revision=int)
        self.studio.document.check(body["revision"])
        return AsciiJson({"revision": body["revision"], "changes": as_json(self.studio.document.to_saved())})

    async def merge(self, request: Request) -> Response:
        body = await read_body(request, revision=int)
        return AsciiJson(self.studio.merge(page_of(request), body["revision"]))

    async def start(self, request: Request) -> Response:
        kind, body = request.path_params["kind"], await read_body(request)
        snapshot = self.studio.snapshot()
        job = self.studio.jobs.start(page_of(request), kind, snapshot, body)
        return AsciiJson({"job": job.number, "revision": snapshot.revision})

    async def listen(self, request: Request) -> Response:
        return event_stream(self.studio.jobs.find(request.path_params["number"]).listen())

    async def cancel(self, request: Request) -> Response:
        self.studio.jobs.find(request.path_params["number"]).cancel()
        return AsciiJson({})


def check_count(asks: list[Any]) -> None:
    """Raise Refusal if a request asks too many questions."""
    if len(asks) > MOST_AT_ONCE:
        raise Refusal("invalid", f"found {len(asks):,} questions, expected at most {MOST_AT_ONCE} at once")


def page_of(request: Request) -> str:
    """Return the name that the page chose for itself, '' if it sent none."""
    return request.headers.get(PAGE, "")[:40]


def event_stream(events: AsyncIterator[dict[str, Any]]) -> StreamingResponse:
    """Return a response that streams events."""

    async def lines() -> AsyncIterator[str]:
        async for event in events:
            yield f"data: {json.dumps(event)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def read_body(request: Request, **wanted: type) -> dict[str, Any]:
    """Return the JSON object of a request; raise Refusal for any other value or a missing field."""
    try:
        text = (await request.body()).decode("utf-8")
        body = json.loads(text or "{}", parse_float=finite, parse_constant=finite)
    except ValueError as error:  # the except clause below handles the RecursionError of deeply nested JSON
        raise Refusal("invalid", f"the request is not JSON: {error}") from None
    except RecursionError:
        raise Refusal("invalid", "the request is nested too deeply") from None
    return check_object(body, **wanted)


def finite(text: str) -> float:
    """Return the number in a JSON text; raise ValueError for NaN and for numbers that are too large."""
    if not math.isfinite(number := float(text)):
        raise ValueError(f"found {text[:40]}, expected a finite number")
    return number


def check_object(found: Any, **wanted: type) -> dict[str, Any]:
    """Return a JSON object with the required fields; raise Refusal for any other value."""
    if not isinstance(found, dict):
        raise Refusal("invalid", f"found {type(found).__name__}, expected a JSON object")
    for name, kind in wanted.items():
        if not is_a(found.get(name), kind):
            raise Refusal("invalid", f"{name}: found {str(found.get(name))[:60]!r}, expected {kind.__name__}")
    return found


async def while_awaited(request: Request, answering: Awaitable[T]) -> T:
    """Return the awaited result; if the page disconnects, cancel the work and raise Refusal.

    An answer that nobody reads would delay the next question and occupy a core.
    """
    work, left = asyncio.create_task(_outcome(answering)), asyncio.create_task(_left(request))
    try:
        await asyncio.wait({work, left}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return await work
    finally:
        for task in (work, left):
            task.cancel()
    raise Refusal("stale", "the page no longer waits for the answer")


async def _outcome(answering: Awaitable[T]) -> T:
    """Return the awaited result. A task can be cancelled silently; a cancelled gather prints an error."""
    return await answering


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def with_problems(endpoint: Endpoint) -> Endpoint:
    """Return the endpoint with raised errors turned into problem responses."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Exception as error:
            return refused(refusal_of(error, request.url.path[:100]))

    return answer


async def _report_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "failed")
    return refused(Refusal(code, f"{request.method} {request.url.path[:100]}: {error.detail}"))


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html", headers={"Link": preloads()})


@cache
def preloads() -> str:
    """Return the header that makes a browser fetch all modules at once instead of one by one.

    The header only fetches the modules. `modulepreload` would also resolve the modules' imports; if the page arrived
    late, its import map would still be missing, and the page would stay empty.
    """
    paths = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
    return ", ".join(f"</static/{path}>; rel=preload; as=script; crossorigin=anonymous" for path in paths)


def script_hashes() -> tuple[str, ...]:
    """Return the digests of index.html's inline scripts (its import map), for the CSP."""
    scripts = re.findall(
        r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", (STATIC / "index.html").read_text("utf-8"), re.S
    )
    digests = (sha256(script.encode("utf-8")).digest() for script in scripts)
    return tuple(f"sha256-{base64.b64encode(digest).decode('ascii')}" for digest in digests)


def make_app(studio: Studio, token: str) -> ASGIApp:
    """Return the application of a studio, which accepts only requests with the token."""

    api = Endpoints(studio)

    def route(path: str, endpoint: Endpoint, method: str = "POST") -> Route:
        return Route(path, with_problems(endpoint), methods=[method])

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with studio.working():
            yield

    routes = [
        Route("/", _page),
        Mount("/static", StaticFiles(directory=STATIC)),
        route("/api/state", api.state, "GET"),
        route("/api/events", api.events, "GET"),
        route("/api/ask", api.ask_several),
        route("/api/ask/{method}", api.ask),
        route("/api/edit", api.edit),
        route("/api/open", api.open),
        route("/api/save", api.save),
        route("/api/reload", api.reload),
        route("/api/unsaved", api.unsaved),
        route("/api/merge", api.merge),
        route("/api/jobs/{kind}", api.start),
        route("/api/jobs/{number:int}/events", api.listen, "GET"),
        route("/api/jobs/{number:int}", api.cancel, "DELETE"),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _report_status})
    return Guard(app, token, script_hashes())
