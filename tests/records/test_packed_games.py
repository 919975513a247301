"""Tests of engines' games that are packed in one file: round trips, and refusal of damaged files."""

from __future__ import annotations

import json
import lzma
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_matches import random_match

from littlego.games.match import match_rules
from littlego.paths import ENGINE_GAMES, OWN_GAMES
from littlego.records.packed_games import PackedGame, add_games, pack, parse_packed, read_packed
from littlego.records.recorded_games import GamesError
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE


def random_game(seed: int, size: int) -> PackedGame:
    """Return a stored game of random moves. Every third seed resigns, unless two passes have ended the game."""
    positions = random_match(seed, size, plies=30)
    moves = [_move_between(before, after) for before, after in zip(positions, positions[1:], strict=False)]
    moves += [RESIGN] * (seed % 3 == 0 and moves[-2:] != [PASS, PASS])
    rng = random.Random(seed)
    lead2 = rng.randrange(-99, 99)
    winner = rng.choice((BLACK, WHITE))
    return PackedGame(
        match_rules(size), ("gnugo", "gnugo:1"), ("GNU Go 3.8",) * 2, seed, 0, winner, "two passes", lead2, tuple(moves)
    )


def _move_between(before, after):
    stone = after.black & ~before.black | after.white & ~before.white
    return stone.bit_length() - 1 if stone else PASS


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from((5, 9, 19))), max_size=4))
def test_games_are_read_back_as_they_were(wanted):
    games = [random_game(seed, size) for seed, size in wanted]
    assert parse_packed(pack(games)) == games
    for game in games:
        positions = game.positions()
        assert len(positions) == len(game.moves)
        for before, move, after in zip(positions, game.moves, positions[1:], strict=False):
            assert _move_between(before, after) == move


def test_a_file_grows_by_the_games_that_it_does_not_have(tmp_path):
    path = tmp_path / "games.xz"
    games = [random_game(seed, 9) for seed in range(4)]
    assert add_games(path, games[:3]) == 3
    assert add_games(path, games[1:]) == 1
    assert read_packed(path) == games
    assert add_games(path, games) == 0


def test_what_is_no_file_of_games_stays_as_it_is(tmp_path):
    path = tmp_path / "notes.xz"
    path.write_bytes(lzma.compress(b'{"my": "notes"}\n'))
    before = path.read_bytes()
    with pytest.raises(GamesError, match="notes.xz: its first line does not name the format littlego-games"):
        add_games(path, [random_game(0, 9)])
    assert path.read_bytes() == before


def edited(**changes):
    """Return a one-game file with changed values in its header."""
    head, _, moves = lzma.decompress(pack([random_game(1, 9)])).partition(b"\n")
    header = json.loads(head)
    header["games"][0] |= changes
    return lzma.compress(json.dumps(header).encode() + b"\n" + moves)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "truncated"),
        (b"moves of a game, in plain text", "cannot be decompressed"),
        (pack([random_game(1, 9)])[:-20], "truncated"),
        (lzma.compress(b"[" * 100_000), "is nested too deeply"),
        (lzma.compress(b"{"), "Expecting property name"),
        (lzma.compress(b'{"format": "littlego-games", "version": 2}\n'), "format version 2, expected 1"),
        (edited(ruleset="chess"), "game 1: unknown ruleset 'chess'"),
        (edited(ruleset="match-5"), r"game 1: the move \d,\d is not on the 5x5 board"),
        (edited(ruleset=None), "unknown ruleset 'None'"),
        (edited(moves=10**9), "game 1: not a valid game: winner "),
        (edited(moves=9999), r"expected 9999 moves, but the file has only \d+ more"),
        (edited(moves=2), r"\d+ bytes after the last move"),
        (edited(winner=3), "not a valid game"),
        (edited(seed="1"), "expected a whole number for seed"),
        (edited(lead=float("nan")), "expected a whole number for lead"),
        (edited(programs=["GNU Go"]), "expected two programs"),
        (edited(more=1), "expected the keys"),
    ],
)
def test_damage_is_named(tmp_path, data, said):
    path = tmp_path / "games.xz"
    path.write_bytes(data)
    with pytest.raises(GamesError, match=said):
        read_packed(path)


def test_an_illegal_move_is_named():
    game = random_game(1, 9)._replace(moves=(40, 40))
    with pytest.raises(GamesError, match="gnugo against gnugo:1, match-9, seed 1: move 2, 4,4: there is a stone"):
        game.positions()


def test_the_kept_games_are_of_gnu_go_and_legal():
    games = read_packed(ENGINE_GAMES)
    assert {game.ruleset.size for game in games} == {9, 13, 19}
    assert all("GNU Go" in program for game in games for program in game.programs)
    for game in games[::20]:
        assert len(game.positions()) == len(game.moves)


def test_the_kept_games_of_ours_are_against_gnu_go_and_legal():
    games = read_packed(OWN_GAMES)
    assert {game.ruleset.size for game in games} == {9, 13, 19}
    assert all(sorted(game.players) == ["gnugo", "ours"] for game in games)
    for game in games[::20]:
        assert len(game.positions()) == len(game.moves)
