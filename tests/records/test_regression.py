"""Tests of the reader of GNU Go's regression suites, with suites written here."""

from __future__ import annotations

import json

import pytest

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.games.vertices import parse_vertex
from littlego.records.regression import read_regression
from littlego.rules.position import BLACK, PASS, WHITE

GAME = "(;SZ[7]KM[0.5];B[cc];W[bc];B[bb];W[bd];B[ac])"
SUITE = """# incident 1
loadsgf games/one.sgf 5
1 reg_genmove black
#? [A5]*

loadsgf games/one.sgf
2 reg_genmove white
#? [!A5|PASS]

loadsgf games/one.sgf 3
9 reg_genmove white
8 restricted_genmove white B2
#? [B2]
10 reg_genmove white
#? [B.|pass]
30 attack C3
#? [1 B3]
loadsgf games/one.sgf 2
play black A1
40 reg_genmove white
#? [B2]
loadsgf games/missing.sgf 2
50 reg_genmove white
#? [B2]
loadsgf games/one.sgf 99
60 reg_genmove white
#? [B2]
loadsgf games/one.sgf 2
70 reg_genmove white
#? [(]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.sgf").write_text(GAME)
    (tmp_path / "small.tst").write_text(SUITE)
    return tmp_path


def points(*names):
    return {parse_vertex(name, 7) for name in names}


def test_tests_of_moves_become_problems(folder):
    first, last, turned = read_regression(folder)
    assert [one.id for one in (first, last, turned)] == ["small:1", "small:2", "small:10"]
    assert first.position.colour == BLACK and first.right == points("A5") and not first.wrong
    assert last.position.colour == WHITE and last.position.black.bit_count() == 3  # after the last move
    assert last.wrong == points("A5") | {PASS} and not last.right
    assert last.is_solved_by(*points("B1")) and not last.is_solved_by(PASS)
    assert turned.position.colour == WHITE and turned.position.black.bit_count() == 1  # Black would move in the game
    assert turned.right == points(*(f"B{row}" for row in range(1, 8))) | {PASS}


def test_a_folder_without_tests(tmp_path):
    with pytest.raises(ArgumentError, match="no tests of moves.*the folder `regression`"):
        read_regression(tmp_path)


def test_the_command_counts_by_suite(folder, capsys):
    assert main(["dev", "problems", "--regression", str(folder), "-j", "1", "--json"]) == 0
    rates = json.loads(capsys.readouterr().out)["rates"]
    assert list(rates) == ["small", "all"] and rates["all"]["ours"][1] == 3
    assert main(["dev", "problems", "--regression", str(folder), "--theme", "smal"]) == 2
    assert "no theme `smal`; did you mean `small`?" in capsys.readouterr().err
