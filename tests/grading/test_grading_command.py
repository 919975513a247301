"""Tests of `littlego grade` from end to end: reports, exit statuses, resuming, and invalid arguments."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from bubblewrap import needs_bubblewrap
from graded_games import FLAWLESS, STAGE_1, outcome, outcomes, with_moves
from student_programs import FIRST_FREE, PASSES, SLOW

from littlego import cache
from littlego.cli.main import main
from littlego.grading import cli
from littlego.grading import marks as marking
from littlego.grading.games import plan_games
from littlego.grading.report import Grading, format_grading, grading_value
from littlego.match import student_programs as programs
from littlego.match.student_programs import Program
from littlego.sandbox import workfolder

FEW = ["--stage", "1", "--games", "2", "--repetitions", "1", "--jobs", "1"]
PROGRAM = Program("theirs", "my_player3.py", "/cache/abc", (), "Python 3.7", ("player.h",), ("a remark",))


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    """Return a function that creates a folder with a my_player3.py below the current folder."""
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "cache")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    monkeypatch.chdir(tmp_path)

    def make(text):
        programs._make_program.cache_clear()
        (tmp_path / "theirs").mkdir(exist_ok=True)
        (tmp_path / "theirs" / "my_player3.py").write_text(text)
        return "theirs"

    return make


def test_a_weak_program_loses_and_every_loss_can_be_played_again(theirs, capsys, tmp_path):
    assert main(["grade", theirs(FIRST_FREE), *FEW, "--json", "g.json", "--sgf", "lost"]) == 1
    shown = capsys.readouterr().out
    graded = json.loads((tmp_path / "g.json").read_text())
    assert graded["points"] < 90 and graded["best"] == 1 and graded["complete"]
    lost = [found["record"] for found in graded["outcomes"] if not found["won"]]
    assert f"Games not won: {len(lost)}." in shown and len(list((tmp_path / "lost").iterdir())) == len(lost)
    record = next(record for record in lost if record["black"] == "folder:theirs")
    command = f"  littlego play --black folder:theirs --white {record['white']} --seed SEED\n"
    assert f"    SEED {record['seed']} " in shown.split(command)[1]
    again = ["--black", "folder:theirs", "--white", record["white"], "--seed", str(record["seed"])]
    assert main(["play", "--brief", *again, "--json", "again.json"]) == 0
    moves = [[move["move"] for move in game["moves"]] for game in (json.loads(Path("again.json").read_text()), record)]
    assert moves[0] == moves[1]


def test_a_slow_program_loses_its_points_to_time(theirs, capsys):
    """Every move takes 0.12 s, which `--factor 100` counts as 12 s, so the program loses every game."""
    assert main(["grade", theirs(SLOW), *FEW, "--factor", "100"]) == 1
    shown = capsys.readouterr().out
    assert re.search(r"^total +0 of 90$", shown, re.M)
    assert "     8  used more CPU time than 10 s" in shown
    assert "littlego play --black folder:slower=100:theirs --white random --seed SEED" in shown


def test_a_stage_out_of_time_is_left_where_that_is_asked_for(theirs, capsys, monkeypatch):
    monkeypatch.setattr(marking, "SECONDS_A_GAME", 1e-6)  # shorter than any program's first game
    assert main(["grade", theirs(PASSES), *FEW, "--stop-late", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert len(found["outcomes"]) == 1 and found["complete"]
    assert main(["grade", theirs(PASSES), *FEW, "--json"]) == 1
    assert len(json.loads(capsys.readouterr().out)["outcomes"]) == 8


def test_once_its_turns_have_taken_all_of_the_time_the_rest_is_lost_and_told(theirs, capsys):
    command = ["grade", theirs(FIRST_FREE), *FEW, "--time-limit", "0.001", "--keep", "kept"]
    assert main([*command, "--json", "g.json"]) == 1
    shown = capsys.readouterr().out
    graded = json.loads(Path("g.json").read_text())["outcomes"]
    lost = [game for game in graded if not game["seconds"]]
    assert len(graded) == 8 and len(lost) == 7 and all(game["fault"] and not game["won"] for game in lost)
    assert "the program's earlier turns took more than 0.001 s of wall time" in shown
    assert main(command) == 1 and capsys.readouterr().out == shown  # from the file


@pytest.mark.parametrize(
    ("mode", "held"), [("none", "no sandbox, "), pytest.param("bwrap", "bubblewrap, ", marks=needs_bubblewrap)]
)
def test_what_held_the_program_is_told(theirs, capsys, mode, held):
    assert main(["grade", theirs(PASSES), *FEW, "--sandbox", mode, "--json", "g.json"]) == 0
    said = capsys.readouterr()
    assert f"  isolation: {held}" in said.out and "(8 games)" in said.out
    assert ("littlego: no sandbox: --sandbox none" in said.err) == (mode == "none")
    [(how, games)] = json.loads(Path("g.json").read_text())["held"].items()
    assert how.startswith(held) and games == 8


@needs_bubblewrap
def test_a_program_cannot_rewrite_its_marks(theirs, capsys, tmp_path):
    text = (
        PASSES
        + """
