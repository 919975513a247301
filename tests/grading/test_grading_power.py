"""Tests that a power cut or a kill loses no game that a grading has reported as saved."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from graded_games import FLAWLESS, outcomes, with_moves
from power_cut import RecordingFile

from littlego.grading import chain
from littlego.grading.chain import ChainFile
from littlego.grading.kept import head_of, open_kept
from littlego.match.student_programs import Program

PROGRAM = Program("theirs", "my_player3.py", "/cache/abc", (), "Python 3.7", (), ())
HEAD = head_of(PROGRAM, 0, 1.0, 20)
GAMES = list(map(with_moves, outcomes(FLAWLESS)))


def kept_in(path):
    with open_kept(str(path), HEAD) as kept:
        return kept.outcomes


def check_every_power_cut(path, file):
    """For each possible power cut, check that the file has all reported games, and resume from the file."""
    seen = set()
    for past, data in file.states():
        reported = sum(entry == ("reported",) for entry in past)
        if (reported, data) in seen:
            continue
        seen.add((reported, data))
        path.write_bytes(data)
        found = kept_in(path)
        assert found == GAMES[: len(found)] and len(found) >= reported
        with open_kept(str(path), HEAD) as kept:
            kept.add(GAMES[len(found)])
        assert kept_in(path) == GAMES[: len(found) + 1]
    return len(seen)


def test_a_power_cut_takes_no_game_that_was_reported(tmp_path, monkeypatch):
    with open(tmp_path / "games", "a+b", buffering=0) as plain:
        file = RecordingFile(plain)
        file.install(monkeypatch, chain)
        writer = ChainFile(file)
        writer.add(HEAD)
        for game in GAMES[:4]:
            writer.add(game)
            file.log.append(("reported",))
    assert check_every_power_cut(tmp_path / "after", file) > 30


def test_a_power_cut_while_a_broken_line_is_mended_takes_none_either(tmp_path, monkeypatch):
    path = tmp_path / "games"
    with open_kept(str(path), HEAD) as kept:
        for game in GAMES[:3]:
            kept.add(game)
    path.write_bytes(path.read_bytes()[:-40])
    with open(path, "a+b", buffering=0) as plain:
        file = RecordingFile(plain)
        file.install(monkeypatch, chain)
        file.log += [("reported",)] * 2
        writer = ChainFile(file)
        writer.mend()
        for game in GAMES[2:4]:
            writer.add(game)
            file.log.append(("reported",))
    assert check_every_power_cut(tmp_path / "after", file) > 15


def test_a_process_that_is_killed_has_kept_what_it_reported(tmp_path):
    path, chance = tmp_path / "games", random.Random(3)
    for _ in range(10):
        had = len(kept_in(path))
        read, write = os.pipe()
        child = os.fork()
        if not child:
            with suppress(BaseException), open_kept(str(path), HEAD) as kept:
                for game in GAMES[had:]:
                    kept.add(game)
                    os.write(write, b"+")
            os._exit(0)
        os.close(write)
        wanted = chance.randrange(1, 8)
        reported = b""
        while len(reported) < wanted and (more := os.read(read, wanted)):
            reported += more
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while more := os.read(read, 99):
            reported += more
        os.close(read)
        found = kept_in(path)
        assert len(found) >= had + len(reported) and found == GAMES[: len(found)]


PASSES = "open('output.txt', 'w').write('PASS')"


@pytest.mark.slow
def test_a_grading_killed_fifty_times_ends_as_if_undisturbed(tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text(PASSES)
    options = ["--stage", "1", "--games", "60", "--repetitions", "2", "--jobs", "2", "--json"]
    command = [sys.executable, "-m", "littlego", "grade", str(tmp_path / "theirs"), *options]
    root = Path(chain.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root), "TMPDIR": str(tmp_path)}
    chance, file = random.Random(5), tmp_path / "kept"

    def start(name):
        words = [*command, str(tmp_path / f"{name}.json"), "--keep", str(tmp_path / name)]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(words, env=environment, start_new_session=True, **streams)

    lines = 0
    for kill in range(50):
        child = start("kept")
        wanted = lines + chance.randrange(1, 9)
        while child.poll() is None and (file.read_bytes().count(b"\n") if file.exists() else 0) < wanted:
            time.sleep(0.005)
        time.sleep(chance.random() / 20)
        with suppress(ProcessLookupError):
            (os.killpg if kill % 2 else os.kill)(child.pid, signal.SIGKILL)
        child.wait()
        while (now := file.read_bytes()) and not time.sleep(0.3) and now != file.read_bytes():
            pass
        assert now.count(b"\n") >= lines, "a line is gone"
        lines = now.count(b"\n")
    assert start("kept").wait() == start("whole").wait()
    ended, whole = (read_games(tmp_path / name) for name in ("kept", "whole"))
    assert ended == whole and len(whole) == 480


def read_games(path):
    """Return the games of a file in order, without measured times."""
    with open(path, "rb") as file:
        games = [line for line in ChainFile(file).values if isinstance(line, (list, tuple))]
    return sorted(
        [game, won, tie, fault, record["winner"], [move["move"] for move in record["moves"]]]
        for game, won, tie, fault, *_, record in games
    )
