"""Tests that games between joined players keep their moves and scores in spite of faults.

The faults are connections dropped at every ply, frames that are not messages, moves out of turn, a thousand invalid
moves, and a server that is killed and restarted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import subprocess
import sys

import pytest
from match_server import (
    AUTO,
    archives,
    holds,
    joined,
    plain_client,
    play_joined,
    play_plain,
    running_server,
    scores,
    scripted_game,
)
from websockets.exceptions import ConnectionClosed

from littlego.cache import ROOT
from littlego.dev.attack.mutator import mutate
from littlego.players.server import joining

NO_MOVES = [  # values of `move` that the server refuses on any board
    {"type": "place", "point": {"row": 1.5, "column": 0}},
    {"type": "place", "point": {"row": True, "column": 0}},
    {"type": "place", "point": {"row": 10**20, "column": 0}},
    {"type": "place", "point": {"row": -1, "column": 0}},
    {"type": "place", "point": {"row": 0}},
    {"type": "place"},
    {"type": "swap"},
    "pass",
    None,
    [],
]
NO_MESSAGES = ["", "nonsense", "[" * 50_000, '{"type":"MOVE"', "null", b"\x00\xff", '{"type":"NAME","name":"x"}', "{}"]


@pytest.fixture(autouse=True)
def quick_return(monkeypatch):
    monkeypatch.setattr(joining, "FIRST_DELAY", 0.01)


def drop_at_every_ply(table, rng) -> list[int]:
    """Drop one or both clients after every move except the last; return the plies of the drops."""
    move, plies = table.move, []

    def move_and_drop(client, message):
        before = len(table.game.log.moves)
        move(client, message)
        if table.game.running and len(table.game.log.moves) > before:
            plies.append(before)
            for colour in rng.choice([[1], [2], [1, 2]]):
                table.seats[colour].line.drop()

    table.move = move_and_drop
    return plies


async def talk_nonsense(player, rng, over) -> None:
    """Send invalid messages over the connection of a player."""
    while not over():
        await asyncio.sleep(0.002)
        if player._connection is not None:
            with contextlib.suppress(ConnectionClosed):
                await player._connection.send(rng.choice(NO_MESSAGES))


async def disturbed_game(folder, seed, size, length, tries=0) -> None:
    """Play a game with faults that depend on the seed, and compare the game with the script.

    tries: number of invalid moves that White sends before each move; if it is positive, White is an independent client.
    """
    rng = random.Random(seed)
    moves, last = scripted_game(size, seed, length)
    kept, done = folder / "0", asyncio.Event()
    async with running_server(folder, AUTO._replace(games=1), size) as server:
        black, white = (joined(name, seed, length, patience=2.0) for name in "bw")
        dropped = drop_at_every_ply(server.table, rng)
        talking = asyncio.create_task(talk_nonsense(black, rng, done.is_set))
        if tries:
            invalid = rng.choices(NO_MOVES, k=tries)
            other = play_plain(server.address, "w", seed, length, invalid, lambda: bool(archives(kept)))
            await asyncio.gather(black.run(server.address), other)
        else:
            await asyncio.gather(black.run(server.address), white.run(server.address))
        done.set()
        await talking
    [log] = archives(kept)
    holds(log, moves, last)
    assert dropped == list(range(len(moves) - 1))
    assert all(0 <= entry.milliseconds < 60_000 for entry in log.moves)
    for result in black.results + white.results:  # no result if the client was dropped before it received the end
        assert (result.reason, result.winner, result.scores) == ("pass", log.ending.winner, scores(last))


@pytest.mark.parametrize("seed", range(9))
def test_a_game_with_faults_ends_as_without(tmp_path, seed):
    asyncio.run(disturbed_game(tmp_path, seed, 5, 8, tries=(0, 0, 20)[seed % 3]))


@pytest.mark.slow
@pytest.mark.parametrize("block", range(10))
def test_games_with_faults_end_as_without(tmp_path, block):
    """There are 160 games in all; in forty games, White tries about a thousand invalid moves."""
    for seed in range(1000 + 16 * block, 1016 + 16 * block):
        size = (5, 7, 9)[seed % 3]
        length = 20 + seed % 40
        tries = 2000 // length if seed % 4 == 0 else 0
        asyncio.run(disturbed_game(tmp_path / str(seed), seed, size, length, tries))


MESSAGES = [
    b'{"type": "NAME", "name": "ours", "protocol": "v1", "seat": "secret"}',
    b'{"type": "MOVE", "move": {"type": "place", "point": {"row": 2, "column": 3}}}',
    b'{"type": "MOVE", "move": {"type": "pass"}}',
    b'{"type": "START", "configuration": {"komi": 6.5, "moveLog": []}, "color": "B"}',
    b'{"type": "END", "reason": "resign", "winner": "B", "players": {}}',
]


async def send_mutated(address, rng, number) -> None:
    """Send `number` mutated messages, in text and binary frames, and reconnect after each lost connection."""
    while number > 0:
        with contextlib.suppress(ConnectionClosed, OSError):
            async with plain_client(address, ping_interval=None) as stranger:
                while number > 0:
                    number -= 1
                    data = mutate(rng.choice(MESSAGES), rng, other=rng.choice(MESSAGES))
                    await stranger.say(data if rng.random() < 0.1 else data.decode("utf-8", "replace"))
                    await asyncio.sleep(0.001)


async def game_beside_strangers(folder, seed, number) -> None:
    """Play a game while ten strangers send `number` mutated messages in all; compare it with the script.

    After the game, the strangers get the players' seats, so that some mutated messages are moves.
    """
    moves, last = scripted_game(9, seed, 100)
    async with running_server(folder, AUTO, 9) as server:
        playing = asyncio.create_task(play_joined(server.address, *(joined(name, seed, 100) for name in "bw")))
        while not server.table.game.running:
            await asyncio.sleep(0.01)
        rngs = [random.Random(f"{seed} {stranger}") for stranger in range(10)]
        await asyncio.gather(*(send_mutated(server.address, rng, number // 10) for rng in rngs), playing)
    holds(archives(folder / "0")[0], moves, last)


def test_ten_thousand_mutated_messages_of_strangers_change_nothing(tmp_path, caplog):
    inside = tmp_path / "served"
    asyncio.run(game_beside_strangers(inside, 2, 10_000))
    assert [record.message for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")] == []
    assert [path.name for path in tmp_path.iterdir()] == ["served"]
    names = ("archive-", "discarded-", "checkpoint.json", "lock", "seats.json")
    assert [path.name for path in (inside / "0").iterdir() if not path.name.startswith(names)] == []


class Killed:
    """A server in its own process, which can be killed and restarted."""

    def __init__(self, folder, size, ping="5"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"ws://127.0.0.1:{self.port}"
        self.folder = folder
        options = ["--auto-start", "--games", "1", "--size", str(size), "--port", str(self.port), "--ping", ping]
        self.command = [sys.executable, "-m", "littlego", "serve", *options, "--folder", str(folder)]
        self.process = None

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(self.command, cwd=ROOT, stdin=quiet, stdout=subprocess.PIPE, text=True)
        assert "listening" in self.process.stdout.readline()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def made(self) -> int:
        """Return the number of moves in the server's checkpoint, or 0 without a checkpoint."""
        try:
            return (self.folder / "checkpoint.json").read_text().count('{"move"')
        except OSError:
            return 0


