"""Tests of a server's game: verdicts, clocks exact to the millisecond, ends, storage and restoring."""

from __future__ import annotations

import errno

import pytest
from match_server import archives

from littlego.cli.arguments import ArgumentError
from littlego.games.boards import parse_board
from littlego.games.game import why_illegal
from littlego.games.match import match_rules
from littlego.match.matchlog import MatchLog, MatchLogError, log_text, protocol_move, read_log
from littlego.players.server.game import ServedGame, Settings
from littlego.players.server.store import Store
from littlego.rules.position import BLACK, PASS, WHITE

SETTINGS = Settings(match_rules(5), 60_000)


class Hands:
    """A clock that the test sets, in seconds."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def hands():
    return Hands()


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path)
    yield made
    made.close()


def begun(store, hands, settings=SETTINGS, log=None):
    if log is not None:
        store.save(log)
    game = ServedGame(settings, store, pytest.fail, hands)
    game.begin(("B", "W"))
    return game


def play(game, *moves):
    for move in moves:
        game.play(protocol_move(move, game.position.ruleset.size))
        game.let_run()


def drawn(text, colour=BLACK, prisoners=(0, 0)):
    """Return the log of a game that starts from a drawn board."""
    size, black, white = parse_board(text)
    return MatchLog(match_rules(size).start((black, white), colour, prisoners), (60_000, 60_000))


def test_each_pays_for_its_own_time_to_the_millisecond(store, hands):
    game = begun(store, hands)
    for seconds, left in [(1.5, (58_500, 60_000)), (0.25, (58_500, 59_750)), (10, (48_500, 59_750))]:
        hands.now += seconds
        play(game, len(game.log.moves))
        assert game.remaining == left == game.log.remaining()
    assert [entry.milliseconds for entry in game.log.moves] == [1500, 250, 10_000]


def test_what_the_server_takes_is_nobodys_time(store, hands, monkeypatch):
    """The server's time to judge a move, store it and notify the other player is charged to nobody."""

    def slow(call, seconds):
        def slowly(*arguments):
            hands.now += seconds
            return call(*arguments)

        return slowly

    game = begun(store, hands)
    monkeypatch.setattr("littlego.players.server.game.why_illegal", slow(why_illegal, 2))
    monkeypatch.setattr(store, "save", slow(store.save, 3))
    hands.now += 1
    game.play(protocol_move(0, 5))
    hands.now += 4  # the messages
    assert game.remaining == (59_000, 60_000)
    game.let_run()
    hands.now += 1.5
    assert game.remaining == (59_000, 58_500)


def test_a_game_that_has_stopped_runs_for_nobody(store, hands):
    game = begun(store, hands)
    game.play(protocol_move(0, 5))
    game.pause()
    game.let_run()
    hands.now += 9
    assert not game.running and game.remaining == (60_000, 60_000)


def test_rounding_adds_nothing_up(store, hands):
    game = begun(store, hands)
    for ply in range(20):
        hands.now += 0.0104
        play(game, ply)
    assert game.remaining == (60_000 - 104, 60_000 - 104) == read_log(store.checkpoint).remaining()


def test_invalid_tries_keep_the_clock_running(store, hands):
    game = begun(store, hands)
    for _ in range(10):
        hands.now += 1
        with pytest.raises(MatchLogError, match="Out of Bound"):
            game.play({"type": "place", "point": {"row": 5, "column": 0}})
    assert game.remaining == (50_000, 60_000) and game.mover == BLACK and not game.log.moves
    play(game, 7)
    assert game.log.moves[0].milliseconds == 10_000


def test_a_flag_falls_when_the_time_is_up_and_not_before(store, hands, tmp_path):
    game = begun(store, hands)
    hands.now += 59.999
    assert not game.flag() and game.remaining == (1, 60_000)
    hands.now += 0.001
    assert game.flag() and not game.running
    assert (game.log.ending.reason, game.log.ending.winner) == ("timeout", WHITE)
    assert game.remaining == (0, 60_000) == archives(tmp_path)[0].remaining()


def test_a_pause_stops_both_clocks_and_the_time_taken_stays_taken(store, hands):
    game = begun(store, hands)
    play(game, 3)
    hands.now += 2
    game.pause()
    hands.now += 500
    assert game.remaining == (60_000, 58_000) and game.log.idle == 2000 and game.begun
    game.begin(("B", "W"))
    assert game.configuration()["idleDeltaTime"] == 2000
    hands.now += 1
    game.pause()
    game.begin(("B", "W"))
    hands.now += 1
    play(game, 4)
    assert game.remaining == (60_000, 56_000) and game.log.moves[1].milliseconds == 4000 and game.log.idle == 0


def test_another_server_takes_the_game_up(store, hands):
    game = begun(store, hands)
    play(game, 3, 4, PASS)
    hands.now += 3
    game.keep()
    hands.now += 1  # the second in which the server is down is charged to nobody
    again = ServedGame(SETTINGS, store, pytest.fail, hands)
    assert again.begun and not again.running and again.remaining == (60_000, 57_000) and again.mover == WHITE
    assert again.log.names == ("B", "W") and again.position.prisoners == (0, 1)
    again.begin(("B", "W"))
    hands.now += 57
    assert again.flag()


