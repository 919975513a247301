"""A position as an engine reads it. This module runs on Python 3.7."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from littlego.rules.position import PASS

if TYPE_CHECKING:
    from littlego.rules.geometry import Point, Table
    from littlego.rules.programs import Reading


class View(NamedTuple):
    """A position as an engine reads it: possibly rotated or mirrored, with the mover's stones as `own`.

    reading: the Reading that evaluates conditions. turn: the table that maps board points to view points.
    """

    reading: Reading
    turn: Table

    def point(self, move: Point) -> int:
        """Return the view's point for a move on the board, or `reading.nowhere` for a pass."""
        return self.reading.nowhere if move == PASS else self.turn[move]
