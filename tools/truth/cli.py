"""The commands of the truth room: one module each, loaded when the command runs."""

from __future__ import annotations


def add_parsers(subparsers) -> None:
    """Add the commands of this room."""
