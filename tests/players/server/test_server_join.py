"""Tests of a player at a server: messages, foreign servers, heartbeats, and reconnection."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match_server import Scripted, joined, play_joined, running_server
from websockets.asyncio.server import serve

from littlego.cli.arguments import FINDINGS, FINE
from littlego.cli.main import main
from littlego.match.referee import UNDO, Player, Reply
from littlego.players.human import HumanPlayer
from littlego.players.server import joining
from littlego.players.server.follower import Follower, FollowError, State
from littlego.players.server.joining import Joined
from littlego.players.server.terminal import Interrupted, Questions
from littlego.rules.position import PASS, WHITE

CONFIGURATION = {  # the configuration as the original server of 2019 sends it
    "initialState": {
        "board": [["."] * 9 for _ in range(9)],
        "players": {"B": {"remainingTime": 900000, "prisoners": 0}, "W": {"remainingTime": "10:00", "prisoners": 0}},
        "turn": "B",
    },
    "moveLog": [],
    "komi": 6.5,
    "ko": True,
    "scoringMethod": "area",
    "prisonerScore": 1,
}


def place(row, column):
    return {"type": "place", "point": {"row": row, "column": column}}


def start(color="B", **changes):
    return {"type": "START", "configuration": {**CONFIGURATION, **changes}, "color": color}


def following(*messages):
    follower = Follower("me", lambda: 0.0)
    for message in ({"type": "NAME"}, *messages):
        follower.receive(message)
    return follower


def test_it_goes_from_state_to_state_as_the_protocol_says():
    follower = Follower("me", lambda: 0.0)
    assert follower.state is State.INIT
    assert follower.receive({"type": "NAME"}) == {"type": "NAME", "name": "me", "protocol": "v1", "seat": ""}
    assert follower.state is State.READY
    follower.receive({**start(), "seat": "secret"})
    assert follower.state is State.THINKING and follower.turn().times == (900, 600)
    assert follower.move(40) == {"type": "MOVE", "move": place(4, 4)}
    assert follower.state is State.AWAITING_MOVE_RESPONSE
    follower.receive({"type": "INVALID", "message": "Suicide\n", "remainingTime": {"B": 899000, "W": 600000}})
    assert follower.state is State.THINKING and follower.refused == r"Suicide\n" and not follower.position.black
    follower.move(41)
    follower.receive({"type": "VALID", "remainingTime": {"B": 898500, "W": 600000}})
    assert follower.state is State.IDLE and follower.position.black == 1 << 41
    follower.receive({"type": "MOVE", "move": {"type": "pass"}, "remainingTime": {"B": 898500, "W": "09:59.500"}})
    assert follower.state is State.THINKING and follower.turn().times == (898.5, 599.5) and follower.theirs == PASS
    end = {"reason": "timeout", "winner": "W", "players": {"B": {"score": 81, "remainingTime": 0}}}
    follower.receive({"type": "END", **end})
    assert follower.state is State.READY and follower.result == ("timeout", WHITE, (81, None), (0, None))
    follower.lost()
    assert follower.state is State.INIT
    assert follower.receive({"type": "NAME"})["seat"] == "secret"


def test_after_the_second_pass_it_waits_for_the_end():
    follower = following(start())
    follower.move(PASS)
    follower.receive({"type": "VALID"})
    follower.receive({"type": "MOVE", "move": {"type": "pass"}})
    assert follower.state is State.IDLE


def test_its_player_is_told_all_moves_where_the_game_began_on_the_empty_board():
    log = [{"move": place(0, 0), "deltaTime": 10}, {"move": {"type": "pass"}, "deltaTime": 10}]
    follower = following(start(moveLog=log))
    assert follower.turn().moves == (0, PASS)
    follower.move(8)
    follower.receive({"type": "VALID"})
    follower.receive({"type": "MOVE", "move": place(8, 0)})
    assert follower.turn().moves == (0, PASS, 8, 72)
    board = [["B", *"........"], *(["."] * 9 for _ in range(8))]
    assert following(start(initialState={**CONFIGURATION["initialState"], "board": board})).turn().moves is None


def test_what_a_player_loads_is_loaded_before_it_is_asked_for_a_move():
    class Loading(Player):
        done = []

        def prepare(self, ruleset):
            self.done.append(ruleset.name)

        def choose(self, turn):
            self.done.append("chosen")
            return Reply(PASS)

    async def server(connection):
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start()))
        for _ in range(2):
            await connection.recv()
            await connection.send(dump({"type": "VALID"}))
            await connection.send(dump({"type": "MOVE", "move": place(4, len(Loading.done))}))
        await connection.recv()
        await connection.send(dump({"type": "VALID"}))
        await connection.send(dump(END))
        await connection.wait_closed()

    assert asyncio.run(talk(server, player_of(Loading()))) == FINE
    assert Loading.done == ["match-9-no-pass-stones", "chosen", "chosen", "chosen"]


@pytest.mark.parametrize("color, moves, state", [("B", 2, "THINKING"), ("W", 2, "IDLE"), ("B", 1, "IDLE")])
def test_it_takes_a_game_up_where_its_log_ends(color, moves, state):
    log = [{"move": place(n, n), "deltaTime": 1000} for n in range(moves)]
    follower = following(start(color, moveLog=log, idleDeltaTime=500))
    assert follower.state is State[state] and follower.resumed == moves and follower.position.plies == moves
    assert follower.turn().times == ((898.5, 599) if moves == 2 else (899, 599.5))
    assert bin(follower.turn().previous[0] | follower.turn().previous[1]).count("1") == moves - 1


@pytest.mark.parametrize(
    "messages, said",
    [
        ([start("X")], "the colour 'X'; expected B or W"),
        ([{"type": "START"}], "a move log: expected an object, found nothing"),
        ([start(initialState={"board": 21})], "board: expected a size or number of rows from 5 to 19"),
        ([start("W"), {"type": "MOVE", "move": place(9, 0)}], "a move that cannot be read: Out of Bound"),
        ([start("W", moveLog=[{"move": place(0, 0)}] * 1), {"type": "MOVE", "move": {}}], None),
        ([start("B", moveLog=[{"move": place(0, 0)}]), {"type": "MOVE", "move": place(0, 0)}], "there is a stone"),
    ],
)
def test_a_game_that_cannot_be_followed_is_named(messages, said):
    if said is None:
        assert following(*messages).state is State.THINKING  # the player is to move, so it ignores a MOVE
        return
    with pytest.raises(FollowError, match=said):
        following(*messages)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["move", "B", "W", "type", "players", "score", "color"]), inner, max_size=3)
    ),
)


@given(
    st.lists(st.tuples(st.sampled_from(["NAME", "START", "END", "MOVE", "VALID", "INVALID", "??"]), JUNK), max_size=6)
)
@settings(max_examples=150, deadline=None)
def test_whatever_a_server_says_it_is_followed_or_refused(messages):
    follower = following(start())
    keys = ("move", "remainingTime", "configuration", "color", "winner", "players", "reason", "message")
    for kind, junk in messages:
        try:
            follower.receive({"type": kind, **dict.fromkeys(keys, junk)})
            if follower.state is State.THINKING and kind == "VALID":
                follower.move(3)
        except FollowError as error:
            assert str(error).isprintable()


class Slow(Player):
    """A player that, like our engine, thinks in pure Python; the thinking ends when the test releases it."""

    def __init__(self):
        self.go = threading.Event()
        self.closed = False

    def choose(self, turn):
        while not self.go.is_set():
            sum(range(1000))
        return Reply(PASS)

    def close(self):
        self.closed = True


async def talk(take_client, player: Joined, **options):
    """Connect a player to a server, given as a function of the connection; return the exit status."""
    async with serve(take_client, "127.0.0.1", 0, **options) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        return await asyncio.wait_for(player.run(f"ws://127.0.0.1:{port}"), 30)


def player_of(player, say=lambda line: None, **options):
    return Joined(Follower("me"), lambda number: player, say, **{"games": 1, "patience": 0.5, **options})


END = {"type": "END", "reason": "pass", "winner": "W", "players": {}}


def dump(message):
    return json.dumps(message)


def test_it_answers_heartbeats_while_it_thinks():
    slow, waits = Slow(), []

    async def server(connection):
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start()))
        for _ in range(10):
            since = time.monotonic()
            await (await connection.ping())
            waits.append(time.monotonic() - since)
            await asyncio.sleep(0.02)
        slow.go.set()
        assert json.loads(await connection.recv())["move"] == {"type": "pass"}
        await connection.send(dump({"type": "VALID"}))
        await connection.send(dump(END))
        await connection.wait_closed()

    assert asyncio.run(talk(server, player_of(slow))) == FINE and slow.closed
    assert sorted(waits)[5] <= 0.2  # the slow tests, on an idle machine, measure the worst case


@pytest.mark.parametrize(
    "reply, said",
    [
        (Reply(None, fault="crashed\n"), "the player gave no move (crashed"),
        (Reply(None), "the player gave no move (no reason given)"),
        (Reply(40), "4,4 is illegal (there is a stone already): passing instead"),
        (Reply(500), "is illegal (off the board): passing instead"),
        (Reply(UNDO), "the server does not take back moves"),
        (ValueError("crash"), "the player gave no move (ValueError: crash): passing instead"),
    ],
    ids=["fault", "nothing", "occupied", "off", "undo", "crash"],
)
def test_a_player_without_a_legal_move_passes_and_says_so(reply, said):
    class Odd(Player):
        def choose(self, turn):
            if isinstance(reply, Exception):
                raise reply
            return reply

    got, lines = [], []

    async def server(connection):
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start("W", moveLog=[{"move": place(4, 4)}])))
        got.append(json.loads(await connection.recv()))
        await connection.send(dump(END))
        await connection.wait_closed()

    assert asyncio.run(talk(server, player_of(Odd(), lines.append))) == FINE
    assert got == [{"type": "MOVE", "move": {"type": "pass"}}] and any(said in line for line in lines)


def test_a_move_that_the_server_refuses_becomes_a_pass_and_then_it_leaves():
    got = []

    async def server(connection):
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start()))
        for _ in range(4):
            got.append(json.loads(await connection.recv())["move"]["type"])
            await connection.send(dump({"type": "INVALID", "message": "no"}))
        await connection.wait_closed()

    with pytest.raises(FollowError, match="refused 4 moves in a row"):
        asyncio.run(talk(server, player_of(Scripted(1, 9))))
    assert got == ["place", "pass", "pass", "pass"]


def test_it_passes_over_what_makes_no_sense_and_plays_without_times():
    async def server(connection):
        for junk in "nonsense", "[]", b"\x00", dump({"type": "WEATHER"}), dump({"type": "VALID"}), dump(END):
            await connection.send(junk)
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start("W")))
        await connection.send(dump({"type": "MOVE", "move": {"type": "pass"}}))
        await connection.recv()
        await connection.send(dump({"type": "VALID"}))
        await connection.send(dump(END))
        await connection.wait_closed()

    player = player_of(Scripted(1, 0))
    assert asyncio.run(talk(server, player)) == FINE and [result.winner for result in player.results] == [WHITE]


def test_what_it_thought_of_a_stopped_game_is_not_played_in_the_next():
    class Counting(Player):
        number = 0

        def __init__(self):
            type(self).number += 1
            self.mine = self.number

        def choose(self, turn):
            time.sleep(0.2 if self.mine == 1 else 0)
            return Reply(self.mine)

    got = []

    async def server(connection):
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start()))
        await connection.send(dump({**END, "reason": "pause"}))
        await connection.send(dump(start()))
        got.append(json.loads(await connection.recv())["move"]["point"]["column"])
        await asyncio.sleep(0.3)
        await connection.send(dump(END))
        async for frame in connection:
            got.append(frame)

    player = Joined(Follower("me"), lambda number: Counting(), lambda line: None, 1)
    assert asyncio.run(talk(server, player)) == FINE and got == [2]


def test_it_comes_back_after_a_lost_connection_and_leaves_when_the_server_says_goodbye(monkeypatch):
    monkeypatch.setattr(joining, "FIRST_DELAY", 0.01)
    visits, lines = [], []

    async def server(connection):
        visits.append(connection)
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        if len(visits) < 4:
            connection.transport.abort()
        else:
            await connection.close(1000)

    assert asyncio.run(talk(server, player_of(Scripted(1, 1), lines.append, games=None))) == FINE
    assert len(visits) == 4 and sum("reconnecting" in line for line in lines) == 3


def test_it_gives_up_where_nobody_answers(monkeypatch):
    lines = []
    player = player_of(Scripted(1, 1), lines.append, patience=0.3)
    assert asyncio.run(player.run("ws://127.0.0.1:9")) == FINDINGS
    assert lines[-1].startswith("no server at ws://127.0.0.1:9 (") and lines[-1].endswith("gave up after 0.3 s")


@pytest.mark.parametrize("address", ["127.0.0.1:8080", "http://127.0.0.1", "ws://", "ws://[::1"])
def test_an_address_that_is_none_is_named(capsys, address):
    assert main(["join", address, "--player", "random", "--timeout", "0.1"]) == 2
    assert capsys.readouterr().err.endswith("expected the address of a server, such as ws://127.0.0.1:8080\n")


def test_it_plays_a_series_with_colours_that_alternate(tmp_path):
    async def main():
        async with running_server(tmp_path) as server:
            black, white = joined("b", 5, 6, 3), joined("w", 5, 6, 3)
            await play_joined(server.address, black, white)
            return [result.winner for result in black.results], [result.winner for result in white.results]

    ours, theirs = asyncio.run(main())
    assert ours == theirs and len(ours) == 3


def test_a_person_s_question_ends_with_the_game():
    reading, writing = os.pipe()
    questions = Questions(reading)
    found = []

    def ask():
        try:
            found.append(questions.ask(""))
        except (Interrupted, EOFError) as error:
            found.append(type(error))

    for act in questions.interrupt, lambda: os.write(writing, b"pass\nlate"), lambda: os.close(writing), lambda: None:
        asking = threading.Thread(target=ask)
        asking.start()
        while questions._asking is None and len(found) < 3:
            time.sleep(0.001)
        act()
        asking.join(5)
        questions.interrupt()
    assert found == [Interrupted, "pass", "late", EOFError]


def test_a_person_plays_and_what_is_wrong_is_asked_again(capsys):
    answers = iter(["4,4", "nonsense", "exit"])
    lines, got = [], []

    async def server(connection):
        await connection.send('{"type":"NAME"}')
        await connection.recv()
        await connection.send(dump(start("W", moveLog=[{"move": place(4, 4)}])))
        got.append(json.loads(await connection.recv())["move"]["type"])
        await connection.send(dump(END))
        await connection.wait_closed()

    person = HumanPlayer(lambda prompt: next(answers))
    assert asyncio.run(talk(server, player_of(person, lines.append))) == FINE
    assert got == ["resign"]
    assert "4,4 is not legal" in capsys.readouterr().out
