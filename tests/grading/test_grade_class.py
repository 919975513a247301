"""Tests of `littlego grade-class`.

A class of thirty submissions is resumed after kills, graded again, and graded on a cluster.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import pytest
from class_submissions import CPP, LONGER, copied, write_class
from dask_cluster import Cluster
from graded_games import outcome, with_moves
from html_outline import Outline
from student_programs import BROKEN, FIRST_FREE, PASSES

from littlego import cache
from littlego.cli.main import main
from littlego.grading.classroom import cli, playing
from littlego.grading.classroom import rows as rows_module
from littlego.grading.classroom.gradescope import results_value
from littlego.grading.games import plan_games
from littlego.grading.marks import best, marks
from littlego.paths import PACKAGE

pytestmark = pytest.mark.thorough

FEW = ["--games", "2", "--stage", "1", "--repetitions", "1", "--lost", "0"]
QUICK = [*FEW, "--jobs", "1"]
NOT_GRADED = {
    "bravo",
    "cohen",
    "duval.py",
    "ellis.tar.gz",
    "frank",
    "quinn",
    "silva",
    "tanak",
    "usman",
    "walsh",
    "young",
}
TIMES = {"cpu_seconds", "slowest_move"}  # columns whose values differ from run to run


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """Enter a new folder, which also contains the cache and the temporary files, and return the folder."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def quick(place, monkeypatch):
    """Replace games by made-up outcomes: PASSES loses all games; every other program wins all games.

    Use with QUICK, whose --jobs 1 keeps the games in this process.
    """

    def result(task):
        text = Path(task.program.folder, "my_player3.py").read_text()
        return with_moves(outcome(task.game, won=text != PASSES))

    monkeypatch.setattr(playing, "play", result)
    return place


def submit(name: str, text: str, file: str = "my_player3.py") -> None:
    folder = Path("class", name)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(text)


def rows(folder: str = "grades") -> dict[str, dict[str, str]]:
    """Return {student: row} of class.csv, without the columns of times."""
    with open(Path(folder, "class.csv"), newline="") as file:
        return {
            row["name"]: {key: cell for key, cell in row.items() if key not in TIMES} for row in csv.DictReader(file)
        }


def test_a_class_has_a_row_for_each_student(place, capsys):
    submit("ada", LONGER)
    submit("ben", copied(LONGER))
    submit("cleo", BROKEN)
    submit("dan", LONGER, "my_player_final.py")
    assert main(["grade-class", "class", *FEW]) == 1
    shown = capsys.readouterr()
    assert "3 programs: 0 games are finished, 24 to play on" in shown.err and "24 of 24 games" in shown.err
    assert "similar programs: ada and ben, 100%" in shown.out
    table = rows()
    assert list(table) == ["ada", "ben", "cleo", "dan"]
    assert table["ada"]["points"] == table["ben"]["points"] and table["ada"]["similar"] == "ben 100%"
    assert table["cleo"]["reason"].startswith(
        "random -25: won 0 of 2; lost 2 through a fault: no output.txt was written (exit status 1; "
        "ModuleNotFoundError: "
    )
    assert table["dan"]["status"] == "not graded"
    assert table["dan"]["reason"] == "my_player_final.py: wrong name? The course runs my_player3.py or my_player.py"
    hashed = subprocess.run(["sha256sum", "class/ada/my_player3.py"], capture_output=True, text=True).stdout.split()[0]
    assert table["ada"]["sha256"] == hashed
    value = json.loads(Path("grades/class.json").read_text())
    for row in value["rows"]:
        assert row["points"] + sum(part["points"] for part in row["lost"]) == row["most"]
    assert not os.listdir(place / "scratch")


def test_each_student_has_a_page_with_the_lost_games_and_no_other_name(place):
    submit("ada", FIRST_FREE)
    submit("ben", PASSES)
    assert main(["grade-class", "class", *FEW[:-1], "2"]) == 0
    page = Path("grades/students/ada.html").read_text()
    assert "Grading of ada" in page and "ben" not in page and str(place) not in page
    links = [link["href"] for link in Outline(page).attributes["a"]]
    assert len(links) == 2 and all(Path("grades/students", link).read_text().startswith("(;") for link in links)
    assert str(place) not in Path("grades/students", links[0]).read_text()
    assert {"students/ada.html", "students/ben.html"} <= {
        link["href"] for link in Outline(Path("grades/index.html").read_text()).attributes["a"]
    }


def test_a_regrade_plays_only_changed_programs_and_shows_what_changed(quick, capsys):
    submit("ada", FIRST_FREE)
    submit("ben", PASSES)
    assert main(["grade-class", "class", *QUICK]) == 0
    before = rows()
    submit("ada", LONGER)
    capsys.readouterr()
    assert main(["grade-class", "class", *QUICK]) == 0
    assert "8 games are finished, 8 to play" in capsys.readouterr().err
    after = rows()
    assert after["ben"] == before["ben"] and after["ada"]["sha256"] != before["ada"]["sha256"]
    assert after["ada"]["change"] == f"another program: {float(before['ada']['points']):g} before"
    # no game is left to play, but the table still shows the change
    assert main(["grade-class", "class", *QUICK]) == 0 and rows() == after


