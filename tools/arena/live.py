"""The display of a running tournament: its table and progress on a terminal, an occasional line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tools.arena.store import Store
from tools.arena.tables import summary

OFTEN = 1.0  # seconds from one table to the next, at least
SHARE = 20  # drawing takes at most one part in so many of the time
SELDOM = 30.0  # seconds from one line to the next


def display(store: Store) -> AbstractContextManager[Callable[[], None]]:
    """Return a context whose value is called after each pair and reports progress on standard error."""
    stream = sys.stderr
    return Screen(store, stream) if stream.isatty() else Lines(store, stream)


class Screen:
    """A progress bar over the table so far, redrawn in place and removed at the end."""

    def __init__(self, store: Store, stream: TextIO):
        plan = store.plan()
        self.store, self.hypothesis = store, plan.hypothesis
        at_most = "pairs, at most" if plan.hypothesis else "pairs"
        columns = (
            MofNCompleteColumn(),
            TextColumn(at_most),
            BarColumn(None),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self.bar = Progress(*columns)
        self.task = self.bar.add_task("", total=plan.total, completed=len(store.done()))
        self.live = Live(self._draw(), console=Console(file=stream), transient=True, auto_refresh=True)
        self.due = 0.0
        self.share = 0  # the first table takes long: libraries are loaded

    def __enter__(self) -> Screen:
        self.live.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.live.__exit__(*error)

    def __call__(self) -> None:
        if time.monotonic() < self.due:
            return
        begun = time.process_time()
        self.bar.update(self.task, completed=len(self.store.done()))
        self.live.update(self._draw(), refresh=True)
        self.due = time.monotonic() + max(OFTEN, self.share * (time.process_time() - begun))
        self.share = SHARE

    def _draw(self) -> Group:
        return Group(self.bar, "", summary(self.store.results(), self.hypothesis, live=True))


class Lines:
    """A line every half minute: how many pairs are played, and about how long the rest will take."""

    def __init__(self, store: Store, stream: TextIO):
        plan = store.plan()
        self.store, self.stream = store, stream
        self.total, self.how = plan.total, "at most" if plan.hypothesis else "about"
        self.begun, self.had = time.monotonic(), len(store.done())
        self.due = self.begun + SELDOM

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __call__(self) -> None:
        now = time.monotonic()
        if now < self.due:
            return
        self.due = now + SELDOM
        there = len(self.store.done())
        left = (now - self.begun) / max(there - self.had, 1) * (self.total - there)
        print(f"{there} of {self.total} pairs, {self.how} {clock(left)} left", file=self.stream, flush=True)


def clock(seconds: float) -> str:
    """Return a length of time as hours, minutes and seconds: `0:01:30`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
