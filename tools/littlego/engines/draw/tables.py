"""Tables of points as text: the condition under which a number applies, and the drawn table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from littlego.rules.position import BLACK, WHITE
from littlego.rules.programs import Table


def span_text(bounds: Sequence[int], first: int, last: int) -> str:
    """Return in words how many moves are left in phases `first` to `last`, such as `6 or fewer left`.

    A phase is a range of numbers of moves left. The result is '' if the phases cover all numbers. first, last:
    zero-based indexes, both included. bounds: see rules.programs.Table.
    """
    most = bounds[first - 1] - 1 if first else 0
    least = bounds[last]
    if not most:
        return f"{least} or more left" if least > 1 else ""
    if least == 1:
        return f"{most} or fewer left"
    return f"{most} left" if most == least else f"{least} to {most} left"


def phase_of(bounds: Sequence[int], left: int) -> int:
    """Return the zero-based index of the phase with `left` moves left. bounds: see rules.programs.Table."""
    return next((index for index, least in enumerate(bounds) if left >= least), max(len(bounds) - 1, 0))


def when_text(table: Table, colour: int, left: int) -> str:
    """Return the condition under which a number applies, such as `as Black with 6 or fewer left`.

    The number is the table's number for `colour` with `left` moves left. The condition covers the phase of this number
    and the neighbouring phases that have the same number. The result is '' if all numbers are equal.
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
    """Yield the column headings of a drawn table: the moves left in each phase, such as `7-12` or `13+`."""
    for index, least in enumerate(bounds):
        most = bounds[index - 1] - 1 if index else 0
        yield f"{least}+" if not most else f"{least}" if least == most else f"{least}-{most}"


def drawn_table(table: Table, colour: int = 0, left: int = 0) -> list[list[str]]:
    """Return the rows of a drawn table: the moves left in each phase, then Black's and White's numbers.

    The number for the colour with `left` moves left is in parentheses. colour: BLACK, WHITE, or 0 for no parentheses.
    """
    rows = [["", *heads(table.bounds)]]
    for name, side, numbers in zip(("Black", "White"), (BLACK, WHITE), table.rows):
        cells = [f"{number:+}" for number in numbers]
        if side == colour:
            phase = phase_of(table.bounds, left)
            cells[phase] = f"({cells[phase]})"
        rows.append([name, *cells])
    return rows


def table_json(text: str, colour: int, left: int) -> dict[str, Any] | None:
    """Return a table as plain values, or None if there is no table. text: the table as in patterns.txt.

    The keys are `bounds` (the least number of moves left in each phase), `black` and `white` (the numbers by phase),
    `row` (`black` or `white`, the colour's key), `cell` (the index of the phase with `left` moves left), `number` (the
    colour's number in this phase) and `when` (the number's condition in words).
    """
    if not text:
        return None
    table = Table(text)
    return {
        "bounds": [*table.bounds],
        "black": [*table.rows[0]],
        "white": [*table.rows[1]],
        "row": "black" if colour == BLACK else "white",
        "cell": phase_of(table.bounds, left),
        "number": table.number(colour, left),
        "when": when_text(table, colour, left),
    }
