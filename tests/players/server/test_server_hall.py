"""Tests of seats and of the order of messages, without sockets.

The tests cover series, lost clients and the operator's commands.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from littlego.games.match import match_rules
from littlego.players.server import hall
from littlego.players.server.game import ServedGame, Settings
from littlego.players.server.hall import MOST_WATCHERS, Hall, Plan, Table
from littlego.players.server.operating import HELP, Operator
from littlego.players.server.report import BURST, LONGEST_LINE, Report
from littlego.players.server.store import SECRETS, Store
from littlego.rules.position import BLACK, WHITE

AUTO = Plan(auto=True)


class Desk:
    """A hall with fake connections that record messages; `told` has (name, message) pairs."""

    def __init__(self, folder, plan=AUTO, tables=1, milliseconds=60_000):
        self.told, self.said, self.dropped, self.over = [], [], [], []
        self.report = Report(self.said.append)
        self.hall = Hall([], self.report)
        self.stores = [Store(folder / str(n)) for n in range(tables)]
        for n, store in enumerate(self.stores):
            game = ServedGame(Settings(match_rules(5), milliseconds), store, self.report.note)
            table = Table(f"table {n + 1}: " * (tables > 1), game, plan, self.report, lambda: self.over.append(1))
            self.hall.tables.append(table)
        self.operator = Operator(self.hall, self.report, lambda: self.over.append("quit"))

    @property
    def table(self):
        return self.hall.tables[0]

    def enter(self, name, **more):
        desk = self

        class Line:
            def send(self, message):
                desk.told.append((name, message))

            def drop(self):
                desk.dropped.append(name)

        client = self.hall.enter("1.2.3.4:5", Line())
        self.say(client, {"type": "NAME", "name": name, **more})
        return client

    def say(self, client, message):
        self.hall.receive(client, message if isinstance(message, str | bytes) else json.dumps(message))

    def play(self, client, point):
        place = {"type": "place", "point": {"row": point // 5, "column": point % 5}}
        self.say(client, {"type": "MOVE", "move": {"type": "pass"} if point < 0 else place})

    def types(self):
        """Return (as `name TYPE`) the recipients and types of the messages since the last call."""
        shown = [f"{name} {message['type']}" for name, message in self.told]
        self.told.clear()
        return shown

    def close(self):
        for table in self.hall.tables:
            if table._timer:
                table._timer.cancel()
        while self.stores:
            self.stores.pop().close()
        self.report.close()
        return "\n".join(self.said)


def desk_test(plan=AUTO, **options):
    """Return a decorator that runs a test coroutine with a Desk in an event loop, which the timers need."""

    def decorate(test):
        def run(tmp_path):
            async def main():
                desk = Desk(tmp_path, plan, **options)
                try:
                    await test(desk)
                finally:
                    desk.close()

            asyncio.run(main())

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate


@desk_test()
async def test_the_mover_gets_valid_the_other_move_and_then_both_the_end(desk):
    black, white = desk.enter("b"), desk.enter("w")
    assert desk.types() == ["b START", "w START"]
    desk.play(black, 3)
    desk.play(white, -1)
    assert desk.types() == ["b VALID", "w MOVE", "w VALID", "b MOVE"]
    desk.play(black, -1)
    assert desk.types() == ["b VALID", "w MOVE", "b END", "w END", "w START", "b START"]


@desk_test()
async def test_an_invalid_move_is_answered_to_the_mover_alone(desk):
    black, _ = desk.enter("b"), desk.enter("w")
    desk.types()
    for _ in range(3):
        desk.play(black, 99)
    assert desk.types() == 3 * ["b INVALID"]
    desk.play(black, 3)
    assert desk.types() == ["b VALID", "w MOVE"]


@desk_test()
async def test_what_asks_nothing_is_noted_and_not_answered(desk):
    stray = desk.enter("stray")
    white = desk.enter("w")
    desk.types()
    frames = ["", "nonsense", "[" * 60_000, "[]", "null", '{"type": 1}', "{}", b"\x00", '{"type": "NAME", "name": "x"}']
    for client in stray, white:
        for frame in frames:
            desk.say(client, frame)
    desk.play(white, 3)  # out of turn
    desk.say(white, {"type": "START"})
    nobody = desk.hall.enter("1.2.3.4:6", None)
    for message in {"type": "MOVE", "move": {"type": "pass"}}, {"type": "NAME"}, {"type": "NAME", "name": 7}:
        desk.say(nobody, message)
    assert desk.types() == [] and nobody.name == "" and not desk.dropped
    said = desk.close()
    for part in "nonsense; expected JSON", "a binary frame of 1 bytes", "a MOVE out of turn", "a NAME without a name":
        assert part in said


@desk_test(Plan(auto=True, black="later", games=3))
async def test_a_series_begins_as_it_is_asked_and_swaps_colours(desk):
    first, later = desk.enter("first"), desk.enter("later")
    colours = []
    for _ in range(3):
        colours.append(later.colour)
        for client in (later, first) if later.colour == BLACK else (first, later):
            desk.play(client, -1)
    assert colours == [BLACK, WHITE, BLACK] and desk.over == [1]
    assert desk.types().count("later START") == 3 and not desk.table.game.running


@desk_test()
async def test_who_is_dropped_comes_back_to_its_own_seat_and_game(desk):
    black, white = desk.enter("b"), desk.enter("w")
    desk.play(black, 3)
    desk.types()
    desk.hall.leave(black)
    assert desk.types() == [] and desk.table.game.running
    stranger = desk.enter("stranger")
    assert stranger.table is None
    desk.hall.leave(white)
    white, black = desk.enter("w"), desk.enter("b")
    assert (black.colour, white.colour) == (BLACK, WHITE) and desk.types() == ["w START", "b START"]
    assert len(desk.table.game.log.moves) == 1 and desk.table.game.running


@desk_test()
async def test_the_clock_runs_while_a_player_is_away(desk):
    black, white = desk.enter("b"), desk.enter("w")
    desk.hall.leave(black)
    await asyncio.sleep(0.2)
    again = desk.enter("b")
    assert desk.table.game.remaining[0] <= 60_000 - 200
    start = next(message for name, message in reversed(desk.told) if message["type"] == "START" and name == "b")
    assert start["configuration"]["idleDeltaTime"] >= 200
    desk.play(again, 3)
    desk.hall.leave(again)
    desk.play(white, 4)  # the opponent of an absent player plays on
    assert len(desk.table.game.log.moves) == 2


@pytest.mark.parametrize("both", [False, True])
def test_a_game_whose_player_left_ends_when_the_flag_falls(tmp_path, both):
    async def leave():
        desk = Desk(tmp_path, milliseconds=200)
        black, white = desk.enter("b"), desk.enter("w")
        desk.hall.leave(black)
        if both:
            desk.hall.leave(white)
        async with asyncio.timeout(10):
            while not desk.table.played:
                await asyncio.sleep(0.01)
        told = [message for name, message in desk.told if message["type"] == "END"]
        assert [message["reason"] for message in told] == ([] if both else ["timeout"])
        assert [path.name.partition("-")[0] for path in (tmp_path / "0").glob("*-*.json")] == ["archive"]
        new = desk.enter("new")
        assert new.table and new.colour  # nobody waits for a player who left
        desk.close()

    asyncio.run(leave())


def test_after_a_restart_a_player_who_does_not_return_loses_on_time(tmp_path, monkeypatch):
    monkeypatch.setattr(hall, "RETURN", 0.05)

    async def begin():
        desk = Desk(tmp_path, milliseconds=400)
        desk.enter("b"), desk.enter("w")
        await asyncio.sleep(0.1)
        desk.hall.close()
        desk.close()

    async def resume():
        desk = Desk(tmp_path, milliseconds=400)
        await asyncio.sleep(0.5)  # the time that the server is down, or alone, is nobody's
        white = desk.enter("w")
        assert not desk.table.game.running and white.colour == WHITE
        async with asyncio.timeout(10):
            while not desk.table.played:
                await asyncio.sleep(0.01)
        end = desk.told[-1][1]
        assert (end["type"], end["reason"], end["winner"]) == ("END", "timeout", "W")
        desk.close()

    asyncio.run(begin())
    asyncio.run(resume())


@desk_test()
async def test_a_seat_with_a_secret_is_not_taken_by_name(desk):
    black, _ = desk.enter("b", seat=""), desk.enter("w")
    secrets = {name: message.get("seat") for name, message in desk.told if message["type"] == "START"}
    assert len(secrets["b"]) > 16 and secrets["w"] is None  # a client that knows no secrets gets none
    desk.hall.leave(black)
    for wrong in ({}, {"seat": ""}, {"seat": "guessed"}, {"seat": 7}, {"seat": "\udcff"}):
        assert desk.enter("b", **wrong).table is None
    owner = desk.enter("b", seat=secrets["b"])
    assert owner.colour == BLACK
    assert desk.told[-1][1]["seat"] == secrets["b"]
    assert "seat" not in str(desk.table.game.configuration())  # which both players get


def test_secrets_are_valid_after_a_restart_and_private(tmp_path):
    async def begin():
        desk = Desk(tmp_path)
        desk.enter("b", seat=""), desk.enter("w")
        desk.hall.close()
        desk.close()
        return next(message["seat"] for name, message in desk.told if "seat" in message)

    async def resume(secret):
        desk = Desk(tmp_path)
        assert desk.enter("b", seat="guessed").table is None
        assert desk.enter("b", seat=secret).colour == BLACK
        desk.close()

    secret = asyncio.run(begin())
    assert (tmp_path / "0" / SECRETS).stat().st_mode & 0o77 == 0
    asyncio.run(resume(secret))
    (tmp_path / "0" / SECRETS).write_text("damaged")
    asyncio.run(resume_by_name(tmp_path))


async def resume_by_name(folder):
    """Check that a damaged file of secrets ends no game: players get their seats back by name."""
    desk = Desk(folder)
    assert desk.enter("b").colour == BLACK
    desk.close()


@desk_test()
async def test_who_comes_back_before_its_lost_connection_is_noticed_gets_its_seat_then(desk):
    black, _ = desk.enter("b"), desk.enter("w")
    again = desk.enter("b")
    assert again.table is None
    desk.types()
    desk.hall.leave(black)
    assert again.colour == BLACK and desk.types() == ["b START"]


@desk_test(Plan())
async def test_the_operator_seats_starts_stops_and_clears(desk):
    one, two = desk.enter("one"), desk.enter("two")
    answer = desk.operator.answer
    assert desk.types() == [] and "both seats must be taken" in answer("start")
    assert answer("join 1 white") == "done" and answer("JOIN 2 b") == "done" and desk.types() == []
    assert answer("swap") == "Black: client 1 (one); White: client 2 (two)"
    assert answer("start") == "started" and desk.types() == ["one START", "two START"]
    for refused in "start", "swap", "clear", "leave 1", "join 2 black":
        assert "`stop` first" in answer(refused)
    desk.play(one, 3)
    desk.types()
    assert answer("stop") == "stopped; `start` resumes the game" and desk.types() == ["one END", "two END"]
    assert "no game is being played" in answer("stop")
    answer("start")
    assert desk.types() == ["one START", "two START"] and desk.table.game.mover == WHITE
    answer("stop")
    assert "discarded-" in answer("clear") and not desk.table.game.begun
    assert "has left its seat" in answer("leave 2") and two.table is None and "has no seat" in answer("leave 2")


@desk_test()
async def test_what_the_operator_stopped_begins_again_only_by_hand(desk):
    _, white = desk.enter("b"), desk.enter("w")
    desk.operator.answer("stop")
    desk.hall.leave(white)
    desk.enter("w")
    assert not desk.table.game.running
    desk.operator.answer("start")
    assert desk.table.game.running


@desk_test()
async def test_after_clear_any_two_play(desk):
    black, white = desk.enter("b"), desk.enter("w")
    desk.play(black, 3)
    desk.hall.leave(black)
    new = desk.enter("new")
    assert new.table is None
    desk.operator.answer("stop")
    desk.types()
    desk.operator.answer("clear")
    desk.operator.answer("start")
    assert new.colour == BLACK and white.colour == WHITE and desk.types() == ["new START", "w START"]


@desk_test()
async def test_view_draws_the_board_and_says_who_is_here(desk):
    black, _ = desk.enter("b"), desk.enter("evil\x1b[2J")
    desk.play(black, 7)
    drawn = desk.operator.answer("view")
    assert (
        """\
   0 1 2 3 4
 0 . . . . .
 1 . .(X). .
 2 . . . . .
 3 . . . . .
 4 . . . . .
