"""The studio's HTTP API and web page."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from littlego.editor.methods import Refusal, refusal_of
from littlego.studio.desk import Desk, check_object
from littlego.studio.guard import AsciiJson, Guard, refused, script_hashes
from littlego.studio.studio import Studio

STATIC = Path(__file__).with_name("static")
PAGE = "X-Studio-Page"  # header with the name that a page (a browser tab) chooses for itself
CODES = {404: "unknown", 405: "method", 400: "invalid"}
T = TypeVar("T")


def page_of(request: Request) -> str:
    """Return the page's name from a request's header, or '' if the header is missing."""
    return request.headers.get(PAGE, "")[:40]


def event_stream(events: AsyncIterator[dict[str, Any]]) -> StreamingResponse:
    """Return a response that streams events in the format text/event-stream."""

    async def lines() -> AsyncIterator[str]:
        async for event in events:
            yield f"data: {json.dumps(event)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def read_body(request: Request) -> Any:
    """Return the JSON value of a request's body, or {} for an empty body; raise Refusal for invalid JSON."""
    try:
        text = (await request.body()).decode("utf-8")
        return json.loads(text or "{}", parse_float=finite, parse_constant=finite)
    except ValueError as error:  # the except clause below handles the RecursionError of deeply nested JSON
        raise Refusal("invalid", f"the request is not JSON: {error}") from None
    except RecursionError:
        raise Refusal("invalid", "the request is nested too deeply") from None


def finite(text: str) -> float:
    """Return a JSON number as a float.

    Raise ValueError for NaN, an infinity, or a number that is too large for a float.
    """
    if not math.isfinite(number := float(text)):
        raise ValueError(f"found {text[:40]}; expected a finite number")
    return number


async def while_awaited(request: Request, answering: Awaitable[T]) -> T:
    """Return the result of `answering` unless the page disconnects first.

    If the page disconnects first, cancel `answering` and raise Refusal. Without the cancellation, work for a
    disconnected page would delay the next question and occupy a core.
    """
    work, left = asyncio.create_task(outcome(answering)), asyncio.create_task(_left(request))
    try:
        await asyncio.wait({work, left}, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return await work
    finally:
        for task in (work, left):
            task.cancel()
    raise Refusal("stale", "the page no longer waits for the answer")


async def outcome(answering: Awaitable[T]) -> T:
    """Return the result of `answering`.

    If the call is cancelled, this wrapper keeps asyncio from printing an error for a `gather` in `answering`.
    """
    return await answering


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def respond(desk: Desk, request: Request) -> Response:
    """Return the HTTP response to a request: an answer of `desk` (an object or a stream) or a problem."""
    path = request.scope["path"]
    try:
        body = check_object(await read_body(request))
        answering = desk.answer(page_of(request), request.method, path, body)
        answer = await (while_awaited(request, answering) if desk.is_question(path) else answering)
    except Exception as error:
        return refused(refusal_of(error, path[:100]))
    return AsciiJson(answer) if isinstance(answer, dict) else event_stream(answer)


async def _report_status(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "failed")
    return refused(Refusal(code, f"{request.method} {request.url.path[:100]}: {error.detail}"))


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html", headers={"Link": preloads()})


@cache
def preloads() -> str:
    """Return the value of the Link header that makes a browser fetch all modules in parallel.

    The header uses `preload`, which only fetches the modules. `modulepreload` would also resolve their imports, which
    would leave the page empty if its import map arrived later.
    """
    paths = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
    return ", ".join(f"</static/{path}>; rel=preload; as=script; crossorigin=anonymous" for path in paths)


def make_app(studio: Studio, token: str) -> ASGIApp:
    """Return a studio's web application, whose API accepts only requests with the token."""

    desk = Desk(studio)

    async def api(request: Request) -> Response:
        return await respond(desk, request)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with studio.working():
            yield

    routes = [
        Route("/", _page),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/api/{path:path}", api, methods=["GET", "POST", "DELETE"]),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _report_status})
    return Guard(app, token, script_hashes((STATIC / "index.html").read_text("utf-8")))
