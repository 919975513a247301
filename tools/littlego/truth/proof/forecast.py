"""Forecast of a proof walk's remaining time, based on the sizes of an earlier walk's layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

DECISIONS, REPLIES, JUDGED, VALUES = "decisions", "replies", "replies judged", "values"  # the steps of a walk
# Costs of a step per position, in microseconds of one core. Only their ratios matter: the walk measures the speed of
# the machine.
COSTS = {DECISIONS: 40.0, REPLIES: 5.0, JUDGED: 4.0, VALUES: 2.0}


class Step(NamedTuple):
    """One step of a walk in one layer.

    left: the number of moves left. doing: the kind of step. positions: the number of positions.
    """

    left: int
    doing: str
    positions: int

    @property
    def cost(self) -> float:
        """The estimated cost of the step, see COSTS."""
        return COSTS.get(self.doing, 0.0) * self.positions


def steps_of(counts: Mapping[int, int], down_to: int = 0) -> list[Step]:
    """Return the steps of a walk: down through the layers, then back up. counts: {moves left: number of positions}."""
    layers = [left for left in sorted(counts, reverse=True) if left >= down_to]
    down = [Step(left, doing, counts[left]) for left in layers for doing in (DECISIONS, REPLIES)]
    up = [Step(left, JUDGED, counts[left]) for left in reversed(layers[:-1])]
    return [*down[:-1], *(Step(left, VALUES, counts[left]) for left in layers[-1:]), *up]


class Forecast:
    """The estimated remaining time of a walk.

    steps: the walk's steps in order. The walk skips a step that has nothing to compute, for example if all results are
    cached.
    """

    def __init__(self, steps: Sequence[Step]):
        self.steps = steps
        self.cost, self.seconds = 0.0, 0.0  # of the finished steps

    def seconds_left(self, left: int, doing: str, done: int, of: int, seconds: float) -> float:
        """Return the walk's estimated remaining time in seconds, or 0 until the machine's speed is known.

        left, doing: the current step. done, of: the numbers of finished positions and of all positions in this step.
        seconds: the step's duration so far.
        """
        now = Step(left, doing, done).cost
        later = next((self.steps[at + 1 :] for at, step in enumerate(self.steps) if step[:2] == (left, doing)), ())
        rest = Step(left, doing, of - done).cost + sum(step.cost for step in later)
        return rest * (self.seconds + seconds) / (self.cost + now) if self.cost + now else 0.0

    def finish(self, doing: str, positions: int, seconds: float) -> None:
        """Record the duration of a finished step."""
        if doing in COSTS:
            self.cost += Step(0, doing, positions).cost
            self.seconds += seconds
