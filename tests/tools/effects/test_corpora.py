"""Games as corpora: read from files of several kinds, each position once, opponents that err."""

from __future__ import annotations

import json

import pytest
from knowledge_files import REAL_GAMES, book

from rules.position import PASS
from tools.__main__ import main
from tools.effects.corpora import BadGames, decisions_against, different, recorded_games

GAME = {"moves": [{"move": [2, 2]}, {"move": "1,2"}, {"move": "PASS"}, {"move": [1, 1]}]}


def test_positions_of_recorded_games_are_each_kept_once():
    games = recorded_games(REAL_GAMES)[:3]
    assert [len(game) for game in games] == [len(game) for game in recorded_games(REAL_GAMES)[:3]]
    assert len(different(games + games)) == len(different(games)) < sum(map(len, games))
    assert games[0][0].play(PASS).left == 23


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GAME),
        json.dumps({"games": [GAME]}, indent=1),
        json.dumps(GAME) + "\n\n",
    ],
)
def test_games_in_each_form(tmp_path, text):
    (tmp_path / "games").write_text(text)
    [game] = recorded_games(tmp_path / "games")
    assert [position.left for position in game] == [24, 23, 22, 21]
    assert game[3].passed and game[2].black == 1 << 12 and game[2].white == 1 << 7


def test_what_match_and_play_write_can_be_read(tmp_path, capsys):
    for command in (["match", "ours", "greedy", "--games", "2", "--jobs", "1"], ["play", "--black", "ours", "--brief"]):
        assert main([*command, "--json", str(tmp_path / "games.json")]) == 0
        assert all(len(game) > 10 for game in recorded_games(tmp_path / "games.json"))


@pytest.mark.parametrize(
    "text, said",
    [
        ("{\n", ":1: expected a game as JSON, found '{'"),
        (json.dumps(GAME) + "\nnonsense\n", ":2: expected a game as JSON, found 'nonsense'"),
        ("{}", ": game 1: it has no 'moves'"),
        ("[1]", ": game 1: "),
        ("[" * 5000, ":1: expected a game as JSON"),
        ('{"games": 5}', ": game 1: it has no 'moves'"),
        (json.dumps({"games": [GAME, {"moves": [{}, {}]}]}), ": game 2: it has no 'move'"),
        (json.dumps({"moves": [{"move": [2, 2]}, {"move": [2, 2]}, {"move": [1, 1]}]}), "move 2, [2, 2], is not legal"),
        (json.dumps({"moves": [{"move": "2,9"}, {"move": [2, 2]}]}), "the move '2,9' is not on the board"),
        (json.dumps({"moves": [{"move": "resigns"}, {"move": [2, 2]}]}), ": game 1: "),
        (json.dumps({"moves": [{"move": [2, 2]}, *[{"move": "PASS"}] * 3]}), "the game is over with move 3"),
    ],
)
def test_a_file_that_holds_no_games(tmp_path, text, said):
    (tmp_path / "games").write_text(text)
    with pytest.raises(BadGames) as caught:
        recorded_games(tmp_path / "games")
    assert str(caught.value).startswith(str(tmp_path / "games")) and said in str(caught.value)


def test_the_last_move_may_be_one_that_lost_the_game(tmp_path):
    (tmp_path / "games").write_text(json.dumps({"moves": [{"move": [2, 2]}, {"move": "resigns"}]}))
    assert len(recorded_games(tmp_path / "games")[0]) == 2


def moves(noise, seed=3):
    return [decision.position.black for decision in decisions_against("greedy", book(), 2, seed, noise)]


def test_noise_makes_other_games_and_the_same_ones_again():
    assert moves(0.0) == moves(0.0)
    assert moves(0.5) == moves(0.5) != moves(0.0)
    assert moves(0.5) != moves(0.5, seed=4)


def test_with_noise_alone_the_role_does_not_matter():
    random_only = [
        [decision.position.black for decision in decisions_against(role, book(), 2, 3, 1.0)]
        for role in ("greedy", "aggressive")
    ]
    assert random_only[0] == random_only[1]
