"""Stones on a 5x5 board as numba sees them: masks in 64-bit ints. The same rules as rules/position.

A mask has bit `5 * row + column` set for each of its points; `own` and `theirs` are the stones of the side to move
and of the other.
"""

from __future__ import annotations

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rules.geometry import make_grid

_, FULL, NOT_FIRST, NOT_LAST = make_grid(5)

# Division by zero is not caught and no bounds are checked: the hot loops have neither.
JIT = {"error_model": "numpy", "boundscheck": False, "cache": True, "nogil": True}
compiled = numba.njit(**JIT)
inlined = numba.njit(**JIT, inline="never", forceinline=True)


@intrinsic
def count(typing_context, mask):
    """Return the number of points in a mask: one machine instruction."""

    def build(context, builder, signature, arguments):
        word = ir.IntType(64)
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [word]), arguments)

    return types.int64(types.int64), build


@intrinsic
def first_point(typing_context, mask):
    """Return the smallest point of a mask that is not empty."""

    def build(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@inlined
def around(mask):
    """Return the points next to a point of the mask; points of the mask itself may be among them."""
    return (mask << 5 | mask >> 5 | (mask & NOT_LAST) << 1 | (mask & NOT_FIRST) >> 1) & FULL


@inlined
def flood(seed, within):
    """Return seed and all points of `within` that a path inside `within` joins to it."""
    grown = seed
    while True:
        wider = grown | (grown << 5 | grown >> 5 | (grown & NOT_LAST) << 1 | (grown & NOT_FIRST) >> 1) & within
        if wider == grown:
            return grown
        grown = wider


@inlined
def captured_by(move, own, theirs):
    """Return their stones without a liberty once own has a stone on the one-point mask `move`."""
    empty = FULL & ~(own | theirs | move)
    touched = around(move) & theirs
    taken = 0
    while touched:
        chain = flood(touched & -touched, theirs)
        touched &= ~chain
        if not around(chain) & empty:
            taken |= chain
    return taken


@inlined
def is_legal(move, own, theirs, ko):
    """Return whether own may play on the one-point mask `move`: on an empty point, no suicide, not at `ko`."""
    if move & (own | theirs | ko):
        return False
    empty = FULL & ~(own | theirs | move)
    if around(move) & empty:
        return True
    return around(flood(move, own)) & empty != 0 or captured_by(move, own, theirs) != 0


@inlined
def ko_after(move, taken, own, theirs):
    """Return the point mask that the ko rule denies to the reply; own and theirs are the boards after the move."""
    if taken == 0 or taken & (taken - 1):
        return 0
    return taken if captured_by(taken, theirs, own) == move else 0


@inlined
def legal_moves(own, theirs, ko):
    """Return the points where own may play, as a mask."""
    empty = FULL & ~(own | theirs)
    legal = around(empty) & empty
    enclosed = empty & ~legal
    while enclosed:
        move = enclosed & -enclosed
        enclosed ^= move
        if is_legal(move, own, theirs, 0):
            legal |= move
    return legal & ~ko