import glob, os
for path in glob.glob('/proc/[0-9]*/fd/*') + glob.glob('ROOT/**', recursive=True):
    try:
        if os.path.isfile(path) and b'littlego grade' in open(path, 'rb').read(100):
            data = open(path, 'rb').read().replace(b'false', b'true')
            open(path, 'r+b').write(data)
    except OSError:
        pass
"""
    )
    command = ["grade", theirs(text.replace("ROOT", str(tmp_path))), *FEW, "--keep", "kept", "--json"]
    for _ in range(2):  # the second run reads the games from the file
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)["points"] == 0


def test_games_kept_before_programs_were_held_are_still_read(theirs, capsys):
    command = ["grade", theirs(PASSES), *FEW, "--keep", "kept"]
    assert main(command) == 0
    head, *games, _ = (json.loads(line)[1] for line in Path("kept").read_text().splitlines())
    old = [{**head, "format": "littlego grade 1"}, *(game[:10] for game in games)]
    for game in old[1:]:
        del game[-1]["held"]
    Path("kept").write_text("".join(json.dumps(line) + "\n" for line in old))
    capsys.readouterr()
    assert main(command) == 0
    assert "isolation: not recorded (8 games)" in capsys.readouterr().out


def test_a_program_that_fills_its_folder_begins_anew_in_the_next_game(theirs, capsys, monkeypatch):
    monkeypatch.setattr(workfolder, "FILES", 20)
    text = "import os\nif len(os.listdir('.')) > 4: raise SystemExit\n"
    text += "for number in range(30): open('n%d' % number, 'w').close()\n" + PASSES
    assert main(["grade", theirs(text), *FEW]) == 1
    assert "     8  has filled its work folder with more than 20 files" in capsys.readouterr().out


def test_a_tree_that_is_too_deep_for_others_leaves_nothing(theirs, capsys):
    text = "import os\ntop = os.open('.', os.O_RDONLY)\n"
    text += "for _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\nos.fchdir(top)\n" + PASSES
    assert main(["grade", theirs(text), *FEW[:-2], "--stop-late", "--jobs", "1"]) == 1
    assert os.listdir(tempfile.gettempdir()) == []


def test_two_jobs_play_the_same_games(theirs, capsys):
    found = []
    for jobs in ("1", "2"):
        assert main(["grade", theirs(FIRST_FREE), *FEW, "--jobs", jobs, "--json"]) == 1
        found.append([game["record"] for game in json.loads(capsys.readouterr().out)["outcomes"]])
        for record in found[-1]:
            for move in record["moves"]:
                del move["cpu"]
    assert found[0] == found[1] and len(found[0]) == 8
    assert not os.listdir(tempfile.gettempdir())


def test_an_interrupted_grading_tells_what_is_known_and_goes_on(theirs, capsys, monkeypatch):
    played = []

    def three(task):
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(task.game)
        return with_moves(outcome(task.game))

    monkeypatch.setattr(cli, "play", three)
    command = ["grade", theirs(PASSES), *FEW, "--keep", "kept"]
    assert main(command) == 130
    shown = capsys.readouterr()
    assert "interrupted after 3 of 8 games" in shown.err
    assert "One repetition (so far: games are missing)" in shown.out and "50 of 90" in shown.out
    first, played[:] = list(played), []
    monkeypatch.setattr(cli, "play", lambda task: played.append(task.game) or with_moves(outcome(task.game)))
    assert main(command) == 0
    assert first + played == plan_games(1, [1], 2, 0)
    shown = capsys.readouterr()
    assert re.search(r"^total +90 of 90$", shown.out, re.M)
    sealed = re.search(r"^kept: 8 games, sealed with digest [0-9a-f]{32}$", shown.err, re.M)[0]
    assert main(command) == 0 and sealed in capsys.readouterr().err  # no games are left to play


def test_an_outcome_that_was_changed_is_refused(theirs, capsys, monkeypatch):
    monkeypatch.setattr(cli, "play", lambda task: with_moves(outcome(task.game, won=False)))
    command = ["grade", theirs(PASSES), *FEW, "--keep", "kept"]
    assert main(command) == 0
    kept = Path("kept").read_text()
    Path("kept").write_text(kept.replace("false, false, false, false", "true, false, false, false", 1))
    changed = Path("kept").read_text()
    assert changed != kept and main(command) == 2 and Path("kept").read_text() == changed
    assert (
        "littlego: kept:2: damaged: this line or an earlier line does not match its digest" in capsys.readouterr().err
    )


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_who_is_asked_to_end_leaves_neither_folders_nor_processes(theirs, tmp_path, number):
    environment = {**os.environ, "TMPDIR": str(tmp_path / "scratch"), "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    command = [sys.executable, "-m", "littlego", "grade", theirs(SLOW), "--stage", "1", "--jobs", "2", "--keep", "kept"]
    running = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # the tests may run under nohup
    )
    while running.poll() is None and not (os.path.exists("kept") and Path("kept").read_text().count("\n") > 2):
        time.sleep(0.01)
    os.killpg(running.pid, number)  # as a terminal does
    try:
        shown, errors = running.communicate(timeout=120)
    finally:  # without this, other tests would see these processes
        running.kill()
    assert running.returncode == 128 + number, errors
    assert number != signal.SIGINT or "games are missing" in shown and "interrupted after" in errors
    assert not os.listdir(tmp_path / "scratch")


def test_a_process_that_is_killed_is_one_line_and_its_games_are_kept(theirs, capsys, monkeypatch):
    def killed(function, items, jobs):
        for item in [next(iter(items))]:
            yield item, outcome(item.game)
        raise BrokenProcessPool("A process in the process pool was terminated abruptly")

    monkeypatch.setattr(cli, "each", killed)
    assert main(["grade", theirs(PASSES), *FEW, "--keep", "kept"]) == 2
    assert capsys.readouterr().err.startswith("littlego: a process was killed, perhaps because memory ran out")
    assert len(Path("kept").read_text().splitlines()) == 2


WRONG = [
    (["grade", "nowhere"], "there is no folder or program nowhere"),
    (["grade", "."], "the folder . contains no program that the course runs"),
    (["grade", "theirs", "--keep", "theirs/my_player3.py"], "does not contain graded games"),
    (["grade", "theirs", "--keep", "no/games"], "cannot write no/games: No such file or directory"),
    (["grade", "theirs", "--sgf", "no/games"], "cannot write the games to no/games: No such file or directory"),
    (["grade", "theirs", "--sgf", "theirs/my_player3.py"], "cannot write the games to theirs/my_player3.py: File exi"),
    (["grade", "theirs", "--sgf", "/proc/self"], "cannot write the games to /proc/self: "),
    (["grade", "theirs", "--json", "no/g.json"], "cannot write no/g.json: No such file or directory"),
]


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_what_cannot_be_graded_is_one_line_and_status_2_before_any_game(theirs, args, message, capsys, monkeypatch):
    monkeypatch.setattr(cli, "play", None)
    theirs(PASSES)
    assert main(args) == 2
    told = capsys.readouterr().err
    assert message in told and told.count("\n") == 1
    assert Path("theirs/my_player3.py").read_text() == PASSES


@pytest.mark.parametrize(
    "words",
    [
        ["--games", "3"],
        ["--games", "102"],
        ["--factor", "0"],
        ["--factor", "nan"],
        ["--factor", "inf"],
        ["--repetitions", "0"],
        ["--stage", "3"],
    ],
)
def test_wrong_options_are_wrong_usage(words, capsys):
    assert main(["grade", *words]) == 2
    said = capsys.readouterr().err
    assert said.startswith("Usage: littlego grade ") and f"Invalid value for '{words[0]}'" in said


def test_help_tells_the_exit_status(capsys):
    assert main(["grade", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Exit status: 0 if the program was graded without a fault; 1 if " in shown


def grading(played, repetitions=1, factor=1.0, plan=None):
    plan = plan or plan_games(repetitions, (1, 2), 20, 0)
    return Grading(PROGRAM, "folder:theirs", factor, 20, marking.marks(plan, played), played)


def test_the_report_of_a_whole_grading():
    played = outcomes({**FLAWLESS, **STAGE_1}) + outcomes({**FLAWLESS, "championship": 5}, 2)
    lines = format_grading(grading(played, 2)).splitlines()
    assert lines[:3] == [
        "theirs/my_player3.py, run by Python 3.7",
        "  a remark",
        "  left out, because only plain files of known types are copied: player.h",
    ]
    table = lines.index("Repetition 2, the best of 2")
    assert (
        lines[table + 2 : table + 14]
        == """\
                      won as Black  as White     rate      points          CPU s
