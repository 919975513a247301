"""The compiled functions that a page calls.

numba compiles these functions, and `retarget` converts them to WebAssembly. Each function takes the address of an array
of int64, which contains numbers and the addresses of further arrays. `littlego.studio.site.in_browser` calls the
functions.
"""

from __future__ import annotations

from numba import carray, int8, int64, njit, types, uint64
from numba.extending import intrinsic

from littlego.engines.compiled.board import JIT
from littlego.engines.compiled.engine import decide_at, score_position, undone
from littlego.engines.compiled.matching import PLACEMENT_ROW, indexed
from littlego.engines.compiled.programs import (
    BY_PATTERN,
    FIRED,
    FIRING_CELLS,
    FIRING_PATTERN,
    FIRING_ROW,
    HOW_MANY,
    OF_A_PATTERN,
)
from littlego.engines.compiled.reading import firings_of
from littlego.engines.compiled.reasons import new_store, reason_one
from littlego.engines.compiled.states import moves_mask
from littlego.truth.solver.search import MOST_MOVES, search

NUMBERS, WORDS, BYTES = types.CPointer(int64), types.CPointer(uint64), types.CPointer(int8)
PLACES = 1 << 8  # number of codes for a placement's symmetry and place on 5x5: see rules.matching
exported = njit(int64(NUMBERS), **{**JIT, "cache": False, "nogil": False})


def _pointer(kind):
    @intrinsic
    def at(typing_context, address):
        """Convert an address to a pointer."""

        def build(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(int64), build

    return at


_numbers_at, _words_at, _bytes_at = _pointer(NUMBERS), _pointer(WORDS), _pointer(BYTES)


@exported
def decide(arguments):
    """Write (move, decider) for each code. arguments: codes, number of codes, program, scratch, output."""
    codes, program, scratch = _numbers_at(arguments[0]), _numbers_at(arguments[2]), _numbers_at(arguments[3])
    decided = _numbers_at(arguments[4])
    for k in range(arguments[1]):
        decided[2 * k], decided[2 * k + 1] = decide_at(codes[k], program, scratch)
    return 0


@exported
def fires(arguments):
    """Write 1 for each code for which any pattern fires, and 0 for each other code.

    arguments: codes, number of codes, program, scratch, output.
    """
    codes, program, scratch = _numbers_at(arguments[0]), _numbers_at(arguments[2]), _numbers_at(arguments[3])
    found = _numbers_at(arguments[4])
    patterns = range(program[HOW_MANY])
    for k in range(arguments[1]):
        for pattern in patterns:
            scratch[BY_PATTERN + OF_A_PATTERN * pattern + FIRED] = 0
        score_position(codes[k], program, scratch)
        found[k] = 0
        for pattern in patterns:
            if scratch[BY_PATTERN + OF_A_PATTERN * pattern + FIRED]:
                found[k] = 1
    return 0


@exported
def reasons(arguments):
    """Write the reasons for the decision in each position.

    arguments: codes, number of codes, program, scratch, and three outputs: the pairs (move, kind) for all codes; the
    roles as bytes [code, pattern]; bytes [pattern, symmetry, placement], set to 1 for each firing.
    """
    codes, program, scratch = _numbers_at(arguments[0]), _numbers_at(arguments[2]), _numbers_at(arguments[3])
    found, patterns = _numbers_at(arguments[4]), program[HOW_MANY]
    roles = carray(_bytes_at(arguments[5]), (arguments[1], patterns))
    placed, store, head = _bytes_at(arguments[6]), new_store(program), firings_of(program)
    for k in range(arguments[1]):
        move, kind, symmetry = reason_one(codes[k], program, scratch, store, roles[k])
        found[2 * k], found[2 * k + 1] = undone(move, symmetry), kind
        for row in range(head + 1, head + 1 + FIRING_ROW * scratch[head], FIRING_ROW):
            place = scratch[row + FIRING_CELLS] & PLACES - 1
            placed[(8 * scratch[row + FIRING_PATTERN] + symmetry) * PLACES + place] = 1
    return 0


@exported
def legal(arguments):
    """Write the mask of the legal moves for each code. arguments: codes, number of codes, output."""
    codes, found = _numbers_at(arguments[0]), _numbers_at(arguments[2])
    for k in range(arguments[1]):
        found[k] = moves_mask(codes[k])
    return 0


@exported
def index(arguments):
    """Sort placements into buckets (see `matching.indexed`); return the length of the order array.

    arguments: placements, number of placements, moves, and an output array for the buckets' starts and the order.
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

    arguments: own, theirs, ko, passed, left, goal, table, table size, history, lists of children, meter, stop.
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


EXPORTED = {
    "decide": decide,
    "fires": fires,
    "index": index,
    "legal": legal,
    "reasons": reasons,
    "solve": solve,
}
