"""Positions of random games, labelled by exhaustive search near the end and by the solver earlier."""

from __future__ import annotations

import random
from functools import lru_cache

import numpy as np

from littlego.rules.geometry import points_of
from littlego.rules.position import BLACK, PASS, WHITE, Position, opening, winner_of
from littlego.rules.positionkey import pack, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.rules.safety import PLAYED_OUT
from littlego.truth.labels import ERRS_10, TREE
from littlego.truth.labels.labels import Labels, canonical_many, in_test, join_labels, moves_left
from littlego.truth.solver.solver import Solver

FARTHER = (PLAYED_OUT + 1, PLAYED_OUT + 2)  # numbers of moves left, one for each colour


def any_position(rng: random.Random, left: int) -> Position:
    """Return a random position with `left` moves left, from a game without two passes in a row."""
    position = opening(LITTLE_GO)
    while position.left > left:
        points = points_of(position.legal())
        if points and (position.passed or rng.random() < 0.95):
            position = position.play(rng.choice(points))
        elif not position.passed:
            position = position.play(PASS)
        else:
            return any_position(rng, left)
    return position


def winning_mask(position: Position) -> int:
    """Return a mask of the mover's winning moves by exhaustive search, bit 25 for the pass."""
    return sum(1 << (25 if move == PASS else move) for move in _moves(position) if _wins(position, move))


def _moves(position: Position) -> list[int]:
    return [*points_of(position.legal()), PASS]


def _wins(position: Position, move: int) -> bool:
    after = position.play(move)
    if position.ends_with(move):
        return winner_of(after) == position.colour
    return not any(_wins(after, reply) for reply in _moves(after))


@lru_cache(maxsize=1)
def solved(number: int = 120, most: int = 4, seed: int = 5) -> Labels:
    """Return labels of random positions with at most `most` moves left, for training and for testing."""
    rng = random.Random(seed)
    positions = [any_position(rng, rng.randint(1, most)) for _ in range(number)]
    codes = np.unique(canonical_many(np.array([pack(position) for position in positions], dtype=np.int64)))
    winning = np.array([winning_mask(unpack(code)) for code in codes], dtype=np.int32)
    tags = np.where(np.arange(codes.size) % 3 == 0, TREE, ERRS_10).astype(np.uint8)
    assert in_test(codes).any() and not in_test(codes).all()
    assert {BLACK, WHITE} == {unpack(code).colour for code in codes} and set(moves_left(codes)) == {1, 2, 3, 4}
    return Labels(codes, winning, tags)


def solved_farther(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (codes, masks of winning moves) of random positions beyond the safety check's horizon.

    Closer to the end of the game, hardly any pattern gives a win away.
    """
    rng = random.Random(seed)
    drawn = [pack(any_position(rng, FARTHER[index % 2])) for index in range(number)]
    codes = np.unique(canonical_many(np.array(drawn, dtype=np.int64)))
    return codes, Solver(18).winning_many(codes)


@lru_cache(maxsize=1)
def solved_with_blunders() -> Labels:
    """Return the labels of `solved` and of positions with more moves left, where players give wins away."""
    codes, winning = solved_farther(240, 5)
    tags = np.where(np.arange(codes.size) % 3 == 0, TREE, ERRS_10).astype(np.uint8)
    assert in_test(codes).any() and not in_test(codes).all()
    return join_labels(solved(), Labels(codes, winning, tags))
