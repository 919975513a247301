"""The training loop: rounds of self-play and learning. A resumed run gives the same result as an uninterrupted run.

Round r plays games with the network of round r - 1 and learns from the newest samples of the earlier rounds. The
learner can therefore run while other processes play. The result does not depend on the number or speed of the
processes.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from littlego.learning.zero.actor import Task, play_games
from littlego.learning.zero.checkpoint import Plan, Point, State
from littlego.learning.zero.learner import BATCH, Learner, Losses
from littlego.learning.zero.replay import Samples, join_samples, newest, no_samples
from littlego.parallel import each
from littlego.players.zero.games import game_named

if TYPE_CHECKING:
    from littlego.players.zero.game import Array

SMALLEST_WINDOW = 50_000  # samples
SHARE = 4  # the window contains 1 / SHARE of all samples, but at least SMALLEST_WINDOW and at most plan.window samples
PLAY, LEARN = range(2)  # parts of a seed that separate the random choices of self-play and of learning


class Training:
    """Training in progress. state: the state after the last complete round.

    jobs, scheduler: see littlego.parallel.each.
    """

    def __init__(self, plan: Plan, state: State | None, jobs: int, scheduler: str | None = None) -> None:
        self.plan, self.jobs, self.scheduler = plan, jobs, scheduler
        self.game = game_named(plan.game)
        self.learner = Learner(self.game, plan.width, plan.residuals)
        self.state = state or self._new_state()
        self._prepare_processes()

    def _prepare_processes(self) -> None:
        """Compile the self-play code before forking, so that the forked processes inherit it.

        Also suppress JAX's warning about threads, because the forked processes do not use JAX.
        """
        if self.jobs > 1 and not self.scheduler:
            play_games(Task(self.plan.game, self.state.layers, (), 2, 1))
            warnings.filterwarnings("ignore", message="os.fork", category=RuntimeWarning)

    def _new_state(self) -> State:
        learned = self.learner.begin(self.plan.seed)
        return State(self.plan, learned, self.learner.layers(learned), no_samples(self.game), [])

    def rounds(self) -> Iterator[State]:
        """Train indefinitely; yield the state after each round."""
        while True:
            started, cpu = time.monotonic(), _cpu_seconds()
            samples, (learned, losses) = self._play_and_learn()
            last = self.state.last
            point = Point(
                last.games + self.plan.tasks * self.plan.games,
                last.cpu + _cpu_seconds() - cpu,
                last.clock + time.monotonic() - started,
                samples.size,
                *losses,
            )
            most = min(self.plan.window, max(SMALLEST_WINDOW, (self.state.samples + samples.size) // SHARE))
            self.state = State(
                self.plan,
                learned,
                self.learner.layers(learned),
                newest(self.state.window, samples, most),
                [*self.state.curve, point],
            )
            yield self.state

    def _play_and_learn(self) -> tuple[Samples, tuple[list[Array], Losses]]:
        """Run one round of play and learning; return (samples of the games, (learner's new state, losses)).

        The learner starts after the first batch of games; other processes, if any, continue to play.
        """
        plan, number = self.plan, len(self.state.curve)
        tasks = [
            Task(plan.game, self.state.layers, (plan.seed, number, PLAY, batch), plan.games, plan.simulations)
            for batch in range(plan.tasks)
        ]
        parts, learned = {}, None
        with closing(each(play_games, tasks, self.jobs, self.scheduler)) as results:
            for task, samples in results:
                parts[task.seed] = samples
                learned = learned or self._learn(number)
        assert learned
        return join_samples(parts[task.seed] for task in tasks), learned

    def _learn(self, number: int) -> tuple[list[Array], Losses]:
        state, plan = self.state, self.plan
        steps = plan.reuse * state.curve[-1].samples // BATCH if state.curve else 0
        rng = np.random.default_rng((plan.seed, number, LEARN))
        return self.learner.learn(state.learned, state.window, steps, rng)


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its terminated child processes."""
    return sum(os.times()[:4])


def train(
    training: Training, save: Callable[[State], None], is_finished: Callable[[State], bool], save_every: float
) -> None:
    """Train until is_finished(state).

    Save after each round that ends more than `save_every` seconds after the previous save, and on exit if the last
    state is not saved.
    """
    saved, at = None, time.monotonic()
    try:
        if is_finished(training.state):
            return
        for state in training.rounds():
            if is_finished(state):
                return
            if time.monotonic() - at > save_every:
                save(state)
                saved, at = state, time.monotonic()
    finally:
        if saved is not training.state:
            save(training.state)
