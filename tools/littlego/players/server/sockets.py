"""The server on its sockets: connections, heartbeats, floods, signals, the end.

`websockets` speaks RFC 6455, ping and pong frames included; a client whose last ping is unanswered is dropped.
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

BURST, A_SECOND = 200, 500  # messages of a client: at once, and in the long run; what comes faster waits
UNREAD = 2000  # messages that wait for a client to read them; one that reads none is dropped
TRY_LATER, SERIES_OVER, GOING_AWAY = 1013, 1000, 1001  # codes of close frames
CLOSING = 2.0  # seconds for a client to say goodbye


class Place(NamedTuple):
    """Where to listen, port 0 for any that is free, and the seconds from heartbeat to heartbeat."""

    host: str
    port: int
    ping: float


class SocketLine:
    """The way to a client: messages queue up, a task sends them."""

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
        """Send what waits, then say goodbye; drop a client that does not answer."""
        with contextlib.suppress(asyncio.QueueFull):
            self._messages.put_nowait(None)
        await asyncio.wait({self._task}, timeout=CLOSING)  # it may be cancelled meanwhile: the client has left
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.connection.close(code, reason), 2 * CLOSING)
        self.stop()

    def stop(self) -> None:
        """End the task: the connection is gone."""
        self._task.cancel()


class Throttle:
    """How long a client that sends too fast has to wait. now: seconds of a steady clock."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._allowed, self._since = float(BURST), now()

    def wait(self) -> float:
        """Count a message; return the seconds to wait before the next one is read."""
        now = self._now()
        self._allowed = min(BURST, self._allowed + A_SECOND * (now - self._since)) - 1
        self._since = now
        return max(0.0, -self._allowed / A_SECOND)


class _Notes(logging.Handler):
    """Passes on what the library complains of, a failed handshake for one, in a line and at the clients' rate."""

    def __init__(self, report: Report) -> None:
        super().__init__(logging.WARNING)
        self.report = report

    def emit(self, record: logging.LogRecord) -> None:
        why = record.exc_info[1] if record.exc_info else None
        self.report.note(shorten(f"{record.getMessage()}{f': {why}' if why else ''}"))


class Serving:
    """A hall on a port."""

    def __init__(self, hall: Hall, place: Place, report: Report) -> None:
        self.hall = hall
        self.place = place
        self.report = report
        self.over = asyncio.Event()  # all games are played, or the operator has had enough
        self.code = GOING_AWAY
        self._lines: set[SocketLine] = set()
        self._logger = logging.Logger("littlego.server")
        self._logger.addHandler(_Notes(report))

    def finish(self, code: int) -> None:
        """Let it end, and close the connections with a code; the first one counts."""
        if not self.over.is_set():
            self.code = code
            self.over.set()

    async def run(self, ready: Callable[[int], object]) -> None:
        """Listen until it is over; ready is told the port. Raise ArgumentError where nobody can listen there."""
        try:
            server = await self._listen()
        except OSError as error:
            where = f"{self.place.host}:{self.place.port}"
            why = error.strerror or error
            raise ArgumentError(f"cannot listen on {where}: {why}; --port 0 takes any that is free") from None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, *ending_signals()):
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows; not the main thread
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
            origins=[None],  # a web page that somebody has open must not play: browsers say where a request is from
            compression=None,  # a small frame cannot become a large message
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
                await asyncio.sleep(wait)  # also without a wait: it lets others in between
                if wait and connection.state is not State.OPEN:
                    return  # what is left of a flood

    def _note_close(self, connection: ServerConnection, client: Client) -> None:
        code, reason = connection.close_code, connection.close_reason
        if code not in (None, SERIES_OVER, GOING_AWAY):
            self.report.note(f"{client.shown}: its connection ended, {code} {shorten(reason or '')}")
