"""Tests of the learning player's network and search, with tic-tac-toe as a game that minimax solves."""

from functools import cache

import numpy as np
import pytest

from littlego.players.zero.network import MAX_WEIGHT, Layer, Network, softmax, tanh
from littlego.players.zero.search import chosen_action, search, visit_schedule

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe:
    """A state is nine marks: 1 of the player to move, -1 of the opponent, 0 empty."""

    def legal(self, state):
        return np.array(state) == 0

    def play(self, state, action):
        return tuple(-1 * (1 if i == action else mark) for i, mark in enumerate(state))

    def result(self, state):
        if any(all(state[i] == -1 for i in line) for line in LINES):
            return -1.0
        return None if 0 in state else 0.0

    def features(self, state):
        return np.array([32 * (mark == who) for who in (1, -1) for mark in state])


GAME = TicTacToe()
ZERO = np.zeros((1, 9), np.int64)


@cache
def minimax(state):
    result = GAME.result(state)
    if result is not None:
        return result
    return max(-minimax(GAME.play(state, i)) for i in range(9) if not state[i])


def layer(rng, inputs, outputs):
    return Layer(rng.integers(-60, 61, (inputs, outputs)), rng.integers(-20, 21, outputs))


def network(seed):
    rng = np.random.default_rng(seed)
    return Network(layer(rng, 18, 32), (layer(rng, 32, 32),), layer(rng, 32, 9), layer(rng, 32, 1))


def random_states(count, seed=0):
    rng, states = np.random.default_rng(seed), []
    while len(states) < count:
        state = (0,) * 9
        for _ in range(rng.integers(8)):
            if GAME.result(state) is None:
                state = GAME.play(state, int(rng.choice(np.flatnonzero(GAME.legal(state)))))
        if GAME.result(state) is None:
            states.append(state)
    return states


def test_layers_equal_integer_arithmetic_at_their_bounds():
    rng = np.random.default_rng(1)
    for weights in (np.full((512, 3), MAX_WEIGHT), rng.integers(-127, 128, (512, 3))):
        inputs = rng.integers(200, 256, (4, 512))
        assert (Layer(weights, np.zeros(3, np.int64))(inputs) == inputs @ weights // 128).all()
    with pytest.raises(ValueError, match="at most 512 inputs"):
        Layer(np.full((1, 1), 128), np.zeros(1, np.int64))


def test_softmax_and_tanh_equal_the_library():
    units = np.arange(-300, 301)
    assert np.allclose(tanh(units), np.tanh(units / 32), atol=1e-8)
    legal = units % 3 == 0
    powers = np.where(legal, np.exp(units / 32), 0)
    assert np.allclose(softmax(units, legal), powers / powers.sum(), atol=1e-8)


@pytest.mark.parametrize("actions,simulations", [(1, 5), (2, 16), (9, 64), (16, 16), (16, 64), (16, 1024)])
def test_schedule_spends_every_simulation(actions, simulations):
    schedule = list(visit_schedule(actions, simulations))
    assert len(schedule) == simulations and schedule[:actions] == [0] * min(actions, simulations)
    counts = [0] * actions
    for visits in schedule:  # some action always has the visits that the schedule asks for
        counts[counts.index(visits)] += 1


def test_search_of_a_batch_equals_searches_of_its_states():
    states, net = random_states(12), network(3)
    noise = np.random.default_rng(5).integers(-40, 80, (12, 9))
    together = search(GAME, states, net, noise, 32)
    for state, root, row in zip(states, together, noise, strict=True):
        (alone,) = search(GAME, [state], net, row[None], 32)
        assert (alone.visits == root.visits).all() and (alone.totals == root.totals).all()
        assert root.visits.sum() == 32 and not root.visits[~root.legal].any()


def untrained(features):
    return np.zeros((len(features), 9), np.int64), np.zeros(len(features), np.int64)


def test_search_without_knowledge_plays_late_tic_tac_toe_perfectly():
    """With six empty points or more, 512 simulations of an untrained network miss a few results."""
    states = [state for state in random_states(150, seed=2) if state.count(0) <= 5]
    assert len(states) > 40
    roots = search(GAME, states, untrained, np.repeat(ZERO, len(states), 0), 512)
    for state, root in zip(states, roots, strict=True):
        assert minimax(state) == -minimax(GAME.play(state, chosen_action(root, ZERO[0])))
