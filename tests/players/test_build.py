"""Tests of build.sh, with a POSIX shell and python3, and with Python 3.7 if it is installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def python37():
    """Return the path of a working Python 3.7, or None; `python3.7` may be a launcher without Python 3.7."""
    homes = [Path(home) for home in (os.environ.get("PYENV_ROOT"), Path.home() / ".pyenv") if home]
    found = [path for home in homes for path in sorted(home.glob("versions/3.7.*/bin/python3.7"))]
    for candidate in [shutil.which("python3.7"), *map(str, found)]:
        if candidate and subprocess.run([candidate, "-c", "pass"], capture_output=True).returncode == 0:
            return candidate
    return None


def build(python, *args, cwd=ROOT):
    command = ["sh", str(ROOT / "build.sh"), *args]
    environment = {**os.environ, "PYTHON": python}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120)


def check(done, version):
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Python {version}")
    results = re.findall(r"^Game +\d+  my_player3 is (Black|White): (won|lost|tie)", done.stdout, re.M)
    assert [colour for colour, _ in results] == ["Black", "White"]
    moves = re.findall(r"^ ?\d+\. (Black|White) \((X|O), (my_player3|random)\): ", done.stdout, re.M)
    plies = int(re.search(r"^Game  1 .*\((\d+) moves\)$", done.stdout, re.M)[1])
    assert len(moves) == plies == done.stdout.count("   0 1 2 3 4\n")  # only the first game's boards are shown
    assert done.stdout.count(" rather than ") == moves.count(("Black", "X", "my_player3")) == (plies + 1) // 2
    for colour in ("Black", "White"):
        won = results.count((colour, "won"))
        assert f"my_player3 as {colour} | Win: {won} | Lose: {1 - won} | Tie: 0" in done.stdout


def test_it_plays_from_any_folder_and_sums_up(tmp_path):
    check(build(sys.executable, "--games", "2", "--seed", "1", cwd=tmp_path), "3.")
    assert not list(tmp_path.iterdir())


def test_it_plays_under_python_37():
    python = python37()
    if python is None:
        pytest.skip("no Python 3.7 on this machine")
    check(build(python, "--games", "2", "--seed", "1"), "3.7")


def test_a_brief_run_draws_nothing():
    done = build(sys.executable, "--games", "1", "--seed", "1", "--brief")
    assert done.returncode == 0 and "0 1 2 3 4" not in done.stdout
    assert re.search(r"^Game  1  my_player3 is Black: ", done.stdout, re.M)


def test_a_reader_that_goes_away_is_no_fault():
    command = f"sh {ROOT / 'build.sh'} --games 1 --brief 2>&1 | head -1; sleep 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("Python 3.") and "Traceback" not in done.stdout + done.stderr
