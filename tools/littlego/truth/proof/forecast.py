"""How long a walk still takes, by the positions that an earlier one had in each layer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

DECISIONS, REPLIES, JUDGED, VALUES = "decisions", "replies", "replies judged", "values"  # the steps of a walk
# What a step costs for each position, in microseconds of one core: only their proportions count here, how fast the
# machine is the walk itself tells.
COSTS = {DECISIONS: 40.0, REPLIES: 5.0, JUDGED: 4.0, VALUES: 2.0}


class Step(NamedTuple):
    """A part of the work: the moves left in the layer, what is done, for how many positions."""

    left: int
    doing: str
    positions: int

    @property
    def cost(self) -> float:
        """What it costs, see COSTS."""
        return COSTS.get(self.doing, 0.0) * self.positions


def steps_of(counts: Mapping[int, int], down_to: int = 0) -> list[Step]:
    """Return the steps of a walk in order: down the layers, then back up. counts: positions by moves left."""
    layers = [left for left in sorted(counts, reverse=True) if left >= down_to]
    down = [Step(left, doing, counts[left]) for left in layers for doing in (DECISIONS, REPLIES)]
    up = [Step(left, JUDGED, counts[left]) for left in reversed(layers[:-1])]
    return [*down[:-1], *(Step(left, VALUES, counts[left]) for left in layers[-1:]), *up]


class Forecast:
    """The time that is left. steps: in order; a step that costs nothing, as where all is known, was never begun."""

    def __init__(self, steps: Sequence[Step]):
        self.steps = steps
        self.cost, self.seconds = 0.0, 0.0  # of the steps that are done

    def seconds_left(self, left: int, doing: str, done: int, of: int, seconds: float) -> float:
        """Return the seconds to the end, in a step of which so much is done in so many seconds."""
        now = Step(left, doing, done).cost
        later = next((self.steps[at + 1 :] for at, step in enumerate(self.steps) if step[:2] == (left, doing)), ())
        rest = Step(left, doing, of - done).cost + sum(step.cost for step in later)
        return rest * (self.seconds + seconds) / (self.cost + now) if self.cost + now else 0.0

    def finish(self, doing: str, positions: int, seconds: float) -> None:
        """Note that a step took so long."""
        if doing in COSTS:
            self.cost += Step(0, doing, positions).cost
            self.seconds += seconds
