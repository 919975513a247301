"""The server's network side: connections, heartbeats, rate limits, signals, shutdown.

The package `websockets` implements RFC 6455, including ping and pong frames. A client that does not answer a ping is
dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as websocket_server
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from littlego.cli.arguments import ArgumentError
from littlego.players.server.hall import Client, Hall
from littlego.players.server.messages import LARGEST_MESSAGE, Message, encode, name_message, shorten
from littlego.players.server.report import Report
from littlego.signals import ending_signals

BURST, A_SECOND = 200, 500  # messages of a client: the burst, and the rate per second; faster messages are delayed
UNREAD = 2000  # largest number of messages queued for one client; a client with more is dropped
TRY_LATER, SERIES_OVER, GOING_AWAY = 1013, 1000, 1001  # codes of close frames
CLOSING = 2.0  # seconds for a client to complete the closing handshake


class Place(NamedTuple):
    """The host, the port to listen on (0 for any free port), and the seconds between two heartbeats."""

    host: str
    port: int
    ping: float


class SocketLine:
    """The connection to a client: a queue of messages, and a task that sends them."""

    def __init__(self, connection: ServerConnection) -> None:
        self.connection = connection
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue(UNREAD)
        self._task = asyncio.create_task(self._send_all())

    def send(self, message: Message) -> None:
        try:
            self._messages.put_nowait(message)
        except asyncio.QueueFull:
            self.drop()

    def drop(self) -> None:
        self.connection.transport.abort()

    async def _send_all(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while (message := await self._messages.get()) is not None:
                await self.connection.send(encode(message))

    async def close(self, code: int, reason: str) -> None:
        """Send the queued messages, then close the connection; wait at most 3 * CLOSING seconds in all."""
        with contextlib.suppress(asyncio.QueueFull):
            self._messages.put_nowait(None)
        await asyncio.wait({self._task}, timeout=CLOSING)  # the client may leave, which cancels this task
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.connection.close(code, reason), 2 * CLOSING)
        self.stop()

    def stop(self) -> None:
        """Cancel the task that sends the queued messages."""
        self._task.cancel()


class Throttle:
    """A rate limit for one client's messages. now: returns the monotonic time in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._allowed, self._since = float(BURST), now()

    def wait(self) -> float:
        """Count a message; return the seconds to wait before reading the next message."""
        now = self._now()
        self._allowed = min(BURST, self._allowed + A_SECOND * (now - self._since)) - 1
        self._since = now
        return max(0.0, -self._allowed / A_SECOND)


class _Notes(logging.Handler):
    """A logging handler that reports warnings of `websockets`, such as failed handshakes.

    The report limits the rate of these lines.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(logging.WARNING)
        self.report = report

    def emit(self, record: logging.LogRecord) -> None:
        why = record.exc_info[1] if record.exc_info else None
        self.report.note(shorten(f"{record.getMessage()}{f': {why}' if why else ''}"))


class Serving:
    """A listener that accepts connections on a port and passes them to a Hall."""

    def __init__(self, hall: Hall, place: Place, report: Report) -> None:
        self.hall = hall
        self.place = place
        self.report = report
        self.over = asyncio.Event()  # all games are played, or the operator has quit
        self.code = GOING_AWAY
        self._lines: set[SocketLine] = set()
        self._logger = logging.Logger("littlego.server")
        self._logger.addHandler(_Notes(report))

    def finish(self, code: int) -> None:
        """Make `run` close all connections with a close code and return; only the first call has an effect."""
        if not self.over.is_set():
            self.code = code
            self.over.set()

    async def run(self, ready: Callable[[int], object]) -> None:
        """Listen until `finish` is called.

        ready(port): called when the server starts to listen. Raise ArgumentError if the address is not available.
        """
        try:
            server = await self._listen()
        except OSError as error:
            where = f"{self.place.host}:{self.place.port}"
            why = error.strerror or error
            raise ArgumentError(f"cannot listen on {where}: {why}; --port 0 chooses a free port") from None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, *ending_signals()):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
                loop.add_signal_handler(number, self.finish, GOING_AWAY)
        try:
            ready(next(iter(server.sockets)).getsockname()[1])
            await self.over.wait()
        finally:
            self.hall.close()
            await asyncio.gather(*(line.close(self.code, "the server closes") for line in list(self._lines)))
            server.close()
            await server.wait_closed()

    async def _listen(self) -> Server:
        ping = self.place.ping
        return await websocket_server(
            self._serve_client,
            self.place.host,
            self.place.port,
            origins=[None],  # browsers send an origin and are rejected, so that no web page can play
            compression=None,  # a small compressed frame could become a large message
            max_size=LARGEST_MESSAGE,
            ping_interval=ping,
            ping_timeout=ping,
            close_timeout=CLOSING,
            logger=self._logger,
            server_header=None,
        )

    async def _serve_client(self, connection: ServerConnection) -> None:
        address = ":".join(str(part) for part in (connection.remote_address or ("?",))[:2])
        line = SocketLine(connection)
        client = self.hall.enter(address, line)
        if client is None:
            line.stop()
            await connection.close(TRY_LATER, "too many clients")
            return
        self._lines.add(line)
        try:
            line.send(name_message())
            await self._read(connection, client)
        finally:
            self._lines.discard(line)
            line.stop()
            self._note_close(connection, client)
            if not self.over.is_set():
                self.hall.leave(client)

    async def _read(self, connection: ServerConnection, client: Client) -> None:
        throttle = Throttle()
        with contextlib.suppress(ConnectionClosed):
            while True:
                frame = await connection.recv()
                self.hall.receive(client, frame)
                wait = throttle.wait()
                await asyncio.sleep(wait)  # even a wait of zero seconds lets other clients' tasks run
                if wait and connection.state is not State.OPEN:
                    return  # discard the rest of a flood

    def _note_close(self, connection: ServerConnection, client: Client) -> None:
        code, reason = connection.close_code, connection.close_reason
        if code not in (None, SERIES_OVER, GOING_AWAY):
            self.report.note(f"{client.shown}: the connection ended with code {code} {shorten(reason or '')}")
