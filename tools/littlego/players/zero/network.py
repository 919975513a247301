"""The network of the learning player: integer weights, and results that are equal on every machine.

Activations are integers in units of 1/32, weights in units of 1/128. Bounds on the layers and activations keep every
sum exact in float32, in any order of summation. This module runs on Python 3.7.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple
from zipfile import ZipFile

import numpy as np

from littlego.arrays import DAMAGES, pack_arrays
from littlego.files import read_limited, write_bytes
from littlego.players.zero.compilation import jit
from littlego.players.zero.exact import UNITS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from littlego.players.zero.game import Array, Integers

    Floats = NDArray[np.float32]

ACTIVATION_UNITS = UNITS
WEIGHT_UNITS = 128
MAX_ACTIVATION = 255  # units
MAX_WEIGHT = 127  # units
MAX_BIAS = 1023  # units of activations
# MAX_ACTIVATION * (MAX_WIDTH * MAX_WEIGHT + WEIGHT_UNITS) + WEIGHT_UNITS * MAX_BIAS < 2**24, the exact range of float32
MAX_WIDTH = 512
MAX_BYTES = 8_000_000  # limit of a weights file
FIRST, POLICY, VALUE, OWNERS, RESIDUAL = "first", "policy", "value", "owners", "residual"


class WeightsError(ValueError):
    """Raised for weights that do not form a valid network."""


class Layer(NamedTuple):
    """A fully connected layer: integer weights [inputs, outputs], and a bias [outputs] in units of 1/32.

    The outputs are inputs @ weights / WEIGHT_UNITS + bias, rounded down.
    """

    weights: Array
    bias: Array


class Network:
    """A network that maps features to logits and a value: an input layer, residual layers, and heads.

    layers: {name: Layer} with the names FIRST, POLICY, VALUE, optionally OWNERS, and RESIDUAL + `1`, RESIDUAL + `2` and
    so on for any number of residual layers. OWNERS, which only training uses, predicts the final owner of each point.
    about: a JSON object about the network, whose key `game` contains the game's name. A residual layer adds its outputs
    to its inputs. Hidden activations are clipped to 0..MAX_ACTIVATION. The constructor raises WeightsError if the
    layers do not fit together or exceed a bound.
    """

    def __init__(self, layers: Mapping[str, Layer], about: Mapping[str, Any]) -> None:
        self.layers, self.about = dict(layers), dict(about)
        residuals = [
            f"{RESIDUAL}{number}" for number in range(1, 1 + sum(name.startswith(RESIDUAL) for name in layers))
        ]
        _check(self.layers, residuals)
        self.inputs, self.actions = len(layers[FIRST].weights), len(layers[POLICY].bias)
        identity = WEIGHT_UNITS * np.eye(len(layers[POLICY].weights), dtype=np.int64)
        self._hidden = [_as_floats(layers[FIRST])]
        self._hidden += [_as_floats(Layer(layers[name].weights + identity, layers[name].bias)) for name in residuals]
        policy, value = layers[POLICY], layers[VALUE]
        heads = np.concatenate([policy.weights, value.weights], 1), np.concatenate([policy.bias, value.bias])
        self._heads = _as_floats(Layer(*heads))

    def __call__(self, features: Integers) -> tuple[Integers, Integers]:
        """Return the logits [count, actions] and the values before tanh [count], both in units of 1/32.

        features: integers [count, inputs] from -MAX_ACTIVATION to MAX_ACTIVATION.
        """
        outputs = _outputs(self._heads, self._hide(features))
        return outputs[:, :-1], outputs[:, -1]

    def owners(self, features: Integers) -> Integers:
        """Return the output [count, points] of the head OWNERS before tanh, in units of 1/32."""
        return _outputs(_as_floats(self.layers[OWNERS]), self._hide(features))

    def _hide(self, features: Integers) -> Floats:
        """Return the activations of the last hidden layer."""
        hidden = features.astype(np.float32)
        for weights, bias in self._hidden:
            hidden = hidden @ weights
            _activate(hidden, bias)
        return hidden

    def permuted(self, inputs: Integers, actions: Integers) -> Network:
        """Return an equivalent network for features and logits with permuted columns.

        inputs, actions: the permutations. The result's logits[:, actions] for any features are this network's logits
        for features[:, inputs].
        """
        first, policy = self.layers[FIRST], self.layers[POLICY]
        inputs, actions = np.argsort(inputs), np.argsort(actions)
        return Network(
            {
                **self.layers,
                FIRST: Layer(first.weights[inputs], first.bias),
                POLICY: Layer(policy.weights[:, actions], policy.bias[actions]),
            },
            self.about,
        )

    def to_bytes(self) -> bytes:
        """Return the content of a weights file: an npz archive of int8 weights, int16 biases and a JSON text."""
        arrays: dict[str, Array] = {"about": np.array(json.dumps(self.about, sort_keys=True))}
        for name, layer in self.layers.items():
            arrays[f"{name}.weights"] = layer.weights.astype(np.int8)
            arrays[f"{name}.bias"] = layer.bias.astype(np.int16)
        return pack_arrays(np.savez, **arrays)

    def save(self, path: str) -> None:
        """Write a weights file atomically; raise OSError if writing fails."""
        write_bytes(path, self.to_bytes())


def load_network(path: str) -> Network:
    """Return the network of a weights file; raise OSError or WeightsError if the file is not usable."""
    data = read_limited(path, MAX_BYTES)
    try:
        with ZipFile(BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_BYTES:
                raise WeightsError(f"it unpacks to more than {MAX_BYTES:,} bytes")
        with np.load(BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop("about")))
        if not isinstance(about["game"], str):
            raise WeightsError("`game` is not a string")
        names = dict.fromkeys(name.partition(".")[0] for name in arrays)
        layers = {name: Layer(*(_integers(arrays[f"{name}.{part}"]) for part in Layer._fields)) for name in names}
        return Network(layers, about)
    except (*DAMAGES, MemoryError) as error:  # a file of at most MAX_BYTES needs much memory only if it is damaged
        raise WeightsError(f"{path} is not a weights file of `littlego zero train`: {error}") from None


def _integers(array: Array) -> Array:
    if array.dtype.kind != "i" or array.dtype.itemsize > 2:
        raise WeightsError(f"it has numbers of type {array.dtype}; expected int8 or int16")
    return array.astype(np.int64)


def _check(layers: Mapping[str, Layer], residuals: list[str]) -> None:
    """Raise WeightsError unless the layers fit together and respect the bounds."""
    known = {FIRST, POLICY, VALUE, OWNERS, *residuals}
    if not {*residuals, FIRST, POLICY, VALUE} <= layers.keys() <= known:
        raise WeightsError(
            f"expected the layers {', '.join(sorted(known))} (owners is optional); found {', '.join(sorted(layers))}"
        )
    width = max(1, layers[FIRST].bias.size)
    for name, (weights, bias) in layers.items():
        inputs = weights.size // width if name == FIRST else width
        outputs = width if name in residuals else 1 if name == VALUE else bias.size
        if weights.shape != (inputs, outputs):
            raise WeightsError(f"the layer {name} has the shape {weights.shape}; expected ({inputs}, {outputs})")
        if bias.shape != (outputs,):
            raise WeightsError(f"the biases of the layer {name} have the shape {bias.shape}; expected ({outputs},)")
        has_size = 0 < inputs <= MAX_WIDTH and outputs > 0
        if not has_size or _largest(weights) > MAX_WEIGHT or _largest(bias) > MAX_BIAS:
            raise WeightsError(
                f"the layer {name} exceeds a limit: at most {MAX_WIDTH} inputs, weights up to {MAX_WEIGHT} and biases "
                f"up to {MAX_BIAS} units"
            )


def _largest(numbers: Array) -> int:
    return max(int(numbers.max()), -int(numbers.min()))  # np.abs(-128) is -128 in int8


def _as_floats(layer: Layer) -> tuple[Floats, Floats]:
    return (layer.weights / WEIGHT_UNITS).astype(np.float32), layer.bias.astype(np.float32)


def _outputs(layer: tuple[Floats, Floats], hidden: Floats) -> Integers:
    outputs: Integers = np.floor(hidden @ layer[0] + layer[1]).astype(np.int64)
    return outputs


@jit
def _activate(sums: Array, bias: Array) -> None:
    """Replace `sums` by activations: add the bias, round down, and clip to 0..MAX_ACTIVATION."""
    for row in range(sums.shape[0]):
        for column in range(sums.shape[1]):
            rounded = np.floor(sums[row, column] + bias[column])
            sums[row, column] = min(max(rounded, np.float32(0)), np.float32(MAX_ACTIVATION))
