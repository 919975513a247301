"""Tic-tac-toe as a learner sees it: squares 0 to 8 by rows, a board as (own, theirs), the masks of the two sides.

`own` are the stones of whoever moves. The eight images of a board are one state, and squares that a symmetry of the
board exchanges are one action.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from rules.geometry import image_of, points_of, symmetry_tables

FULL = 0b111_111_111
LINES = (0b111, 0b111_000, 0b111_000_000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
TABLES = symmetry_tables(3)

Choice = Callable[[int, int], int]  # (own, theirs) -> a free square


def has_line(stones: int) -> bool:
    """Return whether three of the stones stand in a line."""
    return any(stones & line == line for line in LINES)


def free(own: int, theirs: int) -> list[int]:
    """Return the free squares in ascending order."""
    return points_of(FULL & ~(own | theirs))


def play(first: Choice, second: Choice) -> int:
    """Play a game; return 1 if the first player wins, -1 if the second does, 0 for a draw."""
    own, theirs, result = 0, 0, 1
    while free(own, theirs):
        own |= 1 << (first if result == 1 else second)(own, theirs)
        if has_line(own):
            return result
        own, theirs, result = theirs, own, -result
    return 0


@cache
def view(own: int, theirs: int) -> tuple[tuple, dict[int, list[int]]]:
    """Return (state, actions): what a learner is told. actions: the squares that each action stands for."""
    images = [(image_of(own, table), image_of(theirs, table)) for table in TABLES]
    state = min(images)
    turns = [table for table, image in zip(TABLES, images, strict=True) if image == state]
    actions: dict[int, list[int]] = {}
    for square in free(own, theirs):
        actions.setdefault(min(table[square] for table in turns), []).append(square)
    return state, actions


def random_player(rng: random.Random) -> Choice:
    """RandomPlayer: any free square."""
    return lambda own, theirs: rng.choice(free(own, theirs))


def smart_player(rng: random.Random) -> Choice:
    """SmartPlayer: completes its line, else blocks the opponent's, else takes any free square. A fork beats it."""

    def choose(own: int, theirs: int) -> int:
        squares = free(own, theirs)
        wins = [square for square in squares if has_line(own | 1 << square)]
        blocks = [square for square in squares if has_line(theirs | 1 << square)]
        return rng.choice(wins or blocks or squares)

    return choose


def perfect_player(rng: random.Random) -> Choice:
    """PerfectPlayer: any of the squares with the highest exact value; so it never loses."""
    return lambda own, theirs: rng.choice(best_squares(own, theirs))


@cache
def best_squares(own: int, theirs: int) -> list[int]:
    """Return the squares that win if any does, else those that draw if any does, else all."""
    values = {square: value(own, theirs, square) for square in free(own, theirs)}
    return [square for square in values if values[square] == max(values.values())]


@cache
def value(own: int, theirs: int, square: int) -> int:
    """Return 1 if taking the square wins under best play, 0 if it draws, -1 if it loses."""
    own |= 1 << square
    if has_line(own):
        return 1
    return -max((value(theirs, own, reply) for reply in free(theirs, own)), default=0)
