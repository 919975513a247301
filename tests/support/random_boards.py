"""Hypothesis strategies: random boards on which every chain has a liberty, and random games."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from littlego.rules.geometry import around, count, make_grid, points_of
from littlego.rules.position import PASS, chains, opening
from littlego.rules.ruleset import little_go

SEEDS = st.integers(0, 2**32 - 1)  # seeds of boards: boards drawn point by point would be mostly empty


def without_dead(own: int, theirs: int, grid: tuple) -> tuple[int, int]:
    """Return the masks of a board after the removal of chains without liberties, X's chains first."""
    for chain in chains(own, grid):
        if not around(chain, grid) & ~(own | theirs):
            own &= ~chain
    for chain in chains(theirs, grid):
        if not around(chain, grid) & ~(own | theirs):
            theirs &= ~chain
    return own, theirs


@st.composite
def boards(draw, smallest=2, largest=7):
    """Draw (grid, X, O) with any density up to full, so that captures, eyes and kos are all common."""
    seed = random.Random(draw(SEEDS))
    size = seed.randint(smallest, largest)
    grid = make_grid(size)
    density, balance = seed.uniform(0.15, 1), seed.uniform(0.2, 0.8)
    own = theirs = 0
    for point in range(size * size):
        if seed.random() < density:
            if seed.random() < balance:
                own |= 1 << point
            else:
                theirs |= 1 << point
    return (grid, *without_dead(own, theirs, grid))


@st.composite
def games(draw, sizes=(5,), longest=60):
    """Draw a random legal game as (ruleset, moves, positions) with frequent captures and rare passes."""
    seed = random.Random(draw(SEEDS))
    ruleset = little_go(seed.choice(sizes))
    position = opening(ruleset)
    positions, moves = [position], []
    while len(moves) < longest:
        options = points_of(position.legal())
        move = PASS
        if options and seed.random() > 0.04:
            move = max(seed.sample(options, min(6, len(options))), key=lambda point: captured(position, point))
        if position.ends_with(move):
            break
        moves.append(move)
        position = position.play(move)
        positions.append(position)
    return ruleset, moves, positions


def captured(position, move: int) -> int:
    """Return the number of stones that a legal move captures."""
    return count(position.theirs) - count(position.play(move).own)
