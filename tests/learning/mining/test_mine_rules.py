"""Tests that a rule fires for the same moves as its pattern, and that its images are the same rule."""

from __future__ import annotations

import random

import numpy as np
import pytest
from mined_games import codes, knowledge, table

from littlego.engines.compiled.engine import compile_book, decide_many
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.files import book_of_lines
from littlego.knowledge.textfile import pattern_line
from littlego.learning.mining.drawing import draw_rule
from littlego.learning.mining.kernels import classify_matches
from littlego.learning.mining.proposals import HEADER, Draft, example_of, fired_rows, format_entry, is_quiet
from littlego.learning.mining.rules import (
    CELL,
    CHAIN,
    FACT,
    SPEAKS,
    WARNS,
    Features,
    can_join,
    canonical_rule,
    condition_texts,
    conditions_of,
    literals_of,
    size_of,
    specificity_of,
)
from littlego.learning.mining.table import effects, table_of
from littlego.rules.positionkey import unpack
from littlego.truth.labels.labels import in_test


@pytest.fixture(scope="module")
def features():
    return Features(table(codes()[~in_test(codes())][:300]))


def random_rules(features, number, seed):
    """Return random rules that fit at least one row."""
    rng, found = random.Random(seed), []
    rows = np.flatnonzero(features.table.move < 25).tolist()
    while len(found) < number:
        literals = literals_of(features, rng.choice(rows))
        kinds = [[one for one in literals if one[0] == kind] for kind in sorted({one[0] for one in literals})]
        rule = ()
        for _ in range(rng.randint(1, 5)):
            literal = rng.choice(rng.choice(kinds))
            if can_join(rule, literal):
                rule = tuple(sorted((*rule, literal)))
        found.append(rule)
    return found


def pattern_of(rule, priority=500, points=30):
    """Return the pattern of a rule, without running its examples."""
    draft = Draft("mined-1", "shape", "A draft.", priority, points, "None.")
    code = next(int(code) for code in codes() if is_quiet(int(code)) and unpack(code).legal() & 1)
    one = example_of("matches", code, 0)
    _, problems, base = compile_text(
        HEADER + format_entry(draft, rule, [one], [one]), "mined.yaml", with_examples=False
    )
    assert not problems, (rule, problems)
    return base.patterns[0]


def test_a_rule_fires_where_its_pattern_does(features):
    seen = set()
    for rule in random_rules(features, 120, seed=1):
        seen |= {literal[0] for literal in rule}
        fired = features.fired(rule)
        assert fired.any()
        assert (fired == fired_rows(features.table, pattern_of(rule))).all(), rule
    assert len(seen) == 4


def test_a_rule_has_the_specificity_of_its_pattern(features):
    for rule in random_rules(features, 40, seed=2):
        assert pattern_of(rule).specificity == specificity_of(rule), rule


def test_images_of_a_rule_are_one_rule(features):
    for rule in random_rules(features, 40, seed=3):
        assert (features.fired(canonical_rule(rule)) == features.fired(rule)).all(), rule
        assert canonical_rule(canonical_rule(rule)) == canonical_rule(rule)
    corner = (("cell", 0, 1, "X"), ("edge", 0, 0), ("edge", 1, 0))
    other = (("cell", -1, 0, "X"), ("edge", 0, 4), ("edge", 1, 4))
    assert canonical_rule(corner) == canonical_rule(other)
    assert canonical_rule(corner) != canonical_rule((("cell", 0, 1, "O"), *corner[1:]))


def test_literals_of_a_row_hold_for_it(features):
    for row in range(0, features.rows, 97):
        if features.table.move[row] < 25:
            for literal in literals_of(features, row):
                assert features.fired((literal,))[row], literal


def test_no_rule_fires_for_a_pass(features):
    passes = features.table.move == 25
    assert passes.any()
    for rule in [(), (("fact", "captures", "==", 0),), (("fact", "moves_left", ">=", 1),)]:
        assert not features.fired(rule)[passes].any()


@pytest.mark.parametrize("priority", [SPEAKS, WARNS, 940, 0])
def test_the_effect_is_that_of_the_player_with_the_pattern(priority):
    rows = table_of(*_any_labels(), knowledge().book)
    features = Features(rows)
    changed = 0
    for number, rule in enumerate(random_rules(features, 12, seed=priority)):
        points = 160 if number % 2 else -80
        [found] = effects(rows, features.fired(rule), priority, [points], specificity_of(rule))
        line = pattern_line(pattern_of(rule, priority, points))
        moves, _ = decide_many(rows.codes, compile_book(book_of_lines((*knowledge().lines, line))))
        wins = rows.winning >> moves & 1
        assert (found == wins - rows.wins[rows.chosen]).all(), rule
        changed += np.count_nonzero(found)
    assert changed


def _any_labels():
    """Return codes, and masks in which every second point wins."""
    some = codes()[~in_test(codes())][:200]
    return some, np.full(some.size, 0b0101010101010101010101010, np.int32)


def test_matched_tells_right_from_wrong():
    starts, wins = np.array([0, 2, 4, 6, 8]), np.array([1, 0] * 4, bool)
    fired = np.array([0, 0, 1, 0, 0, 1, 1, 1], bool)
    assert classify_matches(starts, wins, fired).tolist() == [0, 1, 2, 3]


def test_drawings():
    chain, fact = ("chain", 0, 2, "X", "liberties", "<=", 2), ("fact", "captures", ">=", 1)
    rule = (("cell", -1, 0, "O"), chain, ("edge", 0, 4), fact)
    rows, labels = draw_rule(rule)
    assert rows == ["O??", "*?X", "---"]
    assert labels == ["...", "..A", "---"]
    assert condition_texts(rule) == ["liberties(A) <= 2", "captures(*) >= 1"]
    assert conditions_of(rule) == 2
    assert draw_rule((("edge", 0, 0), ("edge", 1, 1)))[0] == ["+--", "|?*"]
    assert draw_rule((("edge", 1, 3),))[0] == ["*?|"]
    assert draw_rule(())[0] == ["*"]


def test_smaller_rules_are_smaller():
    near, far = (CELL, 0, 1, "X"), (CELL, 0, 3, "X")
    assert 0 == size_of(()) < size_of((near,)) < size_of((far,)) < size_of((near, far))
    assert size_of(((CELL, 0, 1, "x"),)) < size_of((near,)) < size_of(((CHAIN, 0, 1, "X", "size", ">=", 2),))
    assert size_of(((FACT, "captures", ">=", 1),)) > size_of((near,))
