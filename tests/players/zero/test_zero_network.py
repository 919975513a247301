"""Tests of the learning player's network and of its arithmetic."""

import math
import tempfile
from contextlib import suppress
from io import BytesIO

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from zero_networks import random_network

from littlego.players.zero.exact import exp, gumbel_noise, tanh
from littlego.players.zero.games import game_named
from littlego.players.zero.network import MAX_BIAS, MAX_BYTES, MAX_WEIGHT, Layer, Network, WeightsError, load_network

GAME = game_named("little-go")


def by_integers(network, features):
    """Return the network's outputs, computed with integers alone."""
    layers = {name: Layer(*(part.astype(np.int64) for part in layer)) for name, layer in network.layers.items()}

    def outputs(name, hidden):
        return hidden @ layers[name].weights // 128 + layers[name].bias

    hidden = np.clip(outputs("first", features), 0, 255)
    for name in sorted(name for name in layers if name.startswith("residual")):
        hidden = np.clip(hidden + outputs(name, hidden), 0, 255)
    return outputs("policy", hidden), outputs("value", hidden)[:, 0], outputs("owners", hidden)


def same_outputs(network, features):
    found = *network(features), network.owners(features)
    return all((a == b).all() for a, b in zip(found, by_integers(network, features), strict=True))


def test_a_network_equals_integer_arithmetic():
    features = np.random.default_rng(1).integers(0, 256, (50, GAME.inputs))
    assert same_outputs(random_network(GAME, 2, width=64, residuals=3), features)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_network_equals_integer_arithmetic_at_its_bounds(sign):
    def layer(outputs):
        weights = np.full((512, outputs), MAX_WEIGHT) - np.arange(512)[:, None] % 2
        return Layer(sign * weights, np.full(outputs, sign * MAX_BIAS))

    positive = Layer(np.full((512, 512), MAX_WEIGHT), np.full(512, MAX_BIAS))
    layers = {"first": positive, "residual1": layer(512), "policy": layer(3), "value": layer(1), "owners": layer(2)}
    assert same_outputs(Network(layers, {}), np.random.default_rng(3).integers(200, 256, (4, 512)))


def test_a_saved_network_is_equal(tmp_path):
    network, path = random_network(GAME, 4, residuals=2), str(tmp_path / "weights.npz")
    network.about["provenance"] = {"games": 3}
    network.save(path)
    loaded = load_network(path)
    assert loaded.about == network.about and loaded.to_bytes() == network.to_bytes()
    assert same_outputs(loaded, np.random.default_rng(5).integers(0, 256, (5, GAME.inputs)))


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:900], lambda data: b"PK" + bytes(500)])
def test_a_damaged_file_is_reported(tmp_path, damage):
    path = tmp_path / "weights.npz"
    path.write_bytes(damage(random_network(GAME, 4).to_bytes()))
    with pytest.raises(WeightsError, match="not a weights file"):
        load_network(str(path))


def npz(**arrays):
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"about": np.array("[]")}, "not a weights file"),
        ({"about": np.array('{"game": 3}')}, "`game` is not a string"),
        ({"about": np.array("[" * 100_000)}, "not a weights file"),
        ({"policy.weights": np.zeros((32, 26), np.int64)}, "numbers of type int64; expected int8 or int16"),
        ({"policy.weights": np.zeros((32, 0), np.int8), "policy.bias": np.zeros(0, np.int8)}, "policy exceeds"),
        ({"value.weights": np.full((32, 1), -128, np.int8)}, "value exceeds"),
        ({"first.weights": np.zeros((3, 3), np.int8), "first.bias": np.array(1, np.int8)}, "first has the shape"),
        ({"value.bias": np.zeros(3, np.int8)}, r"biases of the layer value have the shape \(3,\); expected \(1,\)"),
        ({"first.bias": np.zeros(MAX_BYTES, np.int8)}, "unpacks to more than 8,000,000 bytes"),
    ],
)
def test_wrong_content_is_reported(tmp_path, change, message):
    path = tmp_path / "weights.npz"
    path.write_bytes(npz(**{**np.load(BytesIO(random_network(GAME, 4).to_bytes())), **change}))
    with pytest.raises(WeightsError, match=message):
        load_network(str(path))


@given(st.integers(0, 10**6), st.integers(0, 255), st.integers(0, 10**6), st.integers(0, 255), st.integers(0, 9000))
@example(406, 0, 318, 0, 0)  # damages the header of an array
@settings(max_examples=150, deadline=None)
def test_no_damage_raises_another_error(first, byte, second, other, length):
    data = bytearray(random_network(GAME, 4).to_bytes())
    data[first % len(data)], data[second % len(data)] = byte, other
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(data)[: len(data) - max(0, length - 8000)])
        file.flush()
        with suppress(WeightsError):
            load_network(file.name)


def test_layers_that_do_not_fit_are_reported():
    layers = random_network(GAME, 6).layers
    with pytest.raises(WeightsError, match="expected the layers"):
        Network({name: layer for name, layer in layers.items() if name != "value"}, {})
    with pytest.raises(WeightsError, match="policy has the shape"):
        Network({**layers, "policy": Layer(layers["policy"].weights[:-1], layers["policy"].bias)}, {})
    with pytest.raises(WeightsError, match="value exceeds a limit: at most 512 inputs"):
        Network({**layers, "value": Layer(np.full((32, 1), 128), np.zeros(1, np.int64))}, {})


def test_exp_and_tanh_equal_the_library():
    powers = np.linspace(-59, 0, 3000)
    assert np.allclose([exp(power) for power in powers], np.exp(powers), rtol=1e-10, atol=0)
    assert exp(-61.0) == 0 and exp(0.0) == 1
    units = np.arange(-3000, 3000)
    assert np.allclose(tanh(units), np.tanh(units / 32), rtol=0, atol=1e-12)


def test_noise_is_gumbel_distributed_and_repeatable():
    noise = gumbel_noise(np.random.Generator(np.random.PCG64(1)), 4000, 25)
    assert noise[0, :4].tolist() == [13, 95, -21, 94]  # the same on every machine
    for bound in (-1.0, 0.0, 1.0, 3.0):
        share = (noise <= 32 * bound).mean()
        assert abs(share - math.exp(-math.exp(-bound - 1 / 64))) < 0.01
