"""The functions of the compiled code that a page calls.

numba compiles these functions, and `retarget` converts them to WebAssembly. Each function takes the address of an array
of int64, which contains numbers and the addresses of further arrays. `littlego.studio.site.in_browser` calls the
functions.
"""

from __future__ import annotations

from numba import carray, int64, njit, types, uint64
from numba.extending import intrinsic

from littlego.engines.compiled.board import JIT
from littlego.engines.compiled.engine import _decided, _score_position
from littlego.engines.compiled.matching import PLACEMENT_ROW, indexed
from littlego.engines.compiled.programs import BY_PATTERN, FIRED, HOW_MANY, OF_A_PATTERN
from littlego.truth.solver.search import MOST_MOVES, search

NUMBERS, WORDS = types.CPointer(int64), types.CPointer(uint64)
exported = njit(int64(NUMBERS), **{**JIT, "cache": False, "nogil": False})


def _pointer(kind):
    @intrinsic
    def at(typing_context, address):
        """Return an address as a pointer."""

        def build(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(int64), build

    return at


_numbers_at, _words_at = _pointer(NUMBERS), _pointer(WORDS)


@exported
def decide(arguments):
    """Decide positions. arguments: codes, their number, program, scratch, space for (move, decider) of each code."""
    codes, program, scratch = _numbers_at(arguments[0]), _numbers_at(arguments[2]), _numbers_at(arguments[3])
    decided = _numbers_at(arguments[4])
    for k in range(arguments[1]):
        decided[2 * k], decided[2 * k + 1] = _decided(codes[k], program, scratch)
    return 0


@exported
def fires(arguments):
    """Find where any pattern fires. arguments: codes, their number, program, scratch, space for 0 or 1 of each code."""
    codes, program, scratch = _numbers_at(arguments[0]), _numbers_at(arguments[2]), _numbers_at(arguments[3])
    found = _numbers_at(arguments[4])
    patterns = range(program[HOW_MANY])
    for k in range(arguments[1]):
        for pattern in patterns:
            scratch[BY_PATTERN + OF_A_PATTERN * pattern + FIRED] = 0
        _score_position(codes[k], program, scratch)
        found[k] = 0
        for pattern in patterns:
            if scratch[BY_PATTERN + OF_A_PATTERN * pattern + FIRED]:
                found[k] = 1
    return 0


@exported
def index(arguments):
    """Sort placements into buckets; return the length of the order array.

    arguments: placements, their number, their moves, and space for the starts of the buckets and the order array.
    """
    placements = carray(_numbers_at(arguments[0]), (arguments[1], PLACEMENT_ROW))
    starts, order = indexed(placements, carray(_numbers_at(arguments[2]), (arguments[1],)))
    found = _numbers_at(arguments[3])
    for k in range(starts.size):
        found[k] = starts[k]
    for k in range(order.size):
        found[starts.size + k] = order[k]
    return order.size


@exported
def solve(arguments):
    """Search a position; return 1 if the mover wins, 0 if not, 2 if stopped.

    arguments: own, theirs, ko, passed, left, goal, table, its size, history, lists of children, meter, stop.
    """
    return search(
        arguments[0],
        arguments[1],
        arguments[2],
        arguments[3],
        arguments[4],
        arguments[5],
        carray(_words_at(arguments[6]), (arguments[7],)),
        carray(_numbers_at(arguments[8]), (2, MOST_MOVES)),
        carray(_numbers_at(arguments[9]), (26, MOST_MOVES, 5)),
        carray(_numbers_at(arguments[10]), (2,)),
        carray(_numbers_at(arguments[11]), (1,)),
    )


EXPORTED = {"decide": decide, "fires": fires, "index": index, "solve": solve}
