"""Tests of the server's sockets: floods, huge messages, half-open connections, heartbeats, shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest
from match_server import AUTO, plain_client, running_server, two_plain
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from littlego.cli.arguments import ArgumentError
from littlego.players.server.hall import MOST_WATCHERS, Plan
from littlego.players.server.messages import LARGEST_MESSAGE
from littlego.players.server.sockets import A_SECOND, BURST, UNREAD, SocketLine, Throttle


def in_server(**options):
    """Return a decorator that runs a test coroutine with a running server."""

    def decorate(test):
        def run(tmp_path):
            async def main():
                async with running_server(tmp_path, **options) as server:
                    await asyncio.wait_for(test(server), 60)

            asyncio.run(main())

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate


async def until(condition, seconds=10.0):
    """Wait until a condition holds, or fail after `seconds`."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


@in_server()
async def test_a_message_of_more_than_64_kb_is_refused_and_the_game_goes_on_afterwards(server):
    async with two_plain(server.address) as (black, white):
        await black.place(1, 1)
        await black.take("VALID")
        await white.take("MOVE")
        await black.say(" " * (LARGEST_MESSAGE + 1))
        with pytest.raises(ConnectionClosed) as closed:
            await black.take()
        assert closed.value.rcvd.code == 1009
        async with plain_client(server.address, "B") as again:
            start = await again.take("START")
            assert len(start["configuration"]["moveLog"]) == 1 and start["color"] == "B"
            await white.say(" " * (LARGEST_MESSAGE - 2) + "{}")  # a message of the maximum size is logged, not answered
            await white.place(2, 2)
            await white.take("VALID")


