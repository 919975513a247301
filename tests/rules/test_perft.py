"""Tests that numbers of legal move sequences equal those of another program, in tests/data/perft.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from littlego.rules.geometry import count, points_of
from littlego.rules.position import BLACK, PASS, WHITE, from_boards
from littlego.rules.ruleset import LITTLE_GO

DATA = Path(__file__).parents[1] / "data" / "perft.txt"
LINES = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]


def masks(digits: str) -> tuple[int, int]:
    """Return (black, white) of a board of 25 digits."""
    return tuple(sum(1 << n for n, digit in enumerate(digits) if digit == colour) for colour in "12")


def sequences(position, depth: int, known: dict) -> int:
    """Return the number of legal sequences of `depth` moves; games that end earlier do not count."""
    if depth == 1:
        return count(position.legal()) + 1
    key = (position.black, position.white, position.colour, position.ko, position.passed, position.left, depth)
    if key not in known:
        moves = [*points_of(position.legal()), PASS]
        going_on = [position.play(move) for move in moves if not position.ends_with(move)]
        known[key] = sum(sequences(after, depth - 1, known) for after in going_on)
    return known[key]


def test_the_file_is_whole():
    assert len(LINES) == 21


def check(line: str, most: int) -> None:
    """Compare our counts with a line of the file. Only counts up to `most` are compared."""
    given, counts = line.split(" : ")
    left, current, previous = given.split()
    colour = BLACK if int(left) % 2 == 0 else WHITE
    position = from_boards(LITTLE_GO, masks(previous), masks(current), colour, int(left))
    expected = [number for number in map(int, counts.split()) if number <= most]
    known: dict = {}
    assert [sequences(position, depth + 1, known) for depth in range(len(expected))] == expected
    assert len(expected) >= 4


@pytest.mark.untraced
@pytest.mark.parametrize("most", [2_000_000, pytest.param(20_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("line", LINES, ids=[line.split(" : ")[0].replace(" ", "-") for line in LINES])
def test_perft(line, most):
    """By default the test counts short sequences; `-m slow` counts sequences that are one move longer."""
    check(line, most)


@pytest.mark.slow
def test_perft_of_the_empty_board_six_moves_deep():
    check(LINES[0], most=200_000_000)
