"""The commands of this room: `coverage` and `diff`."""

from __future__ import annotations

from tools.effects.coverage_cli import add_coverage
from tools.effects.diff_cli import add_diff


def add_parsers(subparsers) -> None:
    """Add this room's commands to the `littlego` parser."""
    add_coverage(subparsers)
    add_diff(subparsers)
