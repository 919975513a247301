"""A search for captures of a chain in a few moves, whatever the chain's owner plays.

The search tries only the following moves. The attacker plays on the chain's liberties, or saves its own chains in atari
next to the chain. The owner plays on the chain's liberties or on the liberties of the attacker's adjacent chains, or
passes. The search misses moves farther away, such as a net, a connection to another stone or a threat elsewhere.
"""

from __future__ import annotations

from .geometry import around, count, flood
from .position import chains, is_legal, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Tuple

    from .geometry import Grid, Mask

    Known = Dict[Tuple[Mask, Mask, Mask, Mask, int], Mask]  # results of `capture`, by its arguments


def capturable(own: Mask, theirs: Mask, ko: Mask, moves: int, grid: Grid, known: Known) -> Mask:
    """Return a mask of the opponent's chains that the mover can capture with at most `moves` moves."""
    stones = 0
    for chain in chains(theirs, grid):
        if capture(chain, own, theirs, ko, moves, grid, known):
            stones |= chain
    return stones


def indefensible(own: Mask, theirs: Mask, ko: Mask, moves: int, grid: Grid, known: Known) -> Mask:
    """Return a mask of the mover's chains that the opponent can capture even if the mover moves first.

    moves: the maximum number of the opponent's moves.
    """
    stones = 0
    for chain in chains(own, grid):
        if not is_safe(chain, own, theirs, ko, moves, grid, known):
            stones |= chain
    return stones


def capture(chain: Mask, own: Mask, theirs: Mask, ko: Mask, moves: int, grid: Grid, known: Known) -> Mask:
    """Return the mask of a move that starts the capture of the opponent's chain, or 0.

    The result is 0 if the search finds no such move. moves: the maximum number of the mover's moves. known: a cache of
    results for this board size; the function adds its own results.
    """
    free = around(chain, grid) & ~(own | theirs)
    rest = free & (free - 1)
    if not rest and not free & ko:
        return free
    if moves == 1 or (moves == 2 and rest & (rest - 1)) or count(free) > moves:
        return 0
    question = chain, own, theirs, ko, moves
    if question not in known:
        known[question] = _read_capture(chain, free, own, theirs, ko, moves, grid, known)
    return known[question]


def _read_capture(
    chain: Mask, free: Mask, own: Mask, theirs: Mask, ko: Mask, moves: int, grid: Grid, known: Known
) -> Mask:
    """Return the result of `capture` for a chain that the next move cannot capture. free: the chain's liberties."""
    point, tries, near = chain & -chain, free, around(chain, grid) & own
    while near:
        attacker = flood(near & -near, own, grid)
        near &= ~attacker
        last = around(attacker, grid) & ~(own | theirs)
        if not last & (last - 1):
            tries |= last | liberties_near(attacker, own, theirs, 1, grid)
    while tries:
        move = tries & -tries
        tries ^= move
        if is_legal(move, own, theirs, ko, grid):
            stones, rest, _, next_ko = played(move, own, theirs, grid)
            target = flood(point, rest, grid) if point & rest else 0
            if not target or not is_safe(target, rest, stones, next_ko, moves - 1, grid, known):
                return move
    return 0


def is_safe(chain: Mask, own: Mask, theirs: Mask, ko: Mask, moves: int, grid: Grid, known: Known) -> bool:
    """Return whether the mover, who plays next, can save its chain from capture.

    moves: the maximum number of the opponent's moves for the capture.
    """
    first = capture(chain, theirs, own, 0, moves, grid, known)
    if not first:
        return True
    point, empty = chain & -chain, grid[1] & ~(own | theirs)
    tries = around(chain, grid) & empty | liberties_near(chain, own, theirs, moves, grid)
    move = first & tries or tries & -tries  # the attacker's best move is often the best defence
    while move:
        tries ^= move
        if is_legal(move, own, theirs, ko, grid):
            stones, rest, _, next_ko = played(move, own, theirs, grid)
            if not capture(flood(point, stones, grid), rest, stones, next_ko, moves, grid, known):
                return True
        move = tries & -tries
    return False


def liberties_near(chain: Mask, own: Mask, theirs: Mask, most: int, grid: Grid) -> Mask:
    """Return the liberties of the opposing chains that touch `chain` and have at most `most` liberties."""
    result, near = 0, around(chain, grid) & theirs
    while near:
        other = flood(near & -near, theirs, grid)
        near &= ~other
        free = around(other, grid) & ~(own | theirs)
        if count(free) <= most:
            result |= free
    return result
