"""The command `littlego dev bench`, which measures the cost of a turn relative to a bare Python start.

The measurements of a turn and of a bare start alternate, so that a busy machine slows both about equally. Both times
are CPU times, user plus system, that the kernel reports for the child process.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from littlego.cli.arguments import FINDINGS, FINE, require_posix, write_results
from littlego.cli.commandline import NATURAL, POSITIVE, command, json_option
from littlego.dev.bench.held import held_json, held_line, measure_held
from littlego.dev.bench.large import large_json, large_line, measure_large
from littlego.dev.bench.matchers import matchers_json, matchers_lines, measure_matchers
from littlego.dev.bench.superko import measure_superko, superko_json, superko_line
from littlego.files import STANDARD_OUTPUT
from littlego.match.referee import COLOURS
from littlego.parallel import with_progress
from littlego.paths import HOME
from littlego.records.recorded_games import GamesError
from littlego.rules.patternfile import PatternFileError
from littlego.rules.position import BLACK, WHITE
from littlego.rules.turn import COUNTS, INPUT, write_counts
from littlego.sandbox import sandbox
from littlego.sandbox.interpreters import Interpreter, InterpreterError, interpreters
from littlego.scratch import prefix
from littlego.submission.child import STAGES
from littlego.submission.folder import PLAYER, SubmissionError, player_files, write_files
from littlego.submission.proof import CHILD
from littlego.submission.turns import Given, real_turns

FLAGS = ("-S", "-E")
WARM, COLD = "warm", "cold"
KINDS = [(colour, state) for colour in (BLACK, WHITE) for state in (WARM, COLD)]
BEST_OF = 3
LIMITS = {WARM: 3.2, COLD: 5.5}  # a turn as a multiple of a bare start
SLOWEST_LIMIT = 3.0  # the slowest turn as a multiple of the median turn


class MeasureError(Exception):
    """Raised if a measured process fails. The message gives the exit status and standard error."""


def cpu_of(command: list[str], folder: Path) -> float:
    """Run a command in a folder and return its CPU seconds, user plus system.

    Raise MeasureError unless the exit status is 0 and standard error is empty. Standard error is written to a file in
    the parent folder.
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
    """Statistics of measurements: their number, and their median and quartiles in milliseconds."""

    count: int  # type: ignore[assignment] # hides tuple.count, which no caller needs
    median: float
    low: float
    high: float


def spread(seconds: list[float]) -> Spread:
    """Return the Spread, in ms, of measurements in seconds. seconds: must not be empty."""
    low, _, high = statistics.quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
    return Spread(len(seconds), 1000 * statistics.median(seconds), 1000 * low, 1000 * high)


class Place:
    """A work folder and two copies of the submitted files, one of them with cached bytecode."""

    def __init__(self, below: Path, files: dict[str, bytes]):
        self.work = below / "work"
        self.players = {WARM: below / WARM, COLD: below / COLD}
        for folder in (self.work, *self.players.values()):
            folder.mkdir()
        for folder in self.players.values():
            write_files(files, folder)

    def bare(self, python: Interpreter) -> float:
        """Return the CPU seconds of a bare interpreter start."""
        return cpu_of([python.path, *FLAGS, "-c", "pass"], self.work)

    def turn(self, python: Interpreter, given: Given, state: str = WARM, counted: bool = True) -> float:
        """Return the CPU seconds of a turn in a new process, with or without the bytecode of an earlier turn.

        If `counted` is true, the work folder contains the move count of the player's previous turn.
        """
        (self.work / INPUT).write_text(given.input_text(), encoding="ascii", newline="\n")
        write_counts(str(self.work / COUNTS), given.counts() if counted else {})
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
    """Spreads in ms of bare interpreter starts and of turns.

    turns: {(colour, state): Spread}. The state is WARM for turns with cached bytecode, and COLD for turns without.
    """

    bare: Spread
    turns: dict[tuple[int, str], Spread]

    def ratio(self, kind: tuple[int, str]) -> float:
        """Return the median cost of a turn as a multiple of a bare start."""
        return self.turns[kind].median / self.bare.median


class Slowest(NamedTuple):
    """The number of measured turns, the median and maximum times in ms, and the slowest turn.

    A turn's time is the shortest time of BEST_OF runs.
    """

    positions: int
    median: float
    slowest: float
    given: Given

    @property
    def ratio(self) -> float:
        """The slowest turn's time divided by the median time."""
        return self.slowest / self.median


