"""Spot checks of a cluster's results: another worker recomputes some results for comparison."""

from __future__ import annotations

from collections.abc import Callable
from random import SystemRandom
from typing import Any, Generic, NamedTuple, TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


class Difference(NamedTuple):
    """An item for which two workers of a cluster returned different results.

    To decide which worker is wrong, the process that collects the results computes a third result.
    """

    item: Any
    wrong: tuple[str, ...]  # addresses of the workers whose result differs from the third result
    # False if no worker can be blamed: no two of the results agree, or this process computed two different results
    repeatable: bool


class Check(Generic[Item, Value]):
    """A spot check of a cluster's results.

    It chooses the results to recompute and reports differences. Only deterministic results are selected, and none if
    `share` is 0. A worker's first deterministic result is always selected. Later results are selected at random with
    the probability `share`, so that a worker cannot predict the selection.
    """

    def __init__(
        self,
        share: float,  # probability of selecting a later result, 0 to 1
        same: Callable[[Value, Value], bool],  # whether two results are equal
        fits: Callable[[Item], bool],  # whether an item's result is deterministic
        tell: Callable[[Difference], None],  # called with each difference
    ):
        self.share, self.same, self.fits, self.tell = share, same, fits, tell
        self.caught: set[str] = set()  # addresses of workers with wrong results, which get no further work
        self._seen: set[str] = set()
        self._chance = SystemRandom()

    def chooses(self, item: Item, worker: str) -> bool:
        """Return whether to recompute a worker's result for an item."""
        if not (self.share and self.fits(item)):
            return False
        first = worker not in self._seen
        self._seen.add(worker)
        return first or self._chance.random() < self.share

    def differ(self, difference: Difference) -> None:
        """Pass a difference to `tell`; if the difference is repeatable, add the wrong workers to `caught`."""
        if difference.repeatable:
            self.caught |= set(difference.wrong)
        self.tell(difference)
