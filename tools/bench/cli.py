"""The command `littlego bench`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.arguments import natural, positive
from tools.bench.measure import LIMITS, SLOWEST_LIMIT, Place, Slowest, Starts, busy, slowest, spaced, stages, starts
from tools.bench.processes import Failed, Spread
from tools.data import HOME
from tools.match.interpreters import Interpreter, NoInterpreter, interpreters
from tools.match.referee import COLOURS
from tools.submission.folder import CannotSubmit, player_files
from tools.submission.progress import Progress
from tools.submission.turns import Given, real_turns


def add_parsers(subparsers) -> None:
    """Add this room's command to the command line's argparse subparsers."""
    parser = subparsers.add_parser(
        "bench",
        help="measure what a turn costs, as ratios",
        description="Measure what a turn costs, as ratios inside one run: CPU time (user and system) of a turn as a "
        "new process against a bare `python -S -E -c pass`, with compiled files and without, and the slowest of many "
        "real positions against the median one. Under Python 3.7, where there is one, and under the running Python.",
    )
    parser.add_argument("--rounds", type=positive, default=60, metavar="N", help="turns a figure (default: 60)")
    parser.add_argument(
        "--positions", type=natural, default=2000, metavar="N", help="for the slowest; 0 to skip (default: 2000)"
    )
    parser.add_argument("--json", metavar="FILE", help="also write the figures to a file")
    parser.set_defaults(run=bench_command)


def bench_command(arguments: argparse.Namespace) -> int:
    """Measure and print; exit status 1 where something could not be measured. A ratio above its limit is no failure."""
    try:
        with tempfile.TemporaryDirectory(prefix="littlego-bench-") as folder:
            figures = _bench(Path(folder), arguments)
    except (CannotSubmit, NoInterpreter, Failed, subprocess.CalledProcessError) as error:
        print(f"littlego bench: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def _bench(folder: Path, arguments: argparse.Namespace) -> list[dict]:
    place, turns = Place(folder, player_files(HOME)), real_turns()
    figures = []
    for python in interpreters():
        warning = busy()
        if warning:
            print(warning, file=sys.stderr)
        figures.append(_bench_one(place, python, turns, arguments))
    return figures


def _bench_one(place: Place, python: Interpreter, turns: list[Given], arguments: argparse.Namespace) -> dict:
    print(f"Python {python.version} ({python.path})", flush=True)
    with Progress(arguments.rounds, "starts") as progress:
        started = starts(place, python, turns, arguments.rounds, progress.advance)
    print("\n".join(starts_lines(started)), flush=True)
    with Progress(arguments.rounds, "stages") as progress:
        parts = stages(place, python, turns, arguments.rounds, progress.advance)
    print(stages_line(parts), flush=True)
    figures = {"python": python.version, "starts": starts_json(started), "stages": _spreads_json(parts)}
    if arguments.positions:
        chosen = spaced(turns, arguments.positions)
        with Progress(len(chosen), "positions") as progress:
            worst = slowest(place, python, chosen, progress.advance)
        print("\n".join(slowest_lines(worst)), flush=True)
        figures["slowest"] = slowest_json(worst)
    print()
    return figures


def starts_lines(found: Starts) -> list[str]:
    """Return a line for the bare start and for each kind of turn, with its ratio and limit."""
    lines = [f"  bare start          {_shown(found.bare)}"]
    for (colour, state), turn in found.turns.items():
        ratio = found.ratio((colour, state))
        lines.append(f"  {COLOURS[colour]}, {state:8} {ratio:6.2f}x   {_shown(turn)}, limit {LIMITS[state]}x")
    return lines


def stages_line(parts: dict[str, Spread]) -> str:
    """Return where the time of a warm turn goes, the start of the interpreter aside."""
    return (
        "  in a warm turn: " + ", ".join(f"{name} {part.median:.2f}" for name, part in parts.items()) + " ms (medians)"
    )


def slowest_lines(found: Slowest) -> list[str]:
    """Return the ratio of the slowest turn, and that turn."""
    return [
        f"  slowest of {found.positions:,} positions, best of three runs: {found.ratio:.2f}x the median turn "
        f"({found.slowest:.1f} against {found.median:.1f} ms), limit {SLOWEST_LIMIT}x; its input.txt:",
        "    " + found.given.input_text().replace("\n", " "),
    ]


def _shown(part: Spread) -> str:
    return f"{part.median:6.2f} ms (half of {part.count} within {part.low:.2f} to {part.high:.2f})"


def starts_json(found: Starts) -> dict:
    """Return the figures as plain values: ms and ratios."""
    turns = {
        f"{COLOURS[colour].lower()} {state}": {"ratio": found.ratio((colour, state)), **turn._asdict()}
        for (colour, state), turn in found.turns.items()
    }
    return {"bare": found.bare._asdict(), **turns}


def slowest_json(found: Slowest) -> dict:
    """Return the figures as plain values."""
    figures = {"positions": found.positions, "median": found.median, "slowest": found.slowest, "ratio": found.ratio}
    return {**figures, "input": found.given.input_text()}


def _spreads_json(parts: dict[str, Spread]) -> dict:
    return {name: part._asdict() for name, part in parts.items()}
