"""Codes of positions for numba: the keys of rules/positionkey.

The functions compute the fields of a code, its images under symmetries, and the code after a move.
"""

from __future__ import annotations

from littlego.engines.compiled.board import (
    GRID,
    State,
    captured_by,
    compiled_source,
    first_point,
    jit,
    jit_inlined,
    ko_after,
    legal_moves,
)
from littlego.rules import positionkey
from littlego.rules.geometry import inverse, symmetry_tables
from littlego.rules.positionkey import LEFT_AT, PASS_POINT, PASSED_AT

TABLES = symmetry_tables(5)
UNDO = tuple([inverse(table) for table in TABLES])
_COLUMN, _ROW = 0b00001_00001_00001_00001_00001, 0b11111
# Diagonals of the board: _D0 is the main diagonal, and a transposition moves the points of _Dn by 4 * n.
_D0, _D1, _D2, _D3, _D4 = (sum(1 << 5 * row + row + d for row in range(5 - d)) for d in range(5))


@jit_inlined
def _one_more(ko):
    return first_point(ko) + 1 if ko else 0


_SOURCE = compiled_source(positionkey, {"_one_more": _one_more}, by=jit_inlined)
_pack, _unpack = _SOURCE["pack_fields"], _SOURCE["unpack_fields"]


@jit_inlined
def code_of(own, theirs, ko, passed, left):
    """Return the code of a position from the mover's side. ko: a one-point mask or 0."""
    return _pack(theirs, own, ko, passed, left) if left & 1 else _pack(own, theirs, ko, passed, left)


@jit_inlined
def parts(code):
    """Return (own, theirs, ko mask, passed, left) of a code."""
    black, white, ko, passed, left = _unpack(code)
    return (white, black, ko, passed, left) if left & 1 else (black, white, ko, passed, left)


@jit_inlined
def state_of(code):
    """Return the State for a code."""
    own, theirs, ko, passed, left = parts(code)
    colour, bonus2 = (2, 5) if left & 1 else (1, -5)
    return State(own, theirs, ko, left, 25 - left, colour, bonus2, passed, GRID)


@jit_inlined
def _left_right(mask):
    swapped = (mask & _COLUMN) << 4 | (mask & _COLUMN << 1) << 2 | mask & _COLUMN << 2
    return swapped | (mask & _COLUMN << 3) >> 2 | (mask & _COLUMN << 4) >> 4


@jit_inlined
def _top_bottom(mask):
    swapped = (mask & _ROW) << 20 | (mask & _ROW << 5) << 10 | mask & _ROW << 10
    return swapped | (mask & _ROW << 15) >> 10 | (mask & _ROW << 20) >> 20


@jit_inlined
def _transposed(mask):
    above = (mask & _D1) << 4 | (mask & _D2) << 8 | (mask & _D3) << 12 | (mask & _D4) << 16
    below = mask >> 4 & _D1 | mask >> 8 & _D2 | mask >> 12 & _D3 | mask >> 16 & _D4
    return mask & _D0 | above | below


@jit_inlined
def image(mask, symmetry):
    """Return the image of a mask under a symmetry, as geometry.image_of does with TABLES[symmetry]."""
    if symmetry & 4:
        mask = _transposed(mask)
    if symmetry & 1:
        mask = _left_right(mask)
    return _top_bottom(mask) if symmetry & 2 else mask


@jit
def canonical(code):
    """Return (the code of the canonical image, the symmetry that produces it).

    The canonical image has the smallest (own, theirs, ko). If several symmetries give this image, return the first of
    them.
    """
    own, theirs, ko, passed, left = parts(code)
    best_own, best_theirs, best_ko, best = own, theirs, ko, 0
    for symmetry in range(1, 8):
        new_own = image(own, symmetry)
        if new_own > best_own:
            continue
        new_theirs = image(theirs, symmetry)
        if new_own == best_own and new_theirs > best_theirs:
            continue
        new_ko = image(ko, symmetry)
        if new_own == best_own and new_theirs == best_theirs and new_ko >= best_ko:
            continue
        best_own, best_theirs, best_ko, best = new_own, new_theirs, new_ko, symmetry
    return code_of(best_own, best_theirs, best_ko, passed, left), best


@jit_inlined
def moves_mask(code):
    """Return the mask of the legal moves, with bit 25 for the pass."""
    own, theirs, ko, _, _ = parts(code)
    return legal_moves(own, theirs, ko) | 1 << PASS_POINT


@jit
def after(code, move):
    """Return the code of the position after a legal move; 25 is a pass."""
    own, theirs, ko, passed, left = parts(code)
    if move == PASS_POINT:
        return code_of(theirs, own, 0, 1, left - 1)
    stone = 1 << move
    taken = captured_by(stone, own, theirs)
    own, theirs = own | stone, theirs & ~taken
    return code_of(theirs, own, ko_after(stone, taken, own, theirs), 0, left - 1)


@jit
def ends(code, move):
    """Return whether a legal move ends the game."""
    return code >> LEFT_AT == 1 or (move == PASS_POINT and code >> PASSED_AT & 1 == 1)
