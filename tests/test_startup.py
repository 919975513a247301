"""Tests of processes without standard streams or PATH, or in a deleted folder, as services start them."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from littlego.cli.main import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
ROOT = Path(__file__).parents[1]
CLOSINGS = [" ".join(chosen) for number in (1, 2, 3) for chosen in combinations(("0<&-", "1>&-", "2>&-"), number)]
BOARD = """
. . . . .
. . X . .
. X O X .
. . . . .
. . . . .
"""
FIRST_TURN = "\n".join(["1", *["00000"] * 10])


def run(folder: Path, words: list[str], closing: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder. closing: redirections of the shell that close standard streams."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closing}', "sh", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(
    scope="module",
    params=["play --black greedy --white human --brief", "explain board.txt", "match greedy random --games 2", "gtp"],
)
def undisturbed(request, tmp_path_factory):
    """Return (words of a command, its folder, its result with all streams open)."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "board.txt").write_text(BOARD)
    words = [sys.executable, "-m", "littlego", *request.param.split()]
    return words, folder, run(folder, words, "")


@pytest.mark.parametrize("closing", CLOSINGS)
def test_a_command_does_the_same_without_a_stream(undisturbed, closing):
    words, folder, expected = undisturbed
    done = run(folder, words, closing)
    assert done.returncode == expected.returncode and "Traceback" not in done.stderr
    assert without_times(done.stdout) == ("" if "1>" in closing else without_times(expected.stdout))
    assert done.stderr == ("" if "2>" in closing else expected.stderr)
    assert [path.name for path in folder.iterdir()] == ["board.txt"]


def without_times(text: str) -> str:
    return re.sub(r"[\d.]+ ms", "", text)


@pytest.mark.parametrize("closing", CLOSINGS)
def test_a_program_in_a_match_gets_none_of_our_files_as_its_streams(tmp_path, closing):
    """The program writes the targets of its streams, none of which may be a file of ours."""
    program = "import os; open('seen', 'w').write(' '.join(os.readlink(f'/proc/self/fd/{n}') for n in (0, 1, 2)))"
    code = f"import subprocess; from littlego.startup import open_closed_streams as o; o(); f = open('ours', 'w'); \
subprocess.run([{sys.executable!r}, '-c', {program!r}])"
    assert run(tmp_path, [sys.executable, "-c", code], closing).returncode == 0
    assert "ours" not in (tmp_path / "seen").read_text()


@pytest.mark.parametrize("closing", CLOSINGS)
@pytest.mark.parametrize("given, status, answer", [(FIRST_TURN, 0, "2,2\n"), ("damaged", 1, "PASS\n")])
def test_the_player_answers_without_a_stream(tmp_path, closing, given, status, answer):
    (tmp_path / "input.txt").write_text(given)
    done = run(tmp_path, [sys.executable, str(ROOT / "my_player3.py")], closing)
    assert (done.returncode, (tmp_path / "output.txt").read_text()) == (status, answer)
    assert (tmp_path / "input.txt").read_text() == given and done.stdout == ""


@pytest.mark.parametrize("closing", ["0<&-", "0<&- 1>&- 2>&-"])
def test_build_sh_plays_without_a_stream(tmp_path, closing):
    words = ["sh", str(ROOT / "build.sh"), "--games", "1", "--brief", "--seed", "1"]
    done = run(tmp_path, ["env", f"PYTHON={sys.executable}", *words], closing)
    assert done.returncode == 0 and done.stderr == ""
    assert ("Win: 1" in done.stdout) == ("1>" not in closing)


SYSTEM_PYTHON = shutil.which("python3", path=os.defpath)  # found without PATH


@pytest.mark.skipif(SYSTEM_PYTHON is None, reason="no python3 where a shell looks without PATH")
def test_build_sh_plays_without_a_path(tmp_path):
    words = ["env", "-i", shutil.which("sh"), str(ROOT / "build.sh"), "--games", "1", "--brief", "--seed", "1"]
    done = run(tmp_path, words, "")
    assert (done.returncode, done.stderr) == (0, "") and "my_player3 as Black | Win: 1" in done.stdout


def test_without_its_own_path_nothing_is_scored(monkeypatch, capsys):
    """Each turn would need a Python that cannot be started, and all games would be lost."""
    monkeypatch.setattr(sys, "executable", "")
    for words in (["match", "my_player3", "greedy"], ["grade", str(ROOT)]):
        assert main(words) == 2
        assert capsys.readouterr().err == (
            "littlego: Python cannot find its own path without PATH; start Python by its full path\n"
        )
    with pytest.raises(SystemExit, match="build.sh: Python cannot find its own path"):
        runpy.run_module("littlego.players.build_host", run_name="__main__")


@pytest.fixture
def deleted(tmp_path, monkeypatch):
    """Make a deleted folder the current folder; return an existing folder."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    return tmp_path


@pytest.mark.parametrize(
    "command", ["explain BOARD", "check --no-exact", "gtp", "submit out", "play --black ours --white greedy", "studio"]
)
def test_a_deleted_working_folder_is_a_line(deleted, capsys, command):
    (deleted / "board.txt").write_text(BOARD)
    assert main(command.replace("BOARD", str(deleted / "board.txt")).split()) == 2
    assert capsys.readouterr().err.endswith("littlego: the current folder was deleted; change to another folder\n")


def test_a_command_that_needs_no_folder_runs_in_a_deleted_one(deleted):
    assert main(["play", "--black", "greedy", "--white", "random", "--brief"]) == 0


def test_the_player_in_a_deleted_folder_says_so(deleted, capfd):
    assert subprocess.run([sys.executable, str(ROOT / "my_player3.py")], timeout=60).returncode == 1
    assert capfd.readouterr().err == (
        "my_player3: input.txt: No such file or directory\nmy_player3: output.txt: No such file or directory\n"
    )
