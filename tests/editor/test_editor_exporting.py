"""Tests that the commands read the studio's exports as the same position or game."""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from xml.etree import ElementTree

import pytest
from studio_server import SMALL

from littlego.cli.main import main
from littlego.editor.methods import Refusal, answer
from littlego.editor.opening import open_game
from littlego.editor.session import Session, Snapshot

BOARD = "...../..OX./.OXX./..O../....."
STARTED = "little-go; 2,2 1,2 1,1"


@pytest.fixture
def session():
    session = Session()
    session.take(Snapshot(1, SMALL.read_text(), SMALL.name, str(SMALL)))
    return session


def test_the_drawing_is_what_explain_reads_and_the_command_says_the_rest(session, tmp_path, capsys):
    position = f"{BOARD} white left=15"
    found = answer(session, "export", {"position": position, "move": "1,1"})
    assert "(.)" in found["text"] and "--colour white --left 15" in found["command"]
    path = tmp_path / "board.txt"
    path.write_text(found["text"])
    capsys.readouterr()
    assert main(["explain", str(path), "-f", str(SMALL), "--colour", "white", "--left", "15", "--json", "-"]) == 0
    told = answer(session, "decision", {"position": position})
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(told["explain"]))


@pytest.mark.parametrize(("name", "parameters"), [("check", {}), ("examples", {"pattern": "take-the-free-centre"})])
def test_a_command_quotes_the_name_of_the_file(tmp_path, name, parameters):
    session = Session()
    session.take(Snapshot(1, SMALL.read_text(), "my patterns.yaml", str(tmp_path / "my patterns.yaml")))
    words = shlex.split(answer(session, name, parameters)["command"])
    assert "my patterns.yaml" in words and words[0] == "littlego"


def test_the_picture_is_svg_with_every_stone_and_the_board_in_words(session):
    root = ElementTree.fromstring(answer(session, "export", {"position": BOARD})["svg"])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text
    text = ElementTree.tostring(root, encoding="unicode")
    for word in ("go-black", "go-white", "go-lines"):
        assert word in text
    assert "go-move" not in text
    assert "go-move" in answer(session, "export", {"position": BOARD, "move": "1,1"})["svg"]


def test_a_position_is_set_up_in_sgf_and_read_again(session):
    position = f"{BOARD} white left=15"
    sgf = answer(session, "export", {"position": position})["sgf"]
    assert "RE[" not in sgf and "PL[W]" in sgf
    again = answer(session, "open_game", {"text": sgf})
    assert again["positions"] == [position] and not again["moves"]


@pytest.mark.parametrize(
    ("game", "result"),
    [
        (STARTED, ""),
        ("little-go; 2,2 1,2 3,3 pass pass", "W+1.5"),
        ("little-go; 2,2 resign", "B+R"),
        ("match-9; 4,4 2,2 6,6", ""),
        (f"{BOARD} black left=16; 1,1 pass", ""),
    ],
)
def test_a_game_is_written_as_sgf_and_read_again(session, game, result):
    last = answer(session, "game", {"game": game})["positions"][-1]
    found = answer(session, "export", {"position": last, "game": game, "players": ["me", "greedy"]})
    again = open_game("it", found["sgf"].encode())
    assert again.players == ("me", "greedy") and again.result == result
    moves = answer(session, "open_game", {"text": found["sgf"]})
    assert [one["move"] for one in moves["moves"]] == [one for one in game.split("; ")[1].split() if one != "resign"]
    assert (
        moves["positions"][: len(moves["moves"])]
        == answer(session, "game", {"game": game})["positions"][: len(moves["moves"])]
    )


def test_the_reasons_and_clocks_stand_at_their_moves(session):
    last = answer(session, "game", {"game": STARTED})["positions"][-1]
    said, left = ["the centre", "", "close ] to it"], [60.0, None, 58.25]
    sgf = answer(session, "export", {"position": last, "game": STARTED, "said": said, "left": left})["sgf"]
    again = open_game("it", sgf.encode())
    assert again.said == tuple(said) and again.left == tuple(left)


def test_what_is_no_position_is_told(session):
    with pytest.raises(Refusal, match="not a board"):
        answer(session, "export", {"position": "what"})


def test_a_file_is_opened_from_its_bytes_in_any_encoding_with_its_warnings(session):
    data = b64encode("(;SZ[9]PB[表示];B[cc];W[gg];B[];W[];B[])".encode("cp932")).decode()
    opened = answer(session, "open_game", {"data": data})
    assert len(opened["moves"]) == 4
    assert [remark.partition(";")[0] for remark in opened["remarks"]] == [
        "no encoding declared",
        "1:34: another pass, but the game ended with move 4",
    ]
    with pytest.raises(Refusal, match="not valid base64"):
        answer(session, "open_game", {"data": "?"})


def test_a_game_with_stones_in_mid_game_is_opened_from_there():
    game = open_game("it", b"(;SZ[9];B[cc];W[gg];AB[ee];W[dd]C[here];B[ff];W[ff])")
    assert [played.move for played in game.record.moves] == [30, 50] and game.said == ("here", "")
    said = [remark.text for remark in game.record.remarks]
    assert said[1:] == [
        "1:46: move 5, 5,5: there is a stone already; the game is read up to this error",
        "the game begins after move 2, where the file sets up stones or changes the player to move",
    ]
