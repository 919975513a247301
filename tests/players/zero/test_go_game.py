"""Tests of Go as the learning player sees it, against the rules along random games."""

import random

import numpy as np

from littlego.players.zero.go_game import GoGame, State
from littlego.players.zero.search import chosen_action, search
from littlego.rules.position import PASS, opening, winner_of
from littlego.rules.ruleset import LITTLE_GO

GAME = GoGame(5)


def test_random_games_follow_the_rules():
    for seed in range(60):
        chance, position, state = random.Random(seed), opening(LITTLE_GO), State(opening(LITTLE_GO))
        over = False
        while not over:
            assert GAME.result(state) is None
            legal = GAME.legal(state)
            assert legal.tolist() == [bool(position.legal() >> point & 1) for point in range(25)] + [True]
            features = GAME.features(state)
            assert features.shape == (78,) and features.min() >= 0 and features.max() <= 255
            assert sum(features[:25]) == 32 * position.own.bit_count()
            action = chance.choice(np.flatnonzero(legal).tolist())
            move = PASS if action == 25 else action
            over = position.ends_with(move)
            position, state = position.play(move), GAME.play(state, action)
        wins = {position.colour: 1.0, 0: 0.0}
        assert GAME.result(state) == wins.get(winner_of(position), -1.0)


def test_search_wins_with_the_last_move():
    """With one move left, the chosen move has the best result of all legal moves."""

    def untrained(features):
        return np.zeros((len(features), 26), np.int64), np.zeros(len(features), np.int64)

    chance, noise, seen = random.Random(1), np.zeros((1, 26), np.int64), 0
    for _ in range(20):
        state = State(opening(LITTLE_GO))
        while state.position.left > 1 and not state.over:
            state = GAME.play(state, chance.choice(np.flatnonzero(GAME.legal(state))[:-1].tolist() or [25]))
        if state.over:
            continue
        ends = [-GAME.result(GAME.play(state, a)) for a in np.flatnonzero(GAME.legal(state)).tolist()]
        (root,) = search(GAME, [state], untrained, noise, 64)
        assert -GAME.result(GAME.play(state, chosen_action(root, noise[0]))) == max(ends)
        seen += 1
    assert seen > 5
