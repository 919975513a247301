"""The display of a running tournament: a table with a progress bar, or lines of text.

A terminal shows the table and the bar; any other output gets the lines.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TextIO

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from littlego.arena.store import Store
from littlego.arena.tables import summary
from littlego.cli.terminal import console

OFTEN = 1.0  # minimum seconds between two tables
SHARE = 20  # drawing may take at most 1/SHARE of the elapsed time
SELDOM = 30.0  # minimum seconds between two lines


def display(store: Store) -> AbstractContextManager[Callable[[], None]]:
    """Return a context manager that displays progress on stderr.

    The context manager yields a function that the caller must call after each pair.
    """
    return _draw_screen(store, sys.stderr) if sys.stderr.isatty() else _print_lines(store, sys.stderr)


@contextmanager
def _draw_screen(store: Store, stream: TextIO) -> Iterator[Callable[[], None]]:
    """Yield a function that redraws a progress bar and a table, at most once every OFTEN seconds.

    At the end, remove the bar and the table from the screen.
    """
    plan = store.plan()
    bar = Progress(
        MofNCompleteColumn(),
        TextColumn("pairs, at most" if plan.hypothesis else "pairs"),
        BarColumn(None),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    task = bar.add_task("", total=plan.total, completed=len(store.done()))
    due = 0.0
    share = 0  # ignores the first table, which takes long because drawing it loads libraries

    def draw() -> Group:
        return Group(bar, "", summary(store.results(), plan.hypothesis, live=True))

    def show() -> None:
        nonlocal due, share
        if time.monotonic() >= due:
            begun = time.process_time()
            bar.update(task, completed=len(store.done()))
            live.update(draw(), refresh=True)
            due = time.monotonic() + max(OFTEN, share * (time.process_time() - begun))
            share = SHARE

    with Live(draw(), console=console(stream), transient=True, auto_refresh=True) as live:
        yield show


@contextmanager
def _print_lines(store: Store, stream: TextIO) -> Iterator[Callable[[], None]]:
    """Yield a function that prints the number of played pairs and the time left.

    The function prints a line at most once every SELDOM seconds.
    """
    plan = store.plan()
    how = "at most" if plan.hypothesis else "about"
    had = len(store.done())
    begun = time.monotonic()
    due = begun + SELDOM

    def show() -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + SELDOM
            there = len(store.done())
            left = (now - begun) / max(there - had, 1) * (plan.total - there)
            print(f"{there} of {plan.total} pairs, {how} {clock(left)} left", file=stream, flush=True)

    yield show


def clock(seconds: float) -> str:
    """Return a duration as text in hours, minutes and seconds, such as `0:01:30`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
