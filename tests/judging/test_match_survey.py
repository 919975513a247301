"""Tests of surveys of large-board patterns in stored games: the examined positions and the counts."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from fitted_games import YAML, drawn_game
from match_patterns import drawn, entry, example, file_of

from littlego.cli.main import main
from littlego.engines.large.search import decide_large
from littlego.engines.reasons.contrast import DECIDES, PRESENT
from littlego.games.match import match_rules
from littlego.judging.corpora import Wanted, corpora_of, sampled, survey_all
from littlego.judging.corpus import Game, GameCorpus
from littlego.judging.coverage import PLAYED, survey_decisions
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import knowledge_of
from littlego.records.packed_games import add_games


def chance_games(number: int):
    games = [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(number)]
    return [Game(game.ruleset, game.moves) for game in games]


def knowledge(text: str = YAML):
    _, problems, base = compile_text(text, "patterns.match.yaml", with_examples=False)
    assert not problems
    return knowledge_of(base, "patterns.match.yaml")


def test_the_sample_depends_on_the_games_alone():
    games = chance_games(6)
    sample = sampled(games, 10)
    assert list(sample) == [7] and len(sample[7].names) == 10
    again = sampled([*reversed(games), games[0]], 10)[7]
    assert sorted(again.names) == sorted(sample[7].names)
    assert set(sample[7].names) < set(sampled(games, 20)[7].names)


def test_places_are_positions_of_their_game():
    [game] = chance_games(1)
    corpus = GameCorpus(((game, 0), (game, 3), (game, 7)))
    assert [one.plies for one in corpus.positions()] == [0, 3, 7]
    assert [name.partition(":")[2] for name in corpus.names] == ["1", "4", "8"]


def test_parts_are_positions_of_one_game_in_their_order():
    corpus = sampled(chance_games(6), 40)[7]
    parts = corpus.parts()
    assert [name for part in parts for name in part.names] == list(corpus.names)
    assert all(len({name.partition(":")[0] for name in part.names}) == 1 and len(part.names) <= 10 for part in parts)


def test_what_a_pattern_does_in_a_position():
    hane = entry(
        "hane",
        "    points: 60\n    diagram: |\n      * .\n      X O\n",
        example(drawn(9, X="3,3", O="3,4"), "move: 2,3"),
        example(drawn(9, X="3,3", O="3,4 2,4"), "move: 2,3"),
    )
    known = knowledge(file_of(hane, entry("touch", "    points: 2\n    diagram: |\n      O *\n")))
    position = match_rules(9).start((1 << 30, 1 << 31), 1)
    survey = survey_decisions([decide_large(position, known.book)], known.book)
    assert survey.positions == 1 and survey.of("hane")[DECIDES] == 1 and survey.of("touch")[PRESENT] == 1
    assert survey.classes == {"shape": 1} and survey.images["hane"] and not survey.places


def survey_match(known, wanted, jobs):
    return survey_all(known, corpora_of("match").sources(known, wanted), jobs)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_games(tmp_path / "games.xz", [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(4)])
    (tmp_path / "patterns.match.yaml").write_text(YAML, encoding="utf-8")
    return tmp_path / "games.xz"


def test_sources_and_processes(kept):
    known = knowledge()
    alone, both = (survey_match(known, Wanted(kept, positions=12), jobs) for jobs in (1, 2))
    assert list(alone) == ["examples", "games of engines, 7x7"] and alone["games of engines, 7x7"].positions == 12
    assert {name: one.as_json() for name, one in alone.items()} == {name: one.as_json() for name, one in both.items()}


def test_games_that_match_wrote(kept, tmp_path, capsys):
    played = tmp_path / "played.json"
    rules = ["--ruleset", "match", "--size", "6", "--openings", "2"]
    assert main(["match", "silly", "random", *rules, "--games", "2", "-j", "1", "--json", str(played)]) == 0
    surveys = survey_match(knowledge(), Wanted(kept, played=(played,), positions=0), 1)
    moves = sum(len(game["moves"]) for game in json.loads(played.read_text(encoding="utf-8"))["games"])
    assert surveys[f"{PLAYED}played.json"].positions == moves > 40


def test_the_command(kept, capsys):
    asked = ["coverage", "--ruleset", "match", "--games-from", str(kept), "--positions", "8", "-j", "1"]
    assert main([*asked, "--html", "page.html"]) == 0
    shown = capsys.readouterr().out
    assert "8 of games of engines" in " ".join(shown.split()) and "of 6 patterns decide or support" in shown
    assert "top-left corner: " not in (kept.parent / "page.html").read_text(encoding="utf-8")
    assert main([*asked, "touch"]) == 0
    assert "touch" in capsys.readouterr().out
