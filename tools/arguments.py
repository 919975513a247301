"""Numbers on the command line."""

from __future__ import annotations

import argparse


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
