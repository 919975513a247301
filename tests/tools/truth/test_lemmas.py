"""The lemma of the walk: whatever either side plays in a settled position, the same side wins."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from boards import position, swap_colours
from random_boards import without_dead
from slow_walk import moves_of

from rules.geometry import make_grid
from rules.position import BLACK, WHITE, Position, winner_of
from rules.ruleset import LITTLE_GO
from tools.compiled.states import LEFT_AT, WHITE_AT, pack
from tools.knowledge.exceptions import position_of
from tools.solver.solver import GOAL, Solver
from tools.truth.lemmas import LOST, OPEN, WON, settled_many
from tools.truth.replayed import is_settled

GRID = make_grid(5)
FOUR_LIBERTIES = """
    . X . X .
    X X X X X
    X X X X X
    X X X X .
    O O O O ."""
FIVE_LIBERTIES = """
    X X X X X
    X X X X X
    X X X . .
    . . . . .
    O O O . ."""
EVEN = """
    O O O . .
    O O O . .
    . . . . .
    X X X . .
    X X X . ."""


@pytest.mark.parametrize(("board", "left", "found"), [
    (FOUR_LIBERTIES, 2, WON),
    (FOUR_LIBERTIES, 4, OPEN),  # both sides together could fill all four, though neither will
    (FIVE_LIBERTIES, 4, WON),
    (FIVE_LIBERTIES, 6, OPEN),
    (swap_colours(FIVE_LIBERTIES), 4, LOST),
    (EVEN, 1, WON),  # White to move, and the komi is enough
    (EVEN, 2, LOST),
    (EVEN, 6, OPEN),
    (swap_colours(EVEN), 1, WON),
])  # fmt: skip
def test_drawn_positions(board, left, found):
    colour = WHITE if left % 2 else BLACK
    code = pack(position(board, colour=colour, left=left, ruleset=LITTLE_GO))
    assert settled_many(np.array([code]), GOAL).tolist() == [found]
    assert is_settled(code) == (found != OPEN)


@cache
def settled_at_random() -> list[tuple[int, int]]:
    """Return (code, verdict) for settled positions on random boards, crowded and uneven ones among them."""
    rng, codes = random.Random(3), []
    for _ in range(4000):
        density, balance = rng.uniform(0.3, 1), rng.uniform(0.05, 0.95)
        black = white = 0
        for point in range(25):
            if rng.random() < density:
                black, white = (black | 1 << point, white) if rng.random() < balance else (black, white | 1 << point)
        black, white = without_dead(black, white, GRID)
        codes.append(black | white << WHITE_AT | rng.randint(1, 8) << LEFT_AT)
    verdicts = settled_many(np.array(codes), GOAL).tolist()
    assert [is_settled(code) for code in codes] == [verdict != OPEN for verdict in verdicts]
    return [pair for pair in zip(codes, verdicts, strict=True) if pair[1] != OPEN]


def winner_by(verdict: int, position: Position) -> int:
    return position.colour if verdict == WON else BLACK + WHITE - position.colour


def test_whatever_both_sides_play_the_same_side_wins():
    found = {WON: 0, LOST: 0}
    for code, verdict in settled_at_random():
        if code >> LEFT_AT <= 3:
            assert winners(position_of(code)) == {winner_by(verdict, position_of(code))}, code
            found[verdict] += 1
    assert min(found.values()) > 20


def winners(position: Position) -> set[int]:
    """Return who wins if both sides play anything."""
    found: set[int] = set()
    for move in moves_of(position):
        after = position.play(move)
        found |= {winner_of(after)} if position.ends_with(move) else winners(after)
    return found


def test_further_from_the_end_the_solver_and_random_play_agree():
    solver, rng, far = Solver(16), random.Random(1), 0
    for code, verdict in settled_at_random():
        if code >> LEFT_AT > 3:
            assert solver.wins(code) == (verdict == WON), code
            winner = winner_by(verdict, position_of(code))
            assert all(random_winner(position_of(code), rng) == winner for _ in range(10)), code
            far += 1
    assert far > 50


def random_winner(position: Position, rng: random.Random) -> int:
    while True:
        move = rng.choice(moves_of(position))
        ended = position.ends_with(move)
        position = position.play(move)
        if ended:
            return winner_of(position)
