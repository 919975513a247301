"""Tests that a slow program loses no game when it is graded while ten other processes are busy."""

import json
import subprocess
import sys

import pytest
from student_programs import BODY

from littlego import cache
from littlego.cli.main import main
from littlego.match import student_programs as programs

THINKS = "import time\nwhile time.process_time() < 3: pass\n" + BODY + "write(choose())\n"
LOAD = 10  # processes


@pytest.fixture
def load():
    """Keep the machine busy."""
    busy = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(LOAD)]
    yield
    for process in busy:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_program_that_thinks_for_three_seconds_loses_no_game_by_the_clock(tmp_path, monkeypatch, load):
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.chdir(tmp_path)
    programs._make_program.cache_clear()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "my_player3.py").write_text(THINKS)
    few = ["--stage", "2", "--games", "2", "--repetitions", "1", "--jobs", "2"]
    main(["grade", "theirs", *few, "--json", "g.json"])
    outcomes = json.loads((tmp_path / "g.json").read_text())["outcomes"]
    assert len(outcomes) == 4 and all(len(outcome["seconds"]) for outcome in outcomes)
    for outcome in outcomes:
        assert not outcome["fault"] and not outcome["void"], outcome["record"]["why"]
