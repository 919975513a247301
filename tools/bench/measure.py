"""The three measurements of `littlego bench`, each interleaved with its yardstick so that a busy machine hits both."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from rules.position import BLACK, WHITE
from rules.turn import INPUT
from tools.bench.processes import FLAGS, Spread, cpu_of, forget_compiled, spread
from tools.bench.stages import STAGES
from tools.match.interpreters import Interpreter
from tools.submission.flatten import PLAYER
from tools.submission.folder import write_files
from tools.submission.turns import Given

BARE = ["-c", "pass"]
WARM, COLD = "warm", "cold"
KINDS = [(colour, state) for colour in (BLACK, WHITE) for state in (WARM, COLD)]
BEST_OF = 3
LIMITS = {WARM: 2.5, COLD: 5.0}
SLOWEST_LIMIT = 3.0
CHILD = Path(__file__).with_name("stages.py")


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
            forget_compiled(self.players[COLD])
        return cpu_of([python.path, *FLAGS, str(self.players[state] / PLAYER)], self.work)

    def stages(self, python: Interpreter, given: Given) -> list[float]:
        """Return the CPU seconds of each stage of a turn."""
        (self.work / INPUT).write_text(given.input_text(), encoding="ascii", newline="\n")
        command = [python.path, *FLAGS, str(CHILD), str(self.players[WARM])]
        done = subprocess.run(command, cwd=self.work, capture_output=True, text=True, check=True)
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


def _each(turns: list[Given], rounds: int) -> Iterator[tuple[Given, Given]]:
    """Yield one turn of Black's and one of White's for each round."""
    both = [spaced([turn for turn in turns if turn.colour == colour], rounds) for colour in (BLACK, WHITE)]
    for index in range(rounds):
        yield both[0][index % len(both[0])], both[1][index % len(both[1])]


def starts(place: Place, python: Interpreter, turns: list[Given], rounds: int, advance: Callable[[], object]) -> Starts:
    """Measure bare starts and turns of both colours, warm and cold, one of each in every round."""
    bare: list[float] = []
    found: dict[tuple[int, str], list[float]] = {kind: [] for kind in KINDS}
    place.turn(python, turns[0])  # compiles
    for both in _each(turns, rounds):
        bare.append(place.bare(python))
        for colour, state in KINDS:
            found[colour, state].append(place.turn(python, both[colour - 1], state))
        advance()
    return Starts(spread(bare), {kind: spread(seconds) for kind, seconds in found.items()})


def slowest(place: Place, python: Interpreter, turns: list[Given], advance: Callable[[], object]) -> Slowest:
    """Measure every turn as a new process, best of three."""
    place.turn(python, turns[0])
    best = []
    for given in turns:
        best.append(min(place.turn(python, given) for _ in range(BEST_OF)))
        advance()
    worst = max(range(len(turns)), key=best.__getitem__)
    return Slowest(len(turns), 1000 * statistics.median(best), 1000 * best[worst], turns[worst])


def stages(
    place: Place, python: Interpreter, turns: list[Given], rounds: int, advance: Callable[[], object]
) -> dict[str, Spread]:
    """Measure the stages of a turn: {name of the stage: spread in ms}."""
    place.turn(python, turns[0])
    rows = []
    for both in _each(turns, rounds):
        rows += [place.stages(python, given) for given in both]
        advance()
    return {name: spread(list(column)) for name, column in zip(STAGES, zip(*rows, strict=True), strict=True)}


def busy() -> str:
    """Return a word of warning where other work runs on this machine, else ''."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return (
        f"load {load:.1f} on {cores} cores: other work is running, and the ratios feel it" if load > cores / 2 else ""
    )
