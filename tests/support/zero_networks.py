"""Networks with random weights, and random states of games, for tests of the learning player.

The networks and the states are the same on every machine and with every version of numpy.
"""

import numpy as np

from littlego.players.zero.game import ONGOING
from littlego.players.zero.network import FIRST, OWNERS, POLICY, RESIDUAL, VALUE, Layer, Network


def random_network(game, seed, width=32, residuals=1):
    """Return a random network for a game, with logits and values that differ between positions."""
    rng = np.random.RandomState(seed)

    def layer(inputs, outputs, most=40):
        return Layer(rng.randint(-most, most + 1, (inputs, outputs)), rng.randint(-20, 21, outputs))

    layers = {FIRST: layer(game.inputs, width)}
    layers.update({f"{RESIDUAL}{number}": layer(width, width) for number in range(1, residuals + 1)})
    layers.update({POLICY: layer(width, game.actions), VALUE: layer(width, 1, 10), OWNERS: layer(width, game.points)})
    return Network(layers, {"game": game.name})


def random_states(game, count, plies, seed=0):
    """Return states after at most `plies` random moves, without the states of games that are over."""
    rng = np.random.RandomState(seed)
    states, plies = game.start(count), rng.randint(plies + 1, size=count)
    for ply in range(plies.max()):
        going = (game.results(states) == ONGOING) & (plies > ply)
        actions = (game.legal(states) * rng.random_sample((count, game.actions))).argmax(1)
        states[going] = game.play(states[going], actions[going])
    return states[game.results(states) == ONGOING]
