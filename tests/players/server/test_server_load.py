"""Tests with real clocks: charges are accurate to 100 ms; forty games on two servers; heartbeats."""

from __future__ import annotations

import asyncio
import random
import time

import pytest
from match_server import AUTO, archives, holds, joined, play_joined, running_server, scripted_game, two_plain

from littlego.match.referee import Player, Reply
from littlego.players.server.follower import Follower
from littlego.players.server.joining import Joined

pytestmark = pytest.mark.slow


def test_the_clock_of_each_is_within_100_ms_of_the_truth(tmp_path, record_property):
    """Two clients wait random times before their moves. Each client's sum must match the server's charges."""

    async def main():
        rng, spent, errors = random.Random(5), [0.0, 0.0], []
        async with running_server(tmp_path, size=9) as server, two_plain(server.address) as (black, white):
            began = time.monotonic()
            for ply in range(60):
                mover, other = (black, white) if ply % 2 == 0 else (white, black)
                await asyncio.sleep(rng.random() / 5)
                await mover.place(ply // 9, ply % 9)
                spent[ply % 2] += time.monotonic() - began
                left = (await mover.take("VALID"))["remainingTime"]
                await other.take("MOVE")
                began = time.monotonic()  # seconds from receiving the turn to sending the move
                errors += [abs(60 - left["BW"[side]] / 1000 - spent[side]) for side in (0, 1)]
        return max(errors)

    worst = asyncio.run(main())
    record_property("worst_ms", round(1000 * worst, 1))
    assert worst < 0.1


def test_a_flag_is_told_within_100_ms(tmp_path, record_property):
    """At least 99% of 200 flag falls are reported in time while no client sends anything."""

    async def main():
        late = []
        async with running_server(tmp_path, seconds=0.2) as server, two_plain(server.address) as (black, white):
            for _ in range(200):
                began = time.monotonic()
                await asyncio.gather(black.take("END"), white.take("END"))
                late.append(time.monotonic() - began - 0.2)
                await asyncio.gather(black.take("START"), white.take("START"))
        return sorted(late)

    late = asyncio.run(main())
    record_property("99%_ms", round(1000 * late[198], 1))
    assert late[0] > -0.05 and late[198] < 0.1


def test_two_servers_play_forty_games_at_once(tmp_path, record_property):
    async def main():
        plan = AUTO._replace(games=1)
        async with (
            running_server(tmp_path / "a", plan, 9, tables=20) as one,
            running_server(tmp_path / "b", plan, 9, tables=20) as two,
        ):
            # scripts depend only on the position, so each table plays the game of its seed, whoever sits there
            players = [(server, joined(f"{n}", 3, 60)) for server in (one, two) for n in range(40)]
            await asyncio.gather(*(play_joined(server.address, player) for server, player in players))

    began = time.monotonic()
    asyncio.run(main())
    record_property("seconds", round(time.monotonic() - began, 1))
    moves, last = scripted_game(9, 3, 60)
    logs = [log for folder in ("a", "b") for n in range(20) for log in archives(tmp_path / folder / str(n))]
    assert len(logs) == 40
    for log in logs:
        holds(log, moves, last)


def test_a_ping_is_answered_within_200_ms_while_our_engine_thinks(tmp_path, record_property):
    """Our engine makes a hundred moves on 19x19, the board with the longest thinking times."""
    from littlego.players.registry import make_player

    class Thinker(Player):
        name = "ours"

        def __init__(self):
            self.ours, self.moves = make_player("ours", 0), 0

        def prepare(self, ruleset):
            self.ours.prepare(ruleset)

        def choose(self, turn):
            self.moves += 1
            return self.ours.choose(turn) if self.moves <= 100 else Reply(-2)

        def close(self):
            self.ours.close()

    async def main():
        waits = []
        async with running_server(tmp_path, AUTO._replace(games=1), 19, seconds=900.0) as server:
            ours = Joined(Follower("ours"), lambda number: Thinker(), lambda line: None, 1)
            playing = asyncio.gather(ours.run(server.address), joined("other", 4, 400).run(server.address))
            while not playing.done():
                await asyncio.sleep(0.05)
                for line in list(server.serving._lines):
                    began = time.monotonic()
                    try:
                        await asyncio.wait_for(await line.connection.ping(), 5)
                    except Exception:
                        continue  # it has left
                    waits.append(time.monotonic() - began)
            await playing
        return sorted(waits)

    waits = asyncio.run(main())
    record_property("worst_ms", round(1000 * waits[-1], 1))
    assert len(waits) > 20 and waits[-1] <= 0.2
