"""Games as SGF: read back by sgfmill's own reader and replayed on its own board."""

from __future__ import annotations

import json

import pytest
from sgfmill import sgf, sgf_moves

from rules.position import BLACK, PASS, RESIGN, WHITE
from rules.ruleset import LITTLE_GO
from tools.__main__ import main
from tools.draw.boards import parse_board
from tools.match.records import record_sgf
from tools.match.referee import Game, Player, Reply


class Scripted(Player):
    def __init__(self, name, replies):
        self.name, self.replies = name, list(replies)

    def choose(self, turn):
        return self.replies.pop(0)


def played(black, white):
    return Game((Scripted("Ada", black), Scripted("Bob \\ ]:", white)), LITTLE_GO).play()


def replayed(data):
    """Return (X mask, O mask, plays) as sgfmill's reader and board see the game."""
    game = sgf.Sgf_game.from_bytes(data)
    board, plays = sgf_moves.get_setup_and_moves(game)
    for colour, move in plays:
        if move is not None:
            board.play(*move, colour)
    rows = [
        [
            "." if not board.get(4 - row, column) else "X" if board.get(4 - row, column) == "b" else "O"
            for column in range(5)
        ]
        for row in range(5)
    ]
    return *parse_board("\n".join("".join(row) for row in rows))[1:], plays


def test_a_game_replays_to_the_same_result(tmp_path):
    path, kept = tmp_path / "game.sgf", tmp_path / "game.json"
    files = ["--sgf", str(path), "--json", str(kept)]
    assert main(["play", "--black", "ours", "--white", "greedy", "--seed", "3", "--brief", *files]) == 0
    black, white, plays = replayed(path.read_bytes())
    lead = bin(black).count("1") - bin(white).count("1") - 2.5
    assert len(plays) == 24 and lead == json.loads(kept.read_text())["lead"]
    root = sgf.Sgf_game.from_bytes(path.read_bytes()).get_root()
    assert root.get("RE") == f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
    assert (root.get("PB"), root.get("PW"), root.get("KM"), root.get_size()) == ("ours", "greedy", 2.5, 5)
    assert "open-in-the-centre" in path.read_text()


def test_points_are_counted_from_the_top_left():
    record = played([Reply(0, reason="a corner ] \\ :"), Reply(PASS)], [Reply(9), Reply(PASS)])
    game = sgf.Sgf_game.from_string(record_sgf(record))
    nodes = game.get_main_sequence()
    assert [node.get_move() for node in nodes[1:]] == [("b", (4, 0)), ("w", (3, 4)), ("b", None), ("w", None)]
    assert nodes[1].get("C") == "a corner ] \\ :" and game.get_player_name("w") == "Bob \\ ]:"


@pytest.mark.parametrize(
    "reply, result, said",
    [
        (Reply(RESIGN), "W+R", None),
        (Reply(None, fault="it wrote nothing", note="exit status 1"), "W+F", "it wrote nothing"),
        (Reply(12), "W+F", "illegal move"),
    ],
)
def test_how_a_game_ends_is_in_the_result(reply, result, said):
    record = played([Reply(12), reply], [Reply(13)])
    root = sgf.Sgf_game.from_string(record_sgf(record))
    assert root.get_root().get("RE") == result and record.winner == WHITE
    assert len(root.get_main_sequence()) == 3
    assert said is None or said in root.get_last_node().get("C")


def test_a_fault_on_the_first_move_stands_at_the_root():
    record = played([Reply(None, fault="late")], [])
    text = record_sgf(record)
    assert "RE[W+F]" in text and "late" in sgf.Sgf_game.from_string(text).get_root().get("C")
    assert record.fault == BLACK


def test_a_file_that_cannot_be_written_is_told(tmp_path, capsys):
    nowhere = str(tmp_path / "no" / "a.sgf")
    assert main(["play", "--black", "random", "--white", "random", "--brief", "--sgf", nowhere]) == 2
    assert f"cannot write {nowhere}: " in capsys.readouterr().err
