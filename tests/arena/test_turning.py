"""Tests of the search for the move that lost a game, compared with exhaustive search."""

from __future__ import annotations

import pickle
from functools import cache

import brute_force
import pytest

from littlego.arena.losses import Lost, turning_point, why_lost
from littlego.cache import Cache
from littlego.games.boards import board_text
from littlego.match.referee import Game, GameRecord, Player, Reply
from littlego.match.series import random_opening
from littlego.players.registry import make_player
from littlego.rules.position import BLACK, PASS, RESIGN, WHITE
from littlego.rules.ruleset import LITTLE_GO, little_go
from littlego.truth.solver.solver import GOAL, Solver

REACH = 5  # maximum moves left for which the tests play exhaustively to the end
NOTHING = GameRecord(LITTLE_GO, ("one", "other"), 0, 0, (), WHITE, "", 0, 0, "", 0, 0)


@cache
def solver() -> Solver:
    return Solver(16)


def random_game(seed: int, given: int = 0) -> GameRecord:
    players = make_player("random", seed), make_player("random", seed + 1)
    return Game(players, LITTLE_GO, random_opening(LITTLE_GO, given, seed), seed).play()


class Ending(Player):
    """A player that moves at random until `left` moves are left in the game, and then replies `last`."""

    def __init__(self, seed: int, left: int, last: Reply):
        self.random, self.left, self.last = make_player("random", seed), left, last

    def choose(self, turn):
        return self.last if turn.position.left <= self.left else self.random.choose(turn)


def by_brute_force(record: GameRecord) -> tuple[int, int] | None:
    """Return (move number, mask of winning moves) of the move that lost a game, or None if none is found."""
    known: dict = {}
    found, position = None, Game((), LITTLE_GO).position
    for move in record.moves:
        if position.left <= REACH and position.colour != record.winner:
            winning = brute_force.winning(position, GOAL, known)
            if winning and not winning >> brute_force.pack_move(move.move) & 1:
                found = position.number, winning
        position = position.play(move.move)
    return found


def test_it_is_the_last_move_that_gave_a_win_away():
    found = 0
    for seed in range(25):
        record = random_game(seed)
        turning, expected = turning_point(record, solver(), REACH).turning, by_brute_force(record)
        if turning is None:
            assert expected is None
        else:
            mask = sum(1 << brute_force.pack_move(move) for move in turning.winning)
            assert (turning.position.number, mask) == expected
            assert turning.move == record.moves[turning.position.number - 1].move
            assert turning.position.colour != record.winner
            found += 1
    assert 3 < found < 25


def test_a_game_lost_early_says_since_when():
    records = [random_game(seed) for seed in range(40)]
    texts = {turning_point(record, solver(), REACH).why_none for record in records}
    assert texts - {""} == {"lost before move 20", "lost before move 21"}


def test_a_game_that_ended_early_was_not_looked_at():
    record = Game((Ending(1, 24, Reply(PASS)), make_player("random", 2)), LITTLE_GO).play()
    assert record.why == "a pass as the first move"
    assert turning_point(record, solver(), REACH) == Lost(None, "the game ended with too many moves left to solve")


@pytest.mark.parametrize(
    "reply, text",
    [
        (Reply(RESIGN), "the loser resigned a won position"),
        (Reply(None, 0.0, "crashed"), "the fault gave away a won position"),
    ],
)
def test_a_win_that_no_move_gave_away(reply, text):
    """`why_none` is empty if an earlier move lost the game. Otherwise it states why no move lost it."""
    found = {""}
    for seed in range(20):
        record = Game((make_player("random", seed), Ending(seed, REACH, reply)), LITTLE_GO, seed=seed).play()
        assert record.winner == BLACK and len(record.moves) in (19, 20)
        found.add(turning_point(record, solver(), REACH).why_none)
    assert found == {"", text, "lost before move 20"}


def test_the_opening_that_was_given_is_nobodys_mistake():
    """The search examines only moves after the given opening, even if the solver could go further back."""
    record = random_game(3, given=19)
    assert record.opening == 19
    for game in (record, record._replace(winner=3 - record.winner)):
        if game.winner == record.winner:
            assert "opening" not in turning_point(game, solver(), 24).why_none
    texts = {turning_point(random_game(seed, given=19), solver(), 24).why_none for seed in range(20)}
    assert texts == {"", "lost before the loser's first move"}


def test_ties_and_other_boards_have_none():
    assert turning_point(NOTHING._replace(winner=0), solver(), REACH).why_none == "a tie"
    assert "only in Little-Go on 5x5" in turning_point(NOTHING._replace(ruleset=little_go(4)), solver(), REACH).why_none


def test_a_game_from_another_process_is_read_too():
    record = random_game(4)
    again = pickle.loads(pickle.dumps(record))
    assert str(turning_point(again, solver(), REACH)[1]) == turning_point(record, solver(), REACH)[1]


def test_many_games_are_explained_once_and_kept(tmp_path, monkeypatch):
    records = [random_game(seed) for seed in range(10)]
    expected = [turning_point(record, solver(), REACH) for record in records]
    cache = Cache("turning", tmp_path)
    assert shown(why_lost(records, REACH, 1, cache)) == shown(expected)
    monkeypatch.setattr("littlego.arena.losses._explain_loss", None)  # any repeated computation fails
    assert shown(why_lost(records, REACH, 1, Cache("turning", tmp_path))) == shown(expected)
    assert why_lost(records, 0, 1, cache) == [Lost(None)] * 10


def shown(found: list[Lost]) -> list:
    """Return the findings in a form that can be compared, with positions as drawings."""
    return [
        (board_text(5, one.turning.position.black, one.turning.position.white), *one.turning[1:])
        if one.turning
        else one.why_none
        for one in found
    ]


def test_a_game_is_only_asked_about_once_though_it_was_lost_twice(tmp_path):
    records = [random_game(5)] * 3
    found = why_lost(records, REACH, 1, Cache("turning", tmp_path))
    assert len(found) == 3 and len({str(one) for one in shown(found)}) == 1
