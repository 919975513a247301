"""The command `littlego submit`."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from pathlib import Path

from rules.patternfile import load
from rules.position import BLACK, WHITE
from tools.data import HOME
from tools.match.interpreters import Interpreter, NoInterpreter, interpreters
from tools.match.referee import COLOURS
from tools.submission.folder import OVERRIDES, PATTERNS, CannotSubmit, check_target, handed_in, put_in_place
from tools.submission.progress import Progress
from tools.submission.proof import (
    AS_PROCESSES,
    ENOUGH,
    RIVAL,
    SEED,
    NotProved,
    prove_agreement,
    prove_game,
    prove_processes,
    prove_statics,
    repository_moves,
)
from tools.submission.turns import Given, override_turns, played_turns, real_turns

PLAYED_GAMES = 10
EVERY = 3  # of the 3,000 turns of the real games, one in so many
OVERRIDDEN = 200  # turns that overrides decide


def add_parsers(subparsers) -> None:
    """Add this room's command to the command line's argparse subparsers."""
    parser = subparsers.add_parser(
        "submit",
        help="make the flat folder that is handed in, and prove that it plays the same",
        description="Make the flat folder that is handed in, and prove in an empty folder that it plays the same.",
    )
    parser.add_argument("out", nargs="?", default="submission", metavar="OUT", help="the folder (default: submission)")
    parser.set_defaults(run=submit_command)


def submit_command(arguments: argparse.Namespace) -> int:
    """Build, prove, put in place, print the manifest; with exit status 1 nothing is left behind or changed."""
    out = Path(os.path.abspath(arguments.out))
    try:
        submit(HOME, out)
    except (CannotSubmit, NotProved, NoInterpreter) as error:
        print(f"littlego submit: {error}\nNothing was written.", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"littlego submit: cannot write {out}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


def submit(root: Path, out: Path) -> None:
    """Make `out` the folder to hand in from the sources in `root`, after the proof has passed.

    Raise CannotSubmit, NotProved, NoInterpreter or OSError; `out` is then what it was.
    """
    check_target(out)
    files = handed_in(root)
    prove(root, files, interpreters())
    put_in_place(files, out)
    print(manifest(files))
    print(f"\n{len(files)} files in {out}")


def prove(root: Path, files: dict[str, bytes], pythons: list[Interpreter]) -> None:
    """Print what is proved, step by step; raise NotProved at the first step that fails."""
    prove_statics(files)
    print("only files that the course accepts, Python 3.7 syntax, imports from the standard library: yes")
    if not any(python.version == "3.7" for python in pythons):
        print("no Python 3.7 on this machine: its syntax was checked, but it was not run")
    turns = real_turns()[::EVERY] + played_turns(load(str(root / PATTERNS)), PLAYED_GAMES, SEED)
    turns += override_turns(root / OVERRIDES, OVERRIDDEN)
    if len(turns) < ENOUGH:
        raise NotProved(f"only {len(turns)} positions to compare on, expected {ENOUGH}")
    with Progress(len(turns), "deciding") as progress:
        moves = repository_moves(root, turns, progress.advance)
    for python in pythons:
        _prove_with(python, root, files, turns, moves)


def _prove_with(python: Interpreter, root: Path, files: dict, turns: list[Given], moves: list[int]) -> None:
    slowest = 0.0
    for colour in (BLACK, WHITE):
        record = prove_game(files, python, colour)
        slowest = max([slowest] + [move.cpu for move in record.moves if move.colour == colour])
        result = "won" if record.winner == colour else "not won"
        print(f"Python {python.version}: a whole game as {COLOURS[colour]} against {RIVAL}: {result}, {record.why}")
    agreed = prove_agreement(files, python, turns, moves)
    print(
        f"Python {python.version}: the repository's decision in all of {agreed.positions:,} positions, "
        f"the slowest in {agreed.slowest:.1f} ms of CPU"
    )
    some = turns[:: len(turns) // AS_PROCESSES][:AS_PROCESSES]
    with Progress(len(some), "turns") as progress:
        prove_processes(files, root, python, some, progress.advance)
    print(f"Python {python.version}: the same output.txt in {len(some)} turns as processes of their own")
    print(f"Python {python.version}: the slowest turn of both games took {1000 * slowest:.0f} ms, start included")


def manifest(files: dict[str, bytes]) -> str:
    """Return a line for each file: its SHA-256, its size in bytes, its name."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {len(data):>9,}  {name}" for name, data in files.items()]
    return "\n".join(["", *lines])
