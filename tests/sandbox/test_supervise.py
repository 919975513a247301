"""Tests of the limits that control groups or polling enforce on all of a program's processes."""

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bubblewrap import needs_bubblewrap
from gtp_engines import AT_GENMOVE, engine_text

from littlego.match import host
from littlego.match.conversation import Conversation, ConversationError
from littlego.match.host import FilePlayer, make_below
from littlego.match.protocol import Turn
from littlego.players.gtp_player import GtpPlayer
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO
from littlego.sandbox import cgroups, processes, sandbox, supervise, workfolder
from littlego.stalled import StalledError

pytestmark = pytest.mark.thorough

START = Turn(opening(LITTLE_GO), (0, 0))
PLAY = "open('output.txt', 'w').write('2,2')\n"
needs_mounts = pytest.mark.skipif(os.geteuid() != 0, reason="NOT RUN: only root may mount a file system in memory")


@pytest.fixture(params=["control group", "looks"])
def measured(request, monkeypatch):
    """Run the test once with control groups, and once as an ordinary user without control groups."""
    if request.param == "looks":
        monkeypatch.setattr(cgroups, "open_group", lambda *limits, freezes=False: cgroups.Group({}))
    elif not cgroups.open_group(1 << 30, 64).holds():
        pytest.skip("NOT RUN: this machine lets us make no control group")
    return request.param


@pytest.fixture(params=[sandbox.NONE, pytest.param(sandbox.AUTO, marks=needs_bubblewrap)])
def mode(request, monkeypatch):
    """Run the test once without and once with the sandbox."""
    monkeypatch.setenv(sandbox.VARIABLE, request.param)
    return request.param


@pytest.fixture
def stranger(tmp_path):
    """Return a function that makes a player from a foreign program's text."""

    def make(text, **limits):
        folder = tmp_path / "work"
        folder.mkdir(exist_ok=True)
        (folder / "player.py").write_text(text)
        limits = {"cpu_limit": 5.0, "wall_limit": 20.0, **limits}
        command = [sys.executable, "-S", "-E", "player.py"]
        return FilePlayer("stranger", command, str(folder), stranger=True, **limits)

    return make