def test_an_interrupted_class_is_resumed(quick, capsys, monkeypatch):
    submit("ada", FIRST_FREE)
    submit("ben", PASSES)
    assert main(["grade-class", "class", *QUICK, "-o", "whole"]) == 0
    play = cli.ClassGames._keep

    def once(self, task, played):
        play(self, task, played)
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.ClassGames, "_keep", once)
    assert main(["grade-class", "class", *QUICK]) == 130
    shown = capsys.readouterr()
    assert "interrupted; run the same command to resume" in shown.err and "so far" in shown.out
    assert json.loads(Path("grades/class.json").read_text())["complete"] is False
    monkeypatch.setattr(cli.ClassGames, "_keep", play)
    assert main(["grade-class", "class", *QUICK]) == 0
    assert "8 games are finished, 8 to play" in capsys.readouterr().err
    assert rows() == rows("whole")


def test_a_roster_adds_missing_students_and_deadlines(quick, capsys):
    submit("ada_4711", FIRST_FREE)
    submit("ben", PASSES)
    submit("zoe", PASSES)
    for name in ("ada_4711", "ben"):
        os.utime(Path("class", name, "my_player3.py"), (1_700_000_000, 1_700_000_000))
    Path("roster.csv").write_text(
        "\ufeffName;ID;Extension;Section\nAda L;4711;0;1\nBen;b2;48;1\n=cmd();c3;;2\n", encoding="utf-8"
    )
    command = ["grade-class", "class", *QUICK, "--roster", "roster.csv", "--deadline", "2023-11-13T22:13:20+00:00"]
    assert main(command) == 1
    assert "submissions that match no student in roster.csv: zoe" in capsys.readouterr().err
    table = rows()
    assert list(table) == ["Ada L", "Ben", "'=cmd()", "zoe"]
    assert table["Ada L"]["late"] == "1 d 0:00 h" and not table["Ben"]["late"] and table["zoe"]["late"]
    assert (table["'=cmd()"]["status"], table["'=cmd()"]["reason"]) == ("missing", "no submission")


WRONG_ROSTERS = [
    ("", "roster.csv:1: no column id and name; expected id,name,...; found no columns"),
    ("id\n1\n", "roster.csv:1: no column name; expected id,name,...; found id"),
    ("id,name\n,Ada\n", "roster.csv:2: id is empty; expected the student's id"),
    ("id,name\n1,Ada\n1,Ben\n", "roster.csv:3: id '1' is already on line 2; expected each id once"),
    ("id,name,deadline\n1,Ada,friday\n", "roster.csv:2: deadline is 'friday'; expected a time such as 2025-"),
    ("id,name,extension\n1,Ada,two\n", "roster.csv:2: extension is 'two'; expected hours from 0 to 10,000"),
    ('id,name\n1,"Ada\n', "roster.csv:2: unexpected end of data; expected a CSV file"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_ROSTERS)
def test_a_wrong_roster_is_a_line_with_its_place(place, capsys, text, message):
    submit("ada", PASSES)
    Path("roster.csv").write_text(text)
    assert main(["grade-class", "class", "--roster", "roster.csv"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"littlego: {message}")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "no PATH; expected a folder with a folder or zip file for each student"),
        (["nowhere"], "nowhere does not exist; expected a folder"),
        (["class/ada"], "class/ada contains my_player3.py, so it is one submission"),
        (["empty"], "no submissions in empty; expected a folder or a zip file for each student"),
        (["class", "-o", "class/ada/my_player3.py"], "cannot write the results to class/ada/my_player3.py"),
        (["class", "-o", "theirs"], "theirs/class.json is not the result of `littlego grade-class`"),
    ],
)
def test_what_cannot_be_graded_is_one_line(place, capsys, args, message):
    submit("ada", PASSES)
    Path("empty").mkdir()
    Path("theirs").mkdir()
    Path("theirs/class.json").write_text("[]")
    assert main(["grade-class", *args]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"littlego: {message}")


def test_gradescope_gets_a_score_and_a_test_for_each_role(quick):
    submit("ada", LONGER)
    assert main(["grade-class", "class/ada", *QUICK, "--gradescope", "results.json"]) == 0
    value = json.loads(Path("results.json").read_text())
    assert [test["name"] for test in value["tests"]] == ["random", "greedy", "aggressive", "alphabeta"]
    assert value["score"] == sum(test["score"] for test in value["tests"])
    submit("dan", LONGER, "player.py")
    assert main(["grade-class", "class/dan", *QUICK, "--gradescope", "results.json"]) == 1
    value = json.loads(Path("results.json").read_text())
    assert value["score"] == 0 and "player.py: wrong name?" in value["output"]


