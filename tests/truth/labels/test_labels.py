"""Tests of labels: the file, its training and test parts, and the labels in the repository."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from labelled_games import any_position, solved, winning_mask
from random_boards import SEEDS

from littlego.cli.arguments import ArgumentError
from littlego.paths import LABELS
from littlego.rules.geometry import image_of, symmetry_tables
from littlego.rules.position import BLACK, WHITE, Position
from littlego.rules.positionkey import pack, unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels import ERRS_10, MET, TREE
from littlego.truth.labels import labels as labels_file
from littlego.truth.labels.labels import (
    Labels,
    canonical_many,
    count_many,
    find_places,
    in_test,
    join_labels,
    legal_many,
    load,
    moves_left,
    save,
)
from littlego.truth.solver.solver import Solver

FRESH_LABELS = LABELS.with_name("fresh.npz")  # see docs/truth.md
BITS = 20  # size of the solver's table: 2**20 entries


def codes_of(*positions: Position) -> np.ndarray:
    return np.array([pack(position) for position in positions], dtype=np.int64)


def turned(position: Position, table) -> Position:
    masks = (image_of(mask, table) for mask in (position.black, position.white, position.ko))
    black, white, ko = masks
    return Position(LITTLE_GO, black, white, position.colour, ko, position.passed, position.left)


@settings(deadline=None)  # the first call compiles
@given(SEEDS, SEEDS)
def test_the_part_depends_on_the_board_as_its_mover_sees_it_and_on_nothing_else(seed, other):
    position = any_position(random.Random(seed), random.Random(other).randint(1, 24))
    left = random.Random(other).randrange(2, 25, 2)
    later = Position(LITTLE_GO, position.own, position.theirs, BLACK, 0, False, left)
    swapped = Position(LITTLE_GO, position.theirs, position.own, WHITE, 0, False, left - 1)
    twins = [turned(position, table) for table in symmetry_tables(5)] + [later, swapped]
    assert len(set(in_test(canonical_many(codes_of(*twins))).tolist())) == 1


def test_a_third_of_the_boards_is_for_testing():
    rng = random.Random(1)
    codes = canonical_many(codes_of(*(any_position(rng, 8) for _ in range(1500))))
    assert 0.28 < in_test(codes).mean() < 0.39


@settings(deadline=None)
@given(SEEDS)
def test_arrays_say_what_positions_say(seed):
    rng = random.Random(seed)
    position = any_position(rng, rng.randint(1, 24))
    codes = codes_of(position)
    assert legal_many(codes)[0] == position.legal() | 1 << 25
    assert moves_left(codes)[0] == position.left
    assert count_many(legal_many(codes))[0] == bin(position.legal()).count("1") + 1


def test_labels_are_read_as_they_were_written_and_by_part_and_source(tmp_path):
    path, everything = tmp_path / "labels.npz", solved()
    save(everything, path)
    assert all((read == written).all() for read, written in zip(load(path=path), everything, strict=True))
    working, test = load("working", path=path), load("test", path=path)
    assert set(working.codes) | set(test.codes) == set(everything.codes) and not set(working.codes) & set(test.codes)
    assert in_test(test.codes).all()
    met, tree = load(sources=MET, path=path), load(sources=TREE, path=path)
    assert (met.tags == ERRS_10).all() and met.codes.size + tree.codes.size == everything.codes.size
    first = path.read_bytes()
    save(load(path=path), path)
    assert path.read_bytes() == first


def test_labels_join_with_the_tags_of_both():
    whole = solved()
    first, second = whole.where(np.arange(whole.codes.size) < 60), whole.where(np.arange(whole.codes.size) >= 40)
    both = join_labels(
        first._replace(tags=np.full_like(first.tags, 1)), second._replace(tags=np.full_like(second.tags, 2))
    )
    assert (both.codes == whole.codes).all() and (both.winning == whole.winning).all()
    assert (both.tags[:40] == 1).all() and (both.tags[40:60] == 3).all() and (both.tags[60:] == 2).all()


def test_a_label_is_found_whichever_way_the_board_is_turned():
    labels = solved()
    for index in range(0, labels.codes.size, 10):
        position = unpack(labels.codes[index])
        images = codes_of(*(turned(position, table) for table in symmetry_tables(5)))
        assert (find_places(canonical_many(images), labels.codes) == index).all()
    rest = labels.where(np.arange(labels.codes.size) != 7)
    assert find_places(labels.codes[7:8], rest.codes)[0] == -1
    assert find_places(labels.codes[:2], labels_file.empty_labels().codes).tolist() == [-1, -1]


def _swapped_columns(path):
    codes, winning, tags = solved()
    np.savez_compressed(path, codes=codes[::-1], losing=winning, tags=tags)


def _short_column(path):
    codes, winning, tags = solved()
    np.savez_compressed(path, codes=codes, losing=winning[1:], tags=tags)


def _fractions(path):
    codes, winning, tags = solved()
    np.savez_compressed(path, codes=codes.astype(float), losing=winning, tags=tags)


def _truncated(path):
    save(solved(), path)
    path.write_bytes(path.read_bytes()[:-200])


@pytest.mark.parametrize(
    "damage",
    [
        _swapped_columns,
        _short_column,
        _fractions,
        _truncated,
        lambda path: path.write_text("hello"),
        lambda path: path.write_bytes(b""),
        lambda path: np.savez(path, codes=np.zeros(1)),
    ],
)
def test_a_damaged_file_is_named_in_a_line(tmp_path, damage):
    path = tmp_path / "labels.npz"
    damage(path)
    with pytest.raises(ArgumentError, match="labels.npz is damaged") as told:
        load(path=path)
    assert "\n" not in str(told.value)


def test_a_missing_file_says_how_to_make_it(tmp_path):
    with pytest.raises(ArgumentError, match="create it with `littlego dev label`"):
        load(path=tmp_path / "none.npz")


@pytest.fixture(scope="module")
def everything() -> Labels:
    return load(path=LABELS)


@pytest.fixture(scope="module")
def fresh() -> Labels:
    return load(path=FRESH_LABELS)


@pytest.mark.parametrize(("name", "layers"), [("everything", range(3, 14)), ("fresh", range(8, 13))])
def test_the_labels_of_the_repository_are_of_canonical_positions_and_legal_moves(request, name, layers):
    everything = request.getfixturevalue(name)
    assert (canonical_many(everything.codes) == everything.codes).all()
    assert not (everything.winning & ~legal_many(everything.codes)).any() and everything.tags.all()
    for left in layers:
        assert {True, False} == set(in_test(everything.codes[moves_left(everything.codes) == left]).tolist())


def test_the_labels_of_the_repository_are_true(everything):
    few = np.flatnonzero(moves_left(everything.codes) <= 4)
    for index in random.Random(3).sample(few.tolist(), 60):
        assert everything.winning[index] == winning_mask(unpack(everything.codes[index])), everything.codes[index]


def test_a_sample_of_the_fresh_labels_is_solved_again_with_the_same_result(fresh):
    quick = np.flatnonzero(moves_left(fresh.codes) <= 13)
    some = random.Random(5).sample(quick.tolist(), 40)
    assert (Solver(BITS).winning_many(fresh.codes[some]) == fresh.winning[some]).all()


def test_no_fresh_label_is_in_the_other_file(everything, fresh):
    assert not np.isin(fresh.codes, everything.codes).any()
