"""Tests of games with mostly fake clocks: time that is charged, time that is free, and flag fall."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time

import pytest
from fake_time import FakeTime

from littlego.games.clock import Clock
from littlego.games.match import match_rules
from littlego.match.host import FilePlayer
from littlego.match.referee import UNDO, Game, Player, Reply, record_json
from littlego.players.human import HumanPlayer
from littlego.records.records import RecordError, game_record
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import LITTLE_GO

MINUTE = 60.0
MATCH = match_rules(5)


class Slow(Player):
    """A player that plays a list of (point, thinking time in seconds), and then passes at once.

    A point may also be a function that returns the reply.
    """

    timed = False

    def __init__(self, time_, *moves):
        self.time = time_
        self.moves = list(moves)
        self.told = []

    def choose(self, turn):
        self.told.append(turn.times)
        move, seconds = self.moves.pop(0) if self.moves else (PASS, 0)
        self.time.advance(seconds)
        return move() if callable(move) else Reply(move)


def play(black, white, budgets=(MINUTE, MINUTE), ruleset=MATCH, **options):
    """Return (game record, Black, White); each player's moves take the given numbers of seconds."""
    fake = FakeTime()
    players = Slow(fake, *black), Slow(fake, *white)
    return Game(players, ruleset, clock=Clock(budgets, fake), **options).play(), *players


def test_each_pays_for_its_own_turns_and_is_told_what_both_have():
    record, black, white = play([(0, 5), (1, 2)], [(10, 1), (11, 30)])
    assert [move.left for move in record.moves] == [55, 59, 53, 29, 53, 29]
    assert black.told == [(60, 60), (55, 59), (53, 29)]
    assert white.told == [(55, 60), (53, 59), (53, 29)]
    assert record.why == "two passes" and not record.flagged and record.budgets == (60, 60)


def test_budgets_may_differ():
    record, *_ = play([(0, 5)], [(10, 5)], budgets=(10, 20))
    assert [move.left for move in record.moves[:2]] == [5, 15]


@pytest.mark.parametrize(("seconds", "flagged"), [(59.875, False), (60, True), (61, True)])
def test_a_reply_that_comes_with_the_flag_is_late(seconds, flagged):
    record, *_ = play([(0, seconds)], [])
    assert record.flagged is flagged
    if flagged:
        assert (record.winner, record.fault, record.why) == (WHITE, BLACK, "Black lost: its time is up")
        assert record.moves == ()
    else:
        assert record.moves[0].left == 0.125


def test_the_flag_is_the_mover_s_own():
    """If a player's time runs out during the opponent's turn, the flag falls at the player's next turn."""
    fake = FakeTime()
    clock = Clock((MINUTE, MINUTE), fake)

    def charge():
        clock.charge(WHITE, 100)
        return Reply(0)

    white = Slow(fake)
    record = Game((Slow(fake, (charge, 1)), white), MATCH, clock=clock).play()
    assert (record.fault, len(record.moves), record.flagged) == (WHITE, 1, True)
    assert white.told == []  # the player was not asked for a move


def test_a_late_resignation_is_a_flag_and_one_in_time_is_none():
    assert play([(RESIGN, 60)], [])[0].flagged
    assert play([(RESIGN, 59)], [])[0].why == "Black resigned"


def test_an_opening_that_is_given_costs_no_time():
    record, *_ = play([(2, 5)], [], given=(0, 1))
    assert [move.left for move in record.moves[:3]] == [60, 60, 55]


def test_an_undo_gives_no_time_back():
    record, black, _ = play([(0, 5), (UNDO_REPLY, 7), (1, 3)], [(10, 4), (11, 2)])
    assert [(move.move, move.left) for move in record.moves[:2]] == [(1, 45), (11, 54)]
    assert black.told[2] == (48, 56)


def UNDO_REPLY():
    return Reply(UNDO)


def test_invalid_tries_keep_the_clock_running():
    """Each invalid entry of a person takes 3 seconds here, and the error message takes no time."""
    fake = FakeTime()
    entries = ["9,9", "nonsense", "2,2", "2,2", "pass"]  # the second 2,2 is on an occupied point

    def ask(prompt):
        fake.advance(3)
        return entries.pop(0)

    person = HumanPlayer(ask, io.StringIO())
    record = Game((person, Slow(fake)), LITTLE_GO, clock=Clock((MINUTE, MINUTE), fake)).play()
    assert [move.left for move in record.moves if move.colour == BLACK] == [51, 45]


