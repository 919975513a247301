"""Tests of how the host runs a program: answers, time limits, files, leftover processes, and faults."""

import os
import subprocess
import sys
import textwrap
import time

import pytest

from littlego.match import host
from littlego.match.host import FilePlayer, our_player, role_player
from littlego.match.protocol import Turn
from littlego.match.referee import Game, Player, Reply
from littlego.rules.position import BLACK, PASS, opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import limited, supervise
from littlego.sandbox.processes import count_alive, spent_by
from littlego.stalled import StalledError

pytestmark = pytest.mark.thorough

START = Turn(opening(LITTLE_GO), (0, 0))


@pytest.fixture
def program(tmp_path):
    """Return a function that makes a FilePlayer with small limits from a program's Python text."""

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
    ("import os; os.rmdir(os.getcwd()) if not os.remove('input.txt') else 0", "has removed its work folder"),
]


@pytest.mark.parametrize(("text", "why"), BAD)
def test_wrong_output_loses_with_the_reason(program, text, why):
    player = program(text)
    reply = player.choose(START)
    assert reply.move is None and why in reply.fault
    player.choose(START)  # the host continues afterwards


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


class Crowd:
    """A fake sentinel, which reports hardly any free CPU time for the next `busy` runs."""

    busy = 0

    def share(self):
        Crowd.busy -= 1
        return 0.01 if Crowd.busy >= 0 else 1.0

    def close(self):
        pass


@pytest.fixture
def crowd(monkeypatch):
    """Replace the real sentinel by a fake class, and return the fake class."""
    monkeypatch.setattr(limited, "Sentinel", Crowd)
    yield Crowd
    Crowd.busy = 0


STALLS_ONCE = """
import os, time
if not os.path.exists('stalled'):
    open('stalled', 'w').close()
    time.sleep(60)
open('output.txt', 'w').write('2,2')
"""


def test_a_turn_that_other_work_stalls_is_played_again(program, crowd):
    crowd.busy = 1
    player = program(STALLS_ONCE, wall_limit=1.0)
    assert (player.choose(START).move, player.replayed) == (12, 1)
    assert player.waited < 1.0 + limited.SOON  # the time of the stalled run does not count


def test_a_turn_that_is_stalled_again_and_again_is_void(program, crowd):
    crowd.busy = 100
    player = program("import time; time.sleep(60)", wall_limit=1.0)
    with pytest.raises(StalledError, match="^the machine is too busy for program: in 1 s a process got 0.0 s of"):
        player.choose(START)
    assert player.replayed == 3 == host.ATTEMPTS
    with pytest.raises(StalledError):
        Game((player, player), LITTLE_GO).play()


def test_a_program_that_uses_its_cpu_time_loses_on_a_busy_machine_too(program, crowd):
    crowd.busy = 100
    text = "import time\nwhile time.process_time() < 0.5: pass\ntime.sleep(60)"
    reply = program(text, wall_limit=2.0, cpu_limit=0.4).choose(START)
    assert reply.fault.startswith("used ")


def test_nothing_that_a_program_does_extends_the_wall_limit(program):
    text = """
import threading, time
def burn():
    while time.thread_time() < 0.02: pass
    time.sleep(60)
for _ in range(60):
    threading.Thread(target=burn, daemon=True).start()
time.sleep(60)
"""
    reply = program(text, wall_limit=2.0, cpu_limit=5.0).choose(START)
    assert reply.fault == "was stopped after 2 s on the clock"


def test_the_wall_limit_is_five_times_the_cpu_limit():
    assert host.WALL_LIMIT == 5 * host.CPU_LIMIT == 50


on_linux = pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="NOT RUN: no /proc/PID/schedstat")


