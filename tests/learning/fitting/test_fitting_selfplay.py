"""Tests of `littlego dev selfplay`: it plays and stores engines' games, and resumes after a stop."""

from __future__ import annotations

import json

import pytest
from gnugo import needs_gnugo
from gtp_engines import engine_name

from littlego.cli.main import main
from littlego.learning.fitting import selfplay
from littlego.match.series import SEEDS
from littlego.records.packed_games import read_packed

SEED = 7


def play(path, *words):
    return main(["dev", "selfplay", *words, "--size", "5", "--seed", str(SEED), "-j", "1", "-o", str(path)])


def test_each_game_of_one_player_has_a_seed_of_its_own(tmp_path, capsys):
    path = tmp_path / "games.xz"
    assert play(path, "greedy", "--games", "3", "--plies", "20") == 0
    games = read_packed(path)
    assert [game.seed for game in games] == [SEEDS * SEED + k for k in range(3)]
    assert {game.players for game in games} == {("greedy", "greedy")}
    assert all(program.startswith("littlego ") for game in games for program in game.programs)
    assert "match-5, greedy against greedy: 3 games" in capsys.readouterr().out


def test_two_players_swap_colours(tmp_path):
    path = tmp_path / "games.xz"
    assert play(path, "greedy", "random", "--games", "2", "--plies", "20") == 0
    assert [game.players for game in read_packed(path)] == [("greedy", "random"), ("random", "greedy")]
    assert len({game.seed for game in read_packed(path)}) == 1


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch, capsys):
    path, whole = tmp_path / "games.xz", tmp_path / "whole.xz"
    played = selfplay.play_all

    def stopped(plan, make, jobs):
        for number, result in enumerate(played(plan, make, jobs)):
            if number == 2:
                raise KeyboardInterrupt
            yield result

    words = ("greedy", "--games", "4", "--plies", "20")
    monkeypatch.setattr(selfplay, "play_all", stopped)
    assert play(path, *words) == 130
    assert len(read_packed(path)) == 2 and "the same command again to resume" in capsys.readouterr().err
    asked = []

    def counting(plan, make, jobs):
        asked.extend(game.seed for game in plan)
        return played(plan, make, jobs)

    monkeypatch.setattr(selfplay, "play_all", counting)
    assert play(path, *words) == 0
    assert asked == [SEEDS * SEED + 2, SEEDS * SEED + 3]
    assert play(whole, *words) == 0
    assert whole.read_bytes() == path.read_bytes()


def test_an_engine_that_breaks_the_rules_ends_the_run_and_the_games_before_stay(tmp_path, capsys):
    path = tmp_path / "games.xz"
    name = engine_name(tmp_path, points="C3 C3")
    assert play(path, "greedy", "--games", "1", "--plies", "10") == 0
    assert play(path, name, "--games", "1") == 2
    assert "the earlier games are saved" in capsys.readouterr().err
    assert len(read_packed(path)) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [(("human",), "a person plays one game at a time"), (("championship",), "plays only little-go on 5x5")],
)
def test_who_cannot_play_is_refused(tmp_path, capsys, words, said):
    assert play(tmp_path / "games.xz", *words) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "games.xz").exists()


def test_what_is_no_file_of_games_is_left_alone(tmp_path, capsys):
    path = tmp_path / "notes.xz"
    path.write_text("my notes")
    assert play(path, "greedy", "--games", "1") == 2
    assert "expected a file written by `littlego dev selfplay`" in capsys.readouterr().err
    assert path.read_text() == "my notes"


@needs_gnugo
def test_gnu_go_says_its_version(tmp_path):
    path, out = tmp_path / "games.xz", tmp_path / "games.json"
    assert play(path, "gnugo", "--games", "2", "--json", str(out)) == 0
    assert {program for game in read_packed(path) for program in game.programs} == {"GNU Go 3.8"}
    assert [game["black"] for game in json.loads(out.read_text())["games"]] == ["gnugo", "gnugo"]
