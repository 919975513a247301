"""Tests of training: the learner, checkpoints, exact resumption, and what a tiny training learns."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from jax_learner import needs_jax

from littlego.cli.main import main
from littlego.learning.zero.checkpoint import CheckpointError, Plan, load_state, save_state
from littlego.learning.zero.replay import no_samples
from littlego.players.zero.games import game_named
from littlego.players.zero.network import Network, load_network

pytestmark = [needs_jax, pytest.mark.jax]
TINY = Plan("little-go", 3, 32, 1, 4, 2, 8, 2, 2000)
TINY_OPTIONS = [
    "--seed",
    "3",
    "--width",
    "32",
    "--residuals",
    "1",
    "--simulations",
    "4",
    "--tasks",
    "2",
    "--batch",
    "8",
]


def trained(plan, rounds, state=None, jobs=1):
    from littlego.learning.zero.training import Training

    training = Training(plan, state, jobs)
    return next(state for state in training.rounds() if len(state.curve) == rounds)


def assert_equal(first, second):
    for one, other in ((first.learned, second.learned), (first.window, second.window)):
        assert all((a == b).all() and a.dtype == b.dtype for a, b in zip(one, other, strict=True))
    assert [point[3:] for point in first.curve] == [point[3:] for point in second.curve]
    assert Network(first.layers, {"game": ""}).to_bytes() == Network(second.layers, {"game": ""}).to_bytes()


@pytest.fixture(scope="module")
def undisturbed():
    return trained(TINY, 5)


def test_a_resumed_training_equals_an_undisturbed_one(undisturbed, tmp_path):
    save_state(tmp_path / "training", trained(TINY, 2))
    assert_equal(trained(TINY, 5, load_state(tmp_path / "training")), undisturbed)


def test_the_number_of_processes_does_not_matter(undisturbed):
    assert_equal(trained(TINY, 5, jobs=2), undisturbed)


def test_the_seed_matters(undisturbed):
    assert (trained(TINY._replace(seed=4), 5).learned[0] != undisturbed.learned[0]).any()


def test_the_learner_computes_the_outputs_of_the_played_network(undisturbed):
    from littlego.learning.zero.learner import Learner

    learner, features = Learner(game_named("little-go"), TINY.width, TINY.residuals), undisturbed.window.features
    network = Network(undisturbed.layers, {"game": "little-go"})
    logits, values, owners = learner.outputs(undisturbed.learned, features)
    played = *network(features.astype(np.int64)), network.owners(features.astype(np.int64))
    assert all((32 * one == other).all() for one, other in zip((logits, values, owners), played, strict=True))


def test_the_learner_fits_samples(undisturbed):
    from littlego.learning.zero.learner import Learner

    learner, rng = Learner(game_named("little-go"), 64, 1), np.random.default_rng(1)
    learned, before = learner.learn(learner.begin(1), undisturbed.window, 10, rng)
    _, after = learner.learn(learned, undisturbed.window, 60, rng)
    assert after.policy < before.policy and after.value < before.value and after.owners < before.owners


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-100], lambda data: b"", lambda data: data[:5000] + b"?" * 99 + data[5099:]]
)
def test_a_damaged_checkpoint_is_reported(undisturbed, damage, tmp_path, capsys):
    path = tmp_path / "training"
    save_state(path, undisturbed)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CheckpointError, match="damaged"):
        load_state(path)
    assert main(["zero", "train", str(path)]) == 2
    assert "remove the file or name another FILE" in capsys.readouterr().err


def test_a_failed_write_keeps_the_old_checkpoint(undisturbed, monkeypatch, tmp_path):
    path = tmp_path / "training"
    save_state(path, undisturbed)
    monkeypatch.setattr(os, "replace", lambda *names: (_ for _ in ()).throw(OSError("power cut")))
    with pytest.raises(OSError, match="power cut"):
        save_state(path, undisturbed._replace(window=no_samples(game_named("little-go"))))
    assert_equal(load_state(path), undisturbed)
    assert os.listdir(tmp_path) == ["training"]


def test_the_command_trains_resumes_and_reports(tmp_path, capsys):
    path = str(tmp_path / "my.training")
    assert main(["zero", "train", path, "--games", "32", "-j", "1", *TINY_OPTIONS]) == 0
    first = load_network(path + ".npz").about
    assert main(["zero", "train", path, "--games", "80", "-j", "1"]) == 0
    assert "resuming" in capsys.readouterr().out
    about = load_network(path + ".npz").about
    assert (first["games_played"], about["games_played"], about["game"]) == (32, 80, "little-go")
    assert about["sha256"] != first["sha256"] and about["curve"][-1][0] == 80
    assert main(["zero", "curve", path]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 3
    page = (tmp_path / "my.training.html").read_text()
    assert "80 games" in page and "<polyline" in page and "reload" not in page
    assert main(["zero", "train", path, "--games", "99", "--seed", "7"]) == 2
    assert "seed 3" in capsys.readouterr().err


def test_an_unknown_game_is_reported(tmp_path, capsys):
    assert main(["zero", "train", str(tmp_path / "t"), "--game", "chess", "--games", "1"]) == 2
    assert "chess" in capsys.readouterr().err


def run_train(path, *options):
    command = [sys.executable, "-m", "littlego", "zero", "train", str(path), "-j", "1", *TINY_OPTIONS, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_ctrl_c_saves_the_training(tmp_path):
    path = tmp_path / "training"
    process = run_train(path, "--games", "100000000", "--save-every", "0.1")
    assert "games/s" in process.stdout.readline() and "games" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130 and "run the same command again to resume" in error
    assert load_state(path).games > 0


@pytest.mark.slow
def test_a_training_that_is_killed_ten_times_equals_an_undisturbed_one(tmp_path):
    path, rng = tmp_path / "training", np.random.default_rng(0)
    for _ in range(10):
        process = run_train(path, "--games", "2000", "--save-every", "0.5")
        time.sleep(rng.uniform(2, 8))
        process.kill()
        process.communicate()
    assert run_train(path, "--games", "2000").wait(300) == 0
    state = load_state(path)
    assert_equal(state, trained(state.plan, 125))


SMALL = Plan("little-go", 1, 128, 2, 8, 2, 128, 4, 100_000)


def given_away(state, simulations=0):
    """Return the percentage of wins that the network gives away as Black in labelled positions."""
    from littlego.learning.zero.yardstick import grade_network, labels_of
    from littlego.paths import LABELS

    network = Network(state.layers, {"game": "little-go"})
    return 100 * grade_network(network, simulations, labels_of("working", None, LABELS, 300), 0).means[0].share


def test_a_small_training_learns():
    state = trained(SMALL, 14)
    assert given_away(state) < 25
    assert given_away(state, 16) < 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_longer_small_training_reaches_the_bounds_of_the_study(seed):
    state = trained(SMALL._replace(seed=seed), 40)
    assert given_away(state) < 20
    assert given_away(state, 16) < 14
