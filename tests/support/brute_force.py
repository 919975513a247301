"""Exhaustive search of Little-Go to the end of the game, and random games that supply positions.

The search shares no code with the solver. The search uses rules/position, which tests/rules/test_perft.py verifies.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from littlego.rules.geometry import count, points_of
from littlego.rules.position import BLACK, PASS, Position, opening
from littlego.rules.positionkey import pack_move
from littlego.rules.ruleset import LITTLE_GO


def lead(position: Position, known: dict) -> int:
    """Return Black's final stones minus White's after the best play of both sides. known: a cache of results."""
    key = (position.black, position.white, position.ko, position.passed, position.left)
    if key not in known:
        best = max if position.colour == BLACK else min
        known[key] = best(lead_after(position, move, known) for move in moves(position))
    return known[key]


def lead_after(position: Position, move: int, known: dict) -> int:
    """Return Black's final stones minus White's after a move and then the best play of both sides."""
    after = position.play(move)
    return count(after.black) - count(after.white) if position.ends_with(move) else lead(after, known)


def winning(position: Position, goal: int, known: dict) -> int:
    """Return a mask of the mover's winning moves, bit 25 for the pass. Black wins with a lead of at least `goal`."""
    found = 0
    for move in moves(position):
        black_wins = lead_after(position, move, known) >= goal
        if black_wins == (position.colour == BLACK):
            found |= 1 << pack_move(move)
    return found


def moves(position: Position) -> list[int]:
    """Return the legal moves, including the pass."""
    return [*points_of(position.legal()), PASS]


def playout(seed: int, passing: float = 0.1) -> Iterator[Position]:
    """Yield the positions of a random game with frequent captures, kos and passes."""
    chance = random.Random(seed)
    position = opening(LITTLE_GO)
    while True:
        yield position
        options = points_of(position.legal())
        move = PASS
        if options and chance.random() > passing:
            some = chance.sample(options, min(3, len(options)))
            move = max(some, key=lambda point: count(position.theirs) - count(position.play(point).own))
        if position.ends_with(move):
            return
        position = position.play(move)
