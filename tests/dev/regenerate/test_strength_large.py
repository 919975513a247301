"""Tests of the command `dev strength-large`, with few and short games."""

from __future__ import annotations

import json
from functools import partial

import pytest

from littlego.arena.handicap import Step
from littlego.cache import Cache
from littlego.cli.main import main
from littlego.dev.regenerate import strength
from littlego.dev.regenerate.figures import run_table
from littlego.dev.regenerate.strength import Game, Series


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(strength, "Cache", partial(Cache, folder=tmp_path / "cache"))


@pytest.fixture
def no_games(monkeypatch):
    """Call the fixture's value to make every further game fail, as if a finished game were played again."""

    def refuse(*given):
        pytest.fail(f"played again: {given}")

    def begin():
        monkeypatch.setattr(strength, "play", refuse)
        monkeypatch.setattr(strength, "play_step", refuse)

    return begin


def measure(folder, *options):
    return main(["dev", "strength-large", "-o", str(folder), "-j", "1", *options])


def test_games_of_a_series_are_counted_and_not_played_again(tmp_path, monkeypatch, no_games):
    several = [Series("random", 5, pass_stones, 4, 60) for pass_stones in (True, False)]
    monkeypatch.setattr(strength, "AGAINST_SIMPLE", {"random": several})
    assert measure(tmp_path / "once", "--only", "simple", "--most", "2") == 0
    run = json.loads((tmp_path / "once" / "large-simple.json").read_text())
    [[opponent, *won]] = run["rows"]
    assert opponent == "`random`" and run["columns"] == ["opponent", "5x5", "5x5, free pass"]
    assert all(cell in ("0 of 2", "1 of 2", "2 of 2") for cell in won)
    no_games()
    assert measure(tmp_path / "again", "--only", "simple", "--most", "2") == 0
    again = run_table(tmp_path / "again" / "large-simple.json")
    assert again == run_table(tmp_path / "once" / "large-simple.json") and "strength-large --only simple" in again


def test_the_results_are_those_of_our_player(monkeypatch):
    first, second = Series("random", 5, True, 2, 60).plan(None)
    assert (first.pairing.black, second.pairing.white) == ("ours", "ours")
    assert first.pairing.seed == second.pairing.seed and first.key("a") != second.key("a") != second.key("b")
    results = [strength.play(game) for game in (first, second)]
    assert [one["won"] for one in results] == [one["lead2"] > 0 for one in results]
    assert not any(one["fault"] for one in results)


def test_a_table_of_games_against_gnugo_has_intervals_and_margins(tmp_path, monkeypatch):
    def play(game: Game) -> dict[str, object]:
        number, won = game.pairing.number, game.pairing.number % 4 == 0
        return {"won": won, "lead2": 3 if won else -5, "fault": False, "moves": str(number // 2)}

    monkeypatch.setattr(strength, "play", play)
    assert measure(tmp_path, "--only", "gnugo", "--most", "8") == 0
    rows = json.loads((tmp_path / "large-gnugo.json").read_text())["rows"]
    assert rows[0] == ["9x9", "cost a stone", "8 (4)", "2, 25.0% (7.1 to 59.1)", "-1.5"]
    assert [row[:2] for row in rows[1:]] == [["9x9", "free"], ["13x13", "cost a stone"], ["13x13", "free"]]


def test_a_staircase_is_resumed(tmp_path, monkeypatch, no_games):
    played = []

    def step(item, *given):
        played.append(item)
        return Step(*item, item[2] >= 5, 1, "two passes", 100, False, False)

    monkeypatch.setattr(strength, "play_step", step)
    assert measure(tmp_path / "once", "--only", "handicap", "--most", "4") == 0
    assert played == [(0, 0, 9), (1, 0, 9), (0, 1, 8), (1, 1, 8)]
    assert measure(tmp_path / "more", "--only", "handicap", "--most", "6") == 0
    assert played[4:] == [(0, 2, 7), (1, 2, 7)]
    no_games()
    assert measure(tmp_path / "again", "--only", "handicap", "--most", "6") == 0
    more, again = (run_table(tmp_path / name / "handicap.json") for name in ("more", "again"))
    assert more == again and "| 19x19 |" in more


def test_the_games_of_experts_are_needed(tmp_path, capsys):
    assert measure(tmp_path, "--only", "experts") == 2
    assert "--only experts needs --experts" in capsys.readouterr().err


def test_regression_tests_are_counted_by_size(tmp_path, monkeypatch):
    game = "(;SZ[9]KM[0.5];B[cc];W[bc];B[bb];W[bd];B[ac])"
    tests = "".join(f"loadsgf game.sgf\n{number} reg_genmove white\n#? [A1]\n" for number in (1, 2, 3))
    (tmp_path / "game.sgf").write_text(game)
    (tmp_path / "suite.tst").write_text(tests)
    monkeypatch.setattr(strength, "TESTED", ("ours", "silly"))
    monkeypatch.setattr(strength, "passes", lambda test: test.player == "ours" and test.problem.id != "suite:2")
    assert measure(tmp_path / "out", "--only", "regression", "--regression", str(tmp_path)) == 0
    run = json.loads((tmp_path / "out" / "large-regression.json").read_text())
    assert run["columns"] == ["player", "9x9", "all"]
    assert [row[0] for row in run["rows"]] == ["`ours`", "`silly`"]
    assert [row[2] for row in run["rows"]] == ["2 of 3, 66.7% (20.8 to 93.9)", "0 of 3, 0.0% (0.0 to 56.1)"]
