"""Gradient steps on samples from self-play. Only this module needs JAX and optax (extra `zero`).

The forward pass rounds weights and activations as littlego.players.zero.network does, so the learner and the network
that plays have the same outputs. The gradient ignores the rounding. JAX uses a GPU if one is available, else the CPU.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

# One thread, because the result of a sum that several threads share depends on the number of threads.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"

import jax
import jax.numpy as jnp
import numpy as np
import optax

from littlego.learning.zero.replay import SHARE_UNITS, Samples
from littlego.players.zero.game import Game, turned
from littlego.players.zero.network import (
    ACTIVATION_UNITS,
    FIRST,
    MAX_ACTIVATION,
    MAX_BIAS,
    MAX_WEIGHT,
    OWNERS,
    POLICY,
    RESIDUAL,
    VALUE,
    WEIGHT_UNITS,
    Layer,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from littlego.players.zero.game import Array

    Arrays = list[Array]

BATCH = 512
RATE = 1e-3  # learning rate of Adam
OWNERS_WEIGHT = 0.5  # weight of the owners' loss, which is a mean over the points
HEAD_SCALE = 0.1  # of the initial weights of the heads
AVERAGE_STEP = 0.01  # share of the newest parameters in the moving average
MOST_NORM = 1.0  # limit of the gradient's norm

Parameters = dict[str, tuple[jax.Array, jax.Array]]  # name of a layer -> weights and bias as real numbers


class Losses(NamedTuple):
    """Mean losses of gradient steps, in nats."""

    policy: float
    value: float
    owners: float


class _State(NamedTuple):
    """The learner's state.

    parameters: the weights and biases of all layers, as real numbers. average: the moving average of the parameters,
    which the network that plays uses.
    """

    parameters: Parameters
    average: Parameters
    optimizer: Any


_OPTIMIZER = optax.chain(optax.clip_by_global_norm(MOST_NORM), optax.adam(RATE))


class Learner:
    """A learner for one game and one shape of the network.

    The learner's state is a list of arrays, which the methods take or return.
    """

    def __init__(self, game: Game, width: int, residuals: int) -> None:
        self.game, self.width = game, width
        self.hidden = [f"{RESIDUAL}{number}" for number in range(1, residuals + 1)]
        self.structure = jax.tree.structure(self._new_state(0))

    def begin(self, seed: int) -> Arrays:
        """Return the state before the first step."""
        return _arrays_of(self._new_state(seed))

    def learn(self, arrays: Arrays, window: Samples, steps: int, rng: np.random.Generator) -> tuple[Arrays, Losses]:
        """Return (state, mean losses) after gradient steps on random samples.

        The learner applies a random symmetry of the game to each sample. The losses are means over the steps.
        """
        state, total = self._restore(arrays), np.zeros(len(Losses._fields))
        for _ in range(steps):
            batch = window.where(rng.integers(window.size, size=BATCH))
            turns = rng.integers(len(self.game.symmetries), size=BATCH)
            rows = (turned(self.game, column, turns) for column in (batch.features, batch.policy, batch.owners))
            state, losses = _step(state, *rows, batch.winner)
            total += [float(loss) for loss in losses]  # np.asarray would hide the exception of a signal handler
        return _arrays_of(state), Losses(*(total / max(1, steps)).tolist())

    def outputs(self, arrays: Arrays, features: NDArray[np.uint8]) -> tuple[Array, Array, Array]:
        """Return (logits, values, owners) of the averaged network as real numbers.

        The shapes are [count, actions], [count] and [count, points]. The values and owners are the numbers before tanh.
        """
        logits, values, owners = _outputs(self._restore(arrays).average, features)
        return np.asarray(logits), np.asarray(values), np.asarray(owners)

    def layers(self, arrays: Arrays) -> dict[str, Layer]:
        """Return the layers of the averaged network, as int8 weights and int16 biases for play."""
        layers = {}
        for name, (weights, bias) in self._restore(arrays).average.items():
            units = np.rint(np.asarray(weights) * WEIGHT_UNITS), np.rint(np.asarray(bias) * ACTIVATION_UNITS)
            layers[name] = Layer(units[0].astype(np.int8), units[1].astype(np.int16))
        return layers

    def _new_state(self, seed: int) -> _State:
        """Return a new state with random weights (He et al., 2015) and biases of 0.

        In the residual layers and the heads, the weights are smaller than He et al. propose.
        """
        rng, width, hidden = np.random.RandomState(seed), self.width, self.hidden
        shapes = {FIRST: (self.game.inputs, width), **dict.fromkeys(hidden, (width, width))}
        shapes |= {POLICY: (width, self.game.actions), VALUE: (width, 1), OWNERS: (width, self.game.points)}
        scales = {FIRST: 1.0, **dict.fromkeys(hidden, 0.5 / max(1, len(hidden)) ** 0.5)}
        parameters: Parameters = {}
        for name, (inputs, outputs) in shapes.items():
            weights = rng.standard_normal((inputs, outputs)) * scales.get(name, HEAD_SCALE) * (2 / inputs) ** 0.5
            parameters[name] = jnp.asarray(weights, jnp.float32), jnp.zeros(outputs, jnp.float32)
        parameters = _clip(parameters)
        return _State(parameters, parameters, _OPTIMIZER.init(parameters))

    def _restore(self, arrays: Arrays) -> _State:
        state: _State = jax.tree.unflatten(self.structure, list(map(jnp.asarray, arrays)))
        return state


def _arrays_of(state: _State) -> Arrays:
    return [np.asarray(leaf) for leaf in jax.tree.leaves(state)]


@jax.jit
def _outputs(parameters: Parameters, features: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Return (logits [count, actions], values before tanh [count], owners before tanh [count, points])."""
    rounded = {
        name: (_round(weights, jnp.rint, WEIGHT_UNITS), _round(bias, jnp.rint, ACTIVATION_UNITS))
        for name, (weights, bias) in parameters.items()
    }

    def outputs(name: str, inputs: jax.Array) -> jax.Array:
        weights, bias = rounded[name]
        return jnp.matmul(inputs, weights, precision="highest") + bias

    def activate(sums: jax.Array) -> jax.Array:
        return jnp.clip(_round(sums, jnp.floor, ACTIVATION_UNITS), 0, MAX_ACTIVATION / ACTIVATION_UNITS)

    hidden = activate(outputs(FIRST, features.astype(jnp.float32) / ACTIVATION_UNITS))
    for number in range(1, 1 + sum(name.startswith(RESIDUAL) for name in rounded)):
        hidden = activate(hidden + outputs(f"{RESIDUAL}{number}", hidden))
    heads = (_round(outputs(name, hidden), jnp.floor, ACTIVATION_UNITS) for name in (POLICY, VALUE, OWNERS))
    logits, values, owners = heads
    return logits, values[:, 0], owners


