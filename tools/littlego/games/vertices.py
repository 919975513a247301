"""Vertices: points named as in Go programs, by a column letter (without I) and a row number.

In GTP and in most programs, row 1 is at the bottom: on 5x5, the point `0,0` is A5. The match server numbers rows from
the top. This module runs on Python 3.7.
"""

from __future__ import annotations

import re
from typing import Iterable

from littlego.rules.geometry import Point
from littlego.rules.position import PASS, RESIGN

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # column letters of GTP
_VERTEX = re.compile(r"([A-HJ-Z])([1-9]\d?)", re.ASCII | re.IGNORECASE)
_OURS = re.compile(
    r"(?<![\d.,])(\d{1,2}),(\d{1,2})(?![\d,])(?=(  )?)", re.ASCII
)  # `row,column`, followed by two spaces in a table


def vertex_text(move: Point, size: int) -> str:
    """Return a move in GTP notation: `C3`, `pass` or `resign`."""
    if move in (PASS, RESIGN):
        return "pass" if move == PASS else "resign"
    row, column = divmod(move, size)
    return f"{LETTERS[column]}{size - row}"


def vertices_text(moves: Iterable[Point], size: int) -> str:
    """Return moves in GTP notation, separated by spaces: `C3 pass`."""
    return " ".join(vertex_text(move, size) for move in moves)


def with_vertices(text: str, size: int) -> str:
    """Return a text in which vertices replace points of the board: on 5x5, `B4` replaces `1,1`.

    Columns of a table in the text stay aligned. Points off the board, lists of more than two numbers, and decimals stay
    unchanged.
    """

    def named(match: re.Match[str]) -> str:
        row, column = int(match[1]), int(match[2])
        if max(row, column) >= size:
            return match[0]
        return vertex_text(size * row + column, size).ljust(len(match[0]) if match[3] else 0)

    return _OURS.sub(named, text)


def parse_vertex(text: str, size: int) -> Point | None:
    """Return the point on the board that a vertex names, PASS for `pass`, or None for any other text.

    Case is ignored.
    """
    if text.lower() == "pass":
        return PASS
    named = _VERTEX.fullmatch(text)
    if named is None:
        return None
    row, column = size - int(named[2]), LETTERS.index(named[1].upper())
    return size * row + column if row >= 0 and column < size else None