@on_linux
def test_what_a_group_has_spent_is_seen_over_threads_and_children():
    text = """
import os, sys, threading, time
def burn():
    while time.thread_time() < 0.1: pass
    time.sleep(60)
child = os.fork()
threading.Thread(target=burn, daemon=True).start()
burn_until = time.thread_time() + 0.1
while time.thread_time() < burn_until: pass
time.sleep(0.1)
if child:
    print('ready', flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", text], start_new_session=True, stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        while spent_by(process.pid) < 0.35:  # this loop ends only when the CPU time of all four threads counts
            time.sleep(0.01)
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        process.stdout.close()


def test_without_proc_nothing_is_told(tmp_path):
    assert spent_by(os.getpgrp(), str(tmp_path)) is None
    assert spent_by(os.getpgrp(), str(tmp_path / "missing")) is None


def test_a_slower_machine_counts_more_seconds(program):
    text = "import time\nwhile time.process_time() < 0.2: pass\nopen('output.txt', 'w').write('2,2')"
    reply = program(text, cpu_limit=60.0, slower=10.0).choose(START)
    assert reply.move == 12 and reply.cpu >= 2
    late = program(text, cpu_limit=1.0, slower=10.0).choose(START)
    assert late.move is None and late.cpu >= 2
    assert late.fault == f"used {late.cpu:.2f} s of CPU time; the limit is 1 s"


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
    assert "of CPU time; the limit is 0.3 s" in reply.fault
    assert 0.5 < reply.cpu < 3  # the system enforces the limit only in whole seconds


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
    reply = program("import time; time.sleep(1.2); open('output.txt', 'w').write('2,2')", cpu_limit=1.0).choose(START)
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


def test_what_is_shown_of_a_loud_program_is_short(program):
    text = """
        import os
        for _ in range(3): os.write(2, b'x' * 1000000)
        open('output.txt', 'w').write('2,2')
    """
    reply = program(text).choose(START)
    assert (reply.move, reply.fault) == (12, "")
    assert reply.note == "3 MB on standard error; " + "x" * host.SHOWN + " ..."


def test_a_program_that_prints_word_by_word_does_not_wake_us_at_every_word(program, monkeypatch):
    reads, read = [], os.read
    monkeypatch.setattr(limited.os, "read", lambda pipe, length: reads.append(pipe) or read(pipe, length))
    text = "import os\nfor _ in range(20000): os.write(2, b'word ')\nopen('output.txt', 'w').write('2,2')"
    started = time.monotonic()
    assert program(text).choose(START).move == 12
    assert len(reads) <= 20 + (time.monotonic() - started) / limited.NAP


@pytest.fixture
def small_files(monkeypatch):
    """Reduce the limit on the size of files to 2 MB."""
    for module in (host, limited):
        monkeypatch.setattr(module, "LARGEST", 1 << 21)


ENDLESS = "while True: file.write(b'x' * 100000)\n"


@pytest.mark.parametrize("before", ["", "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"])
def test_an_endless_output_ends_and_is_told_as_what_it_is(program, small_files, before):
    player = program(before + "file = open('output.txt', 'wb', 0)\n" + ENDLESS)
    reply = player.choose(START)
    assert os.path.getsize(os.path.join(player.folder, "output.txt")) == 1 << 21
    assert reply.fault.startswith("output.txt begins with 'xxxx")
    assert reply.fault.endswith("; output.txt grew to 2 MB, the limit for a file")
    assert reply.note.startswith(("exit status 1; output.txt grew", "signal 25; output.txt grew"))


def test_a_file_elsewhere_that_grows_too_large_is_told_too(program, small_files, tmp_path):
    text = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
    text += f"file = open({str(tmp_path / 'log')!r}, 'wb', 0)\n" + ENDLESS
    assert program(text).choose(START).fault == "no output.txt was written; a file grew to 2 MB, the limit for a file"


def test_an_answer_before_a_file_that_grows_too_large_counts(program, small_files):
    reply = program("open('output.txt', 'w').write('2,2')\nfile = open('log', 'wb', 0)\n" + ENDLESS).choose(START)
    assert (reply.move, reply.fault) == (12, "")
    assert reply.note.startswith("exit status 1; log grew to 2 MB, the limit for a file")


@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), 24)", "os._exit(128 + 24)"])
def test_who_is_ended_for_his_cpu_time_is_told_so_whatever_was_measured(program, ending):
    reply = program("import os; " + ending).choose(START)
    assert reply.cpu < 2 and reply.fault.startswith("used up its CPU time; the limit is 2 s")


@on_linux
def test_a_process_left_behind_is_a_warning_and_is_stopped(program):
    text = """
        import os, time
        if os.fork() == 0:
            os.close(2)
            time.sleep(60)
        open('output.txt', 'w').write('2,2')
    """
    reply = program(text).choose(START)
    assert (reply.move, reply.fault) == (12, "")
    assert reply.warning == "left 1 process running after its move; stopped by the host"


def test_a_process_that_ends_right_after_is_no_process_left_behind(program, monkeypatch):
    monkeypatch.setattr(supervise, "END_SECONDS", 60.0)
    text = """
        import os, time
        if os.fork() == 0:
            time.sleep(0.03)
            os._exit(0)
        open('output.txt', 'w').write('2,2')
    """
    assert program(text).choose(START).warning == ""


@on_linux
def test_a_process_that_waits_to_be_reaped_is_not_alive():
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    assert count_alive(process.pid) == 1
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # the process has ended, but stays a zombie
    assert count_alive(process.pid) == 0
    process.wait()


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


def test_a_fresh_folder_stays_closed_to_others_whatever_its_program_does_with_it():
    text = "import os; os.chmod('.', 0o755); open('shell', 'w').close(); os.chmod('shell', 0o4755)"
    player = FilePlayer("opens its folder", [sys.executable, "-S", "-E", "-c", text])
    player.choose(START)
    above = os.path.dirname(player.folder)
    assert os.stat(player.folder).st_mode & 0o777 == 0o755 and os.stat(above).st_mode & 0o777 == 0o700
    player.close()
    assert not os.path.exists(above)


def test_a_program_that_does_not_end_is_not_waited_for(program, monkeypatch):
    monkeypatch.setattr(limited, "ENDING", 0.1)
    monkeypatch.setattr(supervise.Plain, "stop", lambda self: None)  # simulates a system that cannot end the process
    reply = program("import time; time.sleep(300)", wall_limit=0.2).choose(START)
    assert reply.fault == "was stopped after 0.2 s on the clock; could not be ended"
    os.waitpid(-1, 0)


def test_our_player_shares_a_folder_with_another(tmp_path):
    ours, other = our_player(str(tmp_path)), role_player("random", 3, str(tmp_path))
    record = Game((ours, other), LITTLE_GO, seed=3).play()
    assert record.fault == 0 and record.why == "24 moves"
    assert not any(move.warning for move in record.moves)
