"""Tests of programs that misbehave: each quickly loses or passes as it should, and the host survives."""

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
from littlego.sandbox.processes import Spent, count_alive, spent_by

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


def test_time_without_a_core_is_not_counted(program, tmp_path, monkeypatch):
    """The system's report is faked: the program sleeps until the system has been queried twice."""
    asked, started = [], time.monotonic()

    def told(group):
        asked.append(group)
        if len(asked) == 2:
            (tmp_path / "work" / "go").touch()
        return Spent(0.1, time.monotonic() - started)

    monkeypatch.setattr(limited, "spent_by", told)
    text = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\nopen('output.txt', 'w').write('2,2')"
    assert program(text, wall_limit=0.2).choose(START).move == 12
    assert len(asked) >= 2


def test_once_nobody_waits_for_a_core_the_clock_counts_again(program, monkeypatch):
    asked = []
    monkeypatch.setattr(limited, "spent_by", lambda group: asked.append(group) or Spent(0.0, 0.3))
    reply = program("import time; time.sleep(60)", wall_limit=0.2).choose(START)
    assert reply.fault == "was stopped after 0.2 s on the clock" and 1 <= len(asked) <= 2


def test_where_the_system_does_not_tell_the_clock_is_patient(program, monkeypatch):
    monkeypatch.setattr(limited, "spent_by", lambda group: None)
    text = "import time; time.sleep({}); open('output.txt', 'w').write('2,2')"
    assert "on the clock" in program(text.format(60), wall_limit=0.2).choose(START).fault
    monkeypatch.setattr(limited, "PATIENCE", 1000)
    assert program(text.format(0.4), wall_limit=0.2).choose(START).move == 12


def test_processes_that_burn_more_than_the_limit_together_are_not_waited_for(program, monkeypatch):
    monkeypatch.setattr(limited, "spent_by", lambda group: Spent(2.0 + limited.GRACE + 0.1, 1000.0))
    assert "on the clock" in program("import time; time.sleep(60)", wall_limit=0.2).choose(START).fault


on_linux = pytest.mark.skipif(not os.path.exists("/proc/self/schedstat"), reason="NOT RUN: no /proc/PID/schedstat")
ON_ONE_CORE = "import os, time; os.sched_setaffinity(0, {{{}}})\n"


@pytest.fixture
def crowded():
    """Keep one core busy with five programs, and return the core's number."""
    core = min(os.sched_getaffinity(0))
    text = ON_ONE_CORE.format(core) + "print(flush=True)\nwhile True: pass"
    command = [sys.executable, "-c", text]
    spinning = [subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) for _ in range(5)]
    for process in spinning:
        process.stdout.readline()  # it has begun
    yield core
    for process in spinning:
        process.kill()
        process.wait()
        process.stdout.close()


@on_linux
def test_a_starved_program_is_not_stopped(program, crowded):
    burn = "end = time.monotonic() + 2.5\nwhile time.monotonic() < end: pass\nopen('output.txt', 'w').write('2,2')"
    reply = program(ON_ONE_CORE.format(crowded) + burn, wall_limit=2.0).choose(START)
    assert (reply.move, reply.fault) == (12, "")


@on_linux
def test_a_program_that_sleeps_in_a_crowd_is_stopped(program, crowded):
    reply = program(ON_ONE_CORE.format(crowded) + "time.sleep(600)", wall_limit=1.0).choose(START)
    assert "on the clock" in reply.fault


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
        while spent_by(process.pid).running < 0.35:  # ends once the slowest of the four threads is counted
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
    assert late.fault == f"used {late.cpu:.2f} s of CPU time, the limit is 1 s"


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
    assert 0.5 < reply.cpu < 3  # the backstop has a resolution of whole seconds


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
    """Limit files to 2 MB."""
    for module in (host, limited):
        monkeypatch.setattr(module, "LARGEST", 1 << 21)


ENDLESS = "while True: file.write(b'x' * 100000)\n"


@pytest.mark.parametrize("before", ["", "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"])
def test_an_endless_output_ends_and_is_told_as_what_it_is(program, small_files, before):
    player = program(before + "file = open('output.txt', 'wb', 0)\n" + ENDLESS)
    reply = player.choose(START)
    assert os.path.getsize(os.path.join(player.folder, "output.txt")) == 1 << 21
    assert reply.fault.startswith("output.txt begins with 'xxxx")
    assert reply.fault.endswith("; output.txt grew to 2 MB, where writing ends")
    assert reply.note.startswith(("exit status 1; output.txt grew", "signal 25; output.txt grew"))


def test_a_file_elsewhere_that_grows_too_large_is_told_too(program, small_files, tmp_path):
    text = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
    text += f"file = open({str(tmp_path / 'log')!r}, 'wb', 0)\n" + ENDLESS
    assert program(text).choose(START).fault == "no output.txt was written; a file grew to 2 MB, where writing ends"


def test_an_answer_before_a_file_that_grows_too_large_counts(program, small_files):
    reply = program("open('output.txt', 'w').write('2,2')\nfile = open('log', 'wb', 0)\n" + ENDLESS).choose(START)
    assert (reply.move, reply.fault) == (12, "")
    assert reply.note.startswith("exit status 1; log grew to 2 MB, where writing ends")


@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), 24)", "os._exit(128 + 24)"])
def test_who_is_ended_for_his_cpu_time_is_told_so_whatever_was_measured(program, ending):
    reply = program("import os; " + ending).choose(START)
    assert reply.cpu < 2 and reply.fault.startswith("used up its CPU time, the limit is 2 s")


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
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, but stays a zombie
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
    monkeypatch.setattr(supervise.Plain, "stop", lambda self: None)  # as if the system could not end it
    reply = program("import time; time.sleep(300)", wall_limit=0.2).choose(START)
    assert reply.fault == "was stopped after 0.2 s on the clock; could not be ended"
    os.waitpid(-1, 0)


def test_our_player_shares_a_folder_with_another(tmp_path):
    ours, other = our_player(str(tmp_path)), role_player("random", 3, str(tmp_path))
    record = Game((ours, other), LITTLE_GO, seed=3).play()
    assert record.fault == 0 and record.why == "24 moves"
    assert not any(move.warning for move in record.moves)
