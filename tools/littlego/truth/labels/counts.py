"""Counts of labelled positions by moves left, part and source."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from littlego.truth.labels import MET, PARTS, SOURCES, TEST
from littlego.truth.labels.labels import Labels, in_test, legal_many, moves_left

LEGEND = (
    "\nlost: no move wins. free: every move wins. open: some moves win and others lose. "
    "met: open positions from the source `met`."
)


class Row(NamedTuple):
    """Counts of positions that belong to one part and have the same number of moves left.

    positions: all positions. lost: positions where no move wins. free: positions where every move wins. open: all other
    positions. met: open positions from the source `met` (see SOURCES).
    """

    left: int
    part: str
    positions: int
    lost: int
    free: int
    open: int
    met: int


def rows_of(labels: Labels) -> list[Row]:
    """Return a Row for each part and each number of moves left that occurs, fewest moves first."""
    left, test = moves_left(labels.codes), in_test(labels.codes)
    lost, free = labels.winning == 0, labels.winning == legal_many(labels.codes)
    undecided = ~lost & ~free
    met = undecided & (labels.tags & MET != 0)
    return [
        Row(moves, part, *(int(np.count_nonzero(column & here)) for column in (here, lost, free, undecided, met)))
        for moves in sorted(set(left.tolist()))
        for part in PARTS
        for here in [(left == moves) & (test == (part == TEST))]
    ]


def counts_json(labels: Labels) -> dict[str, Any]:
    """Return a JSON object with the total number of positions, the counts by source, and the rows."""
    rows = [row._asdict() for row in rows_of(labels)]
    return {"positions": labels.codes.size, "sources": _count_sources(labels), "rows": rows}


def _count_sources(labels: Labels) -> dict[str, int]:
    return {name: int(np.count_nonzero(labels.tags & bits)) for name, bits in SOURCES.items()}


def draw_counts(labels: Labels) -> tuple[Table, str, str]:
    """Return (the table of the rows, the legend of the columns, a line with sums).

    The line contains the total and the counts by source.
    """
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for head in Row._fields:
        table.add_column(head, justify="left" if head == "part" else "right")
    for row in rows_of(labels):
        table.add_row(*map(str, row))
    counts = ", ".join(f"{count} {name}" for name, count in _count_sources(labels).items())
    return table, LEGEND, f"{labels.codes.size} positions are labelled; by source: {counts}."
