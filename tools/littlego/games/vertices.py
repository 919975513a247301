"""Points as Go programs and people name them: a letter without I, and the row. Runs on Python 3.7.

In GTP and in most programs row 1 is the bottom: on 5x5 our 0,0 is A5. The match server's people count from the top.
"""

from __future__ import annotations

import re
from typing import Iterable

from littlego.rules.geometry import Point
from littlego.rules.position import PASS, RESIGN

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # of columns; GTP has no more
_VERTEX = re.compile(r"([A-HJ-Z])([1-9]\d?)", re.ASCII | re.IGNORECASE)
_OURS = re.compile(
    r"(?<![\d.,])(\d{1,2}),(\d{1,2})(?![\d,])(?=(  )?)", re.ASCII
)  # `row,column`; in a table, two spaces


def vertex_text(move: Point, size: int) -> str:
    """Return a move as GTP spells it: `C3`, `pass` or `resign`."""
    if move in (PASS, RESIGN):
        return "pass" if move == PASS else "resign"
    row, column = divmod(move, size)
    return f"{LETTERS[column]}{size - row}"


def vertices_text(moves: Iterable[Point], size: int) -> str:
    """Return moves as GTP lists them: `C3 pass`."""
    return " ".join(vertex_text(move, size) for move in moves)


def with_vertices(text: str, size: int) -> str:
    """Return a text of ours with the vertex for each `row,column` of the board: on 5x5, `B4` for `1,1`.

    Columns of a table stay where they are. What is off the board, a list of more numbers or a decimal stays as it is.
    """

    def named(found: re.Match[str]) -> str:
        row, column = int(found[1]), int(found[2])
        if max(row, column) >= size:
            return found[0]
        return vertex_text(size * row + column, size).ljust(len(found[0]) if found[3] else 0)

    return _OURS.sub(named, text)


def parse_vertex(text: str, size: int) -> Point | None:
    """Return the point of a board that a vertex names, PASS for `pass`, in any case; None for anything else."""
    if text.lower() == "pass":
        return PASS
    named = _VERTEX.fullmatch(text)
    if named is None:
        return None
    row, column = size - int(named[2]), LETTERS.index(named[1].upper())
    return size * row + column if row >= 0 and column < size else None
