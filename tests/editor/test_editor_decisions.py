"""Tests that the board view shows the same values as the commands' --json."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from functools import cache

import pytest
from knowledge_files import ROOT, YAML
from studio_server import SMALL

from littlego.cli.main import main
from littlego.editor.methods import JOBS, Refusal, answer, load_answers
from littlego.editor.positions import explain_command, position_text, read_position
from littlego.editor.session import Session, Snapshot
from littlego.knowledge.examples import point_name
from littlego.records.recorded_games import recorded_positions

MATCH_YAML = ROOT / "patterns.match.yaml"
CUT = "...../..OX./.OXX./..O../....."
LATE = "X.XOO/XXOO./.XXO./XXO.O/.X.O. black left=6"
RECORDED = 500


@cache
def session_of(path):
    session = Session()
    session.take(Snapshot(1, path.read_text(), path.name, str(path)))
    return session


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Enter the folder of the player's patterns, and return an empty folder for drawn boards."""
    monkeypatch.chdir(ROOT)
    return tmp_path


def command_json(capsys, folder, name, text, *options):
    """Return the JSON that a command prints about a position."""
    rows, *words = text.split()
    fields = dict(word.split("=") for word in words if "=" in word)
    arguments = [name, drawn(folder / "board.txt", rows), "--colour", "white" if "white" in words else "black"]
    if "left" in fields:
        arguments += ["--left", fields["left"]]
    if "previous" in fields:
        arguments += ["--previous", drawn(folder / "previous.txt", fields["previous"])]
    if fields.get("ruleset") == "match":
        arguments += ["--ruleset", "match"]
    capsys.readouterr()
    assert main([*arguments, *options, "--json", "-"]) in (0, 1)
    return json.loads(capsys.readouterr().out)


def drawn(path, rows):
    path.write_text("\n".join(" ".join(row) for row in rows.split("/")) + "\n")
    return str(path)


def assert_same(capsys, here, path, position):
    text = position_text(position)
    found = answer(session_of(path), "decision", {"position": text})
    expected = command_json(capsys, here, "explain", text, "-f", path.name)
    is_on_record = "refutation" in expected
    # the refutation needs the solver, which is too slow to run at each click in the page
    expected.pop("refutation", None)
    assert found["explain"] == expected and (found["overruled"] is not None) == is_on_record, text
    assert [one["move"] for one in found["moves"]] == [one["move"].lower() for one in found["explain"]["candidates"]]


def examples_of(path):
    patterns = session_of(path).base().patterns
    examples = [example for pattern in patterns for example in pattern.examples]
    known = [one for one in examples if (one.prisoners, one.last, one.own_last) == (None,) * 3]  # fit a drawing
    positions = [one.position() for one in known]
    # a drawing cannot state another komi or a pass either
    return [one for one in positions if explain_command(one, path.name)]


def test_decisions_of_examples_are_the_commands(here, capsys):
    for position in examples_of(YAML)[::150]:
        assert_same(capsys, here, YAML, position)


def test_decisions_of_recorded_positions_are_the_commands(here, capsys):
    for position in recorded_positions()[:: 3223 // 12]:
        assert_same(capsys, here, YAML, position)


@pytest.mark.slow
@pytest.mark.parametrize("path", [YAML, MATCH_YAML], ids=["little-go", "match"])
def test_decisions_of_all_examples_are_the_commands(here, capsys, path):
    for position in examples_of(path):
        assert_same(capsys, here, path, position)


@pytest.mark.slow
def test_decisions_of_five_hundred_recorded_positions_are_the_commands(here, capsys):
    positions = recorded_positions()
    for position in positions[:: len(positions) // RECORDED][:RECORDED]:
        assert_same(capsys, here, YAML, position)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Return a session of a small patterns file; other.yaml beside it lowers a pattern's priority."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(SMALL, "patterns.yaml")
    text = SMALL.read_text()
    (tmp_path / "other.yaml").write_text(text.replace("priority: 950", "priority: 10", 1))
    return session_of.__wrapped__(tmp_path / "patterns.yaml")


@pytest.mark.parametrize("move", ["0,0", "1,1", "2,2", "pass"])
def test_why_not_is_the_commands(small, tmp_path, capsys, move):
    found = answer(small, "why_not", {"position": f"{CUT} white left=17", "move": move, "most": 4})
    options = ["-f", "patterns.yaml", "--why-not", move, "--most", "4"]
    assert found["explain"] == command_json(capsys, tmp_path, "explain", f"{CUT} white left=17", *options)


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ({"without": ["take-the-last-liberty"]}, ["--without", "take-the-last-liberty"]),
        ({"file": "other.yaml"}, ["--what-if", "other.yaml"]),
        (
            {"file": "other.yaml", "without": ["open-in-the-centre"]},
            ["--what-if", "other.yaml", "--without", "open-in-the-centre"],
        ),
    ],
)
def test_what_if_is_the_commands(small, tmp_path, capsys, asked, options):
    text = "OX.../...../...../...../..... black left=22"
    found = answer(small, "what_if", {"position": text, **asked})
    assert found["explain"] == command_json(capsys, tmp_path, "explain", text, "-f", "patterns.yaml", *options)
    assert found["moved"] == found["explain"]["what_if"]["moved"]


