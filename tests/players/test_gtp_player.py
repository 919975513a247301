"""Tests of GTP engines as players: their commands, and a loss with a one-line reason for violations."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from bubblewrap import needs_bubblewrap
from gtp_engines import AT_GENMOVE, BROKEN, LATE, engine_name, write_engine

from littlego.games.clock import Clock
from littlego.games.game import opening
from littlego.games.match import match_rules
from littlego.match.protocol import Turn
from littlego.match.referee import Game, Player, Reply
from littlego.players import gtp_player
from littlego.players.gtp_player import GtpPlayer, katago_rules, komi_for, quoted, stones_of
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import sandbox

CLEARED = 5.0  # maximum seconds until the system removes killed processes
SHORT = 0.5  # seconds granted to a slow engine
ROOT = Path(__file__).parents[2]


class Scripted(Player):
    """A player that plays a list of moves, and then passes."""

    name = "scripted"

    def __init__(self, moves=()):
        self.moves = list(moves)

    def choose(self, turn):
        return Reply(self.moves.pop(0) if self.moves else PASS)


@pytest.fixture(params=[sandbox.NONE, sandbox.AUTO])
def held(request, monkeypatch):
    """Run engines without a sandbox, and with a sandbox if bubblewrap is installed."""
    monkeypatch.setenv(sandbox.VARIABLE, request.param)
    return request.param


@pytest.fixture
def bare(monkeypatch):
    monkeypatch.setenv(sandbox.VARIABLE, sandbox.NONE)


@pytest.fixture
def seat(tmp_path):
    """Return a function that makes a player from an edited engine; close all players at the end."""
    players = []

    def make(edit="", **others):
        players.append(GtpPlayer("engine", write_engine(tmp_path, edit, **others), 7))
        return players[-1]

    yield make
    for player in players:
        player.close()


def heard_by(player):
    """Return the lines that an engine received, from the log in its work folder."""
    return Path(player._engine.talk._work.path, "heard").read_text(encoding="ascii").splitlines()


def alive(group):
    """Return whether a process group still exists after CLEARED seconds."""
    until = time.monotonic() + CLEARED
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.01)
    return True


def play(player, other=None, ruleset=LITTLE_GO, colour=BLACK, **settings):
    other = other or Scripted()
    both = (player, other) if colour == BLACK else (other, player)
    return Game(both, ruleset, **settings).play()


def test_an_engine_plays_and_is_told_all_moves(held, seat):
    player = seat(points="C3 B3")
    record = play(player, Scripted([6, PASS]), colour=WHITE)
    told = heard_by(player)
    assert told[:3] == ["name", "version", "list_commands"]
    assert told[3:] == [
        "boardsize 5", "clear_board", "komi 2.5",
        "play b B4", "genmove w", "play b pass", "genmove w", "play b pass", "genmove w",
    ]  # fmt: skip
    assert [move.move for move in record.moves] == [6, 12, PASS, 11, PASS, PASS]
    assert record.why == "two passes" and "the engine calls itself 'Test 1'" in record.held[1]


@pytest.mark.parametrize("name", BROKEN)
def test_an_engine_that_breaks_the_protocol_loses_with_the_reason_in_one_line(name, bare, seat):
    edit, reason = BROKEN[name]
    player = seat(edit)
    record = play(player)
    assert record.fault == BLACK and record.winner == WHITE
    assert re.search(reason, record.why), record.why
    assert record.why.isprintable() and len(record.why) < 250


@pytest.mark.parametrize("name", LATE)
def test_a_late_engine_loses_and_is_ended(name, bare, seat):
    edit, reason = LATE[name]
    player = seat(edit)
    player.prepare(LITTLE_GO)
    player.wall_limit = SHORT
    began = time.monotonic()
    record = Game((player, Scripted()), LITTLE_GO).play()
    assert record.fault == BLACK and re.search(reason, record.why), record.why
    assert time.monotonic() - began >= SHORT
    group = player._engine.talk._child.pid
    player.close()
    assert not alive(group)


ECHO = "import sys, time; sys.stdout.write(sys.stdin.readline()); sys.stdout.flush(); time.sleep(60)"
MUTE = "import time; time.sleep(60)"


@pytest.mark.parametrize(
    ("program", "said"),
    [(ECHO, "answered name with 'name'; expected = or ? at the beginning"), (MUTE, "gave no answer to name in 0.5 s")],
)
def test_a_program_that_speaks_no_gtp_is_told_at_once(bare, monkeypatch, program, said):
    monkeypatch.setattr(gtp_player, "GREETING", SHORT)
    player = GtpPlayer("it", [sys.executable, "-c", program])
    began = time.monotonic()
    record = play(player)
    player.close()
    assert record.why == f"Black lost: {said}; does the program speak GTP?"
    assert time.monotonic() - began < player.wall_limit / 2


@pytest.mark.parametrize("edit", ["", AT_GENMOVE + "sys.exit(1)"])
def test_a_broken_engine_loses_in_the_sandbox_too(edit, seat, monkeypatch):
    monkeypatch.setenv(sandbox.VARIABLE, sandbox.AUTO)
    record = play(seat(edit))
    assert (record.fault, "exit status 1" in record.why) == ((BLACK, True) if edit else (0, False))


def test_an_illegal_move_loses_by_the_referee(bare, seat):
    record = play(seat(points="C3 C3"))
    assert record.fault == BLACK and record.why == "Black lost: illegal move 2,2: there is a stone already"


def test_what_it_said_on_standard_error_is_the_note_of_its_loss(bare, seat):
    record = play(seat(f"{AT_GENMOVE}sys.stderr.write('no licence\\x1b[2J' + 'x' * 999); sys.exit(1)"))
    assert record.note.startswith("no licence\\x1b[2Jxxx") and record.note.endswith(" ...") and len(record.note) < 250


def test_loud_errors_do_not_hold_an_engine_up(bare, seat):
    player = seat(f"{AT_GENMOVE}sys.stderr.write('x' * 10_000_000)")
    assert not play(player, plies=4).fault


def test_resign_and_any_case(bare, seat):
    record = play(seat(points="c3 Resign"))
    assert [move.move for move in record.moves] == [12, PASS, RESIGN] and record.why == "Black resigned"


def test_carriage_returns_and_numbers_are_understood(bare, seat):
    assert not play(seat(f"{AT_GENMOVE}say('\\r\\n=12 C3\\r\\n\\r\\n'); continue"), plies=1).fault


def test_komi_holds_the_prisoners_of_a_match(bare, seat):
    player = seat(points="B5 A4 E5")
    corner = Scripted([0, PASS, PASS])  # A5 is captured by B5 and A4
    record = play(player, corner, match_rules(5), WHITE, plies=7)
    assert [line for line in heard_by(player) if "komi" in line] == ["komi 6.5", "komi 7.5", "komi 9.5"]
    assert record.why == "scored as it stands after 7 plies"
    end = Game((player, corner), match_rules(5)).position
    assert komi_for(end) == 6.5 and komi_for(opening(LITTLE_GO)) == 2.5


def test_our_own_engine_counts_the_prisoners_itself(bare, seat):
    player = seat(points="B5 A4 E5", more=("littlego-rules",))
    play(player, Scripted([0, PASS, PASS]), match_rules(5), WHITE, plies=7)
    assert [line for line in heard_by(player) if "komi" in line] == ["komi 6.5"]


def test_rules_seed_and_times_are_told_where_they_are_known(bare, seat):
    more = ("kata-set-rules", "set_random_seed", "time_settings", "time_left")
    player = seat(more=more)
    play(player, ruleset=match_rules(9), clock=Clock((120.0, 90.5), lambda: 0.0), plies=1)
    told = [line for line in heard_by(player) if line.split()[0] in more]
    assert told[0].startswith('kata-set-rules {"ko":"SITUATIONAL","scoring":"AREA","tax":"NONE"')
    assert told[1:] == ["set_random_seed 7", "time_settings 120 0 0", "time_left b 120 0", "time_left w 90 0"]
    assert katago_rules(LITTLE_GO)["ko"] == "SIMPLE" and katago_rules(LITTLE_GO)["tax"] == "ALL"


def test_what_it_need_not_know_may_be_refused_and_is_noted(bare, seat):
    edit = "    if words[0] == 'kata-set-rules': say('? cannot\\n\\n'); continue"
    record = play(seat(edit, more=("kata-set-rules",)), plies=3)
    assert not record.fault
    assert [bool(move.note) for move in record.moves] == [True, False, False]
    assert record.moves[0].note.startswith("refused kata-set-rules {") and record.moves[0].note.endswith("'cannot'")


def test_a_move_that_it_refuses_is_told_as_a_board(bare, seat):
    edit = "    if words[:3] == ['play', 'w', 'B4'] and refuse: refuse = False; say('? illegal move\\n\\n'); continue"
    player = seat("    refuse = globals().get('refuse', True)\n" + edit)
    assert not play(player, Scripted([6]), plies=3).fault
    assert heard_by(player)[-5:] == ["play w B4", "clear_board", "play b C3", "play w B4", "genmove b"]


def test_a_turn_without_its_moves_is_told_as_a_board(bare, seat):
    player = seat()
    position = opening(LITTLE_GO).play(6).play(12).play(7)
    assert player.choose(Turn(position, (0, 0))).move == 12  # the engine's move, which the referee would refuse
    assert heard_by(player)[-5:] == ["clear_board", "play b B4", "play b C4", "play w C3", "genmove w"]
    assert [told.move for told in stones_of(position)] == [6, 7, 12]


def test_moves_that_were_taken_back_are_told_anew(bare, seat):
    player = seat()
    first = opening(LITTLE_GO).play(0)
    assert player.choose(Turn(first, (0, 0), None, (0,))).move == 12
    other = opening(LITTLE_GO).play(1)
    player.choose(Turn(other, (0, 0), None, (1,)))
    assert heard_by(player)[-3:] == ["clear_board", "play b B5", "genmove w"]


def test_its_flag_falls_while_it_thinks(bare, seat):
    player = seat(f"{AT_GENMOVE}time.sleep(60)")
    record = play(player, ruleset=match_rules(5), clock=Clock((0.3, 60.0)))
    assert record.why == "Black lost: its time is up" and record.flagged
    player.close()  # while the engine is still thinking


def test_nothing_that_it_began_outlives_it(held, seat, tmp_path):
    fork = "\n        if os.fork() == 0:\n            os.setsid()\n            while True: time.sleep(0.01)"
    player = seat(f"{AT_GENMOVE.rstrip()}{fork}")
    assert not play(player, plies=3).fault
    group, folder = player._engine.talk._child.pid, player._engine.talk._work.path
    mark = getattr(player._engine.talk._held, "mark", "")
    player.close()
    player.close()  # a second call has no effect
    assert not alive(group) and not os.path.exists(folder)
    if mark:
        from littlego.sandbox.processes import marked

        assert marked(mark) == []


def test_an_engine_that_does_not_quit_is_killed(bare, seat):
    player = seat("    if words[0] == 'quit': time.sleep(60)")
    play(player, plies=1)
    group, began = player._engine.talk._child.pid, time.monotonic()
    player.close()
    assert not alive(group) and time.monotonic() - began < 30


def test_closing_while_it_is_asked_ends_both(bare, seat):
    player = seat(f"{AT_GENMOVE}time.sleep(60)")
    player.prepare(LITTLE_GO)
    replies = []
    asking = threading.Thread(target=lambda: replies.append(player.choose(Turn(opening(LITTLE_GO), (0, 0), None, ()))))
    asking.start()
    while "genmove b" not in heard_by(player):
        time.sleep(0.01)
    player.close()
    asking.join(30)
    assert not asking.is_alive() and replies[0].move is None and replies[0].fault


@needs_bubblewrap
def test_the_sandbox_holds_an_engine_for_the_whole_game(seat, tmp_path, monkeypatch):
    """The engine can read its own program, but no other file or process, and can write only to its folder."""
    monkeypatch.setenv(sandbox.VARIABLE, sandbox.AUTO)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "secret").write_text("secret", encoding="ascii")
    look = f"""
    if words[0] == 'name':
        def writes(path):
            try: return bool(open(path, 'a').close() or True)
            except OSError: return False
        seen = [os.path.exists('{tmp_path}/results/secret'), os.path.exists('/proc/{os.getpid()}'), writes(__file__)]
        say('= %s %s\\n\\n' % (seen, writes('notes')))
        continue"""
    player = seat(look)
    assert not play(player, plies=3).fault
    assert "calls itself '[False, False, False] True 1'" in player.held and player.held.startswith("bubblewrap")


def test_what_it_fills_its_folder_with_loses(bare, seat, monkeypatch):
    monkeypatch.setattr("littlego.sandbox.workfolder.DISK", 1 << 20)
    record = play(seat(f"{AT_GENMOVE}open('large', 'wb').write(bytes(1 << 21))"))
    assert record.fault == BLACK and "has filled its work folder with" in record.why


def test_nothing_is_left_after_ctrl_c(bare, tmp_path):
    asked, name = (
        tmp_path / "asked",
        engine_name(tmp_path, f"{AT_GENMOVE}open(PLACE, 'w').write(str(os.getpid())); time.sleep(60)"),
    )
    program = tmp_path / "engine.py"
    program.write_text(f"PLACE = {str(asked)!r}\n{program.read_text(encoding='ascii')}", encoding="ascii")
    words = [sys.executable, "-m", "littlego", "match", name, "random", "--games", "1", "--jobs", "1"]
    running = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not (asked.exists() and asked.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate(timeout=120)[1]
    assert running.returncode == 130 and "interrupted after 0 of 1 games" in said
    assert not os.path.exists(f"/proc/{asked.read_text()}")


def test_a_program_that_cannot_be_started_loses(bare, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("no program", encoding="ascii")
    record = play(GtpPlayer("engine", [str(plain)]))
    assert record.why == "Black lost: cannot be started: Permission denied" and not record.moves


@pytest.mark.parametrize(
    "said, shown",
    [("", "''"), ("C3\nD4", "'C3' ..."), ("x" * 61, f"'{'x' * 60}' ..."), ("\x07bell", "'\\x07bell'")],
)
def test_what_it_says_is_quoted_in_a_line(said, shown):
    assert quoted(said) == shown
