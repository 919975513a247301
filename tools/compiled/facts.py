"""What a pattern may ask, for numba: rules/facts with every fact at its number in vocabulary.FACTS.

The source is that of rules/facts (see `shared`) but for the seven functions below: five that numba cannot compile
(it knows neither bit_length nor an index into a tuple that may be None) and two that would make lists.
"""

from __future__ import annotations

from rules import facts, geometry
from rules.vocabulary import FACTS
from tools.compiled import board, life, numbered
from tools.compiled.board import compiled, count, first_point, inlined
from tools.compiled.shared import GRID, PRIMITIVES, apart, compiled_source

_SOURCE = compiled_source(
    facts,
    {
        **PRIMITIVES,
        "alive_stones": life.alive_stones,
        "atari_chains": life.atari_chains,
        "catches": life.catches,
        "chains": life.chains,
        "is_eye": life.is_eye,
        "rescues": life.rescues,
    },
)
_GEOMETRY = compiled_source(geometry, {})
_edges_at, _line_of = _GEOMETRY["edges_at"], _GEOMETRY["line_of"]


@compiled
def captures(state, move, point):
    own, theirs, ko = state[0], state[1], state[2]
    return count(board.captured_by(point, own, theirs)) if board.is_legal(point, own, theirs, ko) else 0


@compiled
def takes_ko(state, move, point):
    own, theirs, ko = state[0], state[1], state[2]
    if not board.is_legal(point, own, theirs, ko):
        return 0
    taken = board.captured_by(point, own, theirs)
    return int(board.ko_after(point, taken, own | point, theirs & ~taken) != 0)


@compiled
def makes_life(state, move, point):
    own, theirs, ko, grid = state[0], state[1], state[2], state[8]
    if point and not board.is_legal(point, own, theirs, ko):
        return 0
    rest = theirs & ~board.captured_by(point, own, theirs)
    made = life.alive_stones(own | point, rest, grid)
    return count(made & ~life.alive_stones(own, theirs, grid)) if made else 0


@inlined
def _chains_at(point, stones):
    """Return the number of different chains of `stones` next to the point."""
    found = 0
    near = board.around(point) & stones
    while near:
        near &= ~board.flood(near & -near, stones)
        found += 1
    return found


@compiled
def joins(state, move, point):
    return _chains_at(point, state[0])


@compiled
def cuts(state, move, point):
    return _chains_at(point, state[1])


@inlined
def _last_point(mask):
    while mask & (mask - 1):
        mask &= mask - 1
    return first_point(mask) if mask else -1


@compiled
def line(state, move, point):
    return _line_of(_last_point(point), 5)


@compiled
def edge(state, move, point):
    return _edges_at(_last_point(point), 5)


_SOURCE.update(captures=captures, ko=takes_ko, makes_life=makes_life, joins=joins, cuts=cuts, line=line, edge=edge)
_numbered = compiled_source(numbered, {name: _SOURCE[name] for name, *_ in FACTS})["fact"]
own_liberties = _SOURCE["own_liberties"]


@apart
def _fact(number, own, theirs, ko, left, played, colour, bonus2, passed, move, first, second):
    return _numbered(number, (own, theirs, ko, left, played, colour, bonus2, passed, GRID), move, first, second)


@inlined
def fact(number, state, move, first, second):
    """Return what the fact with a number says of masks: see `numbered`."""
    own, theirs, ko, left, played, colour, bonus2, passed, _ = state
    return _fact(number, own, theirs, ko, left, played, colour, bonus2, passed, move, first, second)
