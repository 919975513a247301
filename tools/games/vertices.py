"""Points as Go programs and people name them: a letter without I, and the row. Runs on Python 3.7.

In GTP and in most programs row 1 is the bottom: on 5x5 our 0,0 is A5. The match server's people count from the top.
"""

from __future__ import annotations

import re

from rules.geometry import Point
from rules.position import PASS, RESIGN

LETTERS = "ABCDEFGHJKLMNOPQRST"
_VERTEX = re.compile(r"([A-HJ-T])([1-9]\d?)", re.ASCII | re.IGNORECASE)


def vertex_text(move: Point, size: int) -> str:
    """Return a move as GTP spells it: `C3`, `pass` or `resign`."""
    if move in (PASS, RESIGN):
        return "pass" if move == PASS else "resign"
    row, column = divmod(move, size)
    return f"{LETTERS[column]}{size - row}"


def parse_vertex(text: str, size: int) -> Point | None:
    """Return the point of a board that a vertex names, PASS for `pass`, in any case; None for anything else."""
    if text.lower() == "pass":
        return PASS
    named = _VERTEX.fullmatch(text)
    if named is None:
        return None
    row, column = size - int(named[2]), LETTERS.index(named[1].upper())
    return size * row + column if row >= 0 and column < size else None