async def killed_game(folder, seed, size, length, kills) -> None:
    """Play a game during which the server is killed `kills` times, after random moves."""
    moves, last = scripted_game(size, seed, length)
    server = Killed(folder, size)
    after = sorted(random.Random(seed).sample(range(1, len(moves) - 1), kills))
    await asyncio.to_thread(server.start)
    black, white = (joined(name, seed, length, patience=60.0) for name in "bw")
    playing = asyncio.create_task(play_joined(server.address, black, white))
    killed = 0
    while not playing.done() and killed < kills:
        await asyncio.sleep(0.001)
        if server.made() >= after[killed]:
            killed += 1
            server.kill()
            await asyncio.to_thread(server.start)
    await playing
    assert server.process.wait(30) == 0
    server.process.communicate()
    [log] = archives(folder)
    holds(log, moves, last)
    assert killed == kills and black.results == white.results
    assert (black.results[0].winner, black.results[0].scores) == (log.ending.winner, scores(last))


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_game_whose_server_is_killed_ends_as_without(tmp_path):
    asyncio.run(killed_game(tmp_path, 7, 5, 12, kills=1))


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
@pytest.mark.parametrize("block", range(4))
def test_games_whose_server_is_killed_end_as_without(tmp_path, block):
    """There are 40 games and 80 kills in all."""
    for seed in range(10 * block, 10 * block + 10):
        asyncio.run(killed_game(tmp_path / str(seed), seed, (5, 9)[seed % 2], 60, kills=2))
