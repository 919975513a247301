"""The board and the rules of the game for numba: masks as 64-bit integers, 5x5 only.

`compiled_source` compiles most functions of rules/ unchanged, to avoid a second implementation. The compiled functions
call 5x5 versions of the primitives of rules/geometry and rules/position; the 5x5 versions ignore the argument `grid`.
Functions that use lists or sets would compile to slow code, so the modules `life`, `facts` and `safety` implement these
functions again. Tests check that both implementations agree.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from types import ModuleType
from typing import Any

import llvmlite.binding
import numba
from llvmlite import ir
from numba import int64, types
from numba.core.types import ExternalFunction
from numba.extending import intrinsic

from littlego.engines.compiled import keep_apart
from littlego.engines.large.vocabulary import source_with
from littlego.rules import facts, position
from littlego.rules.geometry import make_grid

GRID = make_grid(5)
_, FULL, NOT_FIRST, NOT_LAST = GRID
State = namedtuple("State", facts.State.__slots__)  # facts.State as a type that numba supports

# The hot loops never divide by zero or exceed the bounds of an array, so these checks are off.
JIT = {"error_model": "numpy", "boundscheck": False, "cache": True, "nogil": True}
_separate: dict[str, Any] = {}  # name -> compiled function called by address; the references keep the code in memory


def jit(function: Callable[..., Any]) -> Any:
    """Return a function that numba compiles at its first call, for the argument types of that call."""
    keep_apart(function.__module__)
    return numba.njit(**JIT)(function)


def jit_inlined(function: Callable[..., Any]) -> Any:
    """Return a small function that numba compiles inline into each of its callers."""
    keep_apart(function.__module__)
    return numba.njit(**JIT, inline="never", forceinline=True)(function)


def jit_as(signature: object) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function immediately, for the types in `signature`.

    signature: the types of the result and of the arguments, in numba's notation. Recursive functions need this
    decorator, because numba caches a recursive function only if its types are declared.
    """

    def compile_now(function: Callable[..., Any]) -> Any:
        keep_apart(function.__module__)
        return numba.njit(signature, **JIT)(function)

    return compile_now


# -- compilation of rules/ ------------------------------------------------------------------------------------------


def compiled_source(module: ModuleType, replaced: dict[str, Any], by: Callable[..., Any] = jit) -> dict[str, Any]:
    """Return the namespace of a rules/ module, with compiled functions: see source_with.

    by: the function that compiles a single function. The caller may replace more names in the returned dict before a
    function's first call, because numba resolves names during compilation.
    """
    return source_with(module, replaced, by)


def jit_external(function: Callable[..., int]) -> ExternalFunction:
    """Compile a function of ints separately and return an external function that jit code can call.

    If the function were compiled with its callers, numba would optimize the function again for each caller, which
    would take many minutes.
    """
    signature = int64(*[int64] * function.__code__.co_argcount)
    keep_apart(function.__module__)
    code = numba.cfunc(signature, error_model="numpy", boundscheck=False, cache=True)(function)
    name = f"{function.__module__}.{function.__name__}"
    _separate[name] = code
    llvmlite.binding.add_symbol(name, code.address)
    return ExternalFunction(name, signature)


def separate() -> dict[str, Any]:
    """Return {name in compiled code: function} for all functions that `jit_external` has compiled."""
    return _separate


# -- sets of points --------------------------------------------------------------------------------------------------


@intrinsic
def count(typing_context, mask):
    """Return the number of points in a mask, counted by one machine instruction."""

    def build(context, builder, signature, arguments):
        return builder.call(builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)]), arguments)

    return types.int64(types.int64), build


@intrinsic
def first_point(typing_context, mask):
    """Return the smallest point of a non-empty mask."""

    def build(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@jit_inlined
def around(mask, grid=None):
    """Return the points, inside or outside `mask`, that have a neighbour in `mask`."""
    return (mask << 5 | mask >> 5 | (mask & NOT_LAST) << 1 | (mask & NOT_FIRST) >> 1) & FULL


@jit_inlined
def flood(seed, within, grid=None):
    """Return the seed and all points of `within` that are connected to the seed inside `within`."""
    grown = seed
    while True:
        wider = grown | (grown << 5 | grown >> 5 | (grown & NOT_LAST) << 1 | (grown & NOT_FIRST) >> 1) & within
        if wider == grown:
            return grown
        grown = wider


# -- moves: as in rules/position, with an optional grid ------------------------------------------------------------


@jit_inlined
def is_legal(move, own, theirs, ko, grid=None):
    """Return whether a move is on an empty point other than `ko` and is not suicide. move: a one-point mask."""
    if move & (own | theirs | ko):
        return False
    empty = FULL & ~(own | theirs | move)
    if around(move) & empty:
        return True
    return around(flood(move, own)) & empty != 0 or captured_by(move, own, theirs) != 0


_SOURCE = compiled_source(
    position, {"around": around, "count": count, "flood": flood, "is_legal": is_legal}, by=jit_inlined
)
PRIMITIVES = {
    name: _SOURCE[name]
    for name in ("around", "captured_by", "count", "flood", "is_legal", "ko_after", "legal_moves", "played")
}
_captured_by, _ko_after, _legal_moves = (_SOURCE[name] for name in ("captured_by", "ko_after", "legal_moves"))
played = _SOURCE["played"]


@jit_inlined
def captured_by(move, own, theirs):
    """Return the opposing stones that the mover captures by playing at `move` (a one-point mask)."""
    return _captured_by(move, own, theirs, GRID)


@jit_inlined
def ko_after(move, taken, own, theirs):
    """Return the point that the ko rule forbids for the reply, as a mask; 0 if there is no such point.

    own, theirs: the stones after the move. taken: the stones that the move captured.
    """
    return _ko_after(move, taken, own, theirs, GRID)


@jit_inlined
def legal_moves(own, theirs, ko):
    """Return the points where the mover may play, as a mask."""
    return _legal_moves(own, theirs, ko, GRID)