def pick_evenly(turns: list[Given], number: int) -> list[Given]:
    """Return `number` evenly spaced turns from the list, or all turns if the list is shorter."""
    return [turns[index * len(turns) // number] for index in range(number)] if number < len(turns) else list(turns)


def _rounds(turns: list[Given], number: int) -> Iterator[tuple[Given, Given]]:
    """Yield a turn of Black and a turn of White for each round, and show a progress bar."""
    black, white = (pick_evenly([turn for turn in turns if turn.colour == colour], number) for colour in (BLACK, WHITE))
    for index in with_progress(range(number), number, "round"):
        yield black[index % len(black)], white[index % len(white)]


def measure_starts(place: Place, python: Interpreter, turns: list[Given], rounds: int) -> Starts:
    """Return statistics of bare starts, and of warm and cold turns of each colour.

    Each round measures one bare start and one turn of each kind.
    """
    bare: list[float] = []
    seconds: dict[tuple[int, str], list[float]] = {kind: [] for kind in KINDS}
    place.turn(python, turns[0])  # caches the bytecode
    for both in _rounds(turns, rounds):
        bare.append(place.bare(python))
        for colour, state in KINDS:
            seconds[colour, state].append(place.turn(python, both[colour - 1], state))
    return Starts(spread(bare), {kind: spread(column) for kind, column in seconds.items()})


def measure_slowest(place: Place, python: Interpreter, turns: list[Given], counted: bool = True) -> Slowest:
    """Measure each turn BEST_OF times in new processes; return the Slowest. counted: see Place.turn."""
    place.turn(python, turns[0])
    shown = with_progress(turns, len(turns), "position")
    best = [min(place.turn(python, given, counted=counted) for _ in range(BEST_OF)) for given in shown]
    worst = max(range(len(turns)), key=best.__getitem__)
    return Slowest(len(turns), 1000 * statistics.median(best), 1000 * best[worst], turns[worst])


def measure_stages(place: Place, python: Interpreter, turns: list[Given], rounds: int) -> dict[str, Spread]:
    """Return {stage of a turn: its Spread in ms}, measured on `rounds` turns of each colour."""
    place.turn(python, turns[0])
    rows = [place.stages(python, given) for both in _rounds(turns, rounds) for given in both]
    return {name: spread(list(column)) for name, column in zip(STAGES, zip(*rows, strict=True), strict=True)}


def warn_if_busy() -> str:
    """Return a warning if the machine's load exceeds half the number of its cores, else ''."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    busy = f"load {load:.1f} on {cores} cores: other work is running and may distort the ratios"
    return busy if load > cores / 2 else ""


@command("bench", example="littlego dev bench --rounds 200 --json figures.json")
@click.option(
    "--rounds", type=POSITIVE, default=60, show_default=True, metavar="N", help="Number of rounds for each measurement."
)
@click.option(
    "--positions",
    type=NATURAL,
    default=2000,
    show_default=True,
    metavar="N",
    help="Number of positions for the slowest turn and for decisions on 19x19; 0 skips these measurements.",
)
@json_option
def bench(rounds: int, positions: int, json: str | None) -> int:
    """Measure the cost of a turn relative to a bare start of the Python interpreter.

    The command divides the CPU time (user and system) of a turn in a new process by the CPU time of `python -S -E -c
    pass`. The turn runs with and without cached bytecode. The command also measures the slowest of many real turns,
    with and without a stored move count, as a multiple of the median turn with the count. All these measurements use
    the running Python and, if installed, Python 3.7. The command also measures the costs of the sandbox, of a decision
    on 19x19, of a move in a long match, and of pattern matching with bit planes and with tables on 5x5, 9x9 and 19x19.
    The exit status is 1 if a measurement fails; a figure above its limit is not a failure.
    """
    require_posix("bench")
    try:
        with tempfile.TemporaryDirectory(prefix=prefix("bench")) as folder:
            figures = _measure_all(Path(folder), rounds, positions, json != STANDARD_OUTPUT)
            figures += _measure_superko(rounds, json != STANDARD_OUTPUT)
            figures += _measure_matchers(rounds, json != STANDARD_OUTPUT)
            figures += _measure_large(positions, json != STANDARD_OUTPUT)
            figures += _measure_sandbox(rounds, json != STANDARD_OUTPUT)
    except (SubmissionError, InterpreterError, MeasureError, GamesError, PatternFileError) as error:
        click.echo(f"littlego dev bench: {error}", err=True)
        return FINDINGS
    write_results(json, lambda: figures)
    return FINE


def _measure_all(folder: Path, rounds: int, positions: int, show: bool) -> list[dict[str, Any]]:
    place, turns = Place(folder, player_files(HOME)), real_turns()
    figures = []
    for python in interpreters():
        if warning := warn_if_busy():
            click.echo(warning, err=True)
        figures.append(_measure_one(place, python, turns, rounds, positions, show))
    return figures


def _measure_superko(rounds: int, show: bool) -> list[dict[str, Any]]:
    remembered = measure_superko(rounds)
    if show:
        click.echo(superko_line(remembered))
    return [{"superko": superko_json(remembered)}]


def _measure_matchers(rounds: int, show: bool) -> list[dict[str, Any]]:
    measured = measure_matchers(rounds)
    if show:
        click.echo("\n".join(matchers_lines(measured)))
    return [{"matchers": matchers_json(measured)}]


def _measure_large(positions: int, show: bool) -> list[dict[str, Any]]:
    if not positions:
        return []
    decisions = measure_large(positions)
    if show:
        click.echo(large_line(decisions))
    return [{"large": large_json(decisions)}]


def _measure_sandbox(rounds: int, show: bool) -> list[dict[str, Any]]:
    if why := sandbox.why_not():
        click.echo(f"no sandbox on this machine, so the cost of a sandbox is not measured: {why}", err=True)
        return []
    held = measure_held(pick_evenly(real_turns(), rounds))
    if show:
        click.echo(held_line(held))
    return [{"sandbox": held_json(held)}]


def _measure_one(
    place: Place, python: Interpreter, turns: list[Given], rounds: int, positions: int, show: bool
) -> dict[str, Any]:
    """Return the figures of one Python interpreter as plain JSON values.

    show: whether to print each figure as soon as it is measured.
    """

    def show_lines(*lines: str) -> None:
        if show:
            click.echo("\n".join(lines))

    show_lines(f"Python {python.version} ({python.path})")
    starts = measure_starts(place, python, turns, rounds)
    show_lines(*starts_lines(starts))
    stages = measure_stages(place, python, turns, rounds)
    show_lines(stages_line(stages))
    figures: dict[str, Any] = {
        "python": python.version,
        "starts": starts_json(starts),
        "stages": {name: part._asdict() for name, part in stages.items()},
    }
    if positions:
        picked = pick_evenly(turns, positions)
        slowest = measure_slowest(place, python, picked)
        show_lines(*slowest_lines(slowest))
        uncounted = measure_slowest(place, python, picked, counted=False)._replace(median=slowest.median)
        show_lines("  without the stored move count:", *slowest_lines(uncounted))
        figures.update(slowest=slowest_json(slowest), uncounted=slowest_json(uncounted))
    show_lines("")
    return figures


def starts_lines(starts: Starts) -> list[str]:
    """Return a line for a bare start, and a line with ratio, time and limit for each kind of turn."""
    return [
        f"  bare start          {_format_spread(starts.bare)}",
        *(
            f"  {COLOURS[colour]}, {state:8} {starts.ratio((colour, state)):6.2f}x   {_format_spread(turn)}, "
            f"limit {LIMITS[state]}x"
            for (colour, state), turn in starts.turns.items()
        ),
    ]


def stages_line(parts: dict[str, Spread]) -> str:
    """Return a line with the time of each stage of a warm turn; the interpreter's start is not a stage."""
    return (
        "  in a warm turn: " + ", ".join(f"{name} {part.median:.2f}" for name, part in parts.items()) + " ms (medians)"
    )


def slowest_lines(slowest: Slowest) -> list[str]:
    """Return two lines: the slowest time's ratio to the median time, and the slowest turn's input.txt."""
    return [
        f"  slowest of {slowest.positions:,} turns (each the fastest of three runs): {slowest.ratio:.2f}x the "
        f"median turn ({slowest.slowest:.1f} against {slowest.median:.1f} ms), limit {SLOWEST_LIMIT}x; its input.txt:",
        "    " + slowest.given.input_text().replace("\n", " "),
    ]


def _format_spread(part: Spread) -> str:
    return f"{part.median:6.2f} ms (median of {part.count}, middle half {part.low:.2f} to {part.high:.2f})"


def starts_json(starts: Starts) -> dict[str, Any]:
    """Return `starts` as plain JSON values: times in ms, and ratios to the bare start."""
    return {
        "bare": starts.bare._asdict(),
        **{
            f"{COLOURS[colour].lower()} {state}": {"ratio": starts.ratio((colour, state)), **turn._asdict()}
            for (colour, state), turn in starts.turns.items()
        },
    }


def slowest_json(slowest: Slowest) -> dict[str, Any]:
    """Return `slowest` as plain JSON values; times are in ms."""
    return {
        "positions": slowest.positions,
        "median": slowest.median,
        "slowest": slowest.slowest,
        "ratio": slowest.ratio,
        "input": slowest.given.input_text(),
    }
