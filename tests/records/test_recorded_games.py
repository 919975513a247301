"""Tests of recorded games: several file formats, each position recorded only once, and the real games."""

from __future__ import annotations

import json

import pytest

from littlego.cli.main import main
from littlego.paths import REAL_GAMES
from littlego.records.recorded_games import GamesError, different_positions, read_games, recorded_positions
from littlego.rules.position import PASS, from_boards
from littlego.rules.ruleset import LITTLE_GO

GAME = {"moves": [{"move": [2, 2]}, {"move": "1,2"}, {"move": "PASS"}, {"move": [1, 1]}]}


def test_positions_of_recorded_games_are_each_kept_once():
    positions = [position for game in read_games(REAL_GAMES)[:3] for position in game.positions]
    assert len(different_positions(positions + positions)) == len(different_positions(positions)) < len(positions)
    first = [key(position) for position in different_positions(positions)]
    assert [key(position) for position in recorded_positions()[: len(first)]] == first
    assert positions[0].play(PASS).left == 23


def test_replayed_positions_are_those_on_record():
    lines = REAL_GAMES.read_text().splitlines()
    for line, game in zip(lines, read_games(REAL_GAMES), strict=True):
        recorded = json.loads(line)
        assert (game.player, game.colour) == (recorded["ta"], recorded["ta_colour"])
        for entry, position, move in zip(recorded["moves"], game.positions, game.moves, strict=True):
            previous, current = boards(entry["prev"]), boards(entry["board"])
            left = LITTLE_GO.length - entry["n"] + 1
            assert key(position) == key(from_boards(LITTLE_GO, previous, current, entry["colour"], left))
            assert move == (PASS if entry["move"] == "PASS" else 5 * entry["move"][0] + entry["move"][1])


def key(position):
    """Return a key that is equal only for equal positions."""
    return position.black, position.white, position.ko, position.passed, position.colour, position.left


def boards(digits):
    """Return the (black, white) masks of a board in the real games' format."""
    return tuple(sum(1 << point for point, digit in enumerate(digits) if digit == sign) for sign in "12")


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
    [game] = read_games(tmp_path / "games")
    assert [position.left for position in game.positions] == [24, 23, 22, 21]
    assert game.moves == [12, 7, PASS, 6] and (game.player, game.colour) == ("", 0)
    third, fourth = game.positions[2:]
    assert fourth.passed and third.black == 1 << 12 and third.white == 1 << 7


def test_what_match_and_play_write_can_be_read(tmp_path, capsys):
    for command in (["match", "ours", "greedy", "--games", "2", "--jobs", "1"], ["play", "--black", "ours", "--brief"]):
        assert main([*command, "--json", str(tmp_path / "games.json")]) == 0
        assert all(len(game.positions) > 10 for game in read_games(tmp_path / "games.json"))


@pytest.mark.parametrize(
    "text, said",
    [
        ("{\n", ":1: expected a game as JSON, found '{'"),
        (json.dumps(GAME) + "\nnonsense\n", ":2: expected a game as JSON, found 'nonsense'"),
        ("{}", ": game 1: it has no 'moves'"),
        ("[1]", ": game 1: "),
        ("[" * 5000, ":1: expected a game as JSON"),
        ("1" * 5000, ":1: expected a game as JSON"),
        ('{"moves": [], "ta_colour": 1e999}', ": game 1: cannot convert float infinity to integer"),
        ('{"games": 5}', ": game 1: it has no 'moves'"),
        (json.dumps({"games": [GAME, {"moves": [{}, {}]}]}), ": game 2: it has no 'move'"),
        (
            json.dumps({"moves": [{"move": [2, 2]}, {"move": [2, 2]}, {"move": [1, 1]}]}),
            "move 2, 2,2: there is a stone already",
        ),
        (json.dumps({"moves": [{"move": "2,9"}, {"move": [2, 2]}]}), "game 1: move 1, '2,9', is not on the board"),
        (json.dumps({"moves": [{"move": "resigns"}, {"move": [2, 2]}]}), ": game 1: "),
        (json.dumps({"moves": [{"move": [2, 2]}, *[{"move": "PASS"}] * 3]}), "the game ended with move 3"),
    ],
)
def test_a_file_that_holds_no_games(tmp_path, text, said):
    (tmp_path / "games").write_text(text)
    with pytest.raises(GamesError) as caught:
        read_games(tmp_path / "games")
    assert str(caught.value).startswith(str(tmp_path / "games")) and said in str(caught.value)


def test_the_last_move_may_be_one_that_lost_the_game(tmp_path):
    (tmp_path / "games").write_text(json.dumps({"moves": [{"move": [2, 2]}, {"move": "resigns"}]}))
    [game] = read_games(tmp_path / "games")
    assert len(game.positions) == 2 and game.moves == [12, None]
