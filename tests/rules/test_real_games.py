"""Tests of every move of 194 real games: legality, boards, ko, passes, score, and winner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from littlego.rules.position import BLACK, PASS, WHITE, from_boards, margin2, opening, winner_of
from littlego.rules.ruleset import LITTLE_GO

DATA = Path(__file__).parents[2] / "tools" / "littlego" / "records" / "real_games.jsonl"
GAMES = [json.loads(line) for line in DATA.read_text().splitlines()]


def masks(digits: str) -> tuple[int, int]:
    """Return (black, white) of a board of 25 digits."""
    return tuple(sum(1 << n for n, digit in enumerate(digits) if digit == colour) for colour in "12")


def point(move) -> int:
    """Return a recorded game's move as a point or PASS."""
    return PASS if move == "PASS" else 5 * move[0] + move[1]


def test_the_file_is_whole_and_its_games_show_what_they_are_needed_for():
    assert len(GAMES) == 194
    assert {game["winner"] for game in GAMES} == {BLACK, WHITE}
    assert sum(denied_by_ko(game) for game in GAMES) > 20


def denied_by_ko(game) -> bool:
    """Return whether the ko rule ever forbids a point in a game."""
    position = opening(LITTLE_GO)
    for record in game["moves"]:
        position = position.play(point(record["move"]))
        if position.ko:
            return True
    return False


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_replay(number):
    game = GAMES[number]
    position = opening(LITTLE_GO)
    for record in game["moves"]:
        assert (position.number, position.colour) == (record["n"], record["colour"])
        assert (position.black, position.white) == masks(record["board"])
        read = from_boards(LITTLE_GO, masks(record["prev"]), masks(record["board"]), position.colour, position.left)
        assert (read.ko, read.passed, read.legal()) == (position.ko, position.passed, position.legal())
        move = point(record["move"])
        assert move == PASS or position.legal() >> move & 1
        over = position.ends_with(move)
        assert over == (record is game["moves"][-1])
        position = position.play(move)
    assert (position.black, position.white) == masks(game["final"])
    assert (winner_of(position), margin2(position)) == (game["winner"], 2 * game["score"])
