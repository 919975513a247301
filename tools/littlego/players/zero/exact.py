"""exp, tanh and Gumbel noise with results that are equal on every machine. This module runs on Python 3.7.

The functions use only basic arithmetic, because the last digits of a library's exp or log depend on the machine.
"""

from __future__ import annotations

from itertools import accumulate, repeat
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from littlego.players.zero.compilation import jit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from littlego.players.zero.game import Array, Integers

UNITS = 32  # integer units in 1.0, for logits, values before tanh and noise
_STEP = 0.9692332344763441  # exp(-1 / UNITS)
_POWERS = np.array(list(accumulate(repeat(_STEP, 60 * UNITS), mul)))  # exp(-1 / UNITS), exp(-2 / UNITS), ...
_POWERS = np.concatenate([[1.0], _POWERS])
_DRAWS = 2**53  # number of equally likely draws for one noise value
_LEAST_NOISE, _MOST_NOISE = -4 * UNITS, 40 * UNITS  # noise outside this range is less likely than one draw


@jit
def exp(power: float) -> float:
    """Return exp(power) for power <= 0 with a relative error below 1e-10; return 0 below about -60."""
    units = int(-power * UNITS)
    if units >= len(_POWERS):
        return 0.0
    rest = power + units / UNITS
    series = 1.0 + rest * (1.0 + rest * (1 / 2 + rest * (1 / 6 + rest * (1 / 24 + rest * (1 / 120)))))
    product: float = _POWERS[units] * series
    return product


@jit
def _fill_tanh(units: Array, values: Array) -> None:
    for index in range(len(units)):
        power = exp(-2.0 * abs(units[index]) / UNITS)
        value = (1.0 - power) / (1.0 + power)
        values[index] = value if units[index] >= 0 else -value


def tanh(units: Integers) -> NDArray[np.float64]:
    """Return tanh(units / UNITS) as floats [count]. units: integers [count]."""
    values = np.empty(len(units))
    _fill_tanh(units, values)
    return values


def _noise_distribution() -> NDArray[np.float64]:
    """Return the probability, for each n, that Gumbel noise is at most n + 1/2 units.

    n runs from _LEAST_NOISE to _MOST_NOISE - 1.
    """
    bounds = [(units + 0.5) / UNITS for units in range(_LEAST_NOISE, _MOST_NOISE)]
    return np.array([exp(-exp(-bound) if bound >= 0 else -1.0 / exp(bound)) for bound in bounds])


_DISTRIBUTION = _noise_distribution()


def gumbel_noise(rng: np.random.Generator, count: int, actions: int) -> Integers:
    """Return Gumbel noise [count, actions] as integers in units of 1 / UNITS."""
    draws = np.asarray(rng.bit_generator.random_raw(count * actions)) >> np.uint64(11)
    return (np.searchsorted(_DISTRIBUTION, draws / _DRAWS) + _LEAST_NOISE).reshape(count, actions)
