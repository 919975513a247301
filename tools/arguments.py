"""Arguments that many commands share: numbers, `--json`, the number of processes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable


def natural(text: str) -> int:
    """Read a whole number from 0; for argparse, which names what was wrong with any other text."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected 0 or more, found {number}")
    return number


def positive(text: str) -> int:
    """Read a whole number from 1."""
    number = natural(text)
    if not number:
        raise argparse.ArgumentTypeError("expected 1 or more, found 0")
    return number


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add `--json [FILE]`: the results for a program, to a file or, without one, to standard output."""
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="results as JSON, to FILE or to stdout")


def jobs() -> int:
    """Return how many processes to use where nobody says otherwise: one a core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class BadArgument(ValueError):
    """An argument that cannot be used; the message says what was found and what is expected."""


def complaining(command: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Return the command with a BadArgument turned into a line on standard error and exit status 2."""

    def run(args: argparse.Namespace) -> int:
        try:
            return command(args)
        except BadArgument as error:
            print(f"littlego: {error}", file=sys.stderr)
            return 2

    return run
