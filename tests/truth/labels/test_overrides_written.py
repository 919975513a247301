"""Tests of overrides found in rotated positions: one record per symmetry class, and no contradictions."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from boards import position
from override_files import situations, some_overrides

from littlego.engines.books import overrides_beside
from littlego.engines.compiled.states import TABLES
from littlego.knowledge.overrides import NAME, read
from littlego.rules.engine import decide
from littlego.rules.facts import State
from littlego.rules.geometry import image_of, make_grid
from littlego.rules.patternfile import empty_book
from littlego.rules.position import PASS, Position
from littlego.rules.positionkey import pack, pack_state, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels.decider import ContradictionError, on_canonical_images, write_overrides

SYMMETRIC = """
    . . . . .
    . O . O .
    . . X . .
    . O . O .
    . . . . .
    """
PASSES = 25


def drawn(text: str, **situation) -> int:
    """Return the code of a drawn position."""
    return pack(in_game(position(text, **situation)))


def in_game(before: Position) -> Position:
    return Position(LITTLE_GO, before.black, before.white, before.colour, before.ko, before.passed, before.left)


def turned(code: int, move: int, table) -> tuple[int, int]:
    before = unpack(code)
    black, white, ko = (image_of(mask, table) for mask in (before.black, before.white, before.ko))
    there = Position(LITTLE_GO, black, white, before.colour, ko, before.passed, before.left)
    return pack(there), PASSES if move == PASSES else table[move]


def test_the_player_and_the_tools_mean_the_same_by_a_code():
    for code, before in situations(200, 2).items():
        assert pack(unpack(code)) == code == pack(unpack(code))
        same = unpack(pack(before))
        assert all(getattr(same, what) == getattr(before, what) for what in Position.__slots__[2:8])
    assert pack_state(State(1, 2, 4, 9, 16, 2, 5, 1, make_grid(5))) == 2 | 1 << 25 | 3 << 50 | 1 << 55 | 9 << 56


def test_turned_as_they_come_they_are_written_once_and_followed(tmp_path):
    rng = random.Random(4)
    known = some_overrides(60, 4)
    found = [turned(code, move, table) for code, move in known.items() for table in rng.sample(TABLES, 3)]
    rng.shuffle(found)
    assert write_overrides(tmp_path / NAME, found) == len(known)
    assert read(tmp_path / NAME).keys() == known.keys()
    overrides = overrides_beside(str(tmp_path / "patterns.txt"), LITTLE_GO)
    for code, move in found:
        before = unpack(code)
        made = decide(before, empty_book(LITTLE_GO), overrides=overrides).move
        masks = before.black, before.white, before.ko
        same = [table for table in TABLES if tuple(image_of(mask, table) for mask in masks) == masks]
        assert made in {PASS if move == PASSES else table[move] for table in same}


def test_moves_that_a_symmetry_makes_the_same_do_not_contradict_each_other():
    code = drawn(SYMMETRIC)
    assert on_canonical_images([(code, 2), (code, 22), (code, 10)]) == on_canonical_images({code: 2}) == {code: 2}
    assert on_canonical_images({code: 14}) == {code: 14}
    assert on_canonical_images([(code, PASSES), (code, PASSES)]) == {code: PASSES}


@pytest.mark.parametrize("moves", [(2, 7), (7, PASSES), (0, 2)])
def test_a_contradiction_is_drawn_and_nothing_is_written(tmp_path, moves):
    path = tmp_path / NAME
    path.write_text("as it was")
    with pytest.raises(ContradictionError, match=r"two different moves, .* and .*10 moves left:\n   0 1 2 3 4\n"):
        write_overrides(path, [(drawn(SYMMETRIC), move) for move in moves])
    assert path.read_text() == "as it was"


def test_what_breaks_a_symmetry_contradicts():
    ko = drawn(SYMMETRIC.replace(". . X", ". k X"))
    assert on_canonical_images({ko: 10}) != on_canonical_images({ko: 14})
    with pytest.raises(ContradictionError):
        on_canonical_images([(ko, 10), (ko, 14)])


def test_bad_ones_are_refused_and_nothing_is_written(tmp_path):
    few = dict(islice(some_overrides(10, 1).items(), 10))
    for bad in ({drawn(SYMMETRIC, left=2): 2}, {drawn(SYMMETRIC): 12}, {drawn(SYMMETRIC): 26}, {drawn(SYMMETRIC): -1}):
        with pytest.raises(ValueError):
            write_overrides(tmp_path / NAME, {**few, **bad})
    assert list(tmp_path.iterdir()) == []


def test_numpy_arrays_are_welcome(tmp_path):
    numpy = pytest.importorskip("numpy")
    known = some_overrides(50, 8)
    codes, moves = numpy.array(list(known), numpy.int64), numpy.array(list(known.values()), numpy.int8)
    write_overrides(tmp_path / NAME, zip(codes, moves, strict=True))
    assert read(tmp_path / NAME) == known
