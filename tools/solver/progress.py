"""How far a long search is, on standard error, and its checkpoint now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.solver.solver import Solver

QUIET = 3  # seconds: a shorter search says nothing
LINE_EVERY = 60  # seconds between lines where the output is no terminal
SAVE_EVERY = 600  # seconds: a checkpoint takes some


class Progress:
    """Tells of a solver's search: it is the solver's `watch`."""

    def __init__(self, solver: Solver, checkpoint: Path | None):
        self.solver = solver
        self.checkpoint = checkpoint
        self.began = self.saved = time.monotonic()
        self.told = self.began + QUIET - LINE_EVERY
        self.shown = 0  # columns of the line on the terminal

    def __call__(self, horizon: int) -> None:
        now = time.monotonic()
        if self.checkpoint and now - self.saved > SAVE_EVERY:
            self.solver.save(self.checkpoint)
            self.saved = time.monotonic()
        if sys.stderr.isatty() and now - self.began > QUIET:
            self._rewrite(f"\r{self.text(horizon)}")
        elif now - self.told > LINE_EVERY:
            print(self.text(horizon), file=sys.stderr, flush=True)
            self.told = now

    def text(self, horizon: int) -> str:
        """Return the moves left that are being solved, nodes, nodes a second and the time."""
        seconds = time.monotonic() - self.began
        nodes = self.solver.nodes / 1e6
        return f"solving {horizon} moves left: {nodes:,.1f} M nodes, {nodes / seconds:.2f} M a second, {clock(seconds)}"

    def end(self) -> None:
        """Wipe the line on the terminal."""
        if self.shown:
            self._rewrite("\r" + " " * self.shown + "\r")

    def _rewrite(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)
        self.shown = len(text)


def clock(seconds: float) -> str:
    """Return a time as hours:minutes:seconds."""
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


@contextmanager
def watching(solver: Solver, checkpoint: Path | None) -> Iterator[Progress]:
    """Show the progress of a solver's searches meanwhile; keep what it found, also after Ctrl-C, where asked to."""
    solver.watch = progress = Progress(solver, checkpoint)
    if checkpoint and checkpoint.exists():
        print(f"{checkpoint}: {solver.resume(checkpoint):,} results read", file=sys.stderr)
    try:
        yield progress
    finally:
        solver.watch = None
        progress.end()
        if checkpoint:
            print(f"{checkpoint}: {solver.save(checkpoint):,} results kept", file=sys.stderr)
