"""What a turn costs: CPU time of child processes, measured beside a yardstick so that a busy machine hits both.

The time is user plus system time as the kernel accounts it to the child, no launcher between.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rules.position import BLACK, WHITE
from rules.turn import INPUT
from tools.match.interpreters import Interpreter
from tools.parallel import with_progress
from tools.submission.child import STAGES
from tools.submission.folder import PLAYER, write_files
from tools.submission.proof import CHILD
from tools.submission.turns import Given

FLAGS = ("-S", "-E")
BARE = ("-c", "pass")
WARM, COLD = "warm", "cold"
KINDS = [(colour, state) for colour in (BLACK, WHITE) for state in (WARM, COLD)]
BEST_OF = 3
LIMITS = {WARM: 2.5, COLD: 5.0}
SLOWEST_LIMIT = 3.0


class MeasureError(Exception):
    """A measured process that did not end as it should; the text holds its exit status and standard error."""


def cpu_of(command: list[str], folder: Path) -> float:
    """Run a command in a folder and return its CPU seconds, user plus system; MeasureError unless it exits with 0.

    Standard error goes to a file in the folder's parent, which a failure quotes.
    """
    trouble = folder.parent / f"{folder.name}.stderr"
    with trouble.open("wb") as errors:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode or trouble.stat().st_size:
        errors_text = trouble.read_text(encoding="utf-8", errors="replace").strip()
        raise MeasureError(f"{' '.join(command)}: exit status {child.returncode}: {errors_text}")
    return usage.ru_utime + usage.ru_stime


class Spread(NamedTuple):
    """Some measurements, in milliseconds: how many, their median and quartiles."""

    count: int  # type: ignore[assignment] # nobody counts in a Spread as in a tuple
    median: float
    low: float
    high: float


def spread(seconds: list[float]) -> Spread:
    """Return the spread of at least one measurement in seconds."""
    low, _, high = statistics.quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
    return Spread(len(seconds), 1000 * statistics.median(seconds), 1000 * low, 1000 * high)


class Place:
    """Copies of what is handed in, one to be kept compiled and one not, and a work folder, all below one folder."""

    def __init__(self, below: Path, files: dict[str, bytes]):
        self.work = below / "work"
        self.players = {WARM: below / WARM, COLD: below / COLD}
        for folder in (self.work, *self.players.values()):
            folder.mkdir()
        for folder in self.players.values():
            write_files(files, folder)

    def bare(self, python: Interpreter) -> float:
        """Return the CPU seconds of a bare start."""
        return cpu_of([python.path, *FLAGS, *BARE], self.work)

    def turn(self, python: Interpreter, given: Given, state: str = WARM) -> float:
        """Return the CPU seconds of a turn as a new process, with compiled files (after a first turn) or without."""
        (self.work / INPUT).write_text(given.input_text(), encoding="ascii", newline="\n")
        if state == COLD:
            shutil.rmtree(self.players[COLD] / "__pycache__", ignore_errors=True)
        return cpu_of([python.path, *FLAGS, str(self.players[state] / PLAYER)], self.work)

    def stages(self, python: Interpreter, given: Given) -> list[float]:
        """Return the CPU seconds of each stage of a turn."""
        (self.work / INPUT).write_text(given.input_text(), encoding="ascii", newline="\n")
        command = [python.path, *FLAGS, str(CHILD), "stages", str(self.players[WARM])]
        done = subprocess.run(command, cwd=self.work, capture_output=True, text=True)
        if done.returncode:
            raise MeasureError(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.strip()}")
        return [float(word) / 1000 for word in done.stdout.split()]


class Starts(NamedTuple):
    """A turn as a new process against a bare start: spreads in ms, ratios of medians by (colour, warm or cold)."""

    bare: Spread
    turns: dict[tuple[int, str], Spread]

    def ratio(self, kind: tuple[int, str]) -> float:
        """Return how many bare starts a turn costs."""
        return self.turns[kind].median / self.bare.median


class Slowest(NamedTuple):
    """Whole turns over many positions, each the best of three runs: median and maximum in ms, and the slowest turn."""

    positions: int
    median: float
    slowest: float
    given: Given

    @property
    def ratio(self) -> float:
        """How many median turns the slowest one costs."""
        return self.slowest / self.median


def spaced(turns: list[Given], number: int) -> list[Given]:
    """Return so many of the turns, evenly spaced; all of them if there are not more."""
    return [turns[index * len(turns) // number] for index in range(number)] if number < len(turns) else list(turns)


def _rounds(turns: list[Given], number: int) -> Iterator[tuple[Given, Given]]:
    """Yield one turn of Black's and one of White's for each round, under a progress bar."""
    black, white = (spaced([turn for turn in turns if turn.colour == colour], number) for colour in (BLACK, WHITE))
    for index in with_progress(range(number), number, "round"):
        yield black[index % len(black)], white[index % len(white)]


def measure_starts(place: Place, python: Interpreter, turns: list[Given], rounds: int) -> Starts:
    """Measure bare starts and turns of both colours, warm and cold, one of each in every round."""
    bare: list[float] = []
    seconds: dict[tuple[int, str], list[float]] = {kind: [] for kind in KINDS}
    place.turn(python, turns[0])  # compiles
    for both in _rounds(turns, rounds):
        bare.append(place.bare(python))
        for colour, state in KINDS:
            seconds[colour, state].append(place.turn(python, both[colour - 1], state))
    return Starts(spread(bare), {kind: spread(column) for kind, column in seconds.items()})


def measure_slowest(place: Place, python: Interpreter, turns: list[Given]) -> Slowest:
    """Measure every turn as a new process, best of three."""
    place.turn(python, turns[0])
    shown = with_progress(turns, len(turns), "position")
    best = [min(place.turn(python, given) for _ in range(BEST_OF)) for given in shown]
    worst = max(range(len(turns)), key=best.__getitem__)
    return Slowest(len(turns), 1000 * statistics.median(best), 1000 * best[worst], turns[worst])


def measure_stages(place: Place, python: Interpreter, turns: list[Given], rounds: int) -> dict[str, Spread]:
    """Measure the stages of a turn: {name of the stage: spread in ms}."""
    place.turn(python, turns[0])
    rows = []
    for both in _rounds(turns, rounds):
        rows += [place.stages(python, given) for given in both]
    return {name: spread(list(column)) for name, column in zip(STAGES, zip(*rows, strict=True), strict=True)}


def warn_if_busy() -> str:
    """Return a word of warning where other work runs on this machine, else ''."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    busy = f"load {load:.1f} on {cores} cores: other work is running, and the ratios feel it"
    return busy if load > cores / 2 else ""
