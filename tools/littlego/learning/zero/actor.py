"""Self-play as a pure function, which any process can run: weights and a seed determine the samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from littlego.learning.zero.replay import SHARE_UNITS, Samples
from littlego.players.zero.exact import gumbel_noise
from littlego.players.zero.game import ONGOING, Game
from littlego.players.zero.games import game_named
from littlego.players.zero.network import Layer, Network
from littlego.players.zero.search import search

if TYPE_CHECKING:
    from littlego.players.zero.game import Integers, States

MOST_RANDOM = 12  # maximum number of random moves at the start of a game


class Task(NamedTuple):
    """A batch of self-play games.

    game: the game's name. layers: the network's layers, see Network. seed: the seed of all random choices of the batch.
    games: number of games. simulations: number of simulations per move.
    """

    game: str
    layers: dict[str, Layer]
    seed: tuple[int, ...]
    games: int
    simulations: int


def play_games(task: Task) -> Samples:
    """Play a batch of self-play games; return the samples in the order of the moves.

    Both players search with the same network and with Gumbel noise. Every second game begins with random moves, so that
    training covers positions that good play avoids. Random moves are not recorded as samples.
    """
    game, network = game_named(task.game), Network(task.layers, {"game": task.game})
    rng = np.random.default_rng(task.seed)
    states = random_starts(game, task.games, rng)
    features, policies, numbers, turns = [], [], [], []  # for each move of all games
    going, turn = np.flatnonzero(game.results(states) == ONGOING), 0
    while len(going):
        noise = gumbel_noise(rng, len(going), game.actions)
        searched = search(game, network, states[going], noise, task.simulations)
        features.append(game.features(states[going]).astype(np.uint8))
        policies.append(np.rint(SHARE_UNITS * searched.policy).astype(np.uint8))
        numbers.append(going)
        turns.append(np.full(len(going), turn))
        states[going] = game.play(states[going], searched.actions)
        going, turn = going[game.results(states[going]) == ONGOING], turn + 1
    columns = (np.concatenate(column) for column in (features, policies, numbers, turns))
    return _label(game, states, *columns)


def random_starts(game: Game, count: int, rng: np.random.Generator) -> States:
    """Return `count` first states of games: alternately initial states and states after random moves.

    The number of random moves is 1 to MOST_RANDOM, but at most half the number of points. A random move is a pass only
    if no point is legal.
    """
    states = game.start(count)
    plies = rng.integers(1, 1 + min(MOST_RANDOM, game.points // 2), count)
    plies[::2] = 0
    for ply in range(plies.max(initial=0)):
        going = np.flatnonzero((plies > ply) & (game.results(states) == ONGOING))
        chances = rng.random((len(going), game.actions)) * game.legal(states[going])
        chances[:, game.points :] *= 1e-9
        states[going] = game.play(states[going], chances.argmax(1))
    return states


def _label(
    game: Game,
    ends: States,
    features: NDArray[np.uint8],
    policies: NDArray[np.uint8],
    numbers: Integers,
    turns: Integers,
) -> Samples:
    """Return the samples with the results of the games, from the perspective of the player to move.

    ends: the final states of the games. numbers: the index of each sample's game. turns: for each sample, the number of
    earlier searched moves in its game.
    """
    lengths = np.bincount(numbers, minlength=len(ends))
    signs = 1 - 2 * ((lengths[numbers] - turns) % 2).astype(np.int8)
    winner = game.results(ends)[numbers] * signs
    return Samples(features, policies, winner, game.owners(ends)[numbers] * signs[:, None])
