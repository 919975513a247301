"""Tests that a turn obeys overrides.txt, and plays without a missing or damaged file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from override_files import override
from turn_folder import GOOD, LATE, MIDDLE, PATTERNS, ROOT, check_played, collect

from littlego.knowledge.overrides import to_bytes
from littlego.rules import turn
from littlego.rules.engine import decide
from littlego.rules.geometry import points_of
from littlego.rules.patternfile import load
from littlego.rules.position import PASS
from littlego.sandbox.interpreters import interpreters

BOOK = load(str(PATTERNS))
PLAIN = {name: decide(given.position(), BOOK).move for name, given in GOOD.items()}
OTHER = {  # for each board, a legal move that the patterns would not play
    name: next(move for move in points_of(given.position().legal()) if move != PLAIN[name])
    for name, given in GOOD.items()
}
OVERRIDDEN = [name for name, given in GOOD.items() if given.position().left > 2]
DATA = to_bytes(dict(override(GOOD[name].position(), OTHER[name]) for name in OVERRIDDEN))


def answer(move: int) -> bytes:
    return b"PASS\n" if move == PASS else b"%d,%d\n" % divmod(move, 5)


@pytest.fixture
def overrides(tmp_path):
    return tmp_path / "overrides.txt"


@pytest.fixture
def play(tmp_path, monkeypatch, capsys, overrides):
    """Return a function that plays a turn in a new folder with the test's overrides.txt."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def play(given=MIDDLE, patterns=PATTERNS):
        (folder / turn.INPUT).write_bytes(given.text())
        (folder / turn.COUNTS).unlink(missing_ok=True)
        status = turn.play_turn(str(patterns), str(overrides))
        return collect(folder, status, capsys.readouterr().err)

    return play


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_a_turn_follows_its_override(play, overrides, name):
    assert play(GOOD[name]).output == answer(PLAIN[name]) != answer(OTHER[name])
    overrides.write_bytes(DATA)
    found = play(GOOD[name])
    assert (found.status, found.output, found.errors) == (0, answer(OTHER[name]), "")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "mark"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_a_file_that_passed_through_windows_is_followed(play, overrides, mark, end):
    overrides.write_bytes(mark + DATA.replace(b"\n", end))
    for name in OVERRIDDEN:
        found = play(GOOD[name])
        assert (found.output, found.errors) == (answer(OTHER[name]), "")


def test_damage_in_a_file_that_passed_through_windows_is_told(play, overrides):
    overrides.write_bytes(DATA[:-5].replace(b"\n", b"\r\n"))
    found = play()
    assert found.output == answer(PLAIN["middle"]) and "truncated or was edited by hand" in found.errors


def test_there_are_overrides_for_a_ko_and_after_a_pass():
    assert {"ko", "after-a-pass", "first", "second", "middle"} <= set(OVERRIDDEN)


def test_an_override_holds_without_the_patterns(play, overrides, tmp_path):
    overrides.write_bytes(DATA)
    found = play(MIDDLE, tmp_path / "no-patterns.txt")
    assert found.output == answer(OTHER["middle"]) and found.errors.count("\n") == 1


def as_fifo(path):
    os.mkfifo(path)


def as_folder(path):
    path.mkdir()


def as_loop(path):
    path.symlink_to(path)


def as_link_into_a_file(path):
    path.symlink_to(PATTERNS / "nothing")


def as_patterns(path):
    shutil.copy(PATTERNS, path)


def as_empty_file(path):
    path.write_bytes(b"")


def as_endless(path):
    path.symlink_to("/dev/zero")


def as_truncated(path):
    path.write_bytes(DATA[:-5])


def as_flipped(path):
    data = bytearray(DATA)
    for index in range(DATA.index(b"\n") + 1, len(DATA), 14):
        data[index + 3] ^= 1
    path.write_bytes(bytes(data))


WRONG = [
    as_fifo,
    as_folder,
    as_loop,
    as_link_into_a_file,
    as_patterns,
    as_empty_file,
    as_endless,
    as_truncated,
    as_flipped,
]


@pytest.mark.parametrize("make", WRONG, ids=lambda make: make.__name__)
def test_something_else_of_that_name_is_one_line_and_no_harm(play, overrides, make):
    make(overrides)
    found = play()
    check_played(MIDDLE, found)
    assert found.output == answer(PLAIN["middle"])
    assert found.errors.startswith("my_player3: ") and found.errors.endswith("; playing without it\n")
    assert found.errors.count("\n") == 1


def test_an_override_that_the_last_moves_do_not_ask_for_does_no_harm(play, overrides):
    as_truncated(overrides)
    assert LATE.position().left <= 2
    found = play(LATE)
    assert found.output == answer(PLAIN["late"]) and found.errors == ""


def test_a_dangling_link_is_as_good_as_no_file(play, overrides):
    overrides.symlink_to(overrides.with_name("nothing"))
    found = play()
    assert found.output == answer(PLAIN["middle"]) and found.errors == ""


# -- as a process ----------------------------------------------------------------------------------------------------

PYTHONS = interpreters()


@pytest.fixture
def home(tmp_path):
    """Return a folder with the player, its engine, patterns.txt, and a work folder."""
    shutil.copy(ROOT / "my_player3.py", tmp_path)
    shutil.copy(PATTERNS, tmp_path)
    (tmp_path / "rules").symlink_to(ROOT / "rules")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / turn.INPUT).write_bytes(MIDDLE.text())
    return tmp_path


@pytest.mark.parametrize("python", PYTHONS, ids=lambda python: python.version)
@pytest.mark.parametrize("make", [None, as_fifo, as_folder, as_truncated], ids=["good", "pipe", "folder", "truncated"])
def test_the_program_looks_beside_itself(home, python, make):
    path = home / "overrides.txt"
    path.write_bytes(DATA) if make is None else make(path)
    command = [python.path, "-S", "-E", str(home / "my_player3.py")]
    done = subprocess.run(command, cwd=home / "work", stderr=subprocess.PIPE, timeout=60)
    found = collect(home / "work", done.returncode, done.stderr.decode())
    assert found.output == answer((OTHER if make is None else PLAIN)["middle"])
    assert found.status == 0 and found.errors.count("\n") == (0 if make is None else 1)


def test_without_a_file_nothing_is_imported(home):
    script = "import sys, rules.turn as t; t.play_turn(*sys.argv[1:3]); print('rules.overrides' in sys.modules)"
    for exist in (False, True):
        if exist:
            (home / "overrides.txt").write_bytes(DATA)
        command = [sys.executable, "-S", "-E", "-c", script, str(PATTERNS), str(home / "overrides.txt")]
        environment = {"cwd": home / "work", "capture_output": True, "text": True, "timeout": 60}
        (home / "work" / "rules").unlink(missing_ok=True)
        (home / "work" / "rules").symlink_to(ROOT / "rules")
        done = subprocess.run(command, **environment)
        assert done.stdout == f"{exist}\n", done.stderr
