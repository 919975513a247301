"""Alphabeta: `minimax (depth <= 2; branching factor <= 10) with alpha-beta pruning`, written from scratch.

It looks at one own move and one reply, and at either ply at most at the ten moves that look best at once. What it
thinks of a board was read off recorded games of the course's own player (docs/opponents.md says how well it fits):
more stones than the other side, in few chains, and none on the edge. It begins in the centre. Like that player it
leaves nothing to chance: of equal moves it plays the last one, row by row. It passes only where nothing else is
playable.
"""

from __future__ import annotations

import random

from littlego.players.roles.simple import centre, playable
from littlego.rules.geometry import Grid, Mask, count, edges_at, points_of
from littlego.rules.position import PASS, Position, chains

BRANCHES = 10
ON_EDGE = 3  # what a stone on the edge costs: more than it is worth


def evaluate(own: Mask, theirs: Mask, grid: Grid) -> int:
    """Return the worth of a board for a side: its lead in stones, less its chains and what its edge stones cost."""
    on_edge = sum(1 for point in points_of(own) if edges_at(point, grid[0]))
    return count(own) - count(theirs) - len(chains(own, grid)) - ON_EDGE * on_edge


def branches(position: Position) -> list[int]:
    """Return the at most ten moves that are tried, best first for their mover, of equal ones the last point first."""
    values = {}
    for point in reversed(playable(position)):
        after = position.play(point)
        values[point] = evaluate(after.theirs, after.own, position.grid)
    return sorted(values, key=values.__getitem__, reverse=True)[:BRANCHES] or [PASS]


def least_after_reply(position: Position, enough: float) -> float:
    """Return the least worth after a reply for the side that has just moved; once it is not above `enough`, a bound."""
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
    """Return the one move it plays, in a list; on the empty board that is the centre."""
    if not position.black | position.white:
        return [centre(position)]
    best, chosen = -float("inf"), PASS
    for move in branches(position):
        value = least_after_reply(position.play(move), best)
        if value > best or value == best and move > chosen:
            best, chosen = value, move
    return [chosen]


def choose(position: Position, rng: random.Random) -> int:
    """Return the move with the highest value two plies deep; nothing is left to chance."""
    return choices(position)[0]
