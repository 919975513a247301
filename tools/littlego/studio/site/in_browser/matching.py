"""A page's version of littlego.engines.compiled.matching.

The module groups placements by move and neighbouring stones.
"""

from __future__ import annotations

from array import array
from itertools import pairwise

from littlego.rules.patternfile import Book
from littlego.rules.positionkey import POINTS
from littlego.studio.site.in_browser.memory import Numbers, call

STATES = 81
BUCKETS = POINTS * STATES + 1
PLACEMENT_ROW = 4
POINT_SHIFT, POINT_FIELD = 8, 31


def join_program(head: list[int], tables: list[int], book: Book, pattern_row: int) -> array[int]:
    """Return a book's program as one array: see littlego.engines.compiled.matching.join_program."""
    placements = array("q")
    for number, (begin, end) in enumerate(pairwise(book.starts)):
        owner = head[0] + pattern_row * number
        for k in range(begin, end):
            placements.extend((book.cares[k], book.values[k], book.cells[k], owner))
    moves = Numbers.of([cells >> POINT_SHIFT & POINT_FIELD for cells in book.cells])
    found = Numbers(BUCKETS + 1 + STATES * len(book.cells))
    length = call("index", Numbers.of(placements), len(book.cells), moves, found)
    values = found.values(BUCKETS + 1 + length)
    at_placements = len(head) + BUCKETS + 1 + len(tables)
    at_order = at_placements + len(placements)
    starts = [at_order + start for start in values[: BUCKETS + 1]]
    order = [at_placements + PLACEMENT_ROW * number for number in values[BUCKETS + 1 :]]
    return array("q", head) + array("q", starts) + array("q", tables) + placements + array("q", order)
