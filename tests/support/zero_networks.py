"""Networks with small random weights for tests of the learning player."""

import numpy as np

from littlego.players.zero.network import FIRST, OWNERS, POLICY, RESIDUAL, VALUE, Layer, Network


def random_network(game, seed, width=32, residuals=1):
    """Return a network for a game whose logits and values differ between positions."""
    rng = np.random.default_rng(seed)

    def layer(inputs, outputs, most=40):
        return Layer(rng.integers(-most, most + 1, (inputs, outputs)), rng.integers(-20, 21, outputs))

    layers = {FIRST: layer(game.inputs, width)}
    layers.update({f"{RESIDUAL}{number}": layer(width, width) for number in range(1, residuals + 1)})
    layers.update({POLICY: layer(width, game.actions), VALUE: layer(width, 1, 10), OWNERS: layer(width, game.points)})
    return Network(layers, {"game": game.name})
