"""Access checks that admit only requests from the studio's own page.

The page edits files, and any page in the same browser can send requests to 127.0.0.1. Therefore the Host header of each
request must name this server; a foreign host name that resolves to 127.0.0.1 is rejected. A request must not come from
another origin. A request for anything except the page's files must also carry the secret token from the address that
the studio printed.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from littlego.editor.methods import Refusal
from littlego.files import LARGEST_INPUT

STATUS = {  # HTTP status of each problem code
    "invalid": 400,  # invalid parameters or content
    "forbidden": 403,  # not from this page, or without its token
    "unknown": 404,  # no such method, job or file
    "method": 405,  # wrong HTTP method
    "stale": 409,  # about an earlier revision, or replaced by a newer request
    "changed": 409,  # the file on disk differs from the file read
    "disk": 409,  # a file cannot be read or written
    "large": 413,
    "type": 415,  # not JSON
    "failed": 500,  # an error in the studio
    "lacking": 501,  # a package is missing
    "died": 503,  # the worker process ended
}
CACHE = "Cache-Control"
KEPT, NOT_KEPT = "no-cache", "no-store"  # the page may be cached if it is revalidated; answers must not be cached
TOKEN = "X-Studio-Token"
NAMES = "127.0.0.1", "localhost"
LARGEST_BODY = 2 * LARGEST_INPUT  # maximum bytes of a request: room for the largest file with escaped characters
PUBLIC = "/", "/static/"  # the page's files, which load before the page can send the token
SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


_INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)


class AsciiJson(JSONResponse):
    """A JSON response encoded in ASCII.

    ASCII is needed because a file or a request may contain text that UTF-8 cannot encode.
    """

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def script_hashes(page: str) -> tuple[str, ...]:
    """Return the digests, in CSP syntax, of a page's inline scripts, such as the import map."""
    digests = (sha256(script.encode("utf-8")).digest() for script in _INLINE.findall(page))
    return tuple(f"sha256-{base64.b64encode(digest).decode('ascii')}" for digest in digests)


def refused(why: Refusal) -> JSONResponse:
    """Return the JSON response to a refused request, with the HTTP status for the Refusal's code."""
    return AsciiJson(why.as_json(), STATUS[why.code])


class Guard:
    """Middleware that admits only requests from the studio's page.

    The middleware adds security headers to all answers. script_hashes: the digests of the inline scripts, in CSP
    syntax.
    """

    def __init__(self, app: ASGIApp, token: str, script_hashes: tuple[str, ...] = ()) -> None:
        self._app, self._token = app, token
        hashes = "".join(f" '{one}'" for one in script_hashes)
        self._headers = {name: value.replace("{hashes}", hashes) for name, value in SECURITY.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = KEPT if is_public(scope["path"]) else NOT_KEPT
                MutableHeaders(scope=message).update({**self._headers, CACHE: kept})
            await send(message)

        try:
            self._check(scope)
        except Refusal as why:
            await refused(why)(scope, receive, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)

    def _check(self, scope: Scope) -> None:
        """Raise Refusal if the request fails an access check."""
        headers = Headers(scope=scope)
        host, port = split_host(headers.get("host", "")), (scope.get("server") or ("", None))[1]
        if host[0] not in NAMES or host[1] != port:
            raise Refusal("forbidden", f"the request is for {headers.get('host', '')[:60]!r}, which is not this server")
        origin = headers.get("origin")
        if origin is not None and (not origin.startswith("http://") or split_host(origin[7:]) != host):
            raise Refusal("forbidden", f"the request is from {origin[:60]!r}, which is not the studio's page")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refusal("forbidden", "the request is from a page of another site; expected the studio's page")
        if is_public(scope["path"]):
            return
        if not hmac.compare_digest(headers.get(TOKEN, "").encode(), self._token.encode()):
            raise Refusal("forbidden", f"{TOKEN} is missing or wrong: open the address that `littlego studio` printed")
        _check_body(scope["method"], headers)


def is_public(path: str) -> bool:
    """Return whether a path names a file of the page, for which no token is required."""
    return path == PUBLIC[0] or path.startswith(PUBLIC[1])


def _check_body(method: str, headers: Headers) -> None:
    if method in ("GET", "HEAD", "DELETE"):
        return
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal("type", f"found the content type {kind[:60]!r}; expected application/json")
    length = headers.get("content-length", "")
    if not length.isdigit():
        raise Refusal("invalid", "the request has no Content-Length; send the length")
    if int(length) > LARGEST_BODY:
        raise Refusal("large", f"the request has {int(length):,} bytes; at most {LARGEST_BODY:,} are allowed")


def split_host(text: str) -> tuple[str, int | None]:
    """Return (name, port) of `name:port`, with port 80 by default, or ("", None) for an invalid text."""
    try:
        parts = urlsplit(f"//{text}")
        if parts.path or parts.query or parts.fragment or parts.username is not None:
            return "", None
        return (parts.hostname or "").lower(), parts.port if parts.port is not None else 80
    except ValueError:
        return "", None
