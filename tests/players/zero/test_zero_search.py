"""Tests of the learning player's search, with tic-tac-toe as a game that minimax solves."""

from functools import cache

import numpy as np
import pytest
from zero_networks import random_network, random_states
from zero_oracle import root_actions

from littlego.players.zero import search as module
from littlego.players.zero.exact import gumbel_noise
from littlego.players.zero.game import ONGOING
from littlego.players.zero.games import game_named
from littlego.players.zero.search import line_of, search

GAME = game_named("tic-tac-toe")
GO = game_named("little-go")
RECORDED = "iioojojzzojjiilijouiokoyzghisodgzjshhjgvhbgoohoogozilgvmwzqbfjjjodpjzihmvq"


@cache
def minimax(state):
    states = np.array([state], np.int16)
    result = int(GAME.results(states)[0])
    if result != ONGOING:
        return result
    return max(-minimax(tuple(GAME.play(states, np.array([action]))[0])) for action in np.flatnonzero(states[0] == 0))


def untrained(features):
    return np.zeros((len(features), 9), np.int64), np.zeros(len(features), np.int64)


def test_search_without_knowledge_plays_late_tic_tac_toe_perfectly():
    """With six empty points or more, 512 simulations of an untrained network miss a few results."""
    states = random_states(GAME, 300, 7, seed=2)
    states = states[(states == 0).sum(1) <= 5]
    assert len(states) > 40
    found = search(GAME, untrained, states, np.zeros((len(states), 9), np.int64), 512)
    for state, after in zip(states, GAME.play(states, found.actions), strict=True):
        assert minimax(tuple(state)) == -minimax(tuple(after))


def a_case(count):
    """Return the arguments of a search of at most `count` positions, the same on every machine."""
    states, network = random_states(GO, count, 23, seed=7), random_network(GO, 7, width=64)
    noise = gumbel_noise(np.random.Generator(np.random.PCG64(7)), len(states), 26)
    return GO, network, states, noise


def letters(actions):
    """Return actions as text: point 0 is `a`, a pass `z`."""
    return "".join(chr(ord("a") + action) for action in actions)


def test_actions_are_the_recorded_actions_of_mctx():
    """The test below compares more positions with the library mctx itself."""
    assert letters(search(*a_case(80), 50).actions) == RECORDED


@pytest.mark.slow
@pytest.mark.parametrize("simulations", [1, 16, 64])
def test_actions_equal_those_of_mctx(simulations):
    pytest.importorskip("mctx", reason="pip install mctx: the oracle of the search")
    case = a_case(1500)
    assert letters(root_actions(*case, simulations)) == letters(search(*case, simulations).actions)


@pytest.mark.parametrize("game", [GAME, GO], ids=lambda game: game.name)
def test_search_of_a_batch_equals_searches_of_its_states(game):
    states, network = random_states(game, 40, 7 if game is GAME else 23), random_network(game, 3)
    noise = gumbel_noise(np.random.default_rng(5), len(states), game.actions)
    together, legal = search(game, network, states, noise, 32), game.legal(states)
    assert (together.visits.sum(1) == 32).all() and not together.visits[~legal].any()
    assert np.allclose(together.policy.sum(1), 1) and not together.policy[~legal].any()
    for index in range(len(states)):
        alone = search(game, network, states[index : index + 1], noise[index : index + 1], 32)
        for one, all_of_them in zip(alone[:-1], together[:-1], strict=True):
            assert (one[0] == all_of_them[index]).all()


def test_without_simulations_the_logits_decide():
    states, network = random_states(GO, 30, 23), random_network(GO, 4)
    noise = gumbel_noise(np.random.default_rng(6), len(states), GO.actions)
    found = search(GO, network, states, noise, 0)
    scores = np.where(GO.legal(states), network(GO.features(states))[0] + noise, -(10**9))
    assert (found.actions == scores.argmax(1)).all() and not found.visits.any()


def test_a_line_begins_with_its_action_and_can_be_played():
    states, network = random_states(GO, 10, 10), random_network(GO, 5)
    found = search(GO, network, states, np.zeros((len(states), 26), np.int64), 64)
    for index, action in enumerate(found.actions.tolist()):
        line, state = line_of(found.trees, index, action), states[index : index + 1]
        assert line[0] == action and len(line) > 1
        for move in line:
            assert GO.legal(state)[0, move]
            state = GO.play(state, np.array([move]))


@pytest.mark.parametrize(
    ("considered", "simulations"), [(1, 5), (2, 16), (9, 64), (16, 16), (16, 64), (16, 1024), (16, 0)]
)
def test_schedule_spends_every_simulation(considered, simulations):
    schedule = module._schedule(considered, simulations)
    assert len(schedule) == simulations and schedule[:considered] == (0,) * min(considered, simulations)
    counts = [0] * considered
    for visits in schedule:  # some action always has the visits that the schedule asks for
        counts[counts.index(visits)] += 1
