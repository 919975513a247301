"""Tests of readings of captures, life, connection and fillable points.

The tests use drawn boards, and compare with slow readings on random boards.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from boards import drawn
from labelled_games import any_position
from slow_go import board_of, mask, play, points
from slow_readings import OTHER, answers_to_all, chains_of, slow_falls, slow_fills, slow_groups

from littlego.engines.compiled.engine import codes_of
from littlego.learning.mining.readings import FALLS, READINGS, STANDS, reading_values
from littlego.rules.geometry import make_grid, points_of
from littlego.rules.life import alive_stones
from littlego.rules.position import BLACK, Position
from littlego.rules.positionkey import PASS_POINT, pack_fields

GRID = make_grid(5)
POSITIONS = {
    "falls_in_4": 6,
    "stands_for_4": 6,
    "falls_in_3": 12,
    "stands_for_3": 12,
    "lives": 50,
    "denies_life": 100,
}
MANY = 30  # positions for the other readings
LEFT = 4, 16  # moves


def random_position(seed: int) -> Position:
    rng = random.Random(seed)
    return any_position(rng, rng.randint(*LEFT))


def board_at(position: Position) -> dict:
    """Return the board of a position, with X as the mover."""
    colours = position.black, position.white
    return board_of(5, *(colours if position.colour == BLACK else reversed(colours)))


def fallen(board: dict, stone: str, mover: str, moves: int, forbidden: dict | None) -> set:
    """Return the points of the chains of a colour that the opponent captures in at most `moves` moves."""
    chains = chains_of(board, stone)
    return set().union(*(chain for chain in chains if slow_falls(board, min(chain), mover, moves, forbidden)), set())


def lives(board: dict, stone: str, forbidden: dict | None) -> set:
    """Return the stones that can be made alive by Benson's algorithm after every move of the opponent."""
    alive = {point for point in board if board[point] == stone}
    for ends in answers_to_all(board, stone, forbidden):
        alive &= set().union(*(alive_in(end, stone) for end in ends))
    return alive


def alive_in(board: dict, stone: str) -> set:
    own, theirs = (mask({p for p in board if board[p] == one}, 5) for one in (stone, OTHER[stone]))
    return set(points(alive_stones(own, theirs, GRID), 5))


def read(name: str, board: dict, left: int, forbidden: dict | None) -> int:
    """Return a reading's prediction for a board, with O to move and `left` moves left in the game."""
    kind, moves, _ = READINGS[name]
    own, theirs = ({point for point in board if board[point] == stone} for stone in "XO")
    if kind == FALLS:
        return -len(theirs - fallen(board, "O", "O", moves, forbidden))
    if kind == STANDS:
        return -len(fallen(board, "X", "O", moves, forbidden))
    fills = slow_fills(board, "X"), slow_fills(board, "O")
    return {
        "lives": lambda: len(lives(board, "X", forbidden)),
        "denies_life": lambda: -len(lives(board, "O", None)),
        "joined": lambda: -slow_groups(board, "X", forbidden),
        "severed": lambda: slow_groups(board, "O", None),
        "fills": lambda: fills[0],
        "blocks": lambda: -fills[1],
        "outlasts": lambda: min(fills[0], left // 2) - min(fills[1], left - left // 2),
    }[name]()


@pytest.mark.parametrize("name", READINGS)
def test_a_reading_says_what_it_promises(name):
    told = 0
    for seed in range(POSITIONS.get(name, MANY)):
        position = random_position(seed)
        board = board_at(position)
        moves = [*points_of(position.legal())][seed % 4 :: 4]
        codes = codes_of([position])
        said = reading_values(READINGS[name], codes, np.zeros(len(moves) + 1), np.array([*moves, PASS_POINT]))
        passed = read(name, board, position.left - 1, None)
        for move, value in zip(moves, said.tolist(), strict=False):
            after = play(board, divmod(move, 5), "X")[0]
            assert value == read(name, after, position.left - 1, board) - passed, (name, seed, move)
            told += value != 0
        assert said[-1] == 0
    assert told


def codes_at(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (codes, index of each move's code, moves) of a drawn board with marked moves, 10 moves left."""
    board = drawn(text)
    moves = [board.marks[mark].bit_length() - 1 for mark in "*ab" if mark in board.marks]
    code = pack_fields(board.own, board.theirs, 0, 0, 10)
    return np.array([code], np.int64), np.zeros(len(moves), np.int64), np.array(moves)


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        pytest.param(
            "falls_in_2",
            """
            X * X . .
            O O X . .
            . a X . .
            X X X . .
            . . . b .
            """,
            [2, 2, 0],
            id="two liberties are left to them, even if they take a stone",
        ),
        pytest.param(
            "stands_for_2",
            """
            . . b . .
            . . . . .
            O . * . O
            . O X O .
            . . O . .
            """,
            [1, 0],
            id="a stone in atari stands once it has three liberties",
        ),
        pytest.param(
            "stands_for_2",
            """
            . X . X O
            X X X X O
            O O O O O
            . . . . .
            * . . . a
            """,
            [-1, -1],
            id="two eyes stand without a move, and a stone without room falls",
        ),
        pytest.param(
            "lives",
            """
            . * . X O
            X X X X O
            O O O O O
            . . . . .
            . . . a .
            """,
            [6, 0],
            id="an eye space of three lives once its middle is taken",
        ),
        pytest.param(
            "joined",
            """
            a . . . .
            . X . b .
            . . * . .
            . . . . .
            . . . . .
            """,
            [0, 0, -1],
            id="two points join a diagonal move, and one does not join a jump",
        ),
        pytest.param(
            "severed",
            """
            . . . . .
            . O * . .
            . . O . .
            . . . . .
            a . . . .
            """,
            [1, 0],
            id="two points join their stones until one of them is taken",
        ),
        pytest.param(
            "fills",
            """
            . . O * .
            O O O X X
            X X X X .
            . . . . .
            a . . . .
            """,
            [0, 1],
            id="a point that they enter only into atari",
        ),
    ],
)
def test_on_drawn_boards(name, text, values):
    assert reading_values(READINGS[name], *codes_at(text)).tolist() == values
