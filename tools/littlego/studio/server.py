"""The studio's HTTP server, on 127.0.0.1 only; Ctrl-C stops the server even while a page is open."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from contextlib import suppress

import uvicorn

from littlego.cli.arguments import trying_to
from littlego.studio.app import make_app
from littlego.studio.processes import abandon_start
from littlego.studio.studio import Studio

ADDRESS = "127.0.0.1"
GRACE = 1  # seconds for answers to finish after Ctrl-C


class _Server(uvicorn.Server):
    """A server whose shutdown first ends all jobs, questions and event streams.

    The shutdown must end the streams, because pages keep them open.
    """

    def __init__(self, config: uvicorn.Config, studio: Studio) -> None:
        super().__init__(config)
        self._studio = studio

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._studio.end_streams()
        abandon_start()
        aborting = asyncio.get_running_loop().call_later(GRACE, self._abort)
        await super().shutdown(sockets)
        aborting.cancel()

    def _abort(self) -> None:
        """Close the connections that are still open, before uvicorn cancels their tasks and prints tracebacks."""
        for connection in list(self.server_state.connections):
            if transport := getattr(connection, "transport", None):
                transport.abort()


class StudioServer:
    """A studio's HTTP server on a port of this machine. url: the page's address."""

    def __init__(self, studio: Studio, port: int = 0) -> None:
        self._socket = socket.socket()
        if os.name == "posix":  # on Windows SO_REUSEADDR would let two servers share a port
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with trying_to(f"listen at {ADDRESS}:{port}"):
            self._socket.bind((ADDRESS, port))
            self._socket.listen()  # a page that connects now waits until the server answers
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        config = uvicorn.Config(
            make_app(studio, self.token),
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2 * GRACE,
        )
        self._studio = studio
        self._server = _Server(config, studio)

    @property
    def url(self) -> str:
        """The address of the page. The fragment, which browsers do not send, contains the token."""
        return f"http://{ADDRESS}:{self.port}/#token={self.token}"

    def run(self) -> None:
        """Serve until Ctrl-C or another termination signal."""
        try:
            with suppress(KeyboardInterrupt):  # the user ended the studio
                self._server.run(sockets=[self._socket])
        finally:
            self._studio.close()