def _round(numbers: jax.Array, rounding: Any, units: int) -> jax.Array:
    """Round numbers to multiples of 1 / units with `rounding`; the gradient ignores this rounding."""
    rounded: jax.Array = numbers + jax.lax.stop_gradient(rounding(numbers * units) / units - numbers)
    return rounded


def _losses(
    parameters: Parameters, features: jax.Array, policy: jax.Array, owners: jax.Array, winner: jax.Array
) -> tuple[jax.Array, tuple[jax.Array, jax.Array, jax.Array]]:
    """Return (total loss, (cross-entropies of the policy, the result and the owners))."""
    logits, values, owned = _outputs(parameters, features)
    shares = policy.astype(jnp.float32) / SHARE_UNITS
    shares = shares / shares.sum(1, keepdims=True)
    parts = (
        optax.softmax_cross_entropy(logits, shares).mean(),
        _sign_loss(values, winner),
        _sign_loss(owned, owners),
    )
    return parts[0] + parts[1] + OWNERS_WEIGHT * parts[2], parts


def _sign_loss(before_tanh: jax.Array, signs: jax.Array) -> jax.Array:
    """Return the mean cross-entropy of predictions tanh(before_tanh) for results `signs` (-1, 0 or 1)."""
    chances = (1 + signs.astype(jnp.float32)) / 2
    loss: jax.Array = optax.sigmoid_binary_cross_entropy(2 * before_tanh, chances).mean()
    return loss


def _clip(parameters: Parameters) -> Parameters:
    """Return the parameters clipped to the limits of littlego.players.zero.network."""
    most_weight, most_bias = MAX_WEIGHT / WEIGHT_UNITS, MAX_BIAS / ACTIVATION_UNITS
    return {
        name: (jnp.clip(weights, -most_weight, most_weight), jnp.clip(bias, -most_bias, most_bias))
        for name, (weights, bias) in parameters.items()
    }


@jax.jit
def _step(
    state: _State, features: jax.Array, policy: jax.Array, owners: jax.Array, winner: jax.Array
) -> tuple[_State, tuple[jax.Array, jax.Array, jax.Array]]:
    gradients, losses = jax.grad(_losses, has_aux=True)(state.parameters, features, policy, owners, winner)
    updates, optimizer = _OPTIMIZER.update(gradients, state.optimizer, state.parameters)
    parameters: Any = optax.apply_updates(state.parameters, updates)
    clipped = _clip(parameters)
    average = optax.incremental_update(clipped, state.average, AVERAGE_STEP)
    return _State(clipped, average, optimizer), losses