match-5: running, 1 moves
Black (b): 25 points, 0 prisoners, """
        in drawn
    )
    assert drawn.splitlines()[1] == r"2  evil\x1b[2J  1.2.3.4:5  White" and drawn.endswith(" s left, to move")


@pytest.mark.parametrize(
    "line, said",
    [
        ("dance", "unknown command 'dance'; expected one of:\n" + HELP),
        ("help", HELP),
        ("", ""),
        ("join 1", "join: expected 2 arguments; `help` lists the commands"),
        ("join 1 red", "join: expected black or white, found red"),
        ("join 99 black", "no client 99; `view` lists the clients"),
        ("join x\x1b black", r"no client x\x1b; `view` lists the clients"),
        ("view 2", "no table 2: expected 1 to 1"),
        ("view ²", "no table ²: expected 1 to 1"),
    ],
    ids=lambda text: text.encode("unicode_escape").decode()[:12],
)
def test_a_command_that_is_none_is_named(tmp_path, line, said):
    @desk_test()
    async def check(desk):
        desk.enter("b")
        assert desk.operator.answer(line) == said
        assert desk.operator.answer("quit") == "" and desk.over == ["quit"]

    check(tmp_path)


@desk_test(tables=3)
async def test_those_who_come_fill_table_after_table(desk):
    clients = [desk.enter(f"c{n}") for n in range(6)]
    assert [desk.hall.tables.index(client.table) for client in clients] == [0, 0, 1, 1, 2, 2]
    assert all(table.game.running for table in desk.hall.tables)
    desk.operator.answer("stop 3")
    assert [table.game.running for table in desk.hall.tables] == [True, True, False]


@desk_test()
async def test_no_more_clients_are_let_in_than_can_be_borne(desk):
    for n in range(MOST_WATCHERS + 2):
        assert desk.enter(f"c{n}")
    assert desk.hall.enter("1.2.3.4:5", None) is None


@desk_test()
async def test_names_are_cut_and_can_be_shown(desk):
    long, empty, other = desk.enter("x" * 1000 + "\n"), desk.enter(" \t"), desk.enter("b\ud800\u202e", protocol="v9")
    assert len(long.name) <= 43 and empty.name == "client-2" and other.name == r"b\ud800\u202e"
    assert "the server uses v1" in desk.close()


@desk_test(milliseconds=150)
async def test_the_flag_falls_while_nobody_says_anything(desk):
    desk.enter("b"), desk.enter("w")
    desk.table.held = True  # no further game
    await asyncio.sleep(0.4)
    ends = [message for name, message in desk.told if message["type"] == "END"]
    assert [(end["reason"], end["winner"], end["players"]["B"]["remainingTime"]) for end in ends] == 2 * [
        ("timeout", "W", 0)
    ]


@desk_test(milliseconds=100)
async def test_a_move_after_the_flag_is_too_late(desk):
    import time

    black, _ = desk.enter("b"), desk.enter("w")
    desk.table.held = True
    desk.types()
    time.sleep(0.15)  # simulates an event loop too busy to drop the flag
    desk.play(black, 3)
    assert desk.types() == ["b END", "w END"] and desk.table.game.log.moves == ()


def test_lines_about_clients_are_cut_and_left_out_where_they_are_too_many():
    said, hands = [], [0.0]
    report = Report(said.append, lambda: hands[0])
    for number in range(1000):
        report.note(f"{number} \x1b" + 1000 * "x")
    hands[0] += 1
    report.note("later")
    report.say("two\nlines " + 1000 * "y")
    report.close()
    assert said[BURST] == f"({1000 - BURST} more lines omitted: rate limit or full queue)"
    assert said[BURST + 1 :] == ["later", "two", "lines " + 1000 * "y"] and len(said[0]) <= LONGEST_LINE + 3
    assert said[0].startswith(r"0 \x1bxxx")


def test_a_reader_who_is_gone_stops_nothing():
    def closed(line):
        raise BrokenPipeError

    report = Report(closed)
    for number in range(5000):
        report.say(str(number))
    report.close()
