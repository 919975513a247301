"""Programs that misbehave: each loses or passes as it should, quickly, and the host stays whole."""

import os
import sys
import textwrap
import time

import pytest

from rules.position import BLACK, PASS, opening
from rules.ruleset import LITTLE_GO
from tools.match.host import FilePlayer, our_player, role_player
from tools.match.protocol import Turn
from tools.match.referee import Game, Player, Reply

START = Turn(opening(LITTLE_GO), (0, 0))


@pytest.fixture
def program(tmp_path):
    """Return a function that makes a FilePlayer of a Python text, with small limits."""

    def make(text, **limits):
        path = tmp_path / "player.py"
        path.write_text(textwrap.dedent(text))
        folder = tmp_path / "work"
        folder.mkdir(exist_ok=True)
        limits = {"cpu_limit": 2.0, "wall_limit": 10.0, **limits}
        return FilePlayer("program", [sys.executable, "-S", "-E", str(path)], str(folder), **limits)

    return make


def test_a_good_program_plays(program):
    reply = program("open('output.txt', 'w').write('2,2')").choose(START)
    assert (reply.move, reply.fault, reply.warning, reply.note) == (12, "", "", "")
    assert 0 < reply.cpu < 2


def test_it_reads_input_in_its_own_folder(program):
    player = program("lines = open('input.txt').read().split(); open('output.txt', 'w').write(lines[0] + ',0')")
    assert player.choose(START).move == 5


BAD = [
    ("pass", "no output.txt was written"),
    ("raise SystemExit(3)", "no output.txt was written"),
    ("open('output.txt', 'w')", "output.txt is empty"),
    ("open('output.txt', 'w').write('pass')", "begins with 'pass'"),
    ("open('output.txt', 'w').write('9,9')", "illegal move 9,9: off the board"),
    ("import os; os.mkdir('output.txt')", "not a plain file"),
    ("import os; os.mkfifo('output.txt')", "not a plain file"),
    ("import os; os.rmdir(os.getcwd()) if not os.remove('input.txt') else 0", "no output.txt was written"),
]


@pytest.mark.parametrize(("text", "why"), BAD)
def test_wrong_output_loses_with_the_reason(program, text, why):
    player = program(text)
    reply = player.choose(START)
    assert reply.move is None and why in reply.fault
    player.choose(START)  # and the host goes on after it


def test_crash_after_writing_still_counts(program):
    reply = program("open('output.txt', 'w').write('PASS'); raise ValueError('too late')").choose(START)
    assert (reply.move, reply.fault) == (PASS, "")
    assert reply.note == "exit status 1; ValueError: too late"


def test_a_signal_is_shown(program):
    reply = program("import os; os.kill(os.getpid(), 11)").choose(START)
    assert reply.fault and reply.note == "signal 11"


def test_hanging_is_stopped_by_the_clock(program):
    started = time.monotonic()
    reply = program("import time; time.sleep(60)", wall_limit=0.3).choose(START)
    assert time.monotonic() - started < 5
    assert reply.fault == "was stopped after 0.3 s on the clock"


def test_a_hanging_descendant_is_stopped_too(program):
    text = """
        import os, time
        if os.fork() == 0:
            time.sleep(60)
        open('child.txt', 'w').write('x')
        open('output.txt', 'w').write('2,2')
    """
    player = program(text)
    started = time.monotonic()
    assert player.choose(START).move == 12
    assert time.monotonic() - started < 5


def test_cpu_time_is_user_and_system_time(program):
    reply = program("while True: pass", cpu_limit=0.3).choose(START)
    assert "of CPU time, the limit is 0.3 s" in reply.fault
    assert 0.5 < reply.cpu < 3  # the backstop works in whole seconds


def test_cpu_time_counts_threads(program):
    text = """
        import hashlib, threading, time
        block = bytes(1 << 24)
        def burn():
            stop = time.thread_time() + 0.4
            while time.thread_time() < stop:
                hashlib.sha256(block)
        threads = [threading.Thread(target=burn) for _ in range(2)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        open('output.txt', 'w').write('2,2')
    """
    reply = program(text, cpu_limit=0.6).choose(START)
    assert reply.cpu >= 0.8 and "of CPU time" in reply.fault


def test_cpu_time_counts_children_that_were_waited_for(program):
    text = """
        import os, time
        pid = os.fork()
        if pid == 0:
            while time.process_time() < 0.5: pass
            os._exit(0)
        os.waitpid(pid, 0)
        open('output.txt', 'w').write('2,2')
    """
    reply = program(text, cpu_limit=0.4).choose(START)
    assert reply.cpu >= 0.5 and "of CPU time" in reply.fault


def test_sleeping_costs_no_cpu_time(program):
    reply = program("import time; time.sleep(0.6); open('output.txt', 'w').write('2,2')", cpu_limit=0.5).choose(START)
    assert (reply.move, reply.fault) == (12, "")


def test_printing_a_lot_does_not_block(program):
    text = """
        import sys
        for stream in (sys.stdout, sys.stderr):
            stream.write('x' * 3000000 + '\\n')
        sys.stderr.write('the end\\n')
        open('output.txt', 'w').write('2,2')
    """
    reply = program(text).choose(START)
    assert reply.move == 12 and reply.note.endswith("the end") and len(reply.note) < 5000


def test_reading_standard_input_finds_its_end(program):
    assert program("import sys; sys.stdin.read(); open('output.txt', 'w').write('2,2')").choose(START).move == 12


def test_old_output_does_not_count_and_other_files_stay(program):
    player = program("""
        import os
        if not os.path.exists('mine.txt'):
            open('output.txt', 'w').write('2,2')
        open('mine.txt', 'a').write('turn ')
    """)
    assert player.choose(START).move == 12
    assert "no output.txt" in player.choose(START).fault
    player.close()
    assert sorted(os.listdir(player.folder)) == ["mine.txt"]


def test_changing_input_changes_nothing(program):
    player = program("open('input.txt', 'w').write('2' * 40); open('output.txt', 'w').write('2,2')")
    record = Game((player, _Watching()), LITTLE_GO).play()
    assert record.why.startswith("Black lost: illegal move 2,2: there is a stone already")
    assert record.black == 1 << 12


class _Watching(Player):
    def choose(self, turn):
        assert turn.position.black == 1 << 12 and turn.previous == (0, 0)
        return Reply(0)


def test_a_command_that_cannot_be_started_loses(tmp_path):
    player = FilePlayer("nobody", [str(tmp_path / "missing")], str(tmp_path))
    record = Game((player, _Watching()), LITTLE_GO).play()
    assert record.fault == BLACK and "cannot be started" in record.why


def test_a_fresh_folder_is_removed(tmp_path):
    player = role_player("random", 1)
    assert player.choose(START).fault == ""
    player.close()
    assert not os.path.exists(player.folder)


def test_our_player_shares_a_folder_with_another(tmp_path):
    ours, other = our_player(str(tmp_path)), role_player("random", 3, str(tmp_path))
    record = Game((ours, other), LITTLE_GO, seed=3).play()
    assert record.fault == 0 and record.why == "24 moves"
    assert not any(move.warning for move in record.moves)
