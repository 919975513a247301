"""Tests that position codes and the compiled rules agree with rules/.

The tests compare positions, moves, images and counts.
"""

from __future__ import annotations

from pathlib import Path

import brute_force
import numpy as np
import pytest

from littlego.engines.compiled.board import count, first_point, jit, legal_moves
from littlego.engines.compiled.states import TABLES, UNDO, after, canonical, ends, image, parts
from littlego.rules.engine import canonical as canonical_position
from littlego.rules.geometry import image_of
from littlego.rules.position import BLACK, PASS, WHITE, Position, from_boards, opening
from littlego.rules.positionkey import PASS_POINT, pack, pack_move, unpack, unpack_move
from littlego.rules.ruleset import LITTLE_GO, little_go

POSITIONS = [position for seed in range(60) for position in brute_force.playout(seed, 0.15)]
PERFT = Path(__file__).parents[2] / "data" / "perft.txt"


def fields(position: Position) -> tuple:
    return position.black, position.white, position.colour, position.ko, position.passed, position.left


def test_a_code_holds_the_whole_position():
    assert any(position.ko for position in POSITIONS) and any(position.passed for position in POSITIONS[1:])
    for position in POSITIONS:
        assert fields(unpack(pack(position))) == fields(position)
        own, theirs, ko, passed, left = parts(pack(position))
        assert (own, theirs, ko, passed, left) == (
            position.own,
            position.theirs,
            position.ko,
            position.passed,
            position.left,
        )


def test_codes_fit_an_int64_and_differ():
    codes = {pack(position) for position in POSITIONS}
    assert max(codes) < 2**61
    assert len(codes) == len({fields(position) for position in POSITIONS})


@pytest.mark.parametrize(
    "position",
    [
        Position(LITTLE_GO, 0, 0, WHITE, 0, False, 24),
        Position(LITTLE_GO, 1, 0, BLACK, 0, False, 23),
        opening(little_go(4)),
    ],
)
def test_what_has_no_code(position):
    with pytest.raises(ValueError, match="have a key"):
        pack(position)


def test_moves_as_arrays_hold_them():
    assert [pack_move(move) for move in (0, 24, PASS)] == [0, 24, PASS_POINT]
    assert [unpack_move(move) for move in (0, 24, PASS_POINT)] == [0, 24, PASS]


def test_the_rules_are_those_of_position():
    for position in POSITIONS:
        code = pack(position)
        own, theirs, ko, _, _ = parts(code)
        assert legal_moves(own, theirs, ko) == position.legal()
        for move in brute_force.moves(position):
            assert ends(code, pack_move(move)) == position.ends_with(move)
            if position.left > 1:
                assert after(code, pack_move(move)) == pack(position.play(move))


def test_images_are_those_of_geometry():
    for position in POSITIONS[::9]:
        for symmetry in range(8):
            turned = image(position.black, symmetry)
            assert turned == image_of(position.black, TABLES[symmetry])
            assert image_of(turned, UNDO[symmetry]) == position.black


def test_the_canonical_image_is_the_engines():
    for position in POSITIONS:
        table, key = canonical_position(position)
        code, symmetry = canonical(pack(position))
        own, theirs, ko, passed, left = parts(code)
        assert (own, theirs, ko) == (key.own, key.theirs, key.ko)
        assert TABLES[symmetry] == tuple(table)
        assert (passed, left) == (position.passed, position.left)
        assert canonical(code) == (code, 0)


@jit
def sequences(code, depth):
    """Return the number of legal sequences of `depth` moves; games that end earlier do not count."""
    own, theirs, ko, _, _ = parts(code)
    moves = legal_moves(own, theirs, ko) | 1 << PASS_POINT
    if depth == 1:
        return count(moves)
    total = 0
    while moves:
        move = first_point(moves)
        moves &= moves - 1
        if not ends(code, move):
            total += sequences(after(code, move), depth - 1)
    return total


@pytest.mark.parametrize("line", [line for line in PERFT.read_text().splitlines() if not line.startswith("#")])
def test_perft(line):
    given, counts = line.split(" : ")
    left, current, previous = given.split()
    boards = [
        tuple(sum(1 << n for n, digit in enumerate(board) if digit == colour) for colour in "12")
        for board in (previous, current)
    ]
    position = from_boards(LITTLE_GO, *boards, BLACK if int(left) % 2 == 0 else WHITE, int(left))
    expected = [int(number) for number in counts.split() if int(number) < 10_000_000]
    assert [sequences(np.int64(pack(position)), depth + 1) for depth in range(len(expected))] == expected