@pytest.mark.parametrize(
    "asked", [{}, {"file": "../patterns.yaml"}, {"file": "none.yaml"}, {"file": "patterns.txt"}, {"without": ["none"]}]
)
def test_what_if_refuses_what_is_not_there(small, asked):
    with pytest.raises(Refusal, match="expected|no pattern"):
        answer(small, "what_if", {"position": CUT, **asked})


def test_the_command_of_an_answer_does_the_same(small, tmp_path):
    text = "X.O../.XO../..XO./...../..... white left=17 previous=X.O../.XO../...O./...../....."
    found = answer(small, "decision", {"position": text})
    line = found["command"].replace("littlego", f"{sys.executable} -m littlego", 1) + " --json -"
    run = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, capture_output=True
    )
    assert json.loads(run.stdout) == found["explain"], run.stderr


def test_a_candidate_lights_the_cells_of_its_pattern_and_names_the_reply():
    moves = answer(session_of(YAML), "decision", {"position": f"{CUT} black left=18"})["moves"]
    corner = next(one for one in moves if one["move"] == "0,0")
    assert (
        corner["kind"] == "vetoed"
        and corner["reply"] == "0,1"
        and "0,1 puts 1 stone beyond rescue" in corner["verdict"]
    )
    assert moves[0]["kind"] == "chosen" and any(len(one["cells"]) > 1 for one in moves[0]["firings"])
    assert {fired["when"] for one in moves for fired in one["firings"]} >= {"", "with 13 or more left"}
    assert all(
        0 <= int(n) < 5 for one in moves for fired in one["firings"] for at in fired["cells"] for n in at.split(",")
    )


def test_a_position_of_another_game_is_decided_by_our_patterns_for_it():
    match = position_text(read_position("/".join(["." * 9] * 9), "match"))
    found = answer(session_of(YAML), "decision", {"position": match})
    assert (found["patterns"], found["own"]) == ("patterns.match.yaml", False)
    own = answer(session_of(YAML), "decision", {"position": CUT})
    assert (own["patterns"], own["own"]) == ("patterns.yaml", True)


def test_exact_values_are_those_of_solve(here, capsys):
    found = answer(session_of(YAML), "exact", {"position": LATE})
    told = command_json(capsys, here, "solve", LATE, "--moves", "--lead")["positions"][0]
    assert found["winner"] == told["winner"].lower()
    assert {one["move"] for one in found["values"] if one["wins"]} == {one.lower() for one in told["winning"]}
    assert len(found["values"]) == told["legal"]
    assert found["best"] == told["lead"] - 2.5
    costs = [one["cost"] for one in found["values"]]
    assert min(costs) == 0 and all(cost >= 0 for cost in costs) and max(costs) > 0


def test_more_moves_left_than_the_limit_are_solved_only_when_asked():
    session = session_of(YAML)
    found = answer(session, "exact", {"position": f"{CUT} black left=18"})
    assert not found["known"] and found["deep"] and "18 moves are left" in found["why"] and found["limit"] == 14
    match = answer(session, "exact", {"position": "/".join(["." * 9] * 9) + " ruleset=match"})
    assert not match["known"] and not match["deep"]


def test_the_job_tells_each_value_as_it_is_known():
    load_answers()
    session, events = session_of(YAML), []
    work = JOBS["solve"].function(session, position=LATE, leads=True)
    while True:
        try:
            events.append(next(work))
        except StopIteration as end:
            whole = end.value
            break
    told = [event["result"] for event in events if "result" in event]
    direct = answer(session, "exact", {"position": LATE})
    assert whole["values"] == direct["values"] and whole["winner"] == direct["winner"]
    assert [one["move"] for one in told] == [one["move"] for one in direct["values"]]
    assert sum("progress" in event for event in events) == len(told)


def test_a_move_that_needs_no_pattern_is_said_to_need_none(capsys, here):
    """Without these words, the listed points of a pattern would suggest that the move needs the pattern."""
    board = "..X.O/..XOX/O.XXX/.O.../..OO. black left=12"
    said = answer(session_of(SMALL), "decision", {"position": board})["said"]
    words = "captures and liberties alone would choose this move, too; patterns only increase the margin over 3,4: "
    assert said.startswith(f"0,3 rather than 3,4: {words}take-the-last")
    rows, *_ = board.split()
    drawn_board = drawn(here / "board.txt", rows)
    assert main(["explain", drawn_board, "--left", "12", "-f", str(SMALL)]) == 0
    assert words in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("path", "found"), [(YAML, "throw-in-on-the-edge"), (SMALL, "largest-capture-first")])
def test_the_first_pattern_has_stones_and_decides_on_its_own_example(path, found):
    session = session_of(path)
    assert answer(session, "first_pattern", {}) == {"pattern": found}
    example = next(one for one in session.base().patterns if one.id == found).examples[0]
    told = answer(session, "decision", {"position": position_text(example.position())})
    assert told["chosen"] == point_name(example.move, 5) and f"{found} " in told["said"]


def test_a_file_without_patterns_has_no_first_pattern():
    session = Session()
    session.take(Snapshot(1, "ruleset: little-go\npatterns: []\n", "patterns.yaml"))
    assert answer(session, "first_pattern", {}) == {"pattern": ""}


def test_a_hint_says_the_sentence_before_the_patterns():
    found = answer(session_of(YAML), "hint", {"position": CUT})
    assert found["said"].startswith(f"{found['move']}: ") and found["said"].endswith(".")
    assert found["patterns"].startswith(f"{found['move']} rather than ") and " +" in found["patterns"]
