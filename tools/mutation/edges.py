"""A diagram with one of its four edges of the board removed, drawn, or one line further out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tools.mutation.drafts import Draft

TOP, BOTTOM, LEFT, RIGHT = SIDES = ("top", "bottom", "left", "right")

Rows = tuple[str, ...]


def edge_changes(draft: Draft) -> Iterator[tuple[str, Draft, tuple[int, int]]]:
    """Yield (name, draft, the row and column where the edge is or will be) for every change of an edge.

    Diagrams that fit on no board are among them.
    """
    sides = _sides(draft.rows) if draft.rows else frozenset()
    for side in SIDES if draft.rows else ():
        at = _middle(draft.rows, side)
        if side in sides:
            yield f"edge {side} removed", _redrawn(draft, sides, sides - {side}), at
            yield f"edge {side} one line out", _redrawn(draft, sides, sides, further=side), at
        else:
            yield f"edge {side} drawn", _redrawn(draft, sides, sides | {side}), at


def _sides(rows: Rows) -> frozenset[str]:
    """Return the sides on which a diagram has an edge."""
    upright = {LEFT: [row[0] for row in rows], RIGHT: [row[-1] for row in rows]}
    found = {side for side, column in upright.items() if "|" in column}
    return frozenset(found | {side for side, row in ((TOP, rows[0]), (BOTTOM, rows[-1])) if "-" in row})


def _middle(rows: Rows, side: str) -> tuple[int, int]:
    """Return the row and column of the middle of a side."""
    height, width = len(rows), len(rows[0])
    row = {TOP: 0, BOTTOM: height - 1}.get(side, height // 2)
    return row, {LEFT: 0, RIGHT: width - 1}.get(side, width // 2)


def _redrawn(draft: Draft, old: frozenset[str], new: frozenset[str], further: str = "") -> Draft:
    """Return the draft with the edges `new` instead of `old`, and a line of any points more on the side `further`."""
    rows = _drawn(_with_line(_inner(draft.rows, old), further, "?"), new, "-|+")
    labels = draft.label_rows and _drawn(_with_line(_inner(draft.label_rows, old), further, "."), new, "...")
    return replace(draft, rows=rows, label_rows=labels)


def _inner(rows: Rows, sides: frozenset[str]) -> Rows:
    """Return the rows without the edges of the board."""
    rows = rows[TOP in sides : len(rows) - (BOTTOM in sides)]
    return tuple(row[LEFT in sides : len(row) - (RIGHT in sides)] for row in rows)


def _with_line(rows: Rows, side: str, symbol: str) -> Rows:
    if side in (LEFT, RIGHT):
        return tuple(symbol + row if side == LEFT else row + symbol for row in rows)
    line = (symbol * len(rows[0]),)
    return {TOP: line + rows, BOTTOM: rows + line}.get(side, rows)


def _drawn(rows: Rows, sides: frozenset[str], symbols: str) -> Rows:
    """Return the rows with edges drawn on these sides. symbols: for a flat edge, an upright one, a corner."""
    flat, upright, corner = symbols
    left, right = LEFT in sides, RIGHT in sides
    line = (corner * left + flat * len(rows[0]) + corner * right,)
    found = tuple(upright * left + row + upright * right for row in rows)
    return line * (TOP in sides) + found + line * (BOTTOM in sides)
