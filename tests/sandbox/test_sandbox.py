"""Tests of the sandbox: when it is used, messages if it is missing, and unchanged play inside it."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from bubblewrap import needs_bubblewrap

from littlego.cli.main import main
from littlego.dev.attack.programs import TAKES_OVER
from littlego.match.host import FilePlayer
from littlego.match.protocol import Turn
from littlego.paths import HOME
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import cgroups, sandbox, supervise
from littlego.sandbox.sandbox import SandboxError, views_of
from littlego.sandbox.syscalls import ALLOWED, ARCHITECTURES

START = Turn(opening(LITTLE_GO), (0, 0))
PLAY = "open('output.txt', 'w').write('2,2')\n"


@pytest.fixture
def nowhere(monkeypatch):
    """Simulate a machine without bubblewrap."""
    monkeypatch.setattr(sandbox, "why_not", lambda: sandbox.MISSING)


@pytest.fixture
def stranger(tmp_path):
    """Return a function that makes a player from a foreign program's text."""

    def make(text, **limits):
        (tmp_path / "player.py").write_text(text)
        limits = {"cpu_limit": 5.0, "wall_limit": 20.0, **limits}
        command = [sys.executable, "-S", "-E", "player.py"]
        return FilePlayer("stranger", command, str(tmp_path), stranger=True, **limits)

    return make


@pytest.fixture(params=["with a control group", "without"])
def grouped(request, monkeypatch):
    """Run a test without a control group, and with a control group if the machine permits groups."""
    if request.param == "without":
        monkeypatch.setattr(cgroups, "_parents", dict)
    elif not cgroups._parents():
        pytest.skip("NOT RUN: this machine lets us make no control group")


def test_asking_for_what_is_not_there_stops_and_says_what_to_do(nowhere, capsys, tmp_path):
    (tmp_path / "my_player3.py").write_text(PLAY)
    assert main(["grade", str(tmp_path), "--sandbox", "bwrap"]) == 2
    said = capsys.readouterr().err
    assert "--sandbox bwrap: bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)" in said
    assert "expected a working bubblewrap, or --sandbox auto or none" in said
    assert sandbox.VARIABLE not in os.environ


def test_a_mode_ends_with_its_command_also_where_a_later_option_is_wrong(capsys):
    assert main(["match", "random", "random", "--sandbox", "none", "--games", "no"]) == 2
    assert sandbox.VARIABLE not in os.environ


