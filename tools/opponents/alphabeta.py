"""Alphabeta: `minimax (depth <= 2; branching factor <= 10) with alpha-beta pruning`, written from scratch.

It looks at one own move and one reply. At either ply at most ten moves are tried: captures first, the largest
first, the others in random order, so that games differ. A pass is tried only where nothing else is legal.
"""

from __future__ import annotations

import random

from rules.geometry import count, points_of
from rules.position import PASS, Position, chains, liberties
from tools.opponents.greedy import captures

DEPTH, BRANCHES = 2, 10
STONE, LIBERTY, ATARI = 100, 3, 25  # a stone is worth more than all liberties of a chain; a stone in atari a quarter


def evaluate(position: Position) -> int:
    """Return the worth of a position for the mover: stones, then liberties, then stones in atari."""
    return _side(position.own, position.theirs, position.grid) - _side(position.theirs, position.own, position.grid)


def _side(own: int, theirs: int, grid: tuple) -> int:
    worth = STONE * count(own) + LIBERTY * count(liberties(own, own | theirs, grid))
    for chain in chains(own, grid):
        if count(liberties(chain, own | theirs, grid)) == 1:
            worth -= ATARI * count(chain)
    return worth


def branches(position: Position, rng: random.Random) -> list:
    """Return the at most ten moves that are tried, in the order in which they are tried."""
    legal = points_of(position.legal())
    rng.shuffle(legal)
    legal.sort(key=lambda point: -captures(position, point))
    return legal[:BRANCHES] or [PASS]


def search(position: Position, depth: int, alpha: float, beta: float, rng: random.Random) -> float:
    """Return the minimax value for the mover, exact between alpha and beta."""
    if depth == 0:
        return evaluate(position)
    for move in branches(position, rng):
        alpha = max(alpha, -search(position.play(move), depth - 1, -beta, -alpha, rng))
        if alpha >= beta:
            break
    return alpha


def choose(position: Position, rng: random.Random) -> int:
    """Return the first move tried with the highest value two plies deep."""
    best, chosen = -float("inf"), PASS
    for move in branches(position, rng):
        value = -search(position.play(move), DEPTH - 1, -float("inf"), -best, rng)
        if value > best:
            best, chosen = value, move
    return chosen
