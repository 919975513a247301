"""Functions of rules/, compiled by numba as they stand: no fact is written twice.

Their source asks for a few primitives of rules/geometry and rules/position that know any board size; here they get
those of `board`, which know 5x5 and leave the grid unused. A function that keeps lists or sets cannot be compiled to
quick code: each has a second form in `life`, `facts` or `safety`, and test_compiled_facts.py holds the two equal.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import llvmlite.binding
import numba
from numba import int64
from numba.core.types import ExternalFunction

from rules import facts
from rules.geometry import make_grid
from tools.compiled import board
from tools.compiled.board import compiled, count, inlined

GRID = make_grid(5)
State = namedtuple("State", facts.State.__slots__)  # facts.State in a form that numba knows
_kept = []  # compiled code that others know by its address only


@inlined
def around(mask, grid):
    return board.around(mask)


@inlined
def flood(seed, within, grid):
    return board.flood(seed, within)


@inlined
def captured_by(move, own, theirs, grid):
    return board.captured_by(move, own, theirs)


@inlined
def is_legal(move, own, theirs, ko, grid):
    return board.is_legal(move, own, theirs, ko)


@inlined
def ko_after(move, taken, own, theirs, grid):
    return board.ko_after(move, taken, own, theirs)


@inlined
def legal_moves(own, theirs, ko, grid):
    return board.legal_moves(own, theirs, ko)


@compiled
def played(move, own, theirs, grid):
    """Return (own, theirs, taken, ko) after own's legal move on a one-point mask."""
    taken = board.captured_by(move, own, theirs)
    own, theirs = own | move, theirs & ~taken
    return own, theirs, taken, board.ko_after(move, taken, own, theirs)


PRIMITIVES = {
    "around": around,
    "captured_by": captured_by,
    "count": count,
    "flood": flood,
    "is_legal": is_legal,
    "ko_after": ko_after,
    "legal_moves": legal_moves,
    "played": played,
}


def compiled_source(module: ModuleType, replaced: dict[str, Any], by: Callable = compiled) -> dict[str, Any]:
    """Return the names of a module of rules/ as compiled code sees them: its own functions compiled.

    replaced: what takes the place of a name. by: how functions are compiled. More may be replaced in the answer until
    a function is first called, since numba reads a name when it compiles the function that uses it.
    """
    names = dict(vars(module))
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            names[name] = by(FunctionType(value.__code__, names, name, value.__defaults__))
    names.update(replaced)
    return names


def apart(function: Callable) -> ExternalFunction:
    """Compile a function of ints on its own and return what compiled code calls it by.

    numba optimises what a function calls anew together with each caller: without this, compiling takes minutes on end.
    """
    arguments = function.__code__.co_argcount
    signature = int64(*[int64] * arguments)
    code = numba.cfunc(signature, error_model="numpy", boundscheck=False, cache=True)(function)
    _kept.append(code)
    name = f"{function.__module__}.{function.__name__}"
    llvmlite.binding.add_symbol(name, code.address)
    return ExternalFunction(name, signature)
