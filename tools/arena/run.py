"""A tournament played: the pairs that its file lacks, by several processes or a cluster, until all are there.

Results come in any order. What they are depends on the plan alone, and so does where a test stops: it is decided
after the first pair, in the order of their numbers, at which the pairs up to there decide it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing

from tools.arena.claims import Claims
from tools.arena.plan import Pair, Plan
from tools.arena.play import play_pair, play_pair_far
from tools.arena.results import pentanomial
from tools.arena.sources import changed, one_at_a_time
from tools.arena.sprt import Hypothesis, verdict
from tools.arena.store import MOST, Store
from tools.arguments import ArgumentError
from tools.parallel import each

WAIT = 0.5  # seconds between two looks at what others still play
PIECE = 256  # pairs read at once


def play_on(store: Store, jobs: int, scheduler: str | None = None, show: Callable[[], None] = lambda: None) -> int:
    """Play what is missing until the tournament is complete or its test decided; return how many pairs that took.

    `show` is called after each pair. Pairs that other processes play are waited for, and played here should their
    process end; pairs that others plan meanwhile are played too. Raise ArgumentError where a player changes meanwhile:
    what was played with it is not kept; and where another process already plays one that has a single folder.
    """
    plan = store.plan()
    alone = any(map(one_at_a_time, plan.players))
    if alone and scheduler:
        raise ArgumentError("a player with cwd= has only one folder: leave out --scheduler")
    jobs, play = 1 if alone else jobs, play_pair_far if scheduler else play_pair
    test = SequentialTest(store, plan.hypothesis) if plan.hypothesis else None
    played = 0
    with Claims(store.path) as claims:
        if alone and not claims.take(MOST):  # beyond all pairs
            raise ArgumentError(
                f"another process plays {store.name}; a player with cwd= has only one folder: wait for it to end"
            )
        while not (test and test.decide()) and len(store.done()) < (plan := store.plan()).total:
            before = played
            with closing(each(play, _claimed(store, plan, claims), jobs, scheduler)) as pairs:
                for pair, result in pairs:
                    _refuse_changed(store, plan)
                    store.add(result)
                    claims.leave(pair.number)
                    played += 1
                    show()
                    if test and test.decide():
                        break
            if played == before:
                time.sleep(WAIT)
                show()
        claims.remove()
    return played


def _claimed(store: Store, plan: Plan, claims: Claims) -> Iterator[Pair]:
    """Yield the pairs that are missing and that nobody else plays, each once it is ours to play."""
    done = store.done()
    for pair in plan.all_pairs():
        if pair.number in done or not claims.take(pair.number):
            continue
        if store.has(pair.number):  # somebody else has just played it
            claims.leave(pair.number)
        else:
            yield pair


def _refuse_changed(store: Store, plan: Plan) -> None:
    if names := changed(plan.players):
        raise ArgumentError(
            f"{' and '.join(names)} changed while the tournament ran; what was played before is kept in {store.name}. "
            "Undo the change to go on, or begin another tournament"
        )


class SequentialTest:
    """The sequential test of a tournament, over its pairs in order as far as there is no gap."""

    def __init__(self, store: Store, hypothesis: Hypothesis):
        self.store = store
        self.hypothesis = hypothesis
        self.counts = [0] * 5
        self.length = 0  # pairs counted

    def decide(self) -> bool:
        """Go on as far as the pairs are there; return whether they decide the test, and keep that if so."""
        if self.store.decision():
            return True
        while pairs := self._next():
            for pair in pairs:
                self.counts = [old + new for old, new in zip(self.counts, pentanomial(pair), strict=True)]
                self.length += 1
                accepted = verdict(self.counts, self.hypothesis).accepted
                if accepted:
                    self.store.decide(self.length, accepted)
                    return True
        return False

    def _next(self) -> list[list]:
        """Return the games of the next pairs, up to PIECE of them and to the first gap."""
        games = self.store.results(self.length, self.length + PIECE)
        pairs = [games[start : start + 2] for start in range(0, len(games), 2)]
        return [pair for place, pair in enumerate(pairs, self.length) if pair[0].pair == place]
