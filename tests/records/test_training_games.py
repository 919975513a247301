"""Tests of the games to learn from: packed games, lists of moves, SGF files and folders."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from littlego.games.match import match_rules
from littlego.paths import ENGINE_GAMES
from littlego.records.packed_games import read_packed
from littlego.records.recorded_games import GamesError
from littlego.records.sgf import move_of
from littlego.records.training_games import TrainingGames, rank_of, read_training_games, usable_moves
from littlego.rules.position import BLACK, PASS, WHITE

RULES = match_rules(9, pass_stones=False)
MOVES = [move_of(text, 9) for text in ("cc", "gg", "cg", "gc", "ee", "ec", "ce", "eg", "ge", "dd")]


def list_file(folder: Path, *lines: str, heading: str = "Games on 9x9, komi 7, Chinese rules") -> Path:
    path = folder / "games.txt"
    path.write_text("\n".join([heading, *lines, ""]))
    return path


def sgf(moves: str, **properties: str) -> str:
    given = {"SZ": "9", "KM": "7", **properties}
    nodes = "".join(f";{'BW'[ply % 2]}[{move}]" for ply, move in enumerate(moves.split()))
    return "(;" + "".join(f"{name}[{value}]" for name, value in given.items()) + nodes + ")"


def test_a_list_of_games(tmp_path):
    games, omitted = read_training_games(list_file(tmp_path, "B+R ccgg", "W+3.5 ccggcg", "", "0 cc"))
    assert [game.winner for game in games] == [BLACK, WHITE, 0]
    assert [len(game.moves) for game in games] == [2, 3, 1]
    assert games[0].moves == tuple(MOVES[:2])
    assert games[0].ruleset is match_rules(9, 14, pass_stones=False)
    assert not omitted


def test_a_compressed_list_is_the_same(tmp_path):
    plain = list_file(tmp_path, "B+R ccgg")
    packed = tmp_path / "games.xz"
    packed.write_bytes(lzma.compress(plain.read_bytes()))
    assert read_training_games(packed) == read_training_games(plain)


def test_a_list_without_a_heading_is_of_19x19(tmp_path):
    path = tmp_path / "games.txt"
    path.write_text("B+R pddp\n")
    assert read_training_games(path).games[0].ruleset.name == "match-no-pass-stones"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("B+R ccg", r"games\.txt:3: expected a result and moves, such as `B\+R pdddqp`, found 'B\+R ccg'"),
        ("black won", r"games\.txt:3: expected a result"),
        ("B+R CCGG", r"games\.txt:3: expected a result"),
    ],
)
def test_a_line_that_is_no_game_is_named(tmp_path, line, message):
    with pytest.raises(GamesError, match=message):
        read_training_games(list_file(tmp_path, "B+R cc", line))


def test_a_first_game_that_cannot_be_read_is_no_heading(tmp_path):
    with pytest.raises(GamesError, match=r"games\.txt:2: expected a result"):
        read_training_games(list_file(tmp_path, "B+R ccg", "B+R ccgg"))


@pytest.mark.parametrize(("komi", "komi2"), [("Komi 7.5", 15), ("komi: -2", -4), ("no komi", 13)])
def test_the_komi_of_a_list(tmp_path, komi, komi2):
    path = list_file(tmp_path, "B+R cc", heading=f"\ufeffGames on 9x9, {komi}")
    assert read_training_games(path).games[0].ruleset.komi2 == komi2


def test_a_komi_that_no_match_has(tmp_path):
    with pytest.raises(GamesError, match=r"games\.txt: expected a komi that is a multiple of 0\.5, found 'komi 3\.75'"):
        read_training_games(list_file(tmp_path, "B+R cc", heading="Games on 9x9, komi 3.75"))


@pytest.mark.parametrize(
    ("text", "rank"),
    [("5d", "5d"), (" 6 Dan", "6d"), ("9段", "9d"), ("3级", "3k"), ("pro", "?"), ("", "?"), ("12k?", "12k")],
)
def test_ranks(text, rank):
    assert rank_of(text) == rank


def test_sgf_games_that_are_shortened_or_omitted(tmp_path):
    for name, text in (
        ("broken.sgf", "(;SZ[9];B[cc];W[zz];B[gg])"),
        ("chess.sgf", "(;GM[2]SZ[9];B[cc])"),
        ("small.sgf", "(;SZ[3];B[bb])"),
        ("resumed.sgf", "(;SZ[9];B[cc];W[];B[];W[gg])"),
    ):
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.sgf").mkdir()
    games, omitted = read_training_games(tmp_path)
    assert [len(game.moves) for game in games] == [1, 1]
    assert {game.ruleset.name for game in games} == {"match-9-no-pass-stones"}
    assert omitted == {
        "shortened before a move that cannot be read": 1,
        "omitted: not Go": 1,
        "omitted: no match is played on a board of this size": 1,
    }


def test_a_file_without_games(tmp_path):
    with pytest.raises(GamesError, match=r"games\.txt: no games; expected a file written by"):
        read_training_games(list_file(tmp_path))


def test_a_damaged_compressed_file(tmp_path):
    path = tmp_path / "games.xz"
    path.write_bytes(lzma.compress(b"B+R cc")[:-8])
    with pytest.raises(GamesError, match=r"games\.xz: truncated"):
        read_training_games(path)


def test_a_board_that_a_match_does_not_have(tmp_path):
    with pytest.raises(GamesError, match="a match on a board of size 25"):
        read_training_games(list_file(tmp_path, "B+R cc", heading="Games on 25x25"))


def test_packed_games_are_read_as_before():
    assert read_training_games(ENGINE_GAMES) == (read_packed(ENGINE_GAMES), Counter())


def test_a_folder_of_sgf_files(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.sgf").write_text(sgf("cc gg", RE="W+R", BR="5d", WR="9p") + sgf("cc", RE="B+T"))
    (tmp_path / "deep" / "b.SGF").write_text(sgf("cc gg cg", HA="2", AB="cc][gg"))
    (tmp_path / "c.sgf").write_text("no game")
    (tmp_path / "d.sgf").write_text("(;SZ[9];B[cc];B[gg])")
    (tmp_path / "e.sgf").write_text("(;SZ[25];B[cc])")
    (tmp_path / "f.sgf").write_text(sgf(""))
    games, omitted = read_training_games(tmp_path)
    assert [(game.winner, game.players, len(game.moves)) for game in games] == [
        (WHITE, ("5d", "9p"), 2),
        (BLACK, ("?", "?"), 1),
    ]
    assert omitted == {
        "omitted: stones are set up": 1,
        "omitted: the file is not SGF": 1,
        "omitted: the players do not alternate": 1,
        "omitted: the start cannot be read": 1,
        "omitted: no moves": 1,
    }
    assert TrainingGames([], Counter({"omitted: no moves": 2})).reports == ["2 games omitted: no moves"]


def test_a_folder_without_sgf_files(tmp_path):
    with pytest.raises(GamesError, match=r"no file ends in \.sgf"):
        read_training_games(tmp_path)


def test_moves_from_the_first_pass_on_are_omitted():
    assert usable_moves(RULES, [*MOVES[:3], PASS, *MOVES[3:]], False) == (MOVES[:3], "")


def test_the_end_of_a_game_counted_by_territory_is_omitted(tmp_path):
    assert usable_moves(RULES, MOVES, False) == (MOVES, "")
    assert usable_moves(RULES, MOVES, True) == (MOVES[:9], "")
    ten = "ccggcggceeecceeggedd"
    for heading, result, left in (
        ("Games on 9x9, Chinese rules", "B+3.5", 10),
        ("Games on 9x9, Japanese rules", "B+3.5", 9),
        ("Games on 9x9, Chinese or Korean counting", "W+0.5", 9),
        ("Games on 9x9", "0", 9),
        ("Games on 9x9, Japanese rules", "B+R", 10),
        ("Games on 9x9, Japanese rules", "?", 10),
    ):
        games = read_training_games(list_file(tmp_path, f"{result} {ten}", heading=heading)).games
        assert len(games[0].moves) == left, (heading, result)


def test_a_move_that_is_illegal_in_a_match_ends_the_game(tmp_path):
    games, omitted = read_training_games(list_file(tmp_path, "B+R ccggcccg", "B+R zz"))
    assert [game.moves for game in games] == [tuple(MOVES[:2])]
    assert omitted == {"shortened before a move that is illegal in a match": 2}


@given(st.lists(st.integers(0, 80), max_size=60), st.booleans())
def test_the_usable_moves_can_be_replayed(moves, counts_territory):
    kept, _ = usable_moves(RULES, moves, counts_territory)
    assert kept == moves[: len(kept)]
    position = RULES.opening()
    for move in kept:
        position = position.play(move)
