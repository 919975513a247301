"""Tests of self-play: samples have the results of their games, and a task determines its samples."""

import numpy as np
import pytest
from zero_networks import random_network

from littlego.learning.zero.actor import Task, play_games, random_starts
from littlego.learning.zero.replay import SHARE_UNITS, newest, no_samples
from littlego.players.zero.game import ONGOING
from littlego.players.zero.games import game_named


def task(name, games=6, simulations=4, seed=(1, 2)):
    return Task(name, random_network(game_named(name), 5).layers, seed, games, simulations)


@pytest.mark.parametrize("name", ["little-go", "tic-tac-toe", "match-5"])
def test_a_task_determines_its_samples(name):
    first, second = (play_games(task(name)) for _ in range(2))
    other = play_games(task(name, seed=(1, 3)))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    assert first.size != other.size or (first.features != other.features).any()


@pytest.mark.parametrize("name", ["little-go", "tic-tac-toe"])
def test_samples_are_searched_states_with_the_results_of_their_games(name):
    game, samples = game_named(name), play_games(task(name, games=1))
    assert samples.features.shape == (samples.size, game.inputs)
    shares = samples.policy.sum(1, dtype=int)
    assert (abs(shares - SHARE_UNITS) <= game.actions).all()
    own, theirs = (samples.features[:, start : start + game.points] for start in (0, game.points))
    stones = (own + theirs > 0).sum(1)
    assert stones[0] == 0, "the first game begins without random moves"
    assert (samples.winner[::2] == samples.winner[0]).all() and (samples.winner[1::2] == -samples.winner[0]).all()
    assert (samples.owners[::2] == samples.owners[0]).all() and (samples.owners[1::2] == -samples.owners[0]).all()


def test_the_winner_of_little_go_has_more_owned_points_and_komi():
    samples = play_games(task("little-go", games=8))
    black_moves = samples.features[:, -2] > 0  # the scalars are moves left, colour, passed
    lead = samples.owners.sum(1, dtype=int) - np.where(black_moves, 2.5, -2.5)
    assert (np.sign(lead) == samples.winner).all()


def test_every_second_game_begins_with_random_moves():
    game = game_named("little-go")
    starts = random_starts(game, 400, np.random.default_rng(0))
    left = game.length - starts[:, 26]
    assert (left[::2] == 0).all() and set(left[1::2]) == set(range(1, 13))
    assert (game.results(starts) == ONGOING).all()


def test_the_window_keeps_the_newest_samples():
    samples = play_games(task("tic-tac-toe"))
    window = newest(no_samples(game_named("tic-tac-toe")), samples, 10)
    assert window.size == 10 and (window.features == samples.features[-10:]).all()
    assert newest(window, samples.where(slice(3)), 10).size == 10
