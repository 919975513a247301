"""Tests of whole games under the course's unmodified host program and under our host.

LITTLEGO_COURSE_HOST names the folder with the course's host.py, read.py, write.py and random_player.py; this repository
does not contain the files. The loop around host.py follows the course's build.sh.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from littlego.games.boards import move_text
from littlego.match.host import FilePlayer, our_player, role_player
from littlego.match.referee import Game
from littlego.rules.ruleset import LITTLE_GO

FILES = ("host.py", "read.py", "write.py", "random_player.py")
ROOT = Path(__file__).resolve().parents[2]
FIRST_INPUT = "1\n" + "\n".join(["00000"] * 10)


@pytest.fixture
def course(tmp_path):
    folder = os.environ.get("LITTLEGO_COURSE_HOST")
    if not folder:
        pytest.skip("NOT RUN: set LITTLEGO_COURSE_HOST to the folder of the course's host.py")
    for name in FILES:
        shutil.copy(Path(folder) / name, tmp_path)
    return tmp_path


def judged(folder, black, white):
    """Play a game in the folder as the course's build.sh does; return (winner, each turn's output.txt)."""
    (folder / "input.txt").write_text(FIRST_INPUT)
    outputs = []
    for number in range(1, 30):
        (folder / "output.txt").unlink(missing_ok=True)
        run(black if number % 2 else white, folder)
        outputs.append((folder / "output.txt").read_text().strip())
        status = run([sys.executable, "host.py", "-m", str(number), "-v", "True"], folder)
        if status:
            return status, outputs
    raise AssertionError("the host did not end the game")


def run(command, folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60).returncode


def test_ours_beats_the_courses_random_player(course):
    ours = [sys.executable, str(ROOT / "my_player3.py")]
    other = [sys.executable, "random_player.py"]
    results = []
    for game in range(6):
        black, white = (ours, other) if game % 2 == 0 else (other, ours)
        winner, _ = judged(course, black, white)
        results.append(winner == 1 + game % 2)
    assert sum(results) >= 5


@pytest.mark.parametrize("seed", range(3))
def test_both_hosts_see_the_same_game(course, seed):
    ours, other = our_player(), role_player("greedy", seed)
    command = other.command
    try:
        record = Game((ours, other), LITTLE_GO, seed=seed).play()
    finally:
        ours.close()
        other.close()
    winner, outputs = judged(course, ours.command, command)
    expected = [move_text(move.move, LITTLE_GO.size) for move in record.moves]
    assert outputs == expected and winner == record.winner


ANSWERS = ["2,3,4", " 2 , 3 ", "PASS,1", "2,3\r\n", "pass", "2 3", "", "5,0", "-1,2", "2", "+2,3", "\n2,3", "2,3 x"]


@pytest.mark.parametrize("answer", ANSWERS)
def test_both_hosts_read_an_answer_alike(course, answer, tmp_path_factory):
    writer = course / "writer.py"
    writer.write_text(f"open('output.txt', 'w', newline='').write({answer!r})")
    ours = FilePlayer("writer", [sys.executable, str(writer)], str(tmp_path_factory.mktemp("work")))
    play_on = role_player("random", 1)
    record = Game((ours, play_on), LITTLE_GO).play()
    play_on.close()
    (course / "input.txt").write_text(FIRST_INPUT)
    run([sys.executable, str(writer)], course)
    status = run([sys.executable, "host.py", "-m", "1"], course)
    ended_at_once = len(record.moves) - (record.fault == 0) <= 0
    assert (status == 2) == (ended_at_once and record.winner == 2)
