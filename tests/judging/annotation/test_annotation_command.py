"""Tests of `littlego annotate`: accepted inputs, output files, and refused inputs."""

from __future__ import annotations

import io
import json

import pytest
from sgfmill.sgf import Sgf_game

from littlego.cli.main import main
from littlego.games.vertices import with_vertices
from littlego.paths import MATCH_YAML
from littlego.records.main_line import game_sgf
from littlego.records.sgf import read_games

GAME = "(;SZ[5];B[cc];W[cb];B[bb];W[dd])"
MATCH = "(;SZ[7]KM[6,5];B[dd]C[by anna [3d]];W[cc];B[tt];W[])"
LOG = {
    "initialState": {
        "board": 7,
        "players": {letter: {"remainingTime": 60_000, "prisoners": 0} for letter in "BW"},
        "turn": "B",
    },
    "moveLog": [
        {"move": {"type": "place", "point": {"row": 3, "column": 3}}, "deltaTime": 1500},
        {"move": {"type": "pass"}, "deltaTime": 250},
    ],
    "komi": 6.5,
    "ko": False,
    "superko": True,
    "passAddsToPrisoners": False,
    "scoringMethod": "area",
    "prisonerScore": 1,
    "names": {"B": "Ada", "W": "Bob"},
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.sgf").write_text(GAME)
    return tmp_path


def test_the_game_stays_and_a_new_file_holds_the_notes(folder, capsys):
    assert main(["annotate", "game.sgf"]) == 0
    assert capsys.readouterr().out == "game.annotated.sgf: 4 moves annotated\n"
    assert (folder / "game.sgf").read_text() == GAME
    nodes = Sgf_game.from_bytes((folder / "game.annotated.sgf").read_bytes()).get_main_sequence()
    assert "Candidates of Black" in nodes[0].get("C") and nodes[0].has_property("LB")
    assert nodes[1].get("C").splitlines()[0] == "{littlego}"


def test_in_place_twice_gives_the_same_bytes(folder):
    assert main(["annotate", "game.sgf", "--in-place"]) == 0
    once = (folder / "game.sgf").read_bytes()
    assert b"LGAN" in once and main(["annotate", "game.sgf", "--in-place"]) == 0
    assert (folder / "game.sgf").read_bytes() == once
    assert [path.name for path in folder.iterdir()] == ["game.sgf"]


@pytest.mark.parametrize("points", ["rows and columns", "vertices"])
def test_a_reason_that_stands_in_the_game_is_not_said_again(folder, points):
    assert (
        main(["play", "--black", "ours", "--white", "random", "--brief", "--json", "play.json", "--sgf", "own.sgf"])
        == 0
    )
    text = (folder / "own.sgf").read_text()
    if points == "rows and columns":  # the format of versions up to 0.1
        reasons = [move.get("reason", "") for move in json.loads((folder / "play.json").read_text())["moves"]]
        for reason in filter(None, reasons):
            text = text.replace(with_vertices(reason, 5), reason)
        (folder / "own.sgf").write_text(text)
    assert ("2,2" in text) == (points == "rows and columns")
    assert main(["annotate", "own.sgf", "--moves", "1", "--exact", "0", "--in-place"]) == 0
    first = list(read_games((folder / "own.sgf").read_text())[0].main_line())[1]
    assert first.properties["N"] and "Our move too" not in first.text("C")


@pytest.mark.parametrize(("moves", "noted"), [("2-3", [2, 3]), ("4", [4]), ("3-", [3, 4]), ("-1", [1])])
def test_some_moves_alone(folder, moves, noted):
    assert main(["annotate", "game.sgf", "--moves", moves, "-o", "some.sgf"]) == 0
    nodes = list(read_games((folder / "some.sgf").read_text())[0].main_line())
    said = [number for number, node in enumerate(nodes) if "Our" in node.text("C")]
    assert said == noted


def test_a_match_ends_with_its_territory(folder):
    (folder / "match.sgf").write_text(MATCH)
    assert main(["annotate", "match.sgf", "-o", "out.sgf", "--moves", "4"]) == 0
    last = list(read_games((folder / "out.sgf").read_text())[0].main_line())[-1]
    assert "Score: Black stones 1, territory 0, prisoners 0; White stones 1" in last.text("C")
    assert main(["annotate", "match.sgf", "-o", "out.sgf", "--moves", "4", "--ruleset", "match"]) == 0
    last = list(read_games((folder / "out.sgf").read_text())[0].main_line())[-1]
    assert "Score: Black stones 1, territory 0, prisoners 1" in last.text("C")
    assert "by anna \\[3d\\]" not in (folder / "out.sgf").read_text()
    assert list(read_games((folder / "out.sgf").read_text())[0].main_line())[1].text("C") == "by anna [3d]"


def test_territory_is_marked(folder):
    (folder / "one.sgf").write_text("(;SZ[7];B[dd];W[];B[])")
    assert main(["annotate", "one.sgf", "-o", "out.sgf", "--moves", "3"]) == 0
    last = list(read_games((folder / "out.sgf").read_text())[0].main_line())[-1]
    assert len(last.properties["TB"]) == 48 and "TW" not in last.properties


def test_a_game_as_json(folder):
    assert main(["play", "--black", "greedy", "--white", "random", "--brief", "--json", "game.json"]) == 0
    assert main(["annotate", "game.json", "--moves", "1-2"]) == 0
    root = read_games((folder / "game.annotated.sgf").read_text())[0]
    assert (root.text("PB"), root.text("RU")) == ("greedy", "little-go") and "LB" in root.properties


def test_a_move_log(folder):
    (folder / "log.json").write_text(json.dumps(LOG))
    assert main(["annotate", "log.json", "-o", "out.sgf"]) == 0
    root = read_games((folder / "out.sgf").read_text())[0]
    nodes = list(root.main_line())
    assert (root.text("PB"), root.text("PW"), root.text("RU")) == ("Ada", "Bob", "match-7-no-pass-stones")
    assert "RE" not in root.properties and root.text("TM") == "60"
    assert [node.text("BL") + node.text("WL") for node in nodes[1:3]] == ["58.500", "59.750"]
    assert "refutes pass" in nodes[3].text("C") and len(nodes) == 4  # White is behind by the scoring rules of the match


ENDINGS = {
    "resign": ("W", [], "W+R", "Black resigned"),
    "timeout": ("W", [], "W+T", "Black lost: its time is up"),
    "pass": (".", [{"move": {"type": "pass"}, "deltaTime": 5}], "B+42.5", "two passes"),
}


@pytest.mark.parametrize("reason", ENDINGS)
def test_a_move_log_says_how_the_match_ended(folder, reason):
    winner, more, result, why = ENDINGS[reason]
    end = {"end": {"reason": reason, "scores": {"B": 49, "W": 6.5}, "winner": winner}, "deltaTime": 10}
    if reason == "pass":
        end["end"]["winner"] = "B"
    (folder / "log.json").write_text(json.dumps({**LOG, "moveLog": [*LOG["moveLog"], *more, end]}))
    assert main(["annotate", "log.json", "-o", "out.sgf", "--moves", "1"]) == 0
    root = read_games((folder / "out.sgf").read_text())[0]
    assert root.text("RE") == result and root.text("GC").endswith(f"End: {why}")


def test_standard_input_goes_to_standard_output(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
    assert main(["annotate", "-", "--moves", "1"]) == 0
    assert read_games(capsys.readouterr().out)[0].children


WRONG = {
    "nothing there": (["annotate", "no.sgf"], "cannot read no.sgf: No such file or directory"),
    "the game itself": (["annotate", "game.sgf", "-o", "game.sgf"], "-o game.sgf is GAME itself; use --in-place"),
    "both": (["annotate", "game.sgf", "-o", "a.sgf", "--in-place"], "--in-place replaces GAME: omit --output"),
    "nowhere": (["annotate", "game.sgf", "-o", "no/a.sgf"], "cannot write no/a.sgf: No such file or directory"),
    "no such moves": (["annotate", "game.sgf", "--moves", "9", "-o", "a.sgf"], "game.sgf: no move to annotate"),
    "the wrong rules": (
        ["annotate", "ours.sgf", "--ruleset", "match"],
        "ours.sgf: its RU property names the rules little-go",
    ),
    "two games": (["annotate", "two.sgf"], "two.sgf: 2 games; expected one game in a file"),
    "no game": (["annotate", "text.txt"], "text.txt: expected an SGF, a game as JSON"),
    "a series": (["annotate", "series.json"], "series.json: a series of games; expected a single game"),
    "a broken log": (["annotate", "log.json"], "log.json: "),
    "annotated already": (
        ["annotate", "own.annotated.sgf"],
        "own.annotated.sgf is already annotated: --in-place replaces",
    ),
    "JSON in place": (["annotate", "play.json", "--in-place"], "--in-place"),
}
FILES = {
    "ours.sgf": "(;SZ[5]RU[little-go];B[cc])",
    "own.annotated.sgf": GAME,
    "two.sgf": GAME * 2,
    "text.txt": "hello",
    "series.json": '{"games": []}',
    "log.json": '{"initialState": 5}',
    "play.json": json.dumps({"ruleset": "little-go", "moves": []}),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_done_is_told_in_a_line_and_changes_nothing(folder, capsys, words, message):
    for name, text in FILES.items():
        (folder / name).write_text(text)
    assert main(words) == 2
    said = [line for line in capsys.readouterr().err.splitlines() if "no patterns.yaml in this folder" not in line]
    assert len(said) == 1 and message in said[0]
    assert {path.name: path.read_text() for path in folder.iterdir()} == {**FILES, "game.sgf": GAME}


READABLE = {
    "an illegal move": (
        "(;SZ[5];B[cc]\n;W[cc])",
        ":2:1: move 2, 2,2: there is a stone already; only the moves before this point are annotated",
        1,
    ),
    "two moves in a node": ("(;SZ[5];B[cc]W[bb])", ":1:8: 2 moves in a node; read one after the other", 2),
    "a move in the root": ("(;SZ[5]B[cc];W[bb])", "", 2),
}


@pytest.mark.parametrize(("text", "warning", "moves"), READABLE.values(), ids=READABLE)
def test_a_game_with_a_fault_is_annotated_as_far_as_it_can_be_read(folder, capsys, text, warning, moves):
    (folder / "faulty.sgf").write_text(text)
    assert main(["annotate", "faulty.sgf"]) == 0
    said = capsys.readouterr()
    assert warning in said.err and f"{moves} moves annotated" in said.out
    written = game_sgf((folder / "faulty.annotated.sgf").read_text())
    assert [one.move for one in written.moves] == [one.move for one in game_sgf(text).moves]


def test_patterns_for_another_game_are_refused_in_a_line(folder, capsys):
    assert main(["annotate", "game.sgf", "-f", str(MATCH_YAML)]) == 2
    told = capsys.readouterr().err
    assert "these patterns are for match, not for little-go" in told and told.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["game.sgf"]


def test_a_file_of_before_is_not_written_over(folder, capsys):
    (folder / "game.annotated.sgf").write_text("mine")
    assert main(["annotate", "game.sgf"]) == 2
    assert "game.annotated.sgf exists: use -o game.annotated.sgf to replace it" in capsys.readouterr().err
    assert (folder / "game.annotated.sgf").read_text() == "mine"


@pytest.mark.parametrize("moves", ["x", "", "5-2", "0", "-"])
def test_moves_that_are_none(capsys, moves):
    assert main(["annotate", "game.sgf", "--moves", moves]) == 2
    assert "expected" in capsys.readouterr().err
