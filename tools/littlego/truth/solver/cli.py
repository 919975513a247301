"""The command `solve`: exact values on the terminal, with progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from littlego.cli.arguments import FINDINGS, FINE, ArgumentError, show_results
from littlego.cli.commandline import POSITIVE, colour_option, command, encoding_option, jobs_option, json_option
from littlego.files import STANDARD_OUTPUT
from littlego.printable import own_file
from littlego.rules.position import Position
from littlego.rules.positionkey import pack
from littlego.truth.solver.inputs import positions_asked

if TYPE_CHECKING:
    from littlego.truth.solver.answers import Answer
    from littlego.truth.solver.solver import Solver

LINED = 14  # maximum moves left for which computing a best line is fast
DEEP = 20  # minimum moves left at which only the winner is computed by default
BITS = (
    (13, 20),
    (17, 24),
    (24, 27),
)  # (maximum moves left, table bits): 8 MiB, 128 MiB, 1 GiB
LEAST_GIB, MOST_GIB = 0.0005, 512
LEADS_BITS = 24  # maximum bits of each additional table for an exact lead
QUIET = 3  # seconds before a search shows its progress
LINE_EVERY = 60  # seconds between progress lines if the output is not a terminal
SAVE_EVERY = 600  # seconds between checkpoints, because writing a checkpoint takes time
HELP = """Compute the winner of a position under perfect play, and the winning moves.

POSITION is a drawn board (rows of X, O and ., with or without coordinates), an input.txt, a game as SGF, a game as JSON
from `littlego play --json`, - for standard input, or the key of a position (`code` in the output of `littlego solve
--json`). If POSITION is a game, a number can follow: game.sgf:12 is the position before move 12.

