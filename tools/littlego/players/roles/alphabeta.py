"""The role alphabeta. The handout says: `minimax (depth <= 2; branching factor <= 10) with alpha-beta pruning`.

The role searches two plies (its own move and the reply) and considers only the ten best-evaluated moves at each ply.
The evaluation rewards a lead in stones and penalizes each of the role's chains and edge stones. The evaluation was
inferred from recorded games of the course's own player (docs/opponents.md states how often the role and this player
agree). The role begins in the centre, and passes only if no point is playable. Like the course's player, the role is
deterministic. Among equally good moves, the role plays the last move in row order.
"""

from __future__ import annotations

import random

from littlego.players.roles.simple import centre, playable
from littlego.rules.geometry import Grid, Mask, count, edges_at, points_of
from littlego.rules.position import PASS, Position, chains

BRANCHES = 10
ON_EDGE = 3  # cost of a stone on the edge: more than the value of the stone


def evaluate(own: Mask, theirs: Mask, grid: Grid) -> int:
    """Return a board's value for the side with the stones `own`.

    The value is the lead in stones minus costs for the side's chains and edge stones.
    """
    on_edge = sum(1 for point in points_of(own) if edges_at(point, grid[0]))
    return count(own) - count(theirs) - len(chains(own, grid)) - ON_EDGE * on_edge


def branches(position: Position) -> list[int]:
    """Return up to ten points to search, best first, or only the pass if no point is playable.

    Among points of equal value, the last point in row order comes first.
    """
    values = {}
    for point in reversed(playable(position)):
        after = position.play(point)
        values[point] = evaluate(after.theirs, after.own, position.grid)
    return sorted(values, key=values.__getitem__, reverse=True)[:BRANCHES] or [PASS]


def least_after_reply(position: Position, enough: float) -> float:
    """Return the lowest value after any reply in branches(position), for the side that has just moved.

    Stop at the first reply with a value below `enough`, and return this value. If no moves are left, return the value
    of the position itself.
    """
    if position.ruleset.length and not position.left:
        return evaluate(position.theirs, position.own, position.grid)
    least = float("inf")
    for reply in branches(position):
        after = position.play(reply)
        least = min(least, evaluate(after.own, after.theirs, position.grid))
        if least < enough:
            break
    return least


def choices(position: Position) -> list[int]:
    """Return a list that contains only the chosen move. On the empty board, this move is the centre."""
    if not position.black | position.white:
        return [centre(position)]
    best, chosen = -float("inf"), PASS
    for move in branches(position):
        value = least_after_reply(position.play(move), best)
        if value > best or value == best and move > chosen:
            best, chosen = value, move
    return [chosen]


def choose(position: Position, rng: random.Random) -> int:
    """Return the move with the highest value at depth two. The choice is deterministic."""
    return choices(position)[0]