def test_a_late_stage_takes_the_points_of_its_own_roles_alone():
    roles = {
        "random": {"stage": 1, "points": 10.0, "most": 10, "wins": 8, "games": 8},
        "championship": {"stage": 2, "points": 4.0, "most": 5, "wins": 8, "games": 8},
    }
    stages = [
        {"stage": 1, "points": 10.0, "most": 10, "late": False},
        {"stage": 2, "points": 0.0, "most": 5, "late": True},
    ]
    lost = [{"where": "stage 2", "points": 5.0, "reason": "-5: out of time"}]
    row = {"roles": roles, "stages": stages, "lost": lost, "points": 10.0, "most": 15, "status": "graded"}
    row |= {"problem": "", "remarks": [], "late": "", "program": "player.py", "runs": "python3"}
    tests = results_value(row)["tests"]
    assert [(test["score"], test["output"]) for test in tests] == [(10.0, "no points lost"), (0.0, "-5: out of time")]


def test_the_templates_are_written_once(place, capsys):
    assert main(["grade-class", "--templates", "made", "--games", "4", "--stage", "1"]) == 0
    made = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert len(made) == 4 and all("--games 4" in path.read_text() for path in made[1:3])
    for script in made[:2]:
        assert os.access(script, os.X_OK)
        assert subprocess.run(["bash", "-n", str(script)]).returncode == 0
    words = made[3].read_text().splitlines()[-1].removeprefix("CMD ")
    assert "--stage" in json.loads(words) and "4" in json.loads(words)
    assert main(["grade-class", "--templates", "made"]) == 2
    assert "made/gradescope/setup.sh exists; name another folder" in capsys.readouterr().err


def start(*words: str) -> subprocess.Popen:
    """Start `littlego grade-class` in the current folder, in a new session."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "XDG_CACHE_HOME": os.path.abspath("cache")}
    command = [sys.executable, "-m", "littlego", "grade-class", "class", *words]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True)


def kept_games(folder: str) -> int:
    return sum(path.read_bytes().count(b"\n") for path in Path(folder).glob("games/*"))


def kill_after(more: int, *words: str) -> None:
    """Start the command, and kill all its processes when they have saved `more` further games."""
    before = kept_games("grades")
    running = start(*words)
    try:
        while running.poll() is None and kept_games("grades") < before + more:
            time.sleep(0.02)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


@pytest.mark.slow  # slow: plays the class twice, in processes
def test_a_class_killed_three_times_has_the_same_table(place):
    for name, text in (("ada", LONGER), ("ben", FIRST_FREE), ("cleo", BROKEN), ("dan", PASSES)):
        submit(name, text)
    assert main(["grade-class", "class", *FEW, "-o", "whole"]) == 0
    for _ in range(3):
        kill_after(5, *FEW, "--jobs", "2")
    assert main(["grade-class", "class", *FEW]) == 0
    assert rows() == rows("whole")


@pytest.mark.slow  # slow: plays the class twice, and starts a cluster
def test_a_cluster_gives_the_same_points(place):
    submit("ada", LONGER)
    submit("ben", FIRST_FREE)
    with zipfile.ZipFile("class/cleo.zip", "w") as made:
        made.writestr("my_player3.py", PASSES)
    assert main(["grade-class", "class", *FEW]) == 0
    cluster = Cluster(1)
    try:
        assert main(["grade-class", "class", *FEW, "-o", "far", "--scheduler", cluster.address]) == 0
    finally:
        cluster.close()
    assert rows("far") == rows()


@pytest.mark.slow
def test_thirty_submissions_killed_three_times_and_on_a_cluster(place):
    write_class(Path("class"))
    assert main(["grade-class", "class", *FEW, "-o", "whole", "--jobs", "2"]) == 1
    table = rows("whole")
    assert len(table) == 30 and {name for name, row in table.items() if row["status"] != "graded"} == NOT_GRADED
    for _ in range(3):
        kill_after(12, *FEW, "--jobs", "2")
    assert main(["grade-class", "class", *FEW, "--jobs", "2"]) == 1 and rows() == table
    cluster = Cluster(2)
    try:
        assert main(["grade-class", "class", *FEW, "-o", "far", "--scheduler", cluster.address]) == 1
    finally:
        cluster.close()
    assert rows("far") == table


@pytest.mark.parametrize(
    "why",
    ["used 10.41 s of CPU time; the limit is 10 s", "used up its CPU time; the limit is 10 s (stopped at 9.99 s)"],
)
def test_a_reason_does_not_depend_on_the_measured_time(why):
    plan = plan_games(1, (1,), 2, 0)
    lost = [outcome(game, game.index == 0, fault=True, record={"why": f"White lost: {why}"}) for game in plan]
    reasons = [part["reason"] for part in rows_module.lost_points(best(marks(plan, lost)), lost)]
    assert reasons[0] == "-25: won 1 of 2; lost 1 through a fault: used more CPU time than 10 s"


@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
def test_a_compiler_s_error_names_no_folder_of_the_teacher(place):
    submit("ada", CPP.replace("return 0;", "return nothing;"), "my_player.cpp")
    assert main(["grade-class", "class", *FEW]) == 1
    row = rows()["ada"]
    assert row["status"] == "not graded" and str(place) not in row["reason"]
    assert (
        row["reason"].startswith("my_player.cpp does not compile: g++")
        and "‘nothing’ was not declared" in row["reason"]
    )