If 20 or more moves are left, the command prints only the winner, unless --moves, --lead or --line is given; with
such an option, the search can take hours. With --checkpoint, run the command again to resume a search that Ctrl-C
stopped."""
EXAMPLE = """
littlego solve board.txt --left 10
littlego solve game.sgf:12 --lead
littlego solve --opening 2,2 --checkpoint centre.npz
"""


class MemorySize(click.ParamType[int]):
    """An option type for a size in GiB, converted to `bits` of the largest Solver table that fits."""

    name = "GIB"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        size: float = click.FLOAT.convert(value, param, ctx)
        if not LEAST_GIB <= size <= MOST_GIB:
            self.fail(f"expected GiB from {LEAST_GIB:g} to {MOST_GIB}; found {value}", param, ctx)
        return min((int(size * 2**30) // 8).bit_length() - 1, 32)


@command("solve", help=HELP, example=EXAMPLE)
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@colour_option(help="Colour to move on a drawn board.  [default: black]")
@click.option(
    "--left",
    type=int,
    metavar="N",
    help="Moves left, including the next move.  [default: as in the game; for a drawn board or an input.txt, the "
    "maximum]",
)
@click.option("--previous", metavar="FILE", help="Drawn board before the last move, to detect a pass or a ko.")
@encoding_option
@click.option("--opening", "moves", metavar="MOVES", help="Solve the position after MOVES: 2,2 or '2,2 1,2'.")
@click.option("--moves", "all_moves", is_flag=True, help="Print the winning moves, regardless of the moves left.")
@click.option("--lead", is_flag=True, help="Also print the exact final lead under perfect play.")
@click.option("--line", is_flag=True, help=f"Print a best line even if more than {LINED} moves are left.")
@click.option(
    "--vectors",
    metavar="FILE",
    help="Compare the solver with the known values in FILE, one per line: LEFT BOARD PREVIOUS WINNER MOVES.",
)
@click.option(
    "--up-to",
    type=POSITIVE,
    default=24,
    metavar="N",
    help="With --vectors: use only the values in FILE with at most N moves left.",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Load results from FILE if FILE exists, and write to FILE the results for positions with many moves left.",
)
@click.option(
    "--memory",
    type=MemorySize(),
    help="GiB for the solver's table.  [default: 1/128 to 1, depending on the moves left]",
)
@jobs_option
@json_option
def solve(
    positions: tuple[str, ...],
    colour: str | None,
    left: int | None,
    previous: str | None,
    encoding: str | None,
    moves: str | None,
    all_moves: bool,
    lead: bool,
    line: bool,
    vectors: str | None,
    up_to: int,
    checkpoint: Path | None,
    memory: int | None,
    jobs: int,
    json: str | None,
) -> int:
    """Solve the positions on the command line and print the results."""
    if vectors:
        if positions or moves:
            raise ArgumentError(f"--vectors {vectors} determines the positions: omit POSITION and --opening")
        return _check_vectors(vectors, up_to, memory, json)
    requested = positions_asked(positions, colour, left, previous, moves, encoding)
    from littlego.truth.solver.solver import Solver

    solver = Solver(memory or bits_for(max(position.left for position in requested)), jobs=jobs)
    with watch_solver(solver, checkpoint):
        return _answer_all(requested, solver, (all_moves, lead, line), json)


def bits_for(left: int) -> int:
    """Return the table size for positions with `left` moves left.

    The result is the binary logarithm of the number of entries.
    """
    return next((bits for most, bits in BITS if left <= most), BITS[-1][1])


def _answer_all(asked: list[Position], solver: Solver, more: tuple[bool, bool, bool], json: str | None) -> int:
    """Solve the positions, print the results, and write the JSON.

    more: three flags, which request the winning moves, the lead and a best line.
    """
    from littlego.truth.solver.answers import answer_json, answer_text

    began, answers = time.monotonic(), []
    for position in asked:
        answers.append(_answer(position, solver, *more))
        if json != STANDARD_OUTPUT:
            print(answer_text(answers[-1]) + "\n")
    seconds = time.monotonic() - began
    values = {"positions": list(map(answer_json, answers)), "nodes": solver.nodes, "seconds": seconds}
    show_results(f"{solver.nodes:,} nodes, {seconds:.2f} s", json, lambda: values)
    return FINE


def _answer(position: Position, solver: Solver, moves: bool, lead: bool, line: bool) -> Answer:
    from littlego.truth.solver.answers import Answer, answer
    from littlego.truth.solver.leads import Leads

    if position.left >= DEEP and not (moves or lead or line):
        return Answer(position, position.colour if solver.wins(pack(position)) else 3 - position.colour)
    leads = Leads(solver, min(bits_for(position.left), LEADS_BITS)) if lead else None
    return answer(position, solver, leads, line or position.left <= LINED)


def _check_vectors(file: str, up_to: int, memory: int | None, json: str | None) -> int:
    from littlego.truth.solver.vectors import check, outcome_json, outcome_text, read_vectors

    vectors = [vector for vector in read_vectors(file) if vector.left <= up_to]
    if not vectors:
        raise ArgumentError(f"--vectors {file}: no position with {up_to} moves left or fewer")
    outcomes = check(vectors, memory)
    show_results(outcome_text(outcomes), json, lambda: outcome_json(outcomes))
    return FINE if all(outcome.agrees for outcome in outcomes) else FINDINGS


class Progress:
    """A progress display that also saves checkpoints; the solver calls the display as `solver.watch`."""

    def __init__(self, solver: Solver, checkpoint: Path | None):
        self.solver = solver
        self.checkpoint = checkpoint
        self.began = self.saved = time.monotonic()
        self.told = self.began + QUIET - LINE_EVERY
        self.shown = 0  # width of the progress line on the terminal

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
        """Return a progress line: moves left in the current search, nodes, nodes per second, elapsed time."""
        seconds = time.monotonic() - self.began
        nodes = self.solver.nodes / 1e6
        speed = f"{nodes / seconds:.2f} M nodes per second, {format_clock(seconds)}"
        return f"solving: {horizon} moves left, {nodes:,.1f} M nodes, {speed}"

    def end(self) -> None:
        """Erase the progress line on the terminal."""
        if self.shown:
            self._rewrite("\r" + " " * self.shown + "\r")

    def _rewrite(self, text: str) -> None:
        print(text, end="", file=own_file(sys.stderr), flush=True)
        self.shown = len(text)


def format_clock(seconds: float) -> str:
    """Return a time as hours:minutes:seconds."""
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


@contextmanager
def watch_solver(solver: Solver, checkpoint: Path | None) -> Iterator[Progress]:
    """Show a solver's progress during the `with` block.

    checkpoint: None, or the file to which results are saved, even after Ctrl-C. If the file exists, its results are
    loaded first.
    """
    solver.watch = progress = Progress(solver, checkpoint)
    if checkpoint and checkpoint.exists():
        print(f"{checkpoint}: {solver.resume(checkpoint):,} results loaded", file=sys.stderr)
    try:
        yield progress
    finally:
        solver.watch = None
        progress.end()
        if checkpoint:
            print(f"{checkpoint}: {solver.save(checkpoint):,} results saved", file=sys.stderr)
