"""Tests of tic-tac-toe: the handout's three players, and a learner that never loses after training."""

import random
from functools import cache

import pytest

from littlego.players.learners.cli import DEFAULTS
from littlego.players.learners.qlearner import QLearner
from littlego.players.learners.tictactoe import (
    OPPONENTS,
    TABLES,
    advice,
    best_squares,
    free,
    has_line,
    perfect_player,
    play,
    random_player,
    scores,
    smart_player,
    train,
    view,
)
from littlego.rules.geometry import image_of


def board(drawn):
    """Return (own, theirs) from three drawn rows, with X to move."""
    cells = drawn.split()
    return tuple(sum(1 << square for square in range(9) if cells[square] == sign) for sign in "XO")


def worst(squares_of, moves_first):
    """Return a player's worst result over all its choices and all replies.

    squares_of: a function that returns the squares that the player may choose.
    """

    @cache
    def result(own, theirs, its_turn):
        squares = squares_of(own, theirs) if its_turn else free(own, theirs)
        values = []
        for square in squares:
            stones = own | 1 << square
            value = 1 if has_line(stones) else -result(theirs, stones, not its_turn) if free(stones, theirs) else 0
            values.append(value)
        return min(values) if its_turn else max(values)

    return result(0, 0, True) if moves_first else -result(0, 0, False)


def reached(squares_of, moves_first):
    """Return all boards on which a player with these choices may have to move."""
    seen, waiting = set(), [(0, 0, moves_first)]
    while waiting:
        own, theirs, its_turn = waiting.pop()
        if (own, theirs, its_turn) in seen or has_line(theirs):
            continue
        seen.add((own, theirs, its_turn))
        for square in squares_of(own, theirs) if its_turn and free(own, theirs) else free(own, theirs):
            waiting.append((theirs, own | 1 << square, not its_turn))
    return {(own, theirs) for own, theirs, its_turn in seen if its_turn and free(own, theirs)}


def choices(learner):
    """Return a function that returns all squares that a learner may choose."""

    def squares(own, theirs):
        state, actions = view(own, theirs)
        return [square for action in learner.best(state, actions) for square in actions[action]]

    return squares


@cache
def trained(games, seed=0):
    learner = QLearner(DEFAULTS)
    train(learner, range(games), random.Random(seed))
    return learner


@pytest.mark.parametrize("moves_first", [True, False])
def test_perfect_never_loses_against_anything(moves_first):
    assert worst(best_squares, moves_first) == 0
    assert len(reached(best_squares, moves_first)) > 100  # a search of few boards would prove little


def test_perfect_wins_what_can_be_won():
    fork = board("""
        X . .
        . O .
        O . X
    """)
    assert best_squares(*fork) == [2]


def games_won(one, other, games=600):
    """Return the share of games that each of two players wins; the player that moves first alternates."""
    rng = random.Random(5)
    seats = [play(one(rng), other(rng)) if number % 2 else -play(other(rng), one(rng)) for number in range(games)]
    return seats.count(1) / games, seats.count(-1) / games


def test_smart_is_better_than_random_and_can_be_beaten():
    won, lost = games_won(smart_player, random_player)
    assert won > 0.7 and 0 < lost < 0.1
    assert games_won(perfect_player, smart_player)[0] > 0.1


def test_smart_cannot_beat_perfect():
    assert games_won(smart_player, perfect_player)[0] == 0


def test_smart_wins_at_once_and_else_blocks():
    both = board("""
        X X .
        O O .
        . . .
    """)
    block = board("""
        X . .
        O O .
        X . .
    """)
    assert {smart_player(random.Random(n))(*both) for n in range(20)} == {2}
    assert {smart_player(random.Random(n))(*block) for n in range(20)} == {5}


def test_eight_images_are_one_state_and_actions_go_with_them():
    own, theirs = board("""
        X . .
        . O .
        . . .
    """)
    state, actions = view(own, theirs)
    assert sorted(map(len, actions.values())) == [1, 2, 2, 2]  # the diagonal is an axis of symmetry
    for table in TABLES:
        turned_state, turned = view(image_of(own, table), image_of(theirs, table))
        assert turned_state == state
        assert {a: {table[s] for s in squares} for a, squares in actions.items()} == {
            a: set(squares) for a, squares in turned.items()
        }


def test_there_are_765_boards_but_for_symmetry():
    seen, waiting = set(), [(0, 0)]
    while waiting:
        own, theirs = waiting.pop()
        state = view(own, theirs)[0]
        if state not in seen:
            seen.add(state)
            if not has_line(theirs):
                waiting += [(theirs, own | 1 << square) for square in free(own, theirs)]
    assert len(seen) == 765


def test_little_training_loses_and_much_does_not():
    few, many = trained(1000), trained(20_000)
    assert any(score.losses for score in scores(few, 100, random.Random(1)) if score.opponent == "PerfectPlayer")
    assert not any(score.losses for score in scores(many, 500, random.Random(1)) if score.opponent == "PerfectPlayer")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_a_hundred_thousand_games_make_a_player_that_nothing_beats(seed):
    learner = trained(100_000, seed)
    found = scores(learner, 500, random.Random(seed))
    assert [score.losses for score in found if score.opponent == "PerfectPlayer"] == [0, 0]
    assert worst(choices(learner), True) == worst(choices(learner), False) == 0
    won = {score.opponent: score.wins for score in found if score.seat == 1}
    assert won["RandomPlayer"] > 400 and won["SmartPlayer"] > 300 and won["PerfectPlayer"] == 0


def test_playing_for_the_record_teaches_nothing():
    learner = trained(1000)
    before = {state: dict(values) for state, values in learner.table.items()}
    scores(learner, 20, random.Random(3))
    assert learner.table == before
    assert advice(learner, random.Random(1))(0, 0) in range(9)


def test_training_meets_every_opponent_in_both_seats(monkeypatch):
    met = []

    def noted(player, opponent, seat):
        met.append((opponent, seat))
        return 0

    monkeypatch.setattr("littlego.players.learners.tictactoe._play_seated", noted)
    train(QLearner(DEFAULTS), range(12), random.Random(1))
    assert len(met) == 12 and len(set(met)) == 2 * len(OPPONENTS)
