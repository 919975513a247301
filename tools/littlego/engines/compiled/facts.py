"""The facts of rules/facts, compiled by numba.

Compiled code identifies each fact by its number in `small_facts()`. Facts are compiled from rules/facts (see `board`),
except for the facts and helper functions that this module redefines. The originals of these functions build lists, or
contain code that numba cannot compile, such as dicts or calls to bit_length.
"""

from __future__ import annotations

from pathlib import Path

from llvmlite import ir
from numba import config, int64, typeof, types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from littlego.engines.compiled import board, life
from littlego.engines.compiled.board import (
    GRID,
    PRIMITIVES,
    State,
    compiled_source,
    count,
    first_point,
    jit,
    jit_external,
    jit_inlined,
)
from littlego.engines.compiled.captures import stones_that_fall
from littlego.engines.compiled.matching import AREA
from littlego.engines.large.vocabulary import small_facts
from littlego.files import write_text
from littlego.rules import facts, geometry, playout

FACTS = small_facts()


def _word(builder, side):
    """Return a pointer, for compiled code, to the global 64-bit variable of a side (initially 0)."""
    name, kind = "littlego.kept", ir.ArrayType(ir.IntType(64), 2)
    kept = builder.module.globals.get(name)
    if kept is None:
        kept = cgutils.add_global_variable(builder.module, kind, name)
        kept.linkage, kept.initializer = "internal", ir.Constant(kind, None)
    return cgutils.gep(builder, kept, 0, side)


@intrinsic
def load_word(typing_context, side):
    """Return the word that `store_word` last stored for a side (OWN or THEIRS), or 0 if there is none."""

    def build(context, builder, signature, arguments):
        return builder.load_atomic(_word(builder, arguments[0]), "monotonic", 8)

    return types.int64(types.int64), build


@intrinsic
def store_word(typing_context, side, word):
    """Store a word for a side, OWN or THEIRS. The store is atomic, so threads need no lock."""

    def build(context, builder, signature, arguments):
        builder.store_atomic(arguments[1], _word(builder, arguments[0]), "monotonic", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), build


@life.generator
def chains_near(state, point, stones):
    """Yield the chains of `stones` that are next to the point, without duplicates."""
    near = board.around(point) & stones
    while near:
        chain = board.flood(near & -near, stones)
        near &= ~chain
        yield chain


@life.generator
def chains_in_atari(state, stones):
    """Yield the chains of `stones` with exactly one liberty."""
    others = (state.own | state.theirs) & ~stones
    for chain in life.atari_chains(stones, others, GRID):  # noqa: UP028 - numba does not support `yield from`
        yield chain


_SOURCE = compiled_source(
    facts,
    {
        **PRIMITIVES,
        "State": State,
        "alive_stones": life.alive_stones,
        "catches": life.catches,
        "chains_in_atari": chains_in_atari,
        "chains_near": chains_near,
        "is_eye": life.is_eye,
        "rescues": life.rescues,
    },
)
_GEOMETRY = compiled_source(geometry, {})
_lead_at_end = compiled_source(playout, PRIMITIVES)["lead_at_end"]
_edges_at, _line_of = _GEOMETRY["edges_at"], _GEOMETRY["line_of"]


@jit
def joins(state, move, point):
    number = 0
    for _ in chains_near(state, point, state.own):
        number += 1
    return number


@jit
def cuts(state, move, point):
    return joins(State(state.theirs, state.own, 0, 0, 0, 0, 0, 0, GRID), move, point)


@jit
def fallen(state, side, moves):
    return count(stones_that_fall(state.theirs, state.own, state.ko, moves, side == facts.OWN))


@jit
def fallen_after_pass(state, side, moves):
    """Return the answer of `fallen` for the position after the mover passes.

    For each side, one word caches the last answer together with the board and `moves`.
    """
    question = (state.own | state.theirs << AREA) << 8 | moves << 5
    answer = load_word(side) ^ question
    if answer >> 5:
        answer = fallen(State(state.own, state.theirs, 0, 0, 0, 0, 0, 0, GRID), side, moves)
        store_word(side, question | answer)
    return answer


@jit
def played_to_the_end(state):
    return -_lead_at_end(state.theirs, state.own, state.ko, state.left - 1, GRID)


@jit_inlined
def _last_point(mask):
    while mask & (mask - 1):
        mask &= mask - 1
    return first_point(mask) if mask else -1


@jit
def line(state, move, point):
    return _line_of(_last_point(point), 5)


@jit
def edge(state, move, point):
    return _edges_at(_last_point(point), 5)


_SOURCE.update({name: value for name, value in globals().items() if name in FACTS})
_SOURCE.update(fallen=fallen, fallen_after_pass=fallen_after_pass, played_to_the_end=played_to_the_end)
captures, own_liberties = _SOURCE["captures"], _SOURCE["own_liberties"]


def _by_number():
    """Return the compiled function fact(number, state, move, first, second), which calls a fact by number.

    numba's cache is keyed by source file, so the generated source is written to a file in the cache folder.
    """
    lines = ["def fact(number, state, move, first, second):"]
    for number, (name, one) in enumerate(FACTS.items()):
        arguments = ", ".join(["state", "move", "first", "second"][: 2 + len(one.kinds)])
        lines += [f"    if number == {number}:", f"        return {name}({arguments})"]
    path = Path(config.CACHE_DIR) / "facts_by_number.py"
    source = "\n".join([*lines, "    return 0", ""])
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, source)
    names = {"__name__": __name__, **{name: _SOURCE[name] for name in FACTS}}
    exec(compile(source, str(path), "exec"), names)
    return jit(names["fact"])


def _not_compiled():
    """Yield the names of the facts that numba cannot compile."""
    state = typeof(State(0, 0, 0, 1, 24, 1, -5, 0, GRID))
    for name, one in FACTS.items():
        try:
            _SOURCE[name].compile((state, *[int64] * (1 + len(one.kinds))))
        except NumbaError:
            yield name


_numbered = _by_number()


def _fact_of_ints(number, own, theirs, ko, left, played, colour, bonus2, passed, move, first, second):
    return _numbered(number, State(own, theirs, ko, left, played, colour, bonus2, passed, GRID), move, first, second)


try:
    _fact = jit_external(_fact_of_ints)
except NumbaError as error:
    names = ", ".join(_not_compiled())
    raise ImportError(
        f"numba cannot compile {names}: {error}\nAdd the missing helpers to _SOURCE, or write a function with the "
        f"same name in {__file__}"
    ) from error


@jit_inlined
def fact(number, state, move, first, second):
    """Return the answer of fact `number`; masks beyond the fact's arity are ignored."""
    return _fact(
        number,
        state.own,
        state.theirs,
        state.ko,
        state.left,
        state.number,
        state.colour,
        state.bonus2,
        state.passed,
        move,
        first,
        second,
    )
