"""The images of a diagram under the symmetries of the board, drawn as an author would draw them, or named in words."""

from __future__ import annotations

from collections.abc import Sequence

from rules.geometry import SYMMETRIES, turned

_TRANSPOSED = str.maketrans("|-", "-|")  # an edge along the top runs down the side once rows are columns
_WORDS = (
    "",
    "mirrored",
    "upside down",
    "half turn",
    "transposed",
    "turned right",
    "turned left",
    "antitransposed",
)

Drawn = tuple[tuple[str, ...], tuple[str, ...]]  # rows and label rows


def images(rows: Sequence[str], label_rows: Sequence[str] = ()) -> list[Drawn]:
    """Return the different images of a diagram and its labels, the diagram itself first: 1, 2, 4 or 8 of them."""
    return list(dict.fromkeys(_drawn(rows, label_rows, symmetry) for symmetry in range(SYMMETRIES)))


def turn_text(rows: Sequence[str], label_rows: Sequence[str], symmetry: int) -> str:
    """Return in words how a symmetry turns a diagram, '' for not at all; the plainest words where several fit."""
    drawn = _drawn(rows, label_rows, symmetry)
    return _WORDS[next(number for number in range(SYMMETRIES) if _drawn(rows, label_rows, number) == drawn)]


def _drawn(rows: Sequence[str], label_rows: Sequence[str], symmetry: int) -> Drawn:
    return turned_rows(rows, symmetry), turned_rows(label_rows, symmetry)


def turned_rows(rows: Sequence[str], symmetry: int) -> tuple[str, ...]:
    """Return a drawing's rows, edges included, as a symmetry (see geometry.turned) turns them."""
    if not rows:
        return ()
    height, width = len(rows), len(rows[0])
    cells = {
        turned(symmetry, row, column, height, width): symbol
        for row, symbols in enumerate(rows)
        for column, symbol in enumerate(symbols.translate(_TRANSPOSED) if symmetry & 4 else symbols)
    }
    height, width = (width, height) if symmetry & 4 else (height, width)
    return tuple("".join(cells[row, column] for column in range(width)) for row in range(height))