--------------------------------------------------------------------------------
stage 1 random            10 of 10  10 of 10     100%    25 of 25           10.0
        greedy            10 of 10  10 of 10     100%    25 of 25           10.0
        aggressive        10 of 10  10 of 10     100%    25 of 25           10.0
        alphabeta         10 of 10  10 of 10     100%    15 of 15           10.0
        together                                         90 of 90    40 of 7,200
--------------------------------------------------------------------------------
stage 2 qlearning         10 of 10  10 of 10     100%      5 of 5           10.0
        championship       3 of 10   2 of 10      25%    0.5 of 5           10.0
        together                                        5.5 of 10    20 of 3,600
--------------------------------------------------------------------------------""".splitlines()
    )
    assert "The other repetitions: 1: 63.75 of 100." in lines
    assert "With the best result of each stage: 100." in lines
    assert "  stage 2, 20 games: 6 of 10 points, 10 of 1,800 CPU s" in lines
    assert max(map(len, lines)) <= 80


def test_the_report_says_what_time_has_cost():
    shown = format_grading(grading(outcomes({**FLAWLESS}, seconds=91.0), factor=3.0))
    assert "out of time: all points of the stage are lost (90 without the limit)" in shown
    assert "stage 1, 60 games: 0 of 75 points, 5,460 of 5,400 CPU s: out of time" in shown
    assert "slowest 91.0 s" in shown and "3 times the measured seconds" in shown


def test_the_report_counts_faults_without_their_numbers():
    games = plan_games(1, (1,), 20, 0)
    whys = [f"Black lost: illegal move {k},0: it is suicide" for k in range(3)]
    whys += [f"White lost: used 1{k}.25 s of CPU time; the limit is 10 s" for k in range(2)]
    played = [
        outcome(game, False, fault=True, record={"why": why, "lead": 0.0, "moves": []}, left=["a.dat"])
        for game, why in zip(games, whys, strict=False)
    ]
    warnings = [f"output.txt contains '{move}\\r\\n' where the handout requires '{move}'" for move in ("2,2", "0,4")]
    played += [outcome(games[5], True, failed=True, notes=["exit status 1"], warnings=warnings)]
    shown = format_grading(grading(played, plan=games))
    for line in (
        "     3  illegal move i,j: it is suicide",
        "     2  used more CPU time than 10 s",
        "     5  a.dat",
        "Games won through a fault of the role:",
        "     1  exit status 1",
        r"     2  output.txt contains 'i,j\r\n' where the handout requires 'i,j'",
    ):
        assert line in shown.splitlines()


def test_the_value_for_json_holds_the_marks():
    found = grading_value(grading(outcomes({**FLAWLESS, **STAGE_1})))
    assert (found["points"], found["most"], found["complete"]) == (63.75, 100, True)
    stage = found["repetitions"][0]["grading"][0]
    assert (stage["points"], stage["limit"], stage["late"]) == (53.75, 7200, False)
    assert stage["roles"][3]["black"] == {"wins": 6, "games": 10}
    assert found["outcomes"][0]["game"]["seed"] == 1000
    json.dumps(found)
