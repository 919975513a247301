"""Tables of points in words and as text: the condition of a number, and the drawn table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from littlego.rules.position import BLACK

if TYPE_CHECKING:
    from littlego.rules.programs import Table


def span_text(bounds: Sequence[int], first: int, last: int) -> str:
    """Return the moves left from phase `first` to phase `last` in words, such as `6 or fewer left`."""
    most = bounds[first - 1] - 1 if first else 0
    least = bounds[last]
    if not most:
        return f"{least} or more left" if least > 1 else ""
    if least == 1:
        return f"{most} or fewer left"
    return f"{most} left" if most == least else f"{least} to {most} left"


def phase_of(bounds: Sequence[int], left: int) -> int:
    """Return the index of the phase with `left` moves left."""
    return next((index for index, least in enumerate(bounds) if left >= least), max(len(bounds) - 1, 0))


def when_text(table: Table, colour: int, left: int) -> str:
    """Return the condition under which a table gives its present number, such as `as Black with 6 or fewer left`.

    The condition includes neighbouring phases with the same number. It is '' if the number is the same everywhere.
    """
    row, other = table.rows[colour - 1], table.rows[2 - colour]
    phase, first, last = phase_of(table.bounds, left), 0, 0
    for _, group in groupby(enumerate(row), key=lambda cell: cell[1]):
        indexes = [index for index, _ in group]
        if phase in indexes:
            first, last = indexes[0], indexes[-1]
    span = span_text(table.bounds, first, last)
    side = "" if row[first : last + 1] == other[first : last + 1] else "as Black" if colour == BLACK else "as White"
    return " ".join(filter(None, [side, span and f"with {span}"]))


def heads(bounds: Sequence[int]) -> Iterator[str]:
    """Yield the head of each column of a drawn table: the moves left in the phase, such as `7-12` or `13+`."""
    for index, least in enumerate(bounds):
        most = bounds[index - 1] - 1 if index else 0
        yield f"{least}+" if not most else f"{least}" if least == most else f"{least}-{most}"


def drawn_table(table: Table) -> list[str]:
    """Return a table as lines of text: the moves left in each phase, then the numbers of both colours."""
    columns: list[tuple[str, ...]] = [("moves left", "Black", "White")]
    columns += [
        (head, *(f"{number:+}" for number in numbers))
        for head, *numbers in zip(heads(table.bounds), *table.rows, strict=True)
    ]
    widths = [max(map(len, column)) for column in columns]
    rows = [list(zip(cells, widths, strict=True)) for cells in zip(*columns, strict=True)]
    return ["  ".join([row[0][0].ljust(row[0][1]), *(cell.rjust(width) for cell, width in row[1:])]) for row in rows]
