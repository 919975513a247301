"""The command `littlego bench`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from tools.arguments import FINDINGS, FINE, require_posix, write_results
from tools.bench.measure import (
    LIMITS,
    SLOWEST_LIMIT,
    MeasureError,
    Place,
    Slowest,
    Spread,
    Starts,
    measure_slowest,
    measure_stages,
    measure_starts,
    spaced,
    warn_if_busy,
)
from tools.commandline import NATURAL, POSITIVE, command, json_option
from tools.data import HOME
from tools.files import STANDARD_OUTPUT
from tools.match.interpreters import Interpreter, InterpreterError, interpreters
from tools.match.referee import COLOURS
from tools.submission.folder import SubmissionError, player_files
from tools.submission.turns import Given, real_turns


@command("bench", example="littlego bench --rounds 200 --json figures.json")
@click.option("--rounds", type=POSITIVE, default=60, show_default=True, metavar="N", help="Turns a figure.")
@click.option(
    "--positions", type=NATURAL, default=2000, show_default=True, metavar="N", help="For the slowest; 0 to skip."
)
@json_option
def bench(rounds: int, positions: int, json: str | None) -> int:
    """Measure what a turn costs, as ratios inside one run.

    CPU time (user and system) of a turn as a new process against a bare `python -S -E -c pass`, with compiled files and
    without, and the slowest of many real positions against the median one; under Python 3.7, where there is one, and
    under the running Python. Exit status 1 where something could not be measured; a ratio above its limit is no
    failure.
    """
    require_posix("bench")
    try:
        with tempfile.TemporaryDirectory(prefix="littlego-bench-") as folder:
            figures = _measure_all(Path(folder), rounds, positions, json != STANDARD_OUTPUT)
    except (SubmissionError, InterpreterError, MeasureError) as error:
        click.echo(f"littlego bench: {error}", err=True)
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


def _measure_one(
    place: Place, python: Interpreter, turns: list[Given], rounds: int, positions: int, show: bool
) -> dict[str, Any]:
    """Measure under one Python, and show each figure as it comes."""

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
        slowest = measure_slowest(place, python, spaced(turns, positions))
        show_lines(*slowest_lines(slowest))
        figures["slowest"] = slowest_json(slowest)
    show_lines("")
    return figures


def starts_lines(starts: Starts) -> list[str]:
    """Return a line for the bare start and for each kind of turn, with its ratio and limit."""
    lines = [f"  bare start          {_format_spread(starts.bare)}"]
    for (colour, state), turn in starts.turns.items():
        ratio = starts.ratio((colour, state))
        lines.append(f"  {COLOURS[colour]}, {state:8} {ratio:6.2f}x   {_format_spread(turn)}, limit {LIMITS[state]}x")
    return lines


def stages_line(parts: dict[str, Spread]) -> str:
    """Return where the time of a warm turn goes, the start of the interpreter aside."""
    return (
        "  in a warm turn: " + ", ".join(f"{name} {part.median:.2f}" for name, part in parts.items()) + " ms (medians)"
    )


def slowest_lines(slowest: Slowest) -> list[str]:
    """Return the ratio of the slowest turn, and that turn."""
    return [
        f"  slowest of {slowest.positions:,} positions, best of three runs: {slowest.ratio:.2f}x the median turn "
        f"({slowest.slowest:.1f} against {slowest.median:.1f} ms), limit {SLOWEST_LIMIT}x; its input.txt:",
        "    " + slowest.given.input_text().replace("\n", " "),
    ]


def _format_spread(part: Spread) -> str:
    return f"{part.median:6.2f} ms (half of {part.count} within {part.low:.2f} to {part.high:.2f})"


def starts_json(starts: Starts) -> dict[str, Any]:
    """Return the figures as plain values: ms and ratios."""
    turns = {
        f"{COLOURS[colour].lower()} {state}": {"ratio": starts.ratio((colour, state)), **turn._asdict()}
        for (colour, state), turn in starts.turns.items()
    }
    return {"bare": starts.bare._asdict(), **turns}


def slowest_json(slowest: Slowest) -> dict[str, Any]:
    """Return the figures as plain values."""
    return {
        "positions": slowest.positions,
        "median": slowest.median,
        "slowest": slowest.slowest,
        "ratio": slowest.ratio,
        "input": slowest.given.input_text(),
    }
