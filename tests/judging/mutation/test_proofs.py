"""Tests of mutants that are proved equivalent, and of examples that detect other mutants."""

from __future__ import annotations

from dataclasses import replace

import pytest
from knowledge_files import compiled
from small_books import book, decision, pattern

from littlego.judging.mutation.corpus import Corpus
from littlego.judging.mutation.proofs import distinguishing_positions, find_pin, fires_alike, priority_is_moot
from littlego.knowledge.firing import firings_for
from littlego.rules.engine import rank
from littlego.rules.patternfile import Pattern
from littlego.rules.position import PASS

KNOWN = {one.id: one for one in compiled().base.patterns}
TAKE = replace(KNOWN["take-the-last-liberty"], when=["~A in_atari"], points="8 @* captures *")
PER_STONE = replace(TAKE, points="8 ~A size *")
NOTHING = Corpus([])


def test_an_empty_point_is_no_chain_in_atari():
    assert fires_alike(TAKE, replace(TAKE, rows=["o*"]))
    assert fires_alike(PER_STONE, replace(PER_STONE, rows=["o*"]))


def test_an_own_chain_in_atari_is_one():
    for one in (TAKE, PER_STONE):
        assert not fires_alike(one, replace(one, rows=["?*"]))


def test_a_condition_that_says_nothing_new():
    twice = replace(PER_STONE, when=[*PER_STONE.when, "~A liberties 2 <"])
    assert fires_alike(PER_STONE, twice) and fires_alike(twice, PER_STONE)
    assert not fires_alike(PER_STONE, replace(PER_STONE, when=["~A liberties 2 <="]))


def test_other_points_are_no_proof():
    assert not fires_alike(TAKE, replace(TAKE, points="9 @* captures *"))


@pytest.mark.parametrize("changes", [{"rows": ["?*"]}, {"when": []}, {"rows": ["O*|"], "label_rows": ["A.."]}])
def test_the_positions_that_tell_two_apart_do(changes):
    mutant = replace(TAKE, **changes)
    found = list(distinguishing_positions(TAKE, mutant))
    assert found
    for position, move in found:
        assert (move in firings_for(TAKE, position)) != (move in firings_for(mutant, position))


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("take-the-last-liberty", {"rows": ["?*"]}),
        ("take-the-last-liberty", {"when": []}),
        ("ko-threat-by-atari", {"when": ["@* own_liberties 2 >=", "@* threatens 2 >="]}),
        ("pass-to-win", {"when": ["margin2 0 >"]}),
        ("pass-to-win", {"when": ["passed", "margin2 1 >"]}),
        ("own-straight-three", {"when": ["@* enclosed 3 ==", "moves_left 7 >"]}),
    ],
)
def test_a_pin_holds_for_the_pattern_and_fails_for_the_mutant(name, changes):
    known = KNOWN[name]
    mutant = replace(known, **changes)
    pin = find_pin(known, mutant, NOTHING)
    fired = [pin.move in firings_for(one, pin.position()) for one in (known, mutant)]
    assert fired == [pin.must_fire, not pin.must_fire]
    assert (pin.move == PASS) == known.passes


def everywhere(priority: int, when: str = "") -> Pattern:
    return pattern("everywhere", "*", when=when, priority=priority)


@pytest.mark.parametrize(
    ("priorities", "other", "expected"),
    [
        ((-20, -30), everywhere(-10), True),
        ((-20, -30), everywhere(-20), True),
        ((-20, -10), everywhere(-20), False),
        ((-20, -30), everywhere(-10, "moves_left 3 >"), False),
        ((-20, -30), pattern("near", "X*", priority=-10), False),
    ],
)
def test_a_priority_that_every_point_has_anyway(priorities, other, expected):
    old, new = (pattern("low", "O*", priority=priority, specificity=9) for priority in priorities)
    assert priority_is_moot(old, new, book(old, other)) == expected
    board = ". . . . . / . O . . . / . . X . . / . . . . . / . . . . .".replace("/", "\n")
    made = [decision(board, one, other) for one in (old, new)]
    ranks = [{one.move: rank(one)[:2] for one in each.candidates} for each in made]
    assert ranks[0] == ranks[1] or not expected


def test_a_pass_and_a_sacrifice_are_no_such_case():
    passes = pattern("low", "", priority=-20, flags="p")
    assert not priority_is_moot(passes, passes, book(passes, everywhere(500)))
    low, lower = (pattern("low", "O*", priority=priority) for priority in (-20, -30))
    offer = pattern("offer", "O*", priority=-20, flags="s")
    assert not priority_is_moot(low, lower, book(low, offer, everywhere(500)))
