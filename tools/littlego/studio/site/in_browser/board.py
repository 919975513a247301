"""The board functions of rules/, without compilation, for a page in a browser."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from littlego.rules import position
from littlego.rules.facts import State
from littlego.rules.geometry import Mask, make_grid

__all__ = ["FULL", "GRID", "State", "captured_by", "compiled_source", "count", "first_point", "jit", "jit_inlined"]

GRID = make_grid(5)
FULL = GRID[1]


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function unchanged, because a page does not compile functions."""
    return function


jit_inlined = jit


def compiled_source(module: ModuleType, replaced: dict[str, Any], by: Callable[..., Any] = jit) -> dict[str, Any]:
    """Return the functions of a module of rules/ unchanged, because a page does not compile functions."""
    return vars(module)


def count(mask: Mask) -> int:
    """Return the number of points in a mask."""
    return mask.bit_count()


def first_point(mask: Mask) -> int:
    """Return the point with the smallest number in a non-empty mask."""
    return (mask & -mask).bit_length() - 1


def captured_by(move: Mask, own: Mask, theirs: Mask) -> Mask:
    """Return the mask of the opposing stones that a move captures. move: a mask of one point."""
    return position.captured_by(move, own, theirs, GRID)


def ko_after(move: Mask, taken: Mask, own: Mask, theirs: Mask) -> Mask:
    """Return the mask of the point that the ko rule forbids for the reply, or 0.

    own, theirs: the stones after the move. taken: the stones that the move captured.
    """
    return position.ko_after(move, taken, own, theirs, GRID)


def legal_moves(own: Mask, theirs: Mask, ko: Mask) -> Mask:
    """Return the points where the mover may play, as a mask."""
    return position.legal_moves(own, theirs, ko, GRID)