IGNORED = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel then adds no child's time to this process's time
def burn(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds: pass
    os._exit(0)
"""


def test_the_time_of_children_that_nobody_waits_for_counts(stranger, measured, mode):
    text = IGNORED + "for _ in range(2):\n    if os.fork() == 0: burn(1.5)\n"
    text += "try:\n    os.wait()\nexcept ChildProcessError: pass\n"
    reply = stranger(text + PLAY).choose(START)
    assert reply.move == 12 and 1.5 < reply.cpu < 4


def test_children_that_nobody_waits_for_end_at_the_cpu_limit(stranger, measured, mode):
    text = IGNORED + "for _ in range(4):\n    if os.fork() == 0: burn(20)\ntime.sleep(60)\n"
    reply = stranger(text + PLAY, cpu_limit=0.5).choose(START)
    assert reply.fault.startswith("used ") and reply.cpu > 0.5


def test_shared_memory_counts(stranger, measured, mode, monkeypatch):
    monkeypatch.setattr(supervise, "MEMORY", 100 << 20)
    text = """
import mmap, os, time
blocks = [mmap.mmap(-1, 40 << 20) for _ in range(5)]
for block in blocks:
    for at in range(0, 40 << 20, 4096): block[at] = 1
time.sleep(1)
"""
    reply = stranger(text + PLAY).choose(START)
    assert reply.move is None
    told = reply.fault + reply.note
    assert "used more than 0.0977 GB of memory" in told or "reached its memory limit" in told, told


def test_memory_that_processes_share_counts_once(stranger, measured, mode, monkeypatch):
    monkeypatch.setattr(supervise, "MEMORY", 150 << 20)
    text = """
import mmap, os, time
block = mmap.mmap(-1, 60 << 20)
for at in range(0, 60 << 20, 4096): block[at] = 1
for _ in range(4):
    if os.fork() == 0:
        for at in range(0, 60 << 20, 4096): block[at]
        time.sleep(0.5); os._exit(0)
for _ in range(4): os.wait()
"""
    assert stranger(text + PLAY).choose(START).move == 12


def test_too_many_processes_are_refused_or_end_the_turn(stranger, measured, mode, monkeypatch):
    monkeypatch.setattr(supervise, "PROCESSES", 20)
    text = """
import os, time
try:
    for _ in range(40):
        if os.fork() == 0: time.sleep(60)
except OSError: raise SystemExit(1)
time.sleep(60)
"""
    reply = stranger(text).choose(START)
    told = f"{reply.fault} {reply.note} {reply.warning}"
    assert "ran more than 20 processes and threads" in told or "reached its process limit" in told, told


def test_removed_files_count(stranger, measured, mode, monkeypatch):
    monkeypatch.setattr(supervise, "DISK", 20 << 20)
    text = """
import os, time
kept = []
for number in range(5):
    kept.append(open('f', 'wb'))
    kept[-1].write(b'x' * (8 << 20)); kept[-1].flush(); os.remove('f')
time.sleep(60)
"""
    reply = stranger(text).choose(START)
    assert "has filled its work folder with more than 20 MB in removed files" in reply.fault


def test_sleeping_children_do_not_extend_the_wall_limit(stranger, measured, mode):
    """The children first compete for a core and then sleep; neither must change the program's limit."""
    text = """
import os, time
for _ in range(60):
    if os.fork() == 0:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        began = time.process_time()
        while time.process_time() - began < 0.02: pass
        time.sleep(600); os._exit(0)
time.sleep(600)
"""
    began = time.monotonic()
    reply = stranger(text, wall_limit=2.0).choose(START)
    assert reply.fault.startswith("was stopped after 2 s on the clock")
    assert time.monotonic() - began < 5 * 2.0 + supervise.END_SECONDS + sandbox.ENDING


def test_a_game_has_a_limit_of_its_own(stranger):
    player = stranger("import time\ntime.sleep(60)", wall_limit=1.0, cpu_limit=0.2)
    player.waited = 0.3 * 12 * 1.0 - 0.25  # as after eleven turns of 0.3 s
    player.turns = 11
    reply = player.choose(START)
    left = "its earlier turns or games had used the rest of its time"
    assert reply.fault == f"was stopped after 0.25 s on the clock; {left}"
    player = stranger("import time\ntime.sleep(60)", wall_limit=1.0)
    player.whole = 0.5
    assert player.choose(START).fault.startswith("was stopped after 0.5 s on the clock")


BURNING = (
    "    if words[0] == 'boardsize':\n        for _ in range(2):\n"
    "            if os.fork() == 0:\n                while True: pass\n"
)


def test_an_engine_and_its_children_do_not_compute_out_of_turn(measured, mode, tmp_path):
    """Only a busy child could use CPU time while the engine waits for its turn."""
    command = [sys.executable, "-S", "-E", "-u", "-c", engine_text(BURNING, "C3 A1")]
    player = GtpPlayer("burner", command)
    try:
        assert player.choose(START).move == 12
        before = player._engine.talk.cpu()
        time.sleep(0.5)
        assert player._engine.talk.cpu() - before < 0.1
        assert player.choose(START).move == 20
    finally:
        player.close()


def test_an_engine_that_fills_the_disk_is_told_while_it_thinks(measured, mode, monkeypatch):
    monkeypatch.setattr(workfolder, "DISK", 10 << 20)
    edit = AT_GENMOVE + "\n        for number in range(4): open('f%d' % number, 'wb').write(b'x' * (8 << 20))\n"
    command = [sys.executable, "-S", "-E", "-u", "-c", engine_text(edit + "        time.sleep(60)\n")]
    talk = Conversation(command, mode == sandbox.AUTO)
    try:
        talk.say("genmove b\n")
        with pytest.raises(ConversationError, match="has filled its work folder with more than 10 MB"):
            talk.hear(time.monotonic() + 20)
    finally:
        talk.close()


@pytest.fixture
def small_disk(tmp_path):
    """Return a folder on a disk of 4 MB, and a function that fills the disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = ctypes.CDLL(None).mount(b"small", bytes(disk), b"tmpfs", 0, b"size=4m")
    if mounted:
        pytest.skip("NOT RUN: no file system can be mounted here")
    (disk / "work").mkdir()

    def fill():
        with open(disk / "others", "wb", 0) as file:
            try:
                while file.write(b"x" * 65536):
                    pass
            except OSError:
                pass

    yield disk / "work", fill
    subprocess.run(["umount", "-l", str(disk)], check=True)


@needs_mounts
def test_a_turn_that_meets_a_full_disk_is_void(small_disk, mode, monkeypatch):
    monkeypatch.setattr(host, "ROOM", 0.3)
    folder, fill = small_disk
    (folder / "player.py").write_text(PLAY)
    player = FilePlayer("innocent", [sys.executable, "-S", "-E", "player.py"], str(folder), stranger=True)
    assert player.choose(START).move == 12
    player.close()  # removes input.txt and output.txt
    fill()
    with pytest.raises(StalledError, match="was full, 3 times in a turn of innocent, so the turn cannot be judged"):
        player.choose(START)
    assert player.replayed == 3
    os.remove(folder.parent / "others")
    assert player.choose(START).move == 12


@needs_mounts
def test_a_disk_that_fills_during_the_turn_makes_it_void(small_disk, monkeypatch):
    monkeypatch.setattr(host, "ROOM", 0.3)
    folder, _ = small_disk
    player = FilePlayer("innocent", [sys.executable, "-S", "-E", "player.py"], str(folder), stranger=True)
    text = """
import time
with open('others', 'wb', 0) as file:
    try:
        while file.write(b'x' * 65536): pass
    except OSError: time.sleep(0.3)
open('others', 'w').close()
"""
    (folder / "player.py").write_text(text)
    with pytest.raises(StalledError):  # the disk has room again when the turn ends
        player.choose(START)


@needs_mounts
def test_a_work_folder_in_memory_is_bounded_and_leaves_nothing(tmp_path, monkeypatch, mode):
    monkeypatch.setattr(workfolder, "IN_MEMORY", 4 << 20)
    folder = make_below(str(tmp_path))
    assert workfolder.is_bounded(folder) and not workfolder.is_full(folder)
    text = "file = open('f', 'wb', 0)\nimport os\nos.remove('f')\nwhile True: file.write(b'x' * 65536)"
    with open(os.path.join(folder, "player.py"), "w") as file:
        file.write(text)
    player = FilePlayer("filler", [sys.executable, "-S", "-E", "player.py"], folder, stranger=True)
    reply = player.choose(START)
    assert reply.fault == "no output.txt was written" and "No space left on device" in reply.note
    assert player.held.endswith("a work folder in memory") and not player.replayed
    workfolder.remove_tree(str(tmp_path))
    assert not tmp_path.exists() and str(tmp_path) not in Path("/proc/self/mounts").read_text()


@needs_mounts
def test_the_folders_in_memory_of_a_killed_command_are_removed(tmp_path):
    text = f"from littlego.sandbox.workfolder import make_bounded\nmake_bounded({str(tmp_path / 'a folder')!r})"
    subprocess.run([sys.executable, "-c", text], check=True)
    assert workfolder.is_bounded(tmp_path / "a folder")
    workfolder._remove_old_mounts.__wrapped__()
    assert not workfolder.is_bounded(tmp_path / "a folder")


def test_a_census_keeps_the_time_of_ended_processes():
    text = "import time\nwhile time.process_time() < 0.3: pass\ninput()"
    child = subprocess.Popen([sys.executable, "-S", "-E", "-c", text], stdin=subprocess.PIPE)
    census, until = processes.Census(), time.monotonic() + 20
    while census.cpu() < 0.28 and time.monotonic() < until:
        census.count([child.pid])
    child.communicate(b"\n")
    counted = census.cpu()
    census.count([child.pid])
    assert 0.28 <= counted == census.cpu()
