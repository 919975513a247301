"""Tests of the walk's lemmas: in a settled position, one side wins whatever both sides play."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from boards import position, swap_colours
from random_boards import without_dead
from slow_walk import moves_of

from littlego.rules.geometry import make_grid
from littlego.rules.position import BLACK, WHITE, Position, winner_of
from littlego.rules.positionkey import LEFT_AT, WHITE_AT, pack, pack_move, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.proof.lemmas import LOST, OPEN, WON, settled_many
from littlego.truth.proof.replayed import is_settled
from littlego.truth.solver.solver import GOAL, Solver

GRID = make_grid(5)
FOUR_LIBERTIES = """
    . X . X .
    X X X X X
    X X X X X
    X X X X .
    O O O O ."""
SIX_LIBERTIES = """
    . X X X X
    X X X X X
    X X X X X
    . . . . .
    O O O . ."""
EVEN = """
    O O O . .
    O O O . .
    . . . . .
    X X X . .
    X X X . ."""


@pytest.mark.parametrize(
    ("board", "left", "found"),
    [
        (FOUR_LIBERTIES, 4, WON),  # one liberty filled by a free move, two by the opponent
        (FOUR_LIBERTIES, 6, OPEN),
        (SIX_LIBERTIES, 6, WON),  # two liberties filled by free moves, three by the opponent
        (SIX_LIBERTIES, 8, OPEN),
        (swap_colours(SIX_LIBERTIES), 4, LOST),
        (swap_colours(SIX_LIBERTIES), 6, OPEN),
        (EVEN, 1, WON),  # White to move, and komi suffices to win
        (EVEN, 2, LOST),
        (EVEN, 6, OPEN),
        (swap_colours(EVEN), 1, WON),
    ],
)
def test_drawn_positions(board, left, found):
    colour = WHITE if left % 2 else BLACK
    code = pack(position(board, colour=colour, left=left, ruleset=LITTLE_GO))
    assert settled_many(np.array([code]), GOAL).tolist() == [found]
    assert is_settled(code) == (found != OPEN)


@cache
def settled_at_random() -> list[tuple[int, int]]:
    """Return (code, verdict) for settled positions on random boards, some crowded or uneven."""
    rng, codes = random.Random(3), []
    for _ in range(4000):
        density, balance = rng.uniform(0.3, 1), rng.uniform(0.05, 0.95)
        black = white = 0
        for point in range(25):
            if rng.random() < density:
                black, white = (black | 1 << point, white) if rng.random() < balance else (black, white | 1 << point)
        black, white = without_dead(black, white, GRID)
        codes.append(black | white << WHITE_AT | rng.randint(3, 8) << LEFT_AT)
    verdicts = settled_many(np.array(codes), GOAL).tolist()
    assert [is_settled(code) for code in codes] == [verdict != OPEN for verdict in verdicts]
    return [pair for pair in zip(codes, verdicts, strict=True) if pair[1] != OPEN]


def test_near_the_end_every_move_wins_or_none_does():
    solver, found = Solver(16), {WON: 0, LOST: 0}
    for code, verdict in settled_at_random():
        if code >> LEFT_AT <= 4:
            wins = {solver.keeps(code, pack_move(move)) for move in moves_of(unpack(code))}
            assert wins == {verdict == WON}, code
            found[verdict] += 1
    assert min(found.values()) > 20


def test_further_from_the_end_the_same_side_wins_after_any_moves():
    solver, rng, found = Solver(16), random.Random(1), {WON: 0, LOST: 0}
    for code, verdict in settled_at_random():
        if code >> LEFT_AT > 4:
            ends = [wins_after_any_moves(unpack(code), rng, solver) for _ in range(10)]
            assert ends == [verdict == WON] * 10, code
            found[verdict] += 1
    assert min(found.values()) > 20


def wins_after_any_moves(position: Position, rng: random.Random, solver: Solver) -> bool:
    """Return whether the mover wins after random moves of both sides and a perfect last move of its own."""
    mover = position.colour
    while position.colour != mover or position.left > 2:
        move = rng.choice(moves_of(position))
        if position.ends_with(move):
            return winner_of(position.play(move)) == mover
        position = position.play(move)
    return solver.wins(pack(position))
