"""Playout of a game's last moves: a single sequence of moves chosen by fixed rules, without search.

The side to move plays the move that captures or saves the most stones; if a capture and a rescue tie, it captures. If
no move captures or saves stones, the side fills a point where its new stone is not in atari. The side prefers the point
where its stone puts the most opposing stones in atari and, on a tie, the point with the most empty neighbours. If there
is no point to fill, the side passes. On the game's last move, the side does not save stones, and its new stone may be
in atari.

The safety check uses the playout to predict the result after each reply.
"""

from __future__ import annotations

from .geometry import around, count, flood
from .position import captured_by, legal_moves, played

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .geometry import Grid, Mask

ATARI = 100  # value of a stone put in atari, in units of empty neighbours


def worst_end(own: Mask, theirs: Mask, ko: Mask, left: int, passed: int, bonus2: int, grid: Grid) -> tuple[int, Mask]:
    """Return the final lead of the side that just moved, and the reply that causes this lead.

    The result is (lead, reply). own: the stones of the side that just moved. The lead is after komi, in half points.
    The reply is a one-point mask, or 0 for a pass. The function chooses the first reply that denies a win to the side
    that just moved or, if no reply does, the reply with the lowest lead. left: the number of moves left, including the
    reply. passed: whether the side that just moved has passed, so that a pass by the opponent ends the game.
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
    """Return the mover's final lead in stones, without komi, after `by_rule` plays the last `left` moves.

    own: the mover's stones. line: None, or a list to which the moves are appended as one-point masks (0 for a pass).
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
    """Return the move that the playout's rules choose, as a one-point mask, or 0 for a pass.

    left: the number of moves left, including this move.
    """
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
    """Return a move that saves a chain by filling its last liberty or capturing an attacker, or 0."""
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
    """Return the best point to fill, as a one-point mask, or 0 if there is no such point.

    The new stone is not in atari, except on the game's last move.
    """
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
    """Return the number of opposing stones that a stone at a point puts in atari."""
    stones, near = 0, around(point, grid) & theirs
    while near:
        chain = flood(near & -near, theirs, grid)
        near &= ~chain
        free = around(chain, grid) & empty & ~point
        if not free & (free - 1):
            stones += count(chain)
    return stones