@in_server(ping=1)
async def test_a_flood_is_read_slowly_and_disturbs_no_other(server):
    async with two_plain(server.address) as (black, white), plain_client(server.address) as stranger:
        flood = asyncio.create_task(_flood(stranger, 5000))
        loop = asyncio.get_running_loop()
        slowest = 0.0
        for ply in range(10):
            mover, other = (black, white) if ply % 2 == 0 else (white, black)
            since = loop.time()
            await mover.place(ply // 5, ply % 5)
            await mover.take("VALID")
            await other.take("MOVE")
            slowest = max(slowest, loop.time() - since)
        await flood
        stranger.connection.transport.abort()
        # a heartbeat detects the closed connection while most of the data is still unread
        await until(lambda: len(server.hall.clients) == 2)
        assert slowest < 5 and any("more lines omitted" in line for line in server.said)


async def _flood(client, messages):
    with contextlib.suppress(ConnectionClosed):
        for number in range(messages):
            await client.say(f"flood {number}")


def test_who_sends_too_fast_waits_as_long_as_it_takes():
    hands = [0.0]
    throttle = Throttle(lambda: hands[0])
    assert not any(throttle.wait() for _ in range(BURST))
    waited = sum(throttle.wait() for _ in range(1)) + hands[0]
    assert waited == pytest.approx(1 / A_SECOND)
    for _ in range(1000):
        hands[0] += throttle.wait()
    assert hands[0] == pytest.approx(1001 / A_SECOND, rel=0.01)
    hands[0] += 60
    assert not any(throttle.wait() for _ in range(BURST))


@in_server()
async def test_a_thousand_invalid_moves_are_answered_and_change_nothing(server):
    async with two_plain(server.address) as (black, white):
        for _ in range(1000):
            await black.place(7, 7)
        for _ in range(1000):
            assert (await black.take("INVALID"))["message"] == "Out of Bound"
        assert server.table.game.log.moves == () and await white.is_silent(0.01)
        await black.place(2, 2)
        await black.take("VALID")
        left = (await white.take("MOVE"))["remainingTime"]
        assert left["B"] < 60_000 - 1000 * (800 - BURST) / A_SECOND  # Black's clock has run in the meantime


@in_server(ping=0.1)
async def test_a_client_that_answers_no_ping_is_dropped_and_the_game_goes_on(server):
    async with two_plain(server.address) as (black, white):
        black.connection.transport.pause_reading()  # half open: pings arrive, but the client does not answer
        await until(lambda: server.table.seats[1] is None)
        assert server.table.game.running and await white.is_silent(0.01)
        black.connection.transport.abort()
        async with plain_client(server.address, "B") as again:
            assert (await again.take("START"))["color"] == "B"


@in_server()
async def test_a_client_that_reads_nothing_is_dropped(server):
    async with plain_client(server.address, "B"):
        await until(lambda: any(client.name for client in server.hall.clients.values()))
        client = server.client("B")
        for _ in range(UNREAD + 1):
            client.line.send({"type": "NAME"})
        await until(lambda: not server.hall.clients)


@in_server()
async def test_a_handshake_that_never_comes_keeps_no_one_out(server):
    silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    silent[0].sendall(b"GET / HTTP/1.1\r\nnonsense\r\n\r\n")
    silent[1].sendall(b"\x00\x1b[2J" * 100)
    async with two_plain(server.address) as (black, _):
        await black.resign()
        assert (await black.take("VALID"))["remainingTime"]["B"] <= 60_000
        for one in silent:
            one.close()


@in_server()
async def test_a_web_page_is_refused(server):
    with pytest.raises(InvalidStatus) as refused:
        async with connect(server.address, origin="https://example.org"):
            pass
    assert refused.value.response.status_code == 403


@in_server(plan=Plan())
async def test_too_many_clients_are_asked_to_come_later(server):
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(MOST_WATCHERS + 2):
            await stack.enter_async_context(plain_client(server.address))
        with pytest.raises(ConnectionClosed) as closed:
            await stack.enter_async_context(plain_client(server.address))
        assert closed.value.rcvd.code == 1013


@in_server(plan=Plan(auto=True, games=1))
async def test_after_the_last_game_both_get_their_end_and_then_the_goodbye(server):
    async with two_plain(server.address) as (black, white):
        await black.resign()
        for client, first in (black, "VALID"), (white, "MOVE"):
            await client.take(first)
            assert (await client.take("END"))["winner"] == "W"
            with pytest.raises(ConnectionClosed) as closed:
                await client.take()
            assert closed.value.rcvd.code == 1000


@in_server(seconds=0.3)
async def test_the_flag_is_told_while_a_client_keeps_sending_bad_moves(server):
    async with two_plain(server.address) as (black, white):
        loop = asyncio.get_running_loop()
        since = loop.time()
        while not (black.got and black.got[-1]["type"] == "END"):
            await black.place(9, 9)
            await black.take("INVALID", "END")
        assert (await white.take("END"))["reason"] == "timeout" and loop.time() - since < 3


def test_a_stopped_server_is_gone_on_with(tmp_path):
    async def main():
        async with running_server(tmp_path) as server, two_plain(server.address) as (black, white):
            await black.place(3, 3)
            await black.take("VALID")
            await white.take("MOVE")
            server.serving.finish(1001)
            assert (await white.take("END"))["reason"] == "pause"
        async with running_server(tmp_path, plan=AUTO) as server:
            assert server.table.game.begun
            async with two_plain(server.address) as (black, white):
                assert len(white.got[-1]["configuration"]["moveLog"]) == 1
                await white.place(1, 1)
                await white.take("VALID")

    asyncio.run(main())


def test_a_port_that_is_taken_is_named(tmp_path):
    async def main():
        async with running_server(tmp_path / "a") as server:
            with pytest.raises(ArgumentError, match=rf"cannot listen on 127.0.0.1:{server.port}: .*--port 0 chooses"):
                async with running_server(tmp_path / "b", port=server.port):
                    pass

    asyncio.run(main())


def test_a_line_that_is_full_drops_its_client():
    async def main():
        class Transport:
            aborted = False

            def abort(self):
                self.aborted = True

        class Connection:
            transport = Transport()

            async def send(self, text):
                await asyncio.Event().wait()

        line = SocketLine(Connection())
        await asyncio.sleep(0)
        for _ in range(UNREAD + 2):
            line.send({"type": "NAME"})
        line.stop()
        assert Connection.transport.aborted

    asyncio.run(main())


def test_a_client_that_leaves_while_the_server_closes_is_no_trouble():
    async def main():
        class Connection:
            async def send(self, text):
                await asyncio.Event().wait()

            async def close(self, code, reason):
                pass

        line = SocketLine(Connection())
        line.send({"type": "NAME"})
        closing = asyncio.create_task(line.close(1001, ""))
        await asyncio.sleep(0.01)
        line.stop()  # the connection's reader does this when the connection is lost
        await closing

    asyncio.run(main())
