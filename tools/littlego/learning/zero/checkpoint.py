"""The state of training, and its storage in a checkpoint file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from littlego.arrays import DAMAGES, write_arrays
from littlego.files import open_plain
from littlego.learning.zero.replay import Samples
from littlego.players.zero.network import Layer

if TYPE_CHECKING:
    from littlego.players.zero.game import Array

FORMAT = 1  # version of the file's format


class CheckpointError(ValueError):
    """Raised for a checkpoint that training cannot resume from."""


class Plan(NamedTuple):
    """The parameters of training, which determine the network after any number of rounds.

    game: a name for `game_named`. seed: the seed of all random choices. width, residuals: the shape of the network.
    simulations: simulations per move of self-play. tasks: batches of games per round. games: games per batch. reuse:
    the average number of times that the learner draws each sample. window: the maximum number of samples from which the
    learner draws.
    """

    game: str
    seed: int
    width: int
    residuals: int
    simulations: int
    tasks: int
    games: int
    reuse: int
    window: int


class Point(NamedTuple):
    """A point of the training curve, which has one point for each round.

    games, cpu, clock: the total games, CPU seconds and elapsed seconds of training at the end of the round. samples:
    the number of new samples in the round. policy, value, owners: the mean losses of the round's gradient steps, in
    nats, or 0 if there were no steps.
    """

    games: int
    cpu: float
    clock: float
    samples: int
    policy: float
    value: float
    owners: float


START = Point(0, 0.0, 0.0, 0, 0.0, 0.0, 0.0)


class State(NamedTuple):
    """The state of training between two rounds.

    learned: the arrays of the learner. layers: the layers of the network that plays. window: the newest samples. curve:
    a point for each round. All random choices of a round depend only on the plan's seed and the number of the round.
    """

    plan: Plan
    learned: list[Array]
    layers: dict[str, Layer]
    window: Samples
    curve: list[Point]

    @property
    def last(self) -> Point:
        """The newest point of the curve, or START before the first round."""
        return self.curve[-1] if self.curve else START

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.last.games

    @property
    def samples(self) -> int:
        """The total number of samples in all rounds."""
        return sum(point.samples for point in self.curve)


def save_state(path: str, state: State) -> None:
    """Write a checkpoint atomically. Raise OSError if the file cannot be written."""
    arrays: dict[str, Any] = {"about": np.array(json.dumps([FORMAT, state.plan, state.curve]))}
    arrays.update((f"learned{number:03}", array) for number, array in enumerate(state.learned))
    arrays.update((f"window.{name}", column) for name, column in state.window._asdict().items())
    for name, layer in state.layers.items():
        arrays.update((f"layers.{name}.{part}", array) for part, array in layer._asdict().items())
    write_arrays(path, **arrays)


def load_state(path: str) -> State:
    """Return the state in a checkpoint.

    Raise OSError for an unreadable file and CheckpointError for an invalid file.
    """
    try:
        with open_plain(path) as opened, np.load(opened, allow_pickle=False) as file:
            arrays = dict(file.items())
        version, plan, curve = json.loads(str(arrays["about"]))
        if version != FORMAT:
            raise CheckpointError(f"{path} has format {version}; expected format {FORMAT}")
        names = dict.fromkeys(name.split(".")[1] for name in arrays if name.startswith("layers."))
        return State(
            Plan(*plan),
            [arrays[name] for name in sorted(arrays) if name.startswith("learned")],
            {name: Layer(*(arrays[f"layers.{name}.{part}"] for part in Layer._fields)) for name in names},
            Samples(*(arrays[f"window.{name}"] for name in Samples._fields)),
            [Point(*point) for point in curve],
        )
    except (CheckpointError, OSError):
        raise
    except DAMAGES as error:
        raise CheckpointError(f"{path} is damaged or not a checkpoint of `littlego zero train`: {error}") from None