def test_a_person_s_flag_falls_between_two_invalid_tries():
    fake = FakeTime()

    def ask(prompt):
        fake.advance(25)
        return "9,9" if fake.seconds < 1100 else "2,2"

    record = Game((HumanPlayer(ask, io.StringIO()), Slow(fake)), LITTLE_GO, clock=Clock((MINUTE, MINUTE), fake)).play()
    assert record.flagged and record.fault == BLACK


def test_a_pause_costs_nothing():
    fake = FakeTime()
    clock = Clock((MINUTE, MINUTE), fake)

    def pause():
        clock.pause()
        fake.advance(1000)
        clock.resume()
        fake.advance(2)
        return Reply(0)

    record = Game((Slow(fake, (pause, 1)), Slow(fake)), MATCH, clock=clock).play()
    assert record.moves[0].left == 57


def test_what_a_player_prepares_costs_no_time():
    class Loading(Slow):
        def prepare(self, ruleset):
            assert ruleset is MATCH
            self.time.advance(1000)

    fake = FakeTime()
    record = Game((Loading(fake), Loading(fake)), MATCH, clock=Clock((MINUTE, MINUTE), fake)).play()
    assert [move.left for move in record.moves] == [60, 60]


def test_the_record_comes_back_with_what_was_left():
    record, *_ = play([(0, 5.0625), (1, 2)], [(10, 1), (11, 70)], budgets=(MINUTE, MINUTE + 1))
    value = json.loads(json.dumps(record_json(record)))
    assert [move["left"] for move in value["moves"]] == [54.938, 60, 52.938] and value["budgets"] == [60, 61]
    back = game_record(value)
    assert back.flagged and back.budgets == record.budgets and record_json(back) == value


def test_a_record_without_clocks_says_nothing_of_them():
    value = record_json(Game((Slow(FakeTime()), Slow(FakeTime())), MATCH).play())
    assert "budgets" not in value and not any("left" in move for move in value["moves"])
    assert game_record(value).budgets is None and game_record(value).moves[0].left is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"budgets": [60]}, "`budgets` is [60]; expected a list of 2 values"),
        ({"budgets": [60, "x"]}, '`budgets[1]` is "x"; expected a finite number'),
        ({"budgets": None}, "`budgets` is null; expected a list of 2 values"),
    ],
)
def test_a_record_with_wrong_budgets_is_refused(change, why):
    value = {**record_json(play([(0, 5)], [])[0]), **change}
    with pytest.raises(RecordError, match=why.replace("[", r"\[")):
        game_record(value)


def test_a_record_with_a_wrong_left_is_refused():
    value = record_json(play([(0, 5)], [])[0])
    value["moves"][0]["left"] = "much"
    with pytest.raises(RecordError, match='move 1: `left` is "much"; expected a finite number'):
        game_record(value)


class Busy(Player):
    """A player that thinks in Python for ever. over: set when the thinking ends. closed: whether `close` was called."""

    name = "busy"

    def __init__(self):
        self.over = threading.Event()
        self.closed = False

    def choose(self, turn):
        try:
            while True:
                turn.position.legal()
        finally:
            self.over.set()

    def close(self):
        self.closed = True


def test_the_flag_falls_while_a_player_thinks(capfd):
    """The test uses a real clock. After its flag falls, the player soon stops, prints nothing, and can be closed."""
    player = Busy()
    started = time.monotonic()
    record = Game((player, Slow(FakeTime())), match_rules(19), clock=Clock((0.2, MINUTE))).play()
    player.close()
    assert 0.2 <= time.monotonic() - started < 10
    assert (record.why, record.fault, record.moves) == ("Black lost: its time is up", BLACK, ())
    assert player.over.wait(10) and capfd.readouterr() == ("", "")


def test_a_program_whose_flag_falls_is_ended_with_all_it_has(tmp_path, capfd):
    sign = tmp_path / "alive"
    text = f"import time\nwhile True:\n    open({str(sign)!r}, 'a').write('.')\n    time.sleep(0.01)"
    player = FilePlayer("program", [sys.executable, "-S", "-E", "-c", text])
    before = threading.active_count()
    record = Game((player, Slow(FakeTime())), MATCH, clock=Clock((1.0, MINUTE))).play()
    player.close()
    assert record.flagged
    until = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.01)
    assert threading.active_count() == before
    size = sign.stat().st_size
    time.sleep(0.1)
    assert sign.stat().st_size == size > 0 and not os.path.exists(player.closed)
    assert capfd.readouterr() == ("", "")
