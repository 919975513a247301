"""Tests of the studio's players: games played move by move from any position equal those of `match`."""

from __future__ import annotations

import json
import shutil

import pytest
from studio_jobs import outcome
from studio_server import SMALL

from littlego.cli.arguments import ArgumentError
from littlego.cli.main import main
from littlego.editor.answers import players
from littlego.editor.methods import JOBS, Refusal, answer, load_answers
from littlego.editor.session import Session, Snapshot
from littlego.match.referee import Reply

MIDDLE = "little-go; 2,2 1,2 1,1 2,1 3,1"


@pytest.fixture
def session(tmp_path):
    """Return a session of a small patterns file that also exists on disk."""
    path = shutil.copy(SMALL, tmp_path / "patterns.yaml")
    session = Session()
    session.take(Snapshot(1, SMALL.read_text(), "patterns.yaml", str(path)))
    return session


def played(session, **parameters):
    """Run the job `play_out`; return (the games that the job shows, its final result)."""
    load_answers()
    return outcome(JOBS["play_out"].function(session, **parameters))


def test_a_game_is_played_out_move_by_move_as_the_command_plays_it(session, tmp_path, capsys, monkeypatch):
    games, done = played(session, game="little-go;", white="greedy", seed=2)
    assert [len(one["moves"]) for one in games] == list(range(1, done["moves"] + 1))
    assert games[-1]["over"] and games[-1]["end"] == done["end"]
    assert games[-1]["players"] == ["this file", "greedy"]
    assert games[0]["moves"][0]["said"]  # our player's move has a reason
    monkeypatch.chdir(tmp_path)
    assert main([*done["command"].split()[1:], "--json", "game.json"]) == 0
    capsys.readouterr()
    told = json.loads((tmp_path / "game.json").read_text())
    moves = (told.get("games") or [told])[0]["moves"]
    assert [one["move"].lower() for one in moves] == [one["move"] for one in games[-1]["moves"]]


def test_games_are_played_until_one_side_loses_one(session):
    """Playing only the last game again, with the seed in the result, shows the same game."""
    games, done = played(session, game="little-go;", white="greedy", seed=1, until="black")
    assert done["lost"] and done["games"] == len(games) == done["seed"]
    assert all("White wins" not in one["end"] for one in games[:-1]) and "White wins" in done["end"]
    again, alone = played(session, game="little-go;", white="greedy", seed=done["seed"])
    assert (again[-1]["game"], alone["command"]) == (games[-1]["game"], done["command"])


def test_nobody_looks_for_a_lost_game_for_ever(session, monkeypatch):
    monkeypatch.setattr(players, "MOST_GAMES", 2)
    games, done = played(session, game="little-go;", white="greedy", seed=1, until="white")
    assert done["lost"] == any("Black wins" in one["end"] for one in games) and len(games) == done["games"] <= 2
    monkeypatch.setattr(players, "winner_of", lambda *_: 0)
    games, done = played(session, game="little-go;", white="greedy", seed=5, until="white")
    assert (len(games), done["lost"], done["seed"]) == (2, False, 6)
    with pytest.raises(Refusal, match="until: found blue; expected black, white or an empty string"):
        played(session, game="little-go;", until="blue")


def test_a_game_goes_on_from_the_middle_and_either_side_may_be_this_file(session):
    games, done = played(session, game=MIDDLE, black="greedy", seed=1)
    assert games[0]["game"].startswith(MIDDLE) and len(games[0]["moves"]) == 6
    assert games[0]["moves"][5]["colour"] == "white" and games[0]["moves"][5]["said"]
    assert games[-1]["over"] and done["moves"] == len(games) and done["command"] == ""
    assert played(session, game=MIDDLE, black="greedy", seed=1) == (games, done)


def test_the_same_file_may_play_both_sides(session):
    games, _ = played(session, game="..O../.XO../..XO./..X../..... white left=5;")
    assert len(games) == 5 and all(one["said"] for one in games[-1]["moves"])


@pytest.mark.parametrize("over", ["little-go; pass", "little-go; 2,2 pass pass", "little-go; 2,2 resign"])
def test_a_game_that_is_over_is_not_played_on(session, over):
    with pytest.raises(ArgumentError, match="the game is over"):
        played(session, game=over)


def test_no_page_starts_a_program_to_play_out_a_game(session):
    with pytest.raises(Refusal) as refused:
        played(session, game="little-go;", white="gtp:sh -c id")
    assert refused.value.code == "forbidden"


def test_a_player_that_makes_no_legal_move_is_told(session, monkeypatch):
    monkeypatch.setattr("littlego.editor.players.OpenFile.choose", lambda self, turn: Reply(12))
    with pytest.raises(Refusal, match=r"White \(this file\) lost: the move is illegal: there is a stone already"):
        played(session, game="little-go; 2,2", black="greedy")


def test_the_last_position_of_a_game_says_that_it_is_over(session):
    games, _ = played(session, game="little-go;", white="greedy", seed=2)
    last = games[-1]["positions"][-1]
    for method in ("decision", "hint", "exact"):
        with pytest.raises(Refusal, match="the game is over"):
            answer(session, method, {"position": last})
    handed = answer(
        session, "export", {"position": last, "game": games[-1]["game"], "players": ["this file", "greedy"]}
    )
    assert "RE[" in handed["sgf"] and "PW[greedy]" in handed["sgf"] and handed["command"] == ""
    opened = answer(session, "open_game", {"text": handed["sgf"]})
    assert opened["moves"][-1]["move"] == games[-1]["moves"][-1]["move"] and opened["end"]
