"""Tests of corner cases with real processes: missing modules, hardly any resources, special files.

Each case runs once, under one of the installed Pythons. A readable input must lead to a legal output.txt, one line for
each fault, and no traceback.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import signal
import subprocess
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from turn_folder import KO, MIDDLE, PATTERNS, ROOT, THREE_LEFT, check_played, check_refused, collect, make_work

from littlego.rules import turn
from littlego.sandbox.interpreters import interpreters

PYTHONS = interpreters()
MODULES = sorted(path.stem for path in (ROOT / "rules").glob("*.py"))
OVERRIDES = ROOT / "overrides.txt"
TEXT = MIDDLE.text()
AGAIN = count()


@pytest.fixture
def home(tmp_path):
    """Return a copy of the player with all of its files, which the test may change."""
    folder = tmp_path / "home"
    shutil.copytree(ROOT / "rules", folder / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "my_player3.py", folder)
    (folder / "patterns.txt").symlink_to(PATTERNS)
    (folder / "overrides.txt").symlink_to(OVERRIDES)
    return folder


@pytest.fixture
def work(tmp_path):
    """Return the work folder with a valid input.txt."""
    return make_work(tmp_path, TEXT)


def turn_in(home, work, python=None, **options):
    """Play a turn as a process; the installed Pythons alternate unless `python` is given."""
    python = python or PYTHONS[next(AGAIN) % len(PYTHONS)]
    command = [python.path, "-S", "-E", "-B", str(home / "my_player3.py")]
    done = subprocess.run(command, cwd=work, timeout=60, **{"stderr": subprocess.PIPE, **options})
    found = collect(work, done.returncode, (done.stderr or b"").decode())
    assert all(line.startswith("my_player3: ") for line in found.errors.splitlines()), found.errors
    return found


# -- modules ---------------------------------------------------------------------------------------------------

# compiled code with the magic numbers of this Python and of 3.7
UNREADABLE_CODE = importlib.util.MAGIC_NUMBER, (3394).to_bytes(2, "little") + b"\r\n"


def compiled_in_part(path: Path) -> None:
    """Put truncated .pyc files beside a module; their headers state that they match the source."""
    (path.parent / "__pycache__").mkdir()
    for python in PYTHONS:
        magic = UNREADABLE_CODE[python.version == "3.7"]
        name = f"{path.stem}.cpython-{python.version.replace('.', '')}.pyc"
        (path.parent / "__pycache__" / name).write_bytes(magic + b"\1\0\0\0" + bytes(8) + b"\xe3\0\0\0")


DAMAGES = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_text(""),
    "half a line": lambda path: path.write_text("def play_turn(\n"),
    "raises": lambda path: path.write_text("raise RuntimeError('damaged')\n"),
    "binary": lambda path: path.write_bytes(bytes(range(256))),
    "compiled in part": compiled_in_part,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("module", MODULES)
def test_any_module_may_be_damaged(home, work, module, damage):
    DAMAGES[damage](home / "rules" / f"{module}.py")
    asked = THREE_LEFT if module == "playout" else KO  # each module is needed in one of these two positions
    (work / turn.INPUT).write_bytes(asked.text())
    found = turn_in(home, work)
    check_played(asked, found)
    assert found.errors or module in ("__init__", "last_resort")


@pytest.mark.parametrize("damage", [None, "engine", "turn", "rules"])
def test_the_host_can_read_the_move_whatever_the_umask(home, work, damage):
    if damage:
        shutil.rmtree(home / "rules") if damage == "rules" else (home / "rules" / f"{damage}.py").unlink()
    turn_in(home, work, preexec_fn=partial(os.umask, 0o777))
    assert (work / turn.OUTPUT).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.version)
def test_without_any_module_the_player_passes(home, work, python):
    shutil.rmtree(home / "rules")
    found = turn_in(home, work, python)
    assert (found.status, found.output, found.files) == (1, b"PASS\n", set())
    assert found.errors == "my_player3: No module named 'rules'; passing\n"


@pytest.mark.parametrize("damage", [None, "turn", "rules"])
@pytest.mark.parametrize("data", [None, b"", b"nonsense", b"3" + TEXT[1:], TEXT[:-1]])
def test_what_cannot_be_read_is_refused_by_whoever_is_left(home, work, damage, data):
    if damage:
        shutil.rmtree(home / "rules") if damage == "rules" else (home / "rules" / "turn.py").unlink()
    (work / turn.INPUT).unlink() if data is None else (work / turn.INPUT).write_bytes(data)
    found = turn_in(home, work)
    if damage is None:
        check_refused(found)
    assert (found.status, found.output, found.files) == (1, b"PASS\n", set())


def test_as_handed_in_there_is_a_last_resort_too(tmp_path, work):
    from littlego.submission.folder import player_files, write_files

    write_files(player_files(ROOT), tmp_path)
    (tmp_path / "littlego_position.py").unlink()
    found = turn_in(tmp_path, work)
    check_played(MIDDLE, found)
    assert "No module named 'littlego_position'; playing without rules" in found.errors


# -- resources -------------------------------------------------------------------------------------------------


def limited(name: str, value: int):
    """Return a function that sets a process limit before the start."""
    import resource

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(getattr(resource, name), (value, value))

    return limit


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.version)
@pytest.mark.parametrize("files", [4, 5, 6, 8])
def test_few_files_may_be_open(home, work, python, files):
    found = turn_in(home, work, python, preexec_fn=limited("RLIMIT_NOFILE", files))
    check_played(MIDDLE, found)
    assert found.errors == "" and (work / turn.COUNTS).exists()


def closed(*numbers: int):
    """Return a function that closes streams before the start, and lowers the limit of open files to 4."""

    def close():
        limited("RLIMIT_NOFILE", 4)()
        for number in numbers:
            os.close(number)

    return close


@pytest.mark.parametrize("numbers", [(0,), (1,), (2,), (0, 2), (0, 1, 2)])
def test_few_files_and_closed_streams(home, work, numbers):
    (home / "rules" / "overrides.py").unlink()  # this fault gives the player something to report
    check_played(MIDDLE, turn_in(home, work, stderr=None, preexec_fn=closed(*numbers)))


@pytest.mark.parametrize("damage", [None, "engine", "turn", "rules"])
@pytest.mark.parametrize("room", [0, 2])
def test_no_room_for_a_move_leaves_no_half_of_it(home, work, damage, room):
    if damage:
        shutil.rmtree(home / "rules") if damage == "rules" else (home / "rules" / f"{damage}.py").unlink()
    found = turn_in(home, work, preexec_fn=limited("RLIMIT_FSIZE", room))
    # simulates a killed turn: the next turn removes this file
    left = {turn.OUTPUT + ".tmp"} if damage == "rules" else set()
    assert found.status == 1 and found.errors and (found.output, found.files) == (None, left)


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.version)
def test_as_memory_shrinks_a_move_is_still_found(home, work, python):
    for megabytes in range(40, 2, -1):
        found = turn_in(home, work, python, preexec_fn=limited("RLIMIT_AS", megabytes << 20))
        check_played(MIDDLE, found)
        if found.errors:
            return
    pytest.fail("the limit has no effect")


def without_privileges():
    """Give up CAP_DAC_OVERRIDE, by which root can write regardless of file modes."""
    ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "prctl"), reason="needs Linux")
@pytest.mark.parametrize("damage", [None, "engine", "turn", "rules"])
def test_a_folder_that_may_not_be_changed(home, work, tmp_path, damage):
    if damage:
        shutil.rmtree(home / "rules") if damage == "rules" else (home / "rules" / f"{damage}.py").unlink()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    os.link(victim, work / (turn.OUTPUT + ".tmp"))
    (work / turn.OUTPUT).symlink_to(victim)
    work.chmod(0o555)
    try:
        found = turn_in(home, work, preexec_fn=without_privileges)
    finally:
        work.chmod(0o755)
    assert found.status == 1 and "output.txt" in found.errors and victim.read_text() == "precious"


# -- special files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pipe", "link to a pipe", "device", "300 MB of nothing"])
def test_patterns_that_would_hold_the_turn_are_not_opened(home, work, kind):
    path = home / "patterns.txt"
    path.unlink()
    if kind == "300 MB of nothing":
        path.touch()
        os.truncate(path, 300_000_000)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path if kind == "pipe" else home / "pipe")
        if kind != "pipe":
            path.symlink_to("pipe")
    found = turn_in(home, work)
    check_played(MIDDLE, found)
    assert "playing without patterns" in found.errors and found.errors.count("\n") == 1
    assert ("300000000 bytes, expected at most" if "MB" in kind else "expected a file") in found.errors


def occupy(path: Path, kind: str, victim: Path) -> None:
    """Put a pipe, a link or a second name of `victim` at this path."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(victim)
    elif kind == "link to nothing":
        path.symlink_to(victim.parent / "nothing")
    else:
        os.link(victim, path)


@pytest.mark.parametrize("name", [turn.OUTPUT, turn.COUNTS])
@pytest.mark.parametrize("kind", ["pipe", "link", "link to nothing", "second name"])
def test_nothing_is_written_through_what_lies_there(home, work, tmp_path, kind, name):
    """A folder has the temporary file's name, so the player cannot create its file by renaming."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    occupy(work / name, kind, victim)
    (work / (name + ".tmp")).mkdir()
    found = turn_in(home, work)
    check_played(MIDDLE, found._replace(files=found.files - {name + ".tmp"}))
    assert victim.read_text() == "precious" and not (tmp_path / "nothing").exists()
    assert (work / name).is_file() and not (work / name).is_symlink()


@pytest.mark.parametrize("kind", ["link", "second name", "pipe"])
@pytest.mark.parametrize("damage", [None, "turn", "rules"])
def test_what_lies_at_the_temporary_name_is_not_written_to(home, work, tmp_path, damage, kind):
    if damage:
        shutil.rmtree(home / "rules") if damage == "rules" else (home / "rules" / "turn.py").unlink()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    occupy(work / (turn.OUTPUT + ".tmp"), kind, victim)
    found = turn_in(home, work)
    assert found.output and found.files == set() and victim.read_text() == "precious"
