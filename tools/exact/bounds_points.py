"""Bounds of the facts about points as they are.

Each function takes a View, the pattern's move (0: a pass) and the fact's arguments, chains as Chains and points as
masks; see bounds for what it returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.geometry import around, count, edges_at, flood, line_of
from rules.life import corners_of
from tools.exact.terms import Range

if TYPE_CHECKING:
    from tools.exact.view import View


def _closed(view: View, point: int) -> tuple[bool, bool]:
    """Return whether the point surely is empty with own stones only beside it, and whether it may be."""
    board, sides = view.board, around(point, view.grid)
    sure = bool(point & board.known_empty) and not sides & ~board.known_own
    return sure, bool(point & board.empty) and not sides & ~board.own


def _real(view: View, point: int) -> tuple[bool, bool]:
    """Return whether a closed point is surely a real eye, and whether it may be: see rules.life.is_eye."""
    board, sides = view.board, around(point, view.grid)
    first, corners = sides & -sides, corners_of(point, view.grid)
    spared = 1 if count(corners) == 4 else 0
    one_chain = not sides & ~flood(first, board.known_own, view.grid)
    may_join = not sides & ~flood(first, board.own, view.grid)
    sure = one_chain or count(corners & board.theirs) <= spared
    return sure, may_join or count(corners & board.known_theirs) <= spared


def eye(view: View, move: int, point: int) -> Range:
    closed, may_close = _closed(view, point)
    real, may_be_real = _real(view, point)
    return int(closed and real), int(may_close and may_be_real)


def false_eye(view: View, move: int, point: int) -> Range:
    closed, may_close = _closed(view, point)
    real, may_be_real = _real(view, point)
    return int(closed and not may_be_real), int(may_close and not real)


def region(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    low = count(flood(point, board.known_empty, grid)) if point & board.known_empty else 0
    return low, count(flood(point, board.empty, grid)) if point & board.empty else 0


def enclosed(view: View, move: int, point: int) -> Range:
    board, grid = view.board, view.grid
    inside = flood(point & board.known_empty, board.known_empty, grid)
    border = around(inside, grid) & ~inside
    if not point & board.empty or border & board.known_theirs or inside and not border:
        return 0, 0
    is_closed = inside and not border & ~board.known_own
    most = flood(point, board.empty & ~around(board.known_theirs, grid), grid)
    return (count(inside) if is_closed else 0), count(most)


def line(view: View, move: int, point: int) -> Range:
    answer = line_of(point.bit_length() - 1, view.grid[0])
    return answer, answer


def edge(view: View, move: int, point: int) -> Range:
    answer = edges_at(point.bit_length() - 1, view.grid[0])
    return answer, answer


def own_near(view: View, move: int, point: int) -> Range:
    near = around(point, view.grid)
    return count(near & view.board.known_own), count(near & view.board.own)


def empty_near(view: View, move: int, point: int) -> Range:
    near = around(point, view.grid)
    return count(near & view.board.known_empty), count(near & view.board.empty)
