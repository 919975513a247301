"""`littlego solve`."""

from __future__ import annotations


def add_parsers(subparsers) -> None:
    """Add the command of this room."""
