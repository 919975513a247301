"""How a game ends whose last moves are near: played out by rule, in one line, with nothing tried twice.

Where few moves are left stones alone count, and most of what they can still win or lose is in plain sight: chains in
atari, and points that a stone fills. So each side in turn takes the most stones that a move takes, or saves more than
that; else it fills where its stone is not in atari itself, first where that gives atari to the most stones, then where
most points next to it are empty; else it passes. The safety check asks how the game ends so after each reply.
"""

from __future__ import annotations

from .geometry import around, count, flood
from .position import captured_by, legal_moves, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .geometry import Grid, Mask

ATARI = 100  # what a stone put in atari is worth to a move that fills, in empty points next to it


def worst_end(own: Mask, theirs: Mask, ko: Mask, left: int, passed: int, bonus2: int, grid: Grid) -> tuple[int, Mask]:
    """Return (own's lead at the end after komi, in half points; the reply that brings it) once own has moved.

    The reply is a one-point mask, 0 for a pass: the first after which own does not end ahead, else the worst. left:
    moves left, the reply included. passed: whether own has passed, so that their pass ends the game.
    """
    worst2, worst = bonus2 + 2 * lead_at_end(own, theirs, 0, 0 if passed else left - 1, grid), 0
    replies = legal_moves(theirs, own, ko, grid)
    while replies and worst2 > 0:
        reply = replies & -replies
        replies ^= reply
        yours, ours, _, next_ko = played(reply, theirs, own, grid)
        lead2 = bonus2 + 2 * lead_at_end(ours, yours, next_ko, left - 1, grid)
        if lead2 < worst2:
            worst2, worst = lead2, reply
    return worst2, worst


def lead_at_end(own: Mask, theirs: Mask, ko: Mask, left: int, grid: Grid, line: list[Mask] | None = None) -> int:
    """Return own's lead in stones, komi not counted, once the last `left` moves are played by rule, own to move.

    line: a list that takes the moves, as by_rule returns them.
    """
    sign = 1
    while left:
        move = by_rule(own, theirs, ko, left, grid)
        if line is not None:
            line.append(move)
        if move:
            own, theirs, _, ko = played(move, own, theirs, grid)
        else:
            ko = 0
        own, theirs = theirs, own
        sign = -sign
        left -= 1
    return sign * (count(own) - count(theirs))


def by_rule(own: Mask, theirs: Mask, ko: Mask, left: int, grid: Grid) -> Mask:
    """Return the move as a one-point mask, 0 for a pass. left: moves left, this one included."""
    empty = grid[1] & ~(own | theirs)
    near = around(empty, grid)
    most, best = 0, 0
    stones = near & theirs
    while stones:
        chain = flood(stones & -stones, theirs, grid)
        stones &= ~chain
        free = around(chain, grid) & empty
        if not free & (free - 1 | ko):
            taken = count(captured_by(free, own, theirs, grid))
            if taken > most:
                most, best = taken, free
    stones = near & own if left > 1 else 0
    while stones:
        chain = flood(stones & -stones, own, grid)
        stones &= ~chain
        free = around(chain, grid) & empty
        if not free & (free - 1) and count(chain) > most:
            move = _saving(chain, free, own, theirs, ko, grid)
            if move:
                most, best = count(chain), move
    return best if best else _filling(own, theirs, ko, left, grid)


def _saving(chain: Mask, last: Mask, own: Mask, theirs: Mask, ko: Mask, grid: Grid) -> Mask:
    """Return a move that brings a chain out of atari, by its last liberty or by taking what is next to it, else 0."""
    empty = grid[1] & ~(own | theirs)
    free = around(flood(last, own, grid), grid) & empty & ~last
    if free & (free - 1) and not last & ko:
        return last
    attackers = around(chain, grid) & theirs
    while attackers:
        attacker = flood(attackers & -attackers, theirs, grid)
        attackers &= ~attacker
        free = around(attacker, grid) & empty
        if not free & (free - 1 | ko):
            return free
    return 0


def _filling(own: Mask, theirs: Mask, ko: Mask, left: int, grid: Grid) -> Mask:
    """Return the best point to fill, 0 where there is none: a stone in atari is lost, unless it is the last."""
    empty = grid[1] & ~(own | theirs)
    most, best = 0, 0
    points = empty & ~ko
    while points:
        point = points & -points
        points ^= point
        room = free = around(point, grid) & empty
        if not free & (free - 1):
            free = around(flood(point, own, grid), grid) & empty & ~point
        if free & (free - 1) or free and left == 1:
            worth = 1 + count(room) + ATARI * _put_in_atari(point, theirs, empty, grid)
            if worth > most:
                most, best = worth, point
    return best


def _put_in_atari(point: Mask, theirs: Mask, empty: Mask, grid: Grid) -> int:
    """Return how many stones of theirs a stone at a point puts in atari."""
    stones, near = 0, around(point, grid) & theirs
    while near:
        chain = flood(near & -near, theirs, grid)
        near &= ~chain
        free = around(chain, grid) & empty & ~point
        if not free & (free - 1):
            stones += count(chain)
    return stones
