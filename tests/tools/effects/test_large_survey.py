"""What patterns for large boards do in kept games: which positions are looked at, and what is counted there."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from fitted_games import YAML, drawn_game
from match_patterns import drawn, entry, example, file_of

from tools.__main__ import main
from tools.effects.coverage import PLAYED
from tools.effects.large_survey import Places, sampled_places, survey_large, survey_match
from tools.games.match import match_rules
from tools.knowledge.compiler import compile_text
from tools.knowledge.files import knowledge_of
from tools.match.packed_games import add_games
from tools.reasons.contrast import DECIDES, PRESENT


def chance_games(number: int):
    return [drawn_game(seed, defaultdict(float, touch=12.0)) for seed in range(number)]


def knowledge(text: str = YAML):
    _, problems, base = compile_text(text, "patterns.match.yaml", with_examples=False)
    assert not problems
    return knowledge_of(base, "patterns.match.yaml")


def test_the_sample_depends_on_the_games_alone():
    games = chance_games(6)
    sample = sampled_places(games, 10)
    assert list(sample) == [7] and sum(len(one.plies) for one in sample[7]) == 10
    named = [name for one in sample[7] for name in one.names]
    again = sampled_places([*reversed(games), games[0]], 10)[7]
    assert sorted(name for one in again for name in one.names) == sorted(named)
    more = {name for one in sampled_places(games, 20)[7] for name in one.names}
    assert set(named) < more


def test_places_are_positions_of_their_game():
    [game] = chance_games(1)
    places = Places(game, (0, 3, 7))
    positions = list(places.positions())
    assert [one.plies for one in positions] == [0, 3, 7]
    assert [name.partition(":")[2] for name in places.names] == ["1", "4", "8"]


def test_what_a_pattern_does_in_a_position():
    hane = entry(
        "hane",
        "    points: 60\n    diagram: |\n      * .\n      X O\n",
        example(drawn(9, X="3,3", O="3,4"), "move: 2,3"),
        example(drawn(9, X="3,3", O="3,4 2,4"), "move: 2,3"),
    )
    known = knowledge(file_of(hane, entry("touch", "    points: 2\n    diagram: |\n      O *\n")))
    position = match_rules(9).start((1 << 30, 1 << 31), 1)
    survey = survey_large([position], known.book)
    assert survey.positions == 1 and survey.of("hane")[DECIDES] == 1 and survey.of("touch")[PRESENT] == 1
    assert survey.classes == {"shape": 1} and survey.images["hane"] and not survey.places


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    add_games(tmp_path / "games.xz", chance_games(4))
    (tmp_path / "patterns.match.yaml").write_text(YAML, encoding="utf-8")
    return tmp_path / "games.xz"


def test_sources_and_processes(kept):
    known = knowledge()
    alone, both = (survey_match(known, kept, [], 12, jobs) for jobs in (1, 2))
    assert list(alone) == ["examples", "games of engines, 7x7"] and alone["games of engines, 7x7"].positions == 12
    assert {name: one.as_json() for name, one in alone.items()} == {name: one.as_json() for name, one in both.items()}


def test_games_that_match_wrote(kept, tmp_path, capsys):
    played = tmp_path / "played.json"
    rules = ["--ruleset", "match", "--size", "6", "--openings", "2"]
    assert main(["match", "silly", "random", *rules, "--games", "2", "-j", "1", "--json", str(played)]) == 0
    surveys = survey_match(knowledge(), kept, [played], 0, 1)
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
