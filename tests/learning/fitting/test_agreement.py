"""Tests of the command `dev agreement`, and of the weights of teachers."""

from __future__ import annotations

import json

import pytest

from littlego.cache import ROOT
from littlego.cli.main import main
from littlego.engines.choosing import engine_for
from littlego.knowledge.files import book_of_lines, read_patterns_file
from littlego.knowledge.textfile import pattern_line
from littlego.learning.fitting.agreement import Agreement, agreements, ranks_in
from littlego.learning.fitting.samples import Sample, teacher_weight, weight_of
from littlego.records.packed_games import PackedGame, read_packed
from littlego.rules.position import BLACK

PATTERNS = ROOT / "patterns.match.yaml"


@pytest.fixture(scope="module")
def game() -> PackedGame:
    return min(read_packed(), key=lambda game: game.size)


@pytest.fixture(scope="module")
def lines() -> tuple[str, ...]:
    return tuple(pattern_line(pattern) for pattern in read_patterns_file(PATTERNS).base.ranked())


def test_the_rank_of_a_move_is_its_place_in_the_decision(game, lines):
    positions, book = game.positions(), book_of_lines(lines, "match")
    played = [engine_for(game.ruleset).decide(positions[ply], book) for ply in range(8)]
    chosen = game._replace(moves=(*(decision.move for decision in played),))
    assert ranks_in(lines, Sample(chosen._replace(moves=(chosen.moves[0],)), (0,))) == [0]
    ranks = ranks_in(lines, Sample(game, tuple(range(8))))
    for ply, (rank, decision) in enumerate(zip(ranks, played, strict=True)):
        assert decision.candidates[rank].move == game.moves[ply]
        assert (rank == 0) == (decision.move == game.moves[ply])


def test_the_phases_of_a_game(game):
    ranks = {Sample(game, (0, 49, 50, 119)): [0, 4, 5, 0], Sample(game, (120,)): [7]}
    assert agreements(ranks) == {
        "moves 1 to 50": Agreement(1, 2, 2),
        "moves 51 to 120": Agreement(1, 1, 2),
        "from move 121": Agreement(0, 0, 1),
        "all": Agreement(2, 3, 5),
    }


def test_the_command_counts_the_same_in_text_and_json(tmp_path, capsys):
    games = tmp_path / "games.txt"
    games.write_text("Games on 9x9\nB+R eeegcecf\nW+R ccggzz\n")
    assert main(["dev", "agreement", str(games), "--moves", "2", "--misses", "9", "-j", "1"]) == 0
    text = capsys.readouterr().out
    assert "patterns.match.yaml: 2 games, at most 2 moves of each\n" in text
    assert "1 game shortened before a move that is illegal in a match\n" in text
    assert main(["dev", "agreement", str(games), "--moves", "2", "-j", "1", "--json", "-"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["all"]["moves"] == 4
    assert counts["all"]["moves"] - counts["all"]["first"] == text.count(" ranks ")


def test_patterns_of_another_game(capsys):
    assert main(["dev", "agreement", str(ROOT), str(ROOT / "patterns.yaml")]) == 2
    assert (
        "patterns.yaml is for little-go; expected patterns for match, because the games are matches"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("name", "weight"),
    [("9p", 1), ("1p", 1), ("9d", 1), ("6 dan", 1), ("3d", 0.5), ("1k", 2 ** (-6 / 3)), ("12k?", 2 ** (-17 / 3))]
    + [("?", 1), ("gnugo:3", 1), ("ours", 0), ("Ke Jie", 0)],
)
def test_the_weight_of_a_teacher(name, weight):
    assert teacher_weight(name) == pytest.approx(weight)


def test_a_loser_counts_less_and_our_player_only_if_it_won(game):
    human = game._replace(players=("3d", "ours"), winner=BLACK)
    assert [weight_of(human, ply, 0.4) for ply in (0, 1)] == [0.5, 0]
    assert [weight_of(human._replace(winner=0), ply, 0.4) for ply in (0, 1)] == [0.5, 0]
    assert [weight_of(human._replace(winner=2), ply, 0.4) for ply in (0, 1)] == [0.2, 1]
