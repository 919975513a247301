"""Tests of `littlego explain` in a match: 19x19, why-not and what-if, and questions that do not apply."""

from __future__ import annotations

import json

import pytest
from knowledge_files import ROOT
from match_patterns import drawn, entry, example, file_of

from littlego.cli.main import main
from littlego.engines.draw.decisions import HEADING, MOST_LINES
from littlego.paths import MATCH_TXT

LOST = ROOT / "docs" / "tutorial" / "lost-to-gnugo.sgf"

HANE = "    points: 60\n    diagram: |\n      * .\n      X O\n"
BOARD = drawn(19, X="3,3 9,9", O="3,4 15,15")
PATTERNS = file_of(
    entry("touch", "    points: 20\n    diagram: |\n      O *\n"),
    entry(
        "hane",
        HANE,
        example(drawn(9, X="3,3", O="3,4"), "move: 2,3"),
        example(drawn(9, X="3,3", O="3,4 2,4"), "move: 2,3"),
    ),
)


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patterns.match.yaml").write_text(PATTERNS, encoding="utf-8")
    (tmp_path / "board.txt").write_text("\n".join(line.strip() for line in BOARD.splitlines()), encoding="utf-8")
    return ["explain", "board.txt", "--ruleset", "match"]


def test_a_decision_on_nineteen_lines(board, capsys):
    assert main(board) == 0
    shown = capsys.readouterr().out
    assert "hane +60" in shown and max(map(len, shown.splitlines())) <= 80
    assert "A B C D E F G H J K L M N O P Q R S T" in shown and "moves left" not in shown.lower()


def test_why_not_another_move(board, capsys):
    assert main([*board, "--why-not", "2,4"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "rather than 2,4" in shown and "hane, at 1,3, half turn" in shown and "instead of" in shown
    assert main([*board, "--why-not", "3,4"]) == 0
    assert "there is a stone already" in capsys.readouterr().out


def test_why_not_asks_the_compiled_patterns_alone(board, tmp_path, capsys):
    asked = [*board, "--why-not", "2,4", "-f"]
    assert main([*asked, "patterns.match.yaml"]) == 0
    told = capsys.readouterr().out
    assert main(["compile", "patterns.match.yaml"]) == 0
    (tmp_path / "patterns.match.txt").rename(tmp_path / "alone.txt")
    capsys.readouterr()
    assert main([*asked, "alone.txt"]) == 0
    assert capsys.readouterr().out == told and "Patterns that do not fire" in told


def test_what_if_a_pattern_were_not_there(board, capsys):
    assert main([*board, "--without", "hane", "--json", "-"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["what_if"]["moved"] and told["position"]["size"] == 19
    fired = [firing["pattern"] for firing in told["candidates"][0]["firings"]]
    assert "hane" in fired


def test_the_board_before_tells_of_a_pass(board, tmp_path, capsys):
    text = (tmp_path / "board.txt").read_text(encoding="utf-8")
    (tmp_path / "before.txt").write_text(text, encoding="utf-8")
    assert main([*board, "--previous", "before.txt", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["position"]["passed"]
    (tmp_path / "before.txt").write_text(text.replace("O", ".", 2), encoding="utf-8")
    assert main([*board, "--previous", "before.txt"]) == 2
    assert "no move of White leads from this board" in capsys.readouterr().err


def test_patterns_of_the_match_decide_no_other_game(board, tmp_path, capsys):
    (tmp_path / "small.txt").write_text("\n".join(["....."] * 5), encoding="utf-8")
    assert main(["explain", "small.txt", "-f", "patterns.match.yaml"]) == 2
    assert "add --ruleset match" in capsys.readouterr().err
    assert main([*board, "--left", "3"]) == 2
    assert "no move limit; omit --left" in capsys.readouterr().err


def test_the_fight_that_a_move_decides_is_shown_move_by_move(capsys):
    game = ["explain", f"{LOST}:22", "-f", str(MATCH_TXT)]
    assert main(game) == 0
    shown = capsys.readouterr().out
    assert "break-the-ladder, save-in-the-fight: after O 1,2 the stone at 1,3" in shown
    assert " ".join(shown.split()).count("X 0,3 O 1,2 X 1,1 O 0,2 X 0,1 captures 3") == 2
    assert main([*game, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)["lines"]
    fight = next(line for line in told if "rescues" in line["facts"])
    assert (fight["first"], fight["point"], fight["stones"]) == ("white", "1,2", ["1,3"])
    assert fight["moves"] == ["PASS", "0,3", "1,2", "1,1", "0,2", "0,1"]


def test_lines_of_play_leave_room_on_a_large_board(capsys):
    for number in range(8, 53, 6):
        assert main(["explain", f"{LOST}:{number}", "-f", str(MATCH_TXT)]) == 0
        below = capsys.readouterr().out.split("\n\n", 1)[1]
        assert len(below.splitlines()) <= MOST_LINES - HEADING
