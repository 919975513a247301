"""A match server for tests, an independent client of protocol v1, and players that follow a script."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from littlego.games.game import winner_of
from littlego.games.match import MatchPosition, match_rules
from littlego.match.matchlog import read_log
from littlego.match.referee import Player, Reply
from littlego.players.server.cli import make_serving
from littlego.players.server.follower import Follower
from littlego.players.server.game import Settings
from littlego.players.server.hall import Plan
from littlego.players.server.joining import Joined
from littlego.players.server.report import Report
from littlego.players.server.sockets import GOING_AWAY, Place
from littlego.players.server.store import Store
from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS

AUTO = Plan(auto=True)


class Running:
    """A server in this event loop: its address, its hall, and its messages."""

    def __init__(self, serving, said):
        self.serving = serving
        self.hall = serving.hall
        self.said = said
        self.address = ""
        self.port = 0

    @property
    def table(self):
        return self.hall.tables[0]

    def client(self, name):
        return next(client for client in self.hall.clients.values() if client.name == name)


@asynccontextmanager
async def running_server(folder: Path, plan=AUTO, size=5, seconds=60.0, tables=1, ping=20.0, port=0, mercy=(0, 50)):
    """Run a server in this event loop during the `with` block. tables: the number of tables, each with a subfolder."""
    said: list[str] = []
    report = Report(said.append)
    settings = Settings(match_rules(size), round(1000 * seconds), *mercy)
    stores = [(f"{n}: " * (tables > 1), settings, Store(folder / str(n))) for n in range(tables)]
    running = Running(make_serving(stores, plan, Place("127.0.0.1", port, ping), report), said)
    listening = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(running.serving.run(listening.set_result))
    await asyncio.wait([task, listening], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    running.port = listening.result()
    running.address = f"ws://127.0.0.1:{running.port}"
    try:
        yield running
    finally:
        running.serving.finish(GOING_AWAY)
        await task
        for _, _, store in stores:
            store.close()
        report.close()


def archives(folder: Path) -> list:
    """Return the logs of the finished games, oldest first."""
    return [read_log(path) for path in sorted(folder.glob("archive-*.json"), key=lambda path: path.stat().st_mtime_ns)]


def scripted_move(position: MatchPosition, seed: int, length: int) -> int:
    """Return the script's move: a reproducible random legal point, or a pass from ply `length` on."""
    points = list(points_of(position.legal()))
    if position.plies >= length or not points:
        return PASS
    return random.Random(f"{seed} {position.plies} {position.black} {position.white}").choice(points)


def scripted_game(size: int, seed: int, length: int) -> tuple[list[int], MatchPosition]:
    """Return the moves and the last position of a scripted game without interruptions."""
    position, moves = match_rules(size).opening(), []
    while True:
        moves.append(scripted_move(position, seed, length))
        over = position.ends_with(moves[-1])
        position = position.play(moves[-1])
        if over:
            return moves, position


def scores(position: MatchPosition) -> tuple[float, float]:
    score = position.score()
    return sum(side[0] for side in score), sum(side[1] for side in score) + 6.5


def holds(log, moves, last: MatchPosition) -> None:
    """Assert that a log has these moves, and the board, prisoners, scores and winner of the last position."""
    end = log.positions()[-1]
    assert [entry.move for entry in log.moves] == moves
    assert (end.black, end.white, end.prisoners, end.colour) == (last.black, last.white, last.prisoners, last.colour)
    assert (log.ending.reason, log.ending.winner, log.ending.scores) == ("pass", winner_of(last), scores(last))


class Scripted(Player):
    """A player that plays a script."""

    timed = False

    def __init__(self, seed: int, length: int):
        self.seed, self.length = seed, length
        self.turns = []

    def choose(self, turn):
        self.turns.append(turn)
        return Reply(scripted_move(turn.position, self.seed, self.length))


def joined(name, seed, length, games=1, **options) -> Joined:
    """Return our own client, with a player that follows the script."""
    return Joined(Follower(name), lambda number: Scripted(seed, length), lambda line: None, games, **options)


