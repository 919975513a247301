"""Tests of the command `dev problems`, which counts the problems that players solve."""

from __future__ import annotations

import json

import pytest
from gnugo import needs_gnugo

from littlego.cli.main import main
from littlego.match.referee import Player, Reply
from littlego.players import solving
from littlego.rules.position import PASS

MISS = "ours: take: PASS, expected 8,2"
WALLS = """
    . X . X O . O O .
    X X X X O O O O O
    . X X X O . O O O
    X X X X O O O O O
    X X X X O O O O O
    X X X X O O O O O
    X X X X O O O O O
    X X X X O O O O O
    X X . X O O O . O
"""


@pytest.fixture
def file(tmp_path):
    """Return the path of a file with two problems: one that a pass solves, and one that nearly every move fails."""
    problems = (("leave", "filling", "wrong: 0,2 2,0"), ("take", "capture", "right: 8,2"))
    entries = [
        f'- id: {name}\n  theme: {theme}\n  {moves}\n  why: "A reason."\n  prisoners: [9, 0]\n  pass_stones: false\n'
        f"  board: |{WALLS}"
        for name, theme, moves in problems
    ]
    path = tmp_path / "problems.yaml"
    path.write_text("\n".join(entries))
    return path


class Passing(Player):
    """A player that always passes."""

    def choose(self, turn):
        return Reply(PASS)


@pytest.fixture
def passing(monkeypatch):
    monkeypatch.setattr(solving, "make_player", lambda name, seed: Passing())


def results(capsys, *words):
    assert main(["dev", "problems", *map(str, words), "-j", "1", "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_theme_and_all_problems_are_counted(file, capsys, passing):
    rates = results(capsys, "ours", "--file", file)["rates"]
    assert rates == {"capture": {"ours": [0, 1]}, "filling": {"ours": [1, 1]}, "all": {"ours": [1, 2]}}


def test_a_miss_names_the_player_the_problem_and_both_moves(file, capsys, passing):
    found = results(capsys, "ours", "--file", file, "--theme", "capture")
    assert found == {"rates": {theme: {"ours": [0, 1]} for theme in ("capture", "all")}, "misses": [MISS]}


def test_the_table_has_a_column_for_each_player(file, capsys, passing):
    assert main(["dev", "problems", "ours", "silly", "--file", str(file), "-j", "1", "--misses"]) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split() == ["theme", "ours", "silly"]
    assert "1 of 2 (9 to 91%)" in printed
    assert MISS in printed.splitlines()


def test_a_fault_solves_no_problem(file, capsys, monkeypatch):
    monkeypatch.setattr(Passing, "choose", lambda self, turn: Reply(PASS, fault="answered nonsense"))
    monkeypatch.setattr(solving, "make_player", lambda name, seed: Passing())
    found = results(capsys, "ours", "--file", file)
    assert found["rates"]["all"] == {"ours": [0, 2]}
    assert found["misses"][0] == "ours: leave: no move, expected not 0,2, 2,0"


def test_our_player_answers_every_problem(file, capsys):
    assert results(capsys, "--file", file)["rates"]["all"]["ours"][1] == 2


@needs_gnugo
def test_gnu_go_answers_every_problem(file, capsys):
    assert results(capsys, "gnugo:0", "--file", file)["rates"]["all"]["gnugo:0"][1] == 2
