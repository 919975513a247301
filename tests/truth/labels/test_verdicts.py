"""Tests of verdicts on changed decisions (better or worse). They ignore the test part of the labels."""

from __future__ import annotations

import random

import numpy as np
import pytest
from labelled_games import any_position, solved, winning_mask

from littlego.rules.geometry import image_of, points_of, symmetry_tables
from littlego.rules.position import PASS, Position
from littlego.rules.positionkey import pack, unpack
from littlego.rules.ruleset import LITTLE_GO, little_go
from littlego.truth.labels import verdicts as module
from littlego.truth.labels.labels import canonical_many, count_many, in_test, legal_many, load, save
from littlego.truth.labels.verdicts import BETTER, BOTH_LOSE, BOTH_WIN, HIDDEN, UNKNOWN, WORSE, verdicts


@pytest.fixture(autouse=True)
def labels(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LABELS", tmp_path / "labels.npz")
    return tmp_path / "labels.npz"


def asked(number: int, seed: int) -> list[tuple[Position, int, int]]:
    rng, found = random.Random(seed), []
    for _ in range(number):
        position = any_position(rng, rng.randint(1, 4))
        moves = [*points_of(position.legal()), PASS]
        found.append((position, rng.choice(moves), rng.choice(moves)))
    return found


def true_verdict(position: Position, before: int, after: int) -> str:
    winning = winning_mask(position)
    won = tuple(bool(winning >> (25 if move == PASS else move) & 1) for move in (before, after))
    if in_test(canonical_many(np.array([pack(position)], dtype=np.int64)))[0]:
        return HIDDEN
    return {(True, True): BOTH_WIN, (True, False): WORSE, (False, True): BETTER, (False, False): BOTH_LOSE}[won]


@pytest.mark.parametrize("labelled", [False, True])
def test_verdicts_are_true_whether_from_labels_or_solved(labels, labelled):
    if labelled:
        save(solved(), labels)
    questions = asked(60, 11)
    said = verdicts(questions)
    assert said == [true_verdict(*one) for one in questions] and len(set(said)) == 5


def test_a_turned_position_has_the_verdict_of_the_label(labels):
    lies = legal_many(solved().codes) & ~solved().winning
    save(solved()._replace(winning=lies), labels)  # false labels, so that a verdict by the solver would differ
    working = load("working", path=labels)
    label = working.where((count_many(working.winning) > 2) & (working.winning != legal_many(working.codes)))
    position, winning = unpack(label.codes[0]), int(label.winning[0])
    right = next(point for point in range(25) if winning >> point & 1)
    wrong = next(point for point in points_of(position.legal()) if not winning >> point & 1)
    for table in symmetry_tables(5):
        masks = [image_of(mask, table) for mask in (position.black, position.white, position.ko)]
        turned = Position(LITTLE_GO, *masks[:2], position.colour, masks[2], position.passed, position.left)
        assert verdicts([(turned, table[right], table[wrong])]) == [WORSE]
        assert verdicts([(turned, table[wrong], table[right])]) == [BETTER]


def test_what_takes_long_to_solve_and_other_games_have_no_verdict():
    rng = random.Random(2)
    far = any_position(rng, 15)
    small = Position(little_go(3), 0, 0, 1, 0, False, 8)
    odd = Position(LITTLE_GO, 1, 2, 1, 0, False, 7)
    assert verdicts([(far, PASS, 3), (small, PASS, 3), (odd, PASS, 3)]) == [UNKNOWN] * 3