def test_auto_warns_and_goes_on(nowhere, capsys, tmp_path):
    (tmp_path / "my_player3.py").write_text(PLAY)
    assert main(["match", f"folder:{tmp_path}", "random", "--games", "1", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith("littlego: no sandbox: bubblewrap is not installed")
    assert f"isolation of folder:{tmp_path}: no sandbox, " in said.out


def test_nothing_is_said_where_nobody_is_a_stranger(nowhere, capsys):
    assert main(["match", "file:random", "greedy", "--games", "1", "--jobs", "1"]) == 0
    said = capsys.readouterr()
    assert "sandbox" not in said.err and "isolation of file:random: no sandbox" in said.out


@needs_bubblewrap
def test_none_is_told_too(capsys, tmp_path):
    (tmp_path / "my_player3.py").write_text(PLAY)
    for mode, held in (("none", "no sandbox, "), ("auto", "bubblewrap, "), ("bwrap", "bubblewrap, ")):
        name = f"folder:{tmp_path}"
        assert main(["match", name, "random", "--games", "1", "--jobs", "1", "--sandbox", mode]) == 0
        said = capsys.readouterr()
        assert f"isolation of {name}: {held}" in said.out
        assert ("no sandbox: --sandbox none" in said.err) == (mode == "none")


def test_a_mode_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv(sandbox.VARIABLE, "always")
    with pytest.raises(SandboxError, match="LITTLEGO_SANDBOX is 'always'; expected auto, bwrap or none"):
        sandbox.is_used()


@needs_bubblewrap
def test_games_are_the_same_with_and_without(capsys, tmp_path):
    (tmp_path / "my_player3.py").write_text(
        "import random\nrows = open('input.txt').read().split()[6:]\nrandom.seed(str(rows))\n"
        "free = [(i, j) for i in range(5) for j in range(5) if rows[i][j] == '0']\n"
        "open('output.txt', 'w').write('%d,%d' % random.choice(free))\n"
    )
    games = []
    for mode in ("bwrap", "none"):
        words = ["match", f"folder:{tmp_path}", "greedy", "--games", "2", "--jobs", "1", "--sandbox", mode, "--json"]
        assert main(words) == 0
        games.append([line for line in capsys.readouterr().out.splitlines() if '"move"' in line or '"why"' in line])
    assert games[0] == games[1] and len(games[0]) > 10


@needs_bubblewrap
def test_inside_there_is_the_system_and_the_folder(stranger, monkeypatch):
    monkeypatch.setenv("LITTLEGO_TOLD", "somebody")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    hidden = ["/etc/passwd", "/root/.profile", os.path.expanduser("~/.bashrc"), __file__, str(HOME / "patterns.txt")]
    player = stranger(
        f"import os\nseen = [path for path in {hidden} if os.path.exists(path)]\n"
        "open('seen.txt', 'w').write(repr((os.getcwd(), seen, dict(os.environ), "
        " [pid for pid in os.listdir('/proc') if pid.isdigit()])))\n" + PLAY
    )
    assert player.choose(START).move == 12
    with open(os.path.join(player.folder, "seen.txt")) as file:
        folder, seen, environment, processes = eval(file.read())
    assert any(map(os.path.exists, hidden))
    assert folder == sandbox.WORK and not seen and len(processes) == 3
    assert environment["PYTHONHASHSEED"] == "7" and "LITTLEGO_TOLD" not in environment


@needs_bubblewrap
def test_signals_and_statuses_are_told_as_without(stranger):
    assert stranger(PLAY + "import os; os.kill(os.getpid(), 11)").choose(START).note == "signal 11"
    assert stranger(PLAY + "raise SystemExit(3)").choose(START).note == "exit status 3"


@needs_bubblewrap
def test_the_time_of_orphans_counts_and_that_of_the_sandbox_does_not(stranger, grouped):
    orphan = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while time.process_time() < 0.6: pass
        open('burnt', 'w').close()
    os._exit(0)
os.wait()
while not os.path.exists('burnt'): time.sleep(0.01)
"""
    reply = stranger(orphan + PLAY, cpu_limit=0.5).choose(START)
    assert 0.5 < reply.cpu < 2 and "of CPU time; the limit is 0.5 s" in reply.fault


@needs_bubblewrap
def test_what_a_child_spends_cannot_be_hidden_by_a_report(stranger, grouped):
    text = """
import os, sys, time
if os.fork() == 0:
    os.close(2)
    while time.process_time() < 0.5: pass
    open('burnt', 'w').close()
    time.sleep(600)
while not os.path.exists('burnt'): time.sleep(0.01)
try: open('/proc/%d/fd/3' % os.getppid(), 'w').write('0 0 20000000\\n' + ' ' * 4090)
except OSError: pass
"""
    reply = stranger(text + PLAY).choose(START)
    assert reply.cpu > 0.5 and "left 1 process running" in reply.warning


@pytest.fixture
def unfiltered(monkeypatch):
    """Simulate a machine without system-call filters, where a program can take over bubblewrap's process."""
    features = sandbox._found[0]._replace(filtered=False, closed=False)
    monkeypatch.setattr(sandbox, "_found", [features])
    if platform.machine() != "x86_64":
        pytest.skip("NOT RUN: the attack is written for x86_64")


@needs_bubblewrap
def test_a_keeper_that_was_told_to_stay_is_ended(stranger, unfiltered, grouped):
    before = _children()
    reply = stranger(PLAY + TAKES_OVER["that stays"]).choose(START)
    if reply.note == "not traced":
        pytest.skip("NOT RUN: this machine lets no program trace its parents")
    assert reply.move == 12 and reply.warning == "left 1 process running after its move; stopped by the host"
    assert _children() <= before  # nobody is left


@needs_bubblewrap
def test_what_thinks_in_the_keeper_counts(stranger, unfiltered, grouped):
    reply = stranger(PLAY + TAKES_OVER["that thinks"]).choose(START)
    if reply.note == "not traced":
        pytest.skip("NOT RUN: this machine lets no program trace its parents")
    assert reply.cpu > 0.3


@needs_bubblewrap
def test_what_cannot_be_ended_is_told_and_the_host_goes_on(stranger, monkeypatch):
    monkeypatch.setattr(sandbox, "ENDING", 0.05)
    monkeypatch.setattr(sandbox.Box, "_has_ended", lambda self: False)
    assert stranger(PLAY).choose(START).fault == "could not be ended"
    os.waitpid(-1, os.WNOHANG)


@needs_bubblewrap
def test_no_call_outside_the_list_and_no_other_socket_is_answered(stranger):
    if platform.machine() not in ARCHITECTURES:
        pytest.skip("NOT RUN: there is no filter for this machine")
    place = list(ARCHITECTURES).index(platform.machine())
    trampolines = {335, 336}  # uretprobe and uprobe of x86_64: only the kernel's own code may call them
    others = sorted(set(range(600)) - {numbers[place] for numbers in ALLOWED.values()} - trampolines)
    text = f"""
import ctypes, socket
libc = ctypes.CDLL(None, use_errno=True)
answered = []
for number in {others}:
    if libc.syscall(number, -1, -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != 38: answered.append(str(number))
for family in set(range(60)) - {{1, 2, 10, 16}}:
    try: socket.socket(family, socket.SOCK_STREAM); answered.append('family %d' % family)
    except OSError as error:
        if error.errno != 97: answered.append('family %d: %s' % (family, error))
open('answered', 'w').write(' '.join(answered))
"""
    player = stranger(text + PLAY)
    reply = player.choose(START)
    assert reply.move == 12, reply
    with open(os.path.join(player.folder, "answered")) as file:
        assert file.read() == ""


@needs_bubblewrap
def test_threads_and_processes_are_made_as_ever(stranger):
    text = "import os, subprocess, threading\nthread = threading.Thread(target=lambda: None)\nthread.start()\n"
    text += "thread.join()\nsubprocess.run(['true'], check=True)\n"
    reply = stranger(text + PLAY).choose(START)
    assert reply.move == 12 and not reply.note


@needs_bubblewrap
def test_a_machine_without_a_filter_is_told(stranger, unfiltered):
    player = stranger(PLAY)
    assert player.choose(START).move == 12 and player.held.startswith("bubblewrap, no system-call filter, ")


@needs_bubblewrap
def test_who_ends_the_shell_that_tells_its_time_loses(stranger, grouped):
    text = "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(60)\n"
    assert stranger(PLAY + text).choose(START).fault == "ended its supervising shell"


def test_an_orphan_of_no_group_is_found_by_its_mark(stranger, monkeypatch):
    monkeypatch.setenv(sandbox.VARIABLE, "none")
    monkeypatch.setattr(cgroups, "_parents", dict)
    text = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.close(2)
        while time.process_time() < 0.2: pass
        open('burnt', 'w').close()
        time.sleep(600)
    os._exit(0)
os.wait()
while not os.path.exists('burnt'): time.sleep(0.01)
"""
    player = stranger(text + PLAY)
    reply = player.choose(START)
    assert reply.warning == "left 1 process running after its move; stopped by the host" and reply.cpu > 0.2
    assert player.held == "no sandbox, no control group"


def test_memory_is_bounded(stranger, monkeypatch, grouped):
    monkeypatch.setattr(supervise, "MEMORY", 200 << 20)
    player = stranger("try:\n    block = b'x' * (300 << 20)\nexcept MemoryError:\n    " + PLAY)
    assert player.choose(START).move == 12


def test_memory_of_many_is_bounded_by_a_group(stranger, monkeypatch):
    if "memory" not in cgroups.open_group(1 << 30, 64).holds():
        pytest.skip("NOT RUN: this machine lets us bound no memory")
    monkeypatch.setattr(supervise, "MEMORY", 100 << 20)
    text = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        block = b'x' * (60 << 20)\n"
    reply = stranger(text + "        time.sleep(600)\nos.wait()\n" + PLAY).choose(START)
    assert "reached its memory limit" in reply.warning + reply.fault


@needs_bubblewrap
def test_a_sandbox_that_does_not_start_is_told_as_that(stranger, monkeypatch):
    monkeypatch.setattr(sandbox, "STORES", ())
    monkeypatch.setattr(sandbox, "_base_words", lambda features: [sandbox.PROGRAM, "--no-such-option"])
    reply = stranger(PLAY).choose(START)
    assert reply.fault.startswith("cannot be started: the sandbox does not start: bwrap: Unknown option")


def test_why_a_bubblewrap_does_not_work_is_said(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sandbox, "PROGRAM", str(broken))
    said = sandbox.why_not.__wrapped__()
    assert said == "bubblewrap does not work here (bwrap: No permissions to create new namespace)"


@pytest.fixture
def prefix(tmp_path):
    """Return an installation prefix like those of version managers, with a launcher beside it."""
    for name in ("versions/3.7/bin", "versions/3.7/lib", "shims"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "versions/3.7/bin/python3.7").symlink_to(os.path.realpath(sys.executable))
    launcher = tmp_path / "shims/python3.7"
    launcher.write_text(f'#!/bin/sh\nexec {tmp_path}/versions/3.7/bin/python3.7 "$@"\n')
    launcher.chmod(0o755)
    return tmp_path


def test_an_interpreter_is_found_wherever_it_lies(prefix):
    binary = str(prefix / "versions/3.7/bin/python3.7")
    seen = views_of((binary, "player.py"))
    assert seen.command == (binary, "player.py")
    assert {str(prefix / "versions/3.7" / part) for part in ("bin", "lib")} <= set(seen.paths)
    assert str(prefix) not in seen.paths and str(prefix / "versions") not in seen.paths


def test_a_launcher_is_replaced_by_what_it_launches(prefix):
    assert views_of((str(prefix / "shims/python3.7"), "x.py")).command[0] == os.path.realpath(sys.executable)


def test_a_named_source_is_seen_with_the_sources_beside_it_and_nothing_else(tmp_path):
    for name in ("player.py", "helper.py", "table.json", "results.sqlite", "marks.jsonl"):
        (tmp_path / name).write_text("")
    for name in ("package", ".hidden", "data", "venv"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ("note.md" if name == "data" else "code.py")).write_text("")
    (tmp_path / "venv" / "pyvenv.cfg").write_text("")
    # the author of the link may lack permission to read its target
    (tmp_path / "answers.txt").symlink_to("results.sqlite")
    seen = views_of(("/bin/sh", str(tmp_path / "player.py"))).paths
    assert {os.path.basename(path) for path in seen} == {"player.py", "helper.py", "table.json", "package"}


@needs_bubblewrap
def test_a_program_named_by_a_command_plays_with_what_lies_beside_it(tmp_path, capsys):
    (tmp_path / "helper.py").write_text("MOVE = '2,2'\n")
    (tmp_path / "player.py").write_text("import helper\nopen('output.txt', 'w').write(helper.MOVE)\n")
    name = f"file:{sys.executable} {tmp_path / 'player.py'}"
    assert main(["match", name, "random", "--games", "1", "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "bubblewrap" in said and "no output.txt" not in said


@needs_bubblewrap
def test_nothing_is_left_open_and_no_group_remains(stranger):
    player = stranger(PLAY)
    player.choose(START)
    before, groups, children = os.listdir("/proc/self/fd"), _groups(), _children()
    for _ in range(3):
        player.choose(START)
    assert len(os.listdir("/proc/self/fd")) == len(before) and _groups() == groups
    orphan = subprocess.Popen(["sh", "-c", "sleep 0.1 & echo $!"], stdout=subprocess.PIPE, text=True)
    assert orphan.communicate()[0]
    assert _children() <= children  # we must not wait for an orphan of another program


def _children() -> set[str]:
    """Return the ids of this process's children, including zombies."""
    lists = Path("/proc/self/task").glob("*/children")
    return {pid for one in lists for pid in one.read_text().split()}


def _groups():
    return [name for parent in cgroups._parents().values() for name in os.listdir(parent) if str(os.getpid()) in name]
