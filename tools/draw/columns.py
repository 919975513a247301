"""Sentences in the columns of a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap

MOST = 80  # columns written in, however wide the terminal is


def columns() -> int:
    """Return in how many columns to write: MOST, or what a narrower terminal has."""
    return min(MOST, shutil.get_terminal_size((MOST, 0)).columns) if sys.stdout.isatty() else MOST


def wrapped(head: str, text: str, hanging: int = 0) -> str:
    """Return head and text in lines that fit the columns, the text in a column of its own.

    hanging: how much further its lines after the first are indented.
    """
    indent = " " * (len(head) + hanging)
    return textwrap.fill(text, columns(), initial_indent=head, subsequent_indent=indent, break_on_hyphens=False) or head
