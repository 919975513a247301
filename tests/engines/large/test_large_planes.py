"""Tests that planes find the same placements, in the same order, as the tables of rules.matching."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import SEEDS
from random_matches import random_match
from small_books import line

from littlego.engines.large.book import load_large
from littlego.engines.large.planes import Planes
from littlego.paths import PATTERNS_TXT
from littlego.rules.matching import parse_shape, placements
from littlego.rules.patternfile import Pattern

PATTERNS = load_large(PATTERNS_TXT.read_bytes(), "patterns.txt").patterns


@cache
def placed(rows: str, labels: str, size: int):
    return placements(parse_shape(rows.split("/") if rows else [], labels.split("/") if labels else []), size)


def by_tables(patterns, size, own, theirs):
    """Return (pattern, cells) of all matches, from the lists of placements."""
    word = own | theirs << size * size
    return [
        (index, cells)
        for index, pattern in enumerate(patterns)
        for care, value, cells in placed("/".join(pattern.rows), "/".join(pattern.label_rows), size)
        if word & care == value
    ]


def by_planes(planes, own, theirs):
    found = planes.found(own, theirs, -1)
    return [(template.pattern, cells) for template, mask in found for cells in template.cells(mask)]


@pytest.mark.parametrize("size", [5, 7, 13])  # test_large_firings.py tests 19x19
def test_the_same_placements_on_positions_of_random_games(size):
    planes = Planes(PATTERNS, size)
    game = random_match(size, size, plies=size * size)
    for position in game[:: 1 + len(game) // 12]:
        own, theirs = position.own, position.theirs
        assert by_planes(planes, own, theirs) == by_tables(PATTERNS, size, own, theirs)


def random_shape(draw: random.Random) -> tuple[str, str]:
    """Return the rows and label rows of a random diagram with any edges, often symmetric."""
    height, width = draw.randint(1, 4), draw.randint(1, 4)
    rows = [[draw.choice("XOxo.???") for _ in range(width)] for _ in range(height)]
    if draw.random() < 0.3:
        rows = [[draw.choice("X?")] * width for _ in range(height)]
    labels = [["."] * width for _ in range(height)]
    r, c = draw.randrange(height), draw.randrange(width)
    if draw.random() < 0.7:
        rows[r][c] = "*"
    for letter in "AB":
        if draw.random() < 0.3:
            labels[draw.randrange(height)][draw.randrange(width)] = letter
    left, right, top, bottom = (draw.random() < odds for odds in (0.3, 0.1, 0.3, 0.1))

    def framed(cells: list[list[str]]) -> str:
        drawn = ["|" * left + "".join(row) + "|" * right for row in cells]
        corners = "+" * left + "-" * width + "+" * right
        return "/".join([corners] * top + drawn + [corners] * bottom)

    return framed(rows), framed(labels)


@given(SEEDS, st.integers(2, 9))
@settings(max_examples=60, deadline=None)
def test_the_same_placements_for_random_shapes(seed, size):
    draw = random.Random(seed)
    shapes = [random_shape(draw) for _ in range(8)]
    patterns = [Pattern(line(f"p-{number}", rows, labels=labels)) for number, (rows, labels) in enumerate(shapes)]
    points = [draw.choice([0, 0, 1, 2]) for _ in range(size * size)]
    own, theirs = (sum(1 << at for at, stone in enumerate(points) if stone == side) for side in (1, 2))
    assert by_planes(Planes(patterns, size), own, theirs) == by_tables(patterns, size, own, theirs)


def test_only_moves_that_are_asked_about_and_every_pass():
    patterns = [Pattern(line("move", "X*")), Pattern(line("pass", "", flags="p"))]
    own, moves = 1 << 24, 1 << 23 | 1 << 19
    found = Planes(patterns, 7).found(own, 0, moves)
    assert [(template.pattern, mask) for template, mask in found if template.has_move] == [(0, 1 << 23)]
    assert [template.pattern for template, _ in found if not template.has_move] == [1]