SUICIDE = ". X . . .\nX . . . .\n. . . . .\n. . . . .\n. . . . .\n"
KO = ". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .\n"


@pytest.mark.parametrize(
    "board, colour, moves, value, said",
    [
        (SUICIDE, WHITE, [], {"type": "place", "point": {"row": 0, "column": 0}}, "Suicide"),
        (SUICIDE, WHITE, [], {"type": "place", "point": {"row": 0, "column": 1}}, "Nonempty point"),
        (KO, BLACK, [7], {"type": "place", "point": {"row": 1, "column": 1}}, "SuperKo"),
        (SUICIDE, BLACK, [], {"type": "place", "point": {"row": -1, "column": 1}}, "Out of Bound"),
        (SUICIDE, BLACK, [], {"type": "place", "point": {"row": 10**30, "column": 1}}, "Out of Bound"),
        (SUICIDE, BLACK, [], {"type": "place", "point": {"row": 1.5, "column": 1}}, "Invalid point"),
        (SUICIDE, BLACK, [], {"type": "place", "point": {"row": True, "column": 1}}, "Invalid point"),
        (SUICIDE, BLACK, [], {"type": "place", "point": {"column": 1}}, "Invalid point"),
        (SUICIDE, BLACK, [], {"type": "place"}, "Invalid point"),
        (SUICIDE, BLACK, [], {"type": "undo"}, "Invalid type"),
        (SUICIDE, BLACK, [], None, "Invalid type"),
        (SUICIDE, BLACK, [], [], "Invalid type"),
    ],
)
def test_a_move_that_cannot_be_is_refused_in_the_protocol_s_words(store, hands, board, colour, moves, value, said):
    game = begun(store, hands, log=drawn(board, colour))
    play(game, *moves)
    before = game.position
    with pytest.raises(MatchLogError) as found:
        game.play(value)
    assert str(found.value) == said and game.position is before and game.running


def test_resignation_and_passes_end_it_with_the_scores_as_they_stand(store, hands, tmp_path):
    game = begun(store, hands)
    play(game, 12, PASS, PASS)  # 26 to 7.5, since each of the last passes hands over one stone
    assert game.log.ending == ("pass", BLACK, (26, 7.5), 0) and not store.checkpoint.exists()
    game.renew()
    game.begin(("B", "W"))
    play(game, 12)
    game.play({"type": "resign"})
    assert game.log.ending == ("resign", BLACK, (25, 6.5), 0)
    assert [log.ending.reason for log in archives(tmp_path)] == ["pass", "resign"]


def test_mercy_ends_it_once_enough_moves_are_made(store, hands):
    game = begun(store, hands, SETTINGS._replace(mercy=15, mercy_start=3))
    play(game, 12, PASS)  # Black leads by 26 - 6.5
    assert game.log.ending is None
    play(game, 13)
    assert game.log.ending == ("mercy", BLACK, (26, 6.5), 0)


def test_a_disk_that_is_full_stops_no_game(store, hands, monkeypatch):
    said = []
    game = ServedGame(SETTINGS, store, said.append, hands)

    def full(log):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store, "save", full)
    game.begin(("B", "W"))
    play(game, 1, 2, PASS, PASS)
    assert game.log.ending.reason == "pass" and len(said) == 6 and "No space left on device" in said[0]


def test_a_game_that_was_over_when_the_server_was_killed_is_archived(store, hands, tmp_path, monkeypatch):
    game = begun(store, hands)
    monkeypatch.setattr(store, "archive", lambda: None)  # the server was killed between the two steps
    play(game, PASS, PASS)
    monkeypatch.undo()
    assert store.checkpoint.exists() and not archives(tmp_path)
    again = ServedGame(SETTINGS, store, pytest.fail, hands)
    assert not again.begun and not store.checkpoint.exists() and archives(tmp_path)[0].ending.reason == "pass"


def test_two_games_that_end_in_a_second_are_both_archived(store, hands, tmp_path):
    for _ in range(3):
        store.save(drawn(KO))
        store.archive()
    assert len(list(tmp_path.glob("archive-*.json"))) == 3


def test_what_is_cleared_is_put_aside(store, hands):
    game = begun(store, hands)
    play(game, 3)
    game.pause()
    kept = game.clear()
    assert not game.begun and len(read_log(kept).moves) == 1 and kept.name.startswith("discarded-")
    assert game.clear() is None


def test_a_checkpoint_that_cannot_be_read_is_named_and_left(tmp_path, store):
    store.checkpoint.write_text('{"initialState": ')
    with pytest.raises(ArgumentError, match="checkpoint.json: expected a move log as JSON"):
        ServedGame(SETTINGS, store, pytest.fail)
    assert store.checkpoint.read_text() == '{"initialState": '


def test_a_checkpoint_by_other_rules_is_named_and_left(tmp_path, store):
    text = log_text(drawn(KO)).replace('"superko": true', '"superko": false')
    store.checkpoint.write_text(text)
    with pytest.raises(ArgumentError, match="a game with other rules .no superko."):
        ServedGame(SETTINGS, store, pytest.fail)
    assert store.checkpoint.read_text() == text


def test_two_servers_do_not_share_a_folder(tmp_path, store):
    pytest.importorskip("fcntl")
    with pytest.raises(ArgumentError, match="another server uses this folder"):
        Store(tmp_path)
