"""Tests of the command `tictactoe`: the handout's table, 1,000 and 100,000 games, errors, Ctrl-C."""

import json
import re

import pytest

from littlego.cli.main import main
from littlego.players.learners import cli

ROW = r"^(\w*) +(first|second|both) +(\d+) +(\d+) +(\d+) +([\d.]+)% +([\d.]+)% +([\d.]+)%$"
ARGS = ["dev", "tictactoe", "200", "2000", "--seed", "4"]


def test_the_table_after_each_number_of_games(capsys):
    assert main(ARGS) == 0
    shown = capsys.readouterr().out
    assert re.findall(r"^QLearner after ([\d,]+) training games", shown, re.M) == ["200", "2,000"]
    rows = re.findall(ROW, shown, re.M)
    assert [row[0] for row in rows[::3]] == ["RandomPlayer", "SmartPlayer", "PerfectPlayer"] * 2
    for first, second, both in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        counts = [list(map(int, row[2:5])) for row in (first, second, both)]
        assert list(map(sum, counts)) == [500, 500, 1000]
        assert counts[2] == [a + b for a, b in zip(*counts[:2], strict=True)]
        assert float(both[5]) == pytest.approx(counts[2][0] / 10)
    assert max(map(len, shown.splitlines())) <= 80


def test_json_holds_the_same_and_the_seed_repeats_it(capsys, tmp_path):
    file = tmp_path / "table.json"
    assert main([*ARGS, "--json", str(file)]) == 0
    shown = capsys.readouterr().out
    assert main([*ARGS, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value == json.loads(file.read_text())
    assert [trained["games_num"] for trained in value["trained"]] == [200, 2000]
    score = value["trained"][1]["scores"][0]
    assert re.search(rf"after 2,000.*\n.*\nRandomPlayer +first +{score['wins']} ", shown)


def test_settings_reach_the_learner(capsys):
    value = {}
    for initial in ("0.6", "0"):
        main(["dev", "tictactoe", "500", "--initial-q", initial, "--json"])
        value[initial] = json.loads(capsys.readouterr().out)
    assert value["0"]["settings"]["initial_q"] == 0
    assert value["0"]["trained"] != value["0.6"]["trained"]


WRONG = [
    (["--alpha", "0"], "Invalid value for '--alpha': 0.0 is not in the range 0<x<=1."),
    (["--gamma", "nan"], "Invalid value for '--gamma': nan is not a finite number."),
    (["--win", "inf"], "Invalid value for '--win': inf is not a finite number."),
    (["0"], "0 is not in the range x>=1."),
    (["--win", "0", "--draw", "1"], "expected lose <= draw <= win and lose < win"),
]


@pytest.mark.parametrize(("args", "message"), WRONG)
def test_wrong_settings_are_told(args, message, capsys):
    assert main(["dev", "tictactoe", *args]) == 2
    assert message in capsys.readouterr().err


def test_ctrl_c_ends_it(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "train", interrupted)
    assert main(["dev", "tictactoe"]) == 130
    assert "interrupted" in capsys.readouterr().err
