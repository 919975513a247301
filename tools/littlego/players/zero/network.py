"""The network of the learning player: integer weights, and results that are equal on every machine.

Activations are integers in units of 1/32, weights in units of 1/128. Bounds on both keep every sum below 2**24, so
that float32 products are exact in any order of summation.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import mul

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
ACTIVATION_UNITS = 32
WEIGHT_UNITS = 128
MAX_ACTIVATION = 255
MAX_WEIGHT = 127
MAX_WIDTH = 512  # 512 * 255 * 127 < 2**24
_EXP_STEP = 0.9692332344763441  # exp(-1/32); repeated products are the same on every machine
_EXP_SCALE = 1 << 30
_EXP = np.array([round(_EXP_SCALE * power) for power in accumulate(repeat(_EXP_STEP, 700), mul, initial=1.0)])


@dataclass(frozen=True)
class Layer:
    """A fully connected layer: integer weights [inputs, outputs], and a bias in units of activations."""

    weights: Integers
    bias: Integers

    def __post_init__(self) -> None:
        if len(self.weights) > MAX_WIDTH or np.abs(self.weights).max() > MAX_WEIGHT:
            raise ValueError(f"expected at most {MAX_WIDTH} inputs and weights of at most {MAX_WEIGHT} units")

    def __call__(self, inputs: Integers) -> Integers:
        """Return the outputs [batch, outputs], rounded down to whole units. inputs: at most MAX_ACTIVATION each."""
        sums = inputs.astype(np.float32) @ self.weights.astype(np.float32)
        return sums.astype(np.int64) // WEIGHT_UNITS + self.bias


@dataclass(frozen=True)
class Network:
    """A network with an input layer, residual layers, and one head each for policy and value."""

    first: Layer
    residuals: tuple[Layer, ...]
    policy: Layer
    value: Layer

    def __call__(self, features: Integers) -> tuple[Integers, Integers]:
        """Return logits [batch, actions] and the value before tanh [batch], both in units of 1/32."""
        hidden = _clip(self.first(features))
        for layer in self.residuals:
            hidden = _clip(hidden + layer(hidden))
        return self.policy(hidden), self.value(hidden)[:, 0]


def _clip(units: Integers) -> Integers:
    return np.clip(units, 0, MAX_ACTIVATION)


def exp_units(units: Integers) -> Integers:
    """Return exp(units / 32) for units of at most 0, as integers in units of 2**-30."""
    return _EXP[np.minimum(-units, len(_EXP) - 1)]


def tanh(units: Integers) -> NDArray[np.float64]:
    """Return tanh(units / 32)."""
    power = exp_units(-2 * np.abs(units))
    return np.sign(units) * (_EXP_SCALE - power) / (_EXP_SCALE + power)


def softmax(units: Integers, legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the probabilities of legal actions for logits in units of 1/32; illegal actions get 0."""
    best = units[legal].max()
    powers = np.where(legal, exp_units(np.minimum(units - best, 0)), 0)
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares
