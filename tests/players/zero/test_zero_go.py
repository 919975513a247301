"""Tests of Go for search and learning, against the rules along random games."""

import random

import numpy as np
import pytest
from zero_networks import random_states

from littlego.games.game import opening, ruleset_named, winner_of
from littlego.games.kinds import UnknownRulesetError
from littlego.games.match import territory
from littlego.players.zero.game import ONGOING, turned
from littlego.players.zero.games import game_named
from littlego.rules.geometry import count, points_of
from littlego.rules.position import PASS, chains, liberties


def play_random_game(game, chance, ruleset):
    """Compare every state of a random game with the rules; return the number of states."""
    position, state, plies, over, passing = opening(ruleset), game.start(1), 0, False, chance.choice((0.02, 0.3))
    while not over and plies < game.length:
        check_state(game, position, state)
        moves = points_of(position.legal())
        move = PASS if not moves or chance.random() < passing else chance.choice(moves)
        over = position.ends_with(move)
        position, plies = position.play(move), plies + 1
        state = game.play(state, np.array([game.points if move == PASS else move]))
    winner = winner_of(position)
    assert game.results(state) == [0 if not winner else 1 if winner == position.colour else -1]
    black, white = (position.black, position.white)
    if ruleset.ko != "simple":
        black, white = (a | b for a, b in zip((black, white), territory(black, white, position.grid), strict=True))
    own, theirs = (black, white) if position.colour == 1 else (white, black)
    assert np.flatnonzero(game.owners(state)[0] == 1).tolist() == points_of(own)
    assert np.flatnonzero(game.owners(state)[0] == -1).tolist() == points_of(theirs)
    return plies


def check_state(game, position, state):
    legal = points_of(position.legal())
    assert np.flatnonzero(game.legal(state)[0]).tolist() == [*legal, game.points]
    assert game.results(state) == [ONGOING]
    made = game.state_of(position)
    differing = np.flatnonzero(game.features(made)[0] != game.features(state)[0]).tolist()
    assert not differing or differing == [5 * game.points] and position.number > game.length * 3 // 4  # moves left
    assert (game.legal(made) == game.legal(state)).all()
    planes = game.features(state)[0, : 5 * game.points].reshape(5, -1)
    few = [with_liberties(position, number) for number in (1, 2)]
    expected = [*map(points_of, (position.own, position.theirs)), legal, *map(points_of, few)]
    assert [np.flatnonzero(plane).tolist() for plane in planes] == expected
    assert planes.max() <= 32 and game.features(state).max() <= 255


def with_liberties(position, number):
    """Return the stones of chains with this number of liberties."""
    occupied, found = position.own | position.theirs, 0
    for chain in chains(position.own, position.grid) + chains(position.theirs, position.grid):
        if count(liberties(chain, occupied, position.grid)) == number:
            found |= chain
    return found


@pytest.mark.parametrize(
    ("name", "states"),
    [("little-go", 6000), ("little-go-3", 500), ("little-go-7", 800), ("match-5", 1500), ("match-9", 500)],
)
def test_random_games_follow_the_rules(name, states):
    compare(name, states)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["little-go", "match-5", "match-5-no-pass-stones"])
def test_many_random_games_follow_the_rules(name):
    compare(name, 100_000)


def compare(name, states):
    chance, game, ruleset = random.Random(name), game_named(name), ruleset_named(name)
    while states > 0:
        states -= play_random_game(game, chance, ruleset)


@pytest.mark.parametrize("name", ["tic-tac-toe", "little-go", "match-5"])
def test_a_game_from_turned_states_is_the_turned_game(name):
    game = game_named(name)
    states = random_states(game, 64, 6)
    for symmetry in range(len(game.symmetries)):
        turns = np.full(len(states), symmetry)
        images = states.copy()
        images[:, : game.points] = turned(game, states[:, : game.points], turns)
        if name == "little-go" and (states[:, game.points] >= 0).any():
            images, states, turns = (one[states[:, game.points] < 0] for one in (images, states, turns))
        if name != "match-5":  # its states have hashes of boards
            assert (game.legal(images) == turned(game, game.legal(states), turns)).all()
            assert (game.features(images) == turned(game, game.features(states), turns)).all()
        assert (game.owners(images) == turned(game, game.owners(states), turns)).all()


def test_a_batch_equals_its_states():
    game = game_named("little-go")
    states = random_states(game, 50, 20, seed=3)
    for row, features, legal in zip(states, game.features(states), game.legal(states), strict=True):
        assert (game.features(row[None])[0] == features).all() and (game.legal(row[None])[0] == legal).all()


def test_large_boards_are_refused():
    assert game_named("match-10").inputs <= 512
    with pytest.raises(UnknownRulesetError, match="match-11: the network reads boards of at most 10x10"):
        game_named("match-11")