async def play_joined(address, *players: Joined) -> None:
    """Run players until each has played its games."""
    assert await asyncio.gather(*(player.run(address) for player in players)) == [0] * len(players)


class Plain:
    """A client written only from the protocol's documentation; it stores all messages that it receives."""

    def __init__(self, connection):
        self.connection = connection
        self.got: list[dict] = []

    async def take(self, *kinds: str) -> dict:
        """Return the next message, which must be of one of the kinds."""
        message = json.loads(await asyncio.wait_for(self.connection.recv(), 20))
        self.got.append(message)
        assert message["type"] in kinds, message
        return message

    async def say(self, message) -> None:
        await self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def place(self, row, column) -> None:
        await self.say({"type": "MOVE", "move": {"type": "place", "point": {"row": row, "column": column}}})

    async def resign(self) -> None:
        await self.say({"type": "MOVE", "move": {"type": "resign"}})

    async def pass_(self) -> None:
        await self.say({"type": "MOVE", "move": {"type": "pass"}})

    async def is_silent(self, seconds=0.1) -> bool:
        """Return whether no message arrives within `seconds`."""
        with suppress(TimeoutError):
            self.got.append(json.loads(await asyncio.wait_for(self.connection.recv(), seconds)))
            return False
        return True


@asynccontextmanager
async def plain_client(address: str, name: str | None = None, **options):
    """Connect a Plain client, and send its name unless `name` is None."""
    async with connect(address, **options) as connection:
        client = Plain(connection)
        await client.take("NAME")
        if name is not None:
            await client.say({"type": "NAME", "name": name})
        yield client


@asynccontextmanager
async def two_plain(address: str):
    """Connect clients for Black and White, and yield them after both have received START."""
    async with plain_client(address, "B") as black, plain_client(address, "W") as white:
        await black.take("START")
        await white.take("START")
        yield black, white


async def play_plain(address: str, name: str, seed: int, length: int, invalid=(), over=lambda: False) -> dict:
    """Play a script as an independent client that reconnects if the connection is lost; return END's JSON.

    invalid: JSON values of invalid moves; the client tries them before each move, and the server must refuse them.
    over: a function that returns whether the game is over. If the game is over before END arrives, the result is {}.
    """
    while not over():
        with suppress(ConnectionClosed, OSError, EOFError):
            async with plain_client(address, name) as client:
                return await _play_plain_game(client, seed, length, invalid)
        await asyncio.sleep(0.02)
    return {}


async def _play_plain_game(client: Plain, seed, length, invalid) -> dict:
    start = await client.take("START")
    configuration = start["configuration"]
    size = len(configuration["initialState"]["board"])
    position = match_rules(size).opening()
    for entry in configuration["moveLog"]:
        position = position.play(_point(entry["move"], size))
    mine = BLACK if start["color"] == "B" else 3 - BLACK
    while True:
        if position.colour == mine:
            for value in invalid:
                await client.say({"type": "MOVE", "move": value})
                assert (await _take_unless_stopped(client, "INVALID"))["type"] == "INVALID"
            move = scripted_move(position, seed, length)
            point = {"row": move // size, "column": move % size}
            spelt = {"type": "pass"} if move == PASS else {"type": "place", "point": point}
            await client.say({"type": "MOVE", "move": spelt})
        elif invalid:
            await client.say({"type": "MOVE", "move": None})  # perhaps out of turn, because the opponent may have moved
        message = {"type": "INVALID"}
        while message["type"] == "INVALID":
            message = await _take_unless_stopped(client, "VALID", "MOVE", "INVALID")
        if message["type"] == "END":
            return message
        position = position.play(move if message["type"] == "VALID" else _point(message["move"], size))


async def _take_unless_stopped(client: Plain, *kinds: str) -> dict:
    """Return the next message, or a finished game's END; disconnect and raise EOFError if the game stops."""
    message = await client.take(*kinds, "END")
    if message["type"] == "END" and message["reason"] in ("error", "pause"):
        await client.connection.close()
        raise EOFError("stopped")
    return message


def _point(move: dict, size: int) -> int:
    return PASS if move["type"] == "pass" else size * move["point"]["row"] + move["point"]["column"]
