"""Tests of faults in processes that run `python -S -E my_player3.py`.

This Python runs the player, and Python 3.7 if it is installed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from binascii import crc32
from pathlib import Path

import pytest
from turn_folder import (
    AFTER_A_PASS,
    FIRST,
    GOOD,
    KO,
    MIDDLE,
    PATTERNS,
    ROOT,
    SECOND,
    check_played,
    check_refused,
    collect,
    make_work,
)

from littlego.rules import turn
from littlego.sandbox.interpreters import interpreters

PYTHONS = interpreters()
TEXT = MIDDLE.text()


@pytest.fixture
def home(tmp_path):
    """Return a folder with the player, its engine and patterns.txt, which the test may change."""
    folder = tmp_path / "home"
    folder.mkdir()
    shutil.copy(ROOT / "my_player3.py", folder)
    shutil.copy(PATTERNS, folder)
    (folder / "rules").symlink_to(ROOT / "rules")
    return folder


@pytest.fixture
def work(tmp_path):
    """Return the work folder with a valid input.txt."""
    return make_work(tmp_path, TEXT)


@pytest.fixture(params=PYTHONS, ids=lambda python: python.version)
def play(request, home, work):
    """Return a function that plays one turn as a process."""

    def play(**options):
        options = {"stderr": subprocess.PIPE, "timeout": 60, "cwd": work, **options}
        done = subprocess.run([request.param.path, "-S", "-E", str(home / "my_player3.py")], **options)
        return collect(work, done.returncode, (done.stderr or b"").decode())

    play.python = request.param.path
    return play


@pytest.mark.parametrize("board", GOOD)
def test_good_turns(play, work, board):
    given = GOOD[board]
    (work / turn.INPUT).write_bytes(given.text())
    found = play()
    check_played(given, found, may_pass=given is AFTER_A_PASS)
    assert found.errors == ""


def damage_header(home):
    data = (home / "patterns.txt").read_bytes()
    (home / "patterns.txt").write_bytes(data.replace(b"patterns 2 ", b"patterns 3 ", 1))


def truncate(home):
    data = (home / "patterns.txt").read_bytes()
    (home / "patterns.txt").write_bytes(data[: len(data) // 2])


def flip(home):
    data = bytearray((home / "patterns.txt").read_bytes())
    data[len(data) * 3 // 4] ^= 4
    (home / "patterns.txt").write_bytes(data)


def forge(home):
    """Put an unknown fact into the points of each pattern, and correct the checksum."""
    head, _, body = (home / "patterns.txt").read_bytes().partition(b"\n")
    lines = body.split(b"\n")
    for index in range(int(head.split()[5])):
        fields = lines[index].split(b"\t")
        fields[7] = b"unheard_of"
        lines[index] = b"\t".join(fields)
    body = b"\n".join(lines)
    fields = head.split(b" ")
    fields[3] = b"%08x" % crc32(body)
    (home / "patterns.txt").write_bytes(b" ".join(fields) + b"\n" + body)


def no_patterns(home):
    (home / "patterns.txt").unlink()


def patterns_folder(home):
    no_patterns(home)
    (home / "patterns.txt").mkdir()


@pytest.mark.parametrize("given", [FIRST, SECOND, MIDDLE, KO], ids=["first", "second", "middle", "ko"])
@pytest.mark.parametrize("damage", [damage_header, truncate, flip, forge, no_patterns, patterns_folder])
def test_damaged_patterns(play, home, work, damage, given):
    damage(home)
    (work / turn.INPUT).write_bytes(given.text())
    found = play()
    check_played(given, found)
    assert found.errors.startswith("my_player3: ") and found.errors.count("\n") == 1


@pytest.mark.parametrize("data", [b"", b"1", TEXT[:-1], b"3" + TEXT[1:], TEXT + b"\n0", b"\0" * 71, b"0" * 10**6])
def test_unreadable_inputs(play, work, data):
    (work / turn.INPUT).write_bytes(data)
    check_refused(play())


@pytest.mark.parametrize("kind", ["missing", "folder", "dangling link"])
def test_no_input(play, work, kind):
    (work / turn.INPUT).unlink()
    if kind == "folder":
        (work / turn.INPUT).mkdir()
    elif kind == "dangling link":
        (work / turn.INPUT).symlink_to("nowhere")
    check_refused(play())


@pytest.mark.parametrize("form", [b"%s\n", b"\xef\xbb\xbf%s"])
def test_forgiven_inputs(play, work, form):
    (work / turn.INPUT).write_bytes((form % TEXT).replace(b"\n", b"\r\n"))
    check_played(MIDDLE, play())


@pytest.mark.parametrize("data", [b"", b"1 8\n", bytes(range(256)), b"1 99 1 1\n", b"9" * 10**6])
def test_broken_side_files(play, work, data):
    (work / turn.COUNTS).write_bytes(data)
    check_played(MIDDLE, play())
    assert turn.read_counts(str(work / turn.COUNTS)) != {}


def close_stderr():
    os.close(2)


def close_all():
    for number in range(3):
        os.close(number)


@pytest.mark.parametrize("closing", [close_stderr, close_all])
def test_standard_streams_closed(play, work, home, closing):
    no_patterns(home)  # this fault gives the player something to report
    check_played(MIDDLE, play(stderr=None, preexec_fn=closing))
    (work / turn.INPUT).unlink()
    found = play(stderr=None, preexec_fn=closing)
    assert (found.status, found.output) == (1, b"PASS\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_standard_error_full(play, work):
    with open("/dev/full", "wb") as full:
        check_played(MIDDLE, play(stderr=full))
        (work / turn.INPUT).unlink()
        found = play(stderr=full)
    assert (found.status, found.output) == (1, b"PASS\n")


def test_standard_error_is_a_pipe_that_nobody_reads(play, home):
    no_patterns(home)
    reading, writing = os.pipe()
    os.close(reading)
    try:
        check_played(MIDDLE, play(stderr=writing))
    finally:
        os.close(writing)


def limit_file_size():
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2, 2))


def test_no_room_for_even_a_move(play):
    """A limit on file sizes simulates a disk with two free bytes, even for root."""
    found = play(preexec_fn=limit_file_size)
    assert (found.status, found.output, found.files) == (1, None, set())
    assert found.errors == "my_player3: output.txt: File too large\n"


def test_run_from_the_players_own_folder(play, home, work):
    """The course copies all files into one folder and starts `python3 my_player3.py` there."""
    shutil.copy(work / turn.INPUT, home)
    subprocess.run([play.python, "my_player3.py"], cwd=home, check=True, timeout=60)
    found = collect(home, 0, "")
    assert found.files == {"my_player3.py", "patterns.txt", "rules"}
    check_played(MIDDLE, found._replace(files=set()))


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.008, 0.012, 0.016, 0.02, 0.03])
def test_killed_at_any_moment_output_is_whole(home, work, delay):
    """output.txt is either the old or the new file, and the next turn removes a leftover temporary file."""
    (work / turn.OUTPUT).write_bytes(b"old\n")
    words = [PYTHONS[-1].path, "-S", "-E", str(home / "my_player3.py")]
    child = subprocess.Popen(words, cwd=work, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    with contextlib.suppress(ProcessLookupError):
        child.kill()
    child.wait()
    if (work / turn.OUTPUT).read_bytes() != b"old\n":
        check_played(MIDDLE, collect(work, 0, "")._replace(files=set()))
    done = subprocess.run(words, cwd=work, timeout=60, check=False)
    check_played(MIDDLE, collect(work, done.returncode, ""))
    assert not list(Path(work).glob("*.tmp"))


def test_a_link_to_the_program_finds_the_patterns(play_linked):
    assert play_linked().stderr == b""


def test_the_program_runs_where_python_does_not_look_beside_it(play_linked):
    assert play_linked("-I").stderr == b""


@pytest.fixture(params=PYTHONS, ids=lambda python: python.version)
def play_linked(request, work, tmp_path):
    """Return a function that plays a turn through a relative link to the program in another folder."""
    link = tmp_path / "link.py"
    link.symlink_to(os.path.relpath(ROOT / "my_player3.py", tmp_path))

    def play(*options):
        command = [request.param.path, *options, str(link)]
        done = subprocess.run(command, cwd=work, capture_output=True, timeout=20)
        assert done.returncode == 0 and (work / turn.OUTPUT).read_bytes() != b""
        return done

    return play


@pytest.mark.parametrize("name", [turn.COUNTS, turn.OUTPUT + ".tmp", turn.COUNTS + ".tmp"])
def test_a_pipe_in_the_folder_does_not_hold_the_turn(work, name):
    os.mkfifo(work / name)
    done = subprocess.run([PYTHONS[0].path, str(ROOT / "my_player3.py")], cwd=work, capture_output=True, timeout=20)
    assert done.returncode == 0 and (work / turn.OUTPUT).read_bytes().strip()


def test_a_link_in_the_place_of_the_temporary_file_leads_nowhere(work, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (work / (turn.OUTPUT + ".tmp")).symlink_to(victim)
    subprocess.run([PYTHONS[0].path, str(ROOT / "my_player3.py")], cwd=work, check=True, timeout=20)
    assert victim.read_text() == "precious" and not (work / turn.OUTPUT).is_symlink()
