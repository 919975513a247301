"""An implementation of rules/captures for numba, with one function for both sides.

Two functions, one for each side, would call each other, and numba cannot cache mutually recursive functions.
"""

from __future__ import annotations

from littlego.engines.compiled.board import (
    GRID,
    PRIMITIVES,
    around,
    compiled_source,
    count,
    flood,
    is_legal,
    jit,
    jit_as,
    jit_inlined,
    played,
)
from littlego.engines.compiled.life import chains
from littlego.rules import captures, position

liberties = compiled_source(position, PRIMITIVES, by=jit_inlined)["liberties"]
liberties_near = compiled_source(captures, PRIMITIVES)["liberties_near"]


@jit
def attacks(chain, own, theirs):
    """Return the mover's moves that attack an opposing chain, as a mask.

    The moves are the chain's liberties, and the moves that may save an attacker in atari: the attacker's last liberty,
    and captures of chains next to the attacker.
    """
    result = liberties(chain, theirs | own, GRID)
    near = around(chain) & own
    while near:
        attacker = flood(near & -near, own)
        near &= ~attacker
        free = liberties(attacker, own | theirs, GRID)
        if not free & (free - 1):
            result |= free
            result |= liberties_near(attacker, own, theirs, 1, GRID)
    return result


@jit_as("int64(boolean, int64, int64, int64, int64, int64)")
def falls(attacked, point, own, theirs, ko, moves):
    """Return a move that starts the capture of the chain at `point`, or 0 if the chain cannot be captured.

    attacked: whether the chain belongs to the opponent. `point` and the result are masks of one point.

    If `attacked`, the mover attacks with at most `moves` moves. Otherwise, the opponent attacks with at most `moves`
    moves, and the chain counts as captured if no move of the mover saves it. The returned move is then the opponent's
    first move after a pass by the mover.
    """
    other = not attacked  # computed, like ko ^ ko: numba cannot cache a recursive call with a literal
    chain = flood(point, theirs if attacked else own)
    free = liberties(chain, own | theirs, GRID)
    first = 0
    if attacked:
        rest = free & (free - 1)
        if not rest and not free & ko:
            return free
        if moves == 1 or (moves == 2 and rest & (rest - 1)) or count(free) > moves:
            return 0
        tries = attacks(chain, own, theirs)
    else:
        first = falls(other, point, theirs, own, ko ^ ko, moves)
        if not first:
            return first
        tries = free | liberties_near(chain, own, theirs, moves, GRID)
    move = first & tries or tries & -tries  # the attacker's best move is often the best defence
    while move:
        tries ^= move
        if is_legal(move, own, theirs, ko):
            stones, rest, _, next_ko = played(move, own, theirs, GRID)
            if attacked and (not point & rest or falls(other, point, rest, stones, next_ko, moves - 1)):
                return move
            if not attacked and not falls(other, point, rest, stones, next_ko, moves):
                return 0
        move = tries & -tries
    return first


@jit
def stones_that_fall(own, theirs, ko, moves, attacked):
    """Return a mask of the stones that can be captured; see `falls`.

    The stones are the opponent's if `attacked`, else the mover's.
    """
    result = 0
    for chain in chains(theirs if attacked else own, GRID):
        if falls(attacked, chain & -chain, own, theirs, ko, moves):
            result |= chain
    return result
