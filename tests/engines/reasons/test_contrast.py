"""Tests of contrastive reasons: drawn boards for each kind of reason, and brute force elsewhere."""

from __future__ import annotations

import random

import numpy as np
import pytest
from boards import position as drawn_position
from knowledge_files import book
from random_books import random_book
from reasons_checks import played_without, wrong_reasons
from small_books import book as small_book
from small_books import decision, pattern

from littlego.engines.reasons.contrast import (
    ALONE,
    DECIDES,
    LOSS,
    ORDER,
    OVERRIDE,
    POINTS,
    PRESENT,
    PRIORITY,
    RESULT,
    SPECIFICITY,
    SUPPORTS,
    VETO,
    contrast,
    roles_of,
)
from littlego.judging.recorded import read_decisions
from littlego.knowledge.parts import firing_ids
from littlego.paths import LABELS
from littlego.records.recorded_games import recorded_positions
from littlego.rules.engine import decide
from littlego.rules.patternfile import empty_book
from littlego.rules.position import PASS, opening
from littlego.rules.positionkey import unpack
from littlego.rules.ruleset import LITTLE_GO
from littlego.truth.labels import PARTS
from littlego.truth.labels.labels import load

BOARD = """
. . . . .
. X O . .
. . . . .
. . . . .
. . . . .
"""


def test_points_name_the_fewest_patterns_that_make_the_difference():
    made = decision(
        BOARD, pattern("own", "X/*", points=30), pattern("again", "X/*", points=20), pattern("theirs", "O/*", points=25)
    )
    reason = contrast(made)
    assert (reason.by, reason.chosen.points, reason.rival.points) == (POINTS, 50, 25)
    assert reason.named == ("own",)  # without the pattern `own`, 20 points would lose to the rival's 25
    assert dict(reason.gains) == {"own": 30, "again": 20} and dict(reason.costs) == {"theirs": -25}
    assert reason.lead == 25
    assert roles_of(made) == {"own": DECIDES, "again": PRESENT, "theirs": PRESENT}


def test_where_no_pattern_decides_alone_several_support():
    patterns = [pattern(name, "X/*", points=20) for name in ("one", "two", "three")]
    made = decision(BOARD, *patterns, pattern("theirs", "O/*", points=25))
    reason = contrast(made)
    assert len(reason.named) == 2 and set(reason.named) < {"one", "two", "three"} and reason.by == POINTS
    roles = roles_of(made)
    assert sorted(roles.values()) == [PRESENT, PRESENT, SUPPORTS, SUPPORTS]
    assert {name for name, role in roles.items() if role == SUPPORTS} == set(reason.named)


def test_a_priority_and_what_would_still_lead_without_it():
    made = decision(
        BOARD,
        pattern("first", "X/*", priority=900, points=5),
        pattern("more", "X/*", points=40),
        pattern("theirs", "O/*", points=25),
    )
    reason = contrast(made)
    assert reason.by == PRIORITY and set(reason.named) == {"first", "more"}
    assert set(roles_of(made).values()) == {SUPPORTS, PRESENT}


def test_specificity_and_the_order_of_the_points():
    special = pattern("special", "X/*", points=25, specificity=7)
    reason = contrast(decision(BOARD, special, pattern("theirs", "O/*", points=25)))
    assert (reason.by, reason.named) == (SPECIFICITY, ("special",))
    made = decision(BOARD, pattern("own", "X/*", points=25), pattern("theirs", "O/*", points=25))
    assert contrast(made).equals and not contrast(made).passed_over


def test_a_pattern_that_forbids_the_rival_decides():
    best, other = pattern("best", "O/*", points=50), pattern("other", "X/*", points=10)
    made = decision(BOARD, best, other, pattern("never", "O/*", flags="f", priority=-100))
    reason = contrast(made)
    assert (reason.by, reason.named) == (VETO, ("never",))
    assert roles_of(made)["never"] == DECIDES


SURROUNDED = """
. O X X X
O O X . X
X X X X X
X X X X X
X X X X X
"""


def test_vetoes_of_all_others_and_the_smallest_loss():
    made = decision(SURROUNDED, left=10)
    reason = contrast(made)
    assert reason.by in (VETO, LOSS) and reason.named == ()
    assert reason.rival.veto and reason.rival.verdict is not None  # computed only for the reason


def test_the_exact_result_comes_before_all_patterns():
    capture = drawn_position("O X . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", left=1)
    reason = contrast(decide(capture, small_book(pattern("elsewhere", "X*", points=25))))
    assert (reason.by, reason.named, reason.chosen.move) == (RESULT, (), 5)
    assert (reason.chosen.result2, reason.rival.result2) == (-1, -3)
    assert contrast(decide(capture, small_book(), complete=True)).by == RESULT


def test_an_override_is_compared_with_what_the_patterns_prefer():
    class Always:
        def move_for(self, state):
            return PASS

    made = decide(opening(LITTLE_GO), book(), overrides=Always())
    reason = contrast(made)
    assert (reason.by, reason.chosen.move, reason.rival.move) == (OVERRIDE, PASS, 12)
    assert set(roles_of(made).values()) == {PRESENT}


def test_no_other_move():
    full = drawn_position("\n".join(["X X X X X"] * 2 + ["X X . X X"] + ["X X X X X"] * 2), left=10)
    reason = contrast(decide(full, empty_book(LITTLE_GO)))
    assert full.legal() == 0 and (reason.by, reason.rival, reason.chosen.move) == (ALONE, None, PASS)


def test_mirror_images_of_the_move_are_no_rivals():
    reason = contrast(decide(opening(LITTLE_GO).play(12), book()))
    assert reason.chosen.move == 7 and reason.rival.move not in (11, 13, 17) and not reason.equals


def test_any_move_may_be_asked_about():
    made = decide(opening(LITTLE_GO).play(12), book(), complete=True)
    for candidate in made.candidates[1:]:
        reason = contrast(made, candidate)
        assert reason.asked and reason.rival.move == candidate.move and not reason.passed_over
        assert reason.by in (PRIORITY, POINTS, SPECIFICITY, ORDER, VETO)
        assert reason.lead == reason.chosen.points - candidate.points or not candidate.firings


# -- brute force -----------------------------------------------------------------------------------------------------


def test_the_patterns_named_make_the_difference_and_no_fewer_of_them_do():
    positions = [one.position for one in read_decisions()[5::160]]
    assert wrong_reasons(positions, book()) == []


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 12))])
def test_with_random_books(seed):
    other = random_book(seed)
    positions = random.Random(seed).sample([one.position for one in read_decisions()], 12)
    assert wrong_reasons(positions, other) == []
    for position in positions[:6]:
        made = decide(position, other, complete=True)
        for name, role in roles_of(made).items():
            assert (role == DECIDES) == (played_without(position, other, (name,)) != made.move), name


@pytest.mark.parametrize("every", [400, pytest.param(60, marks=pytest.mark.slow)])
def test_what_decides_is_what_deciding_anew_would_miss(every):
    decided = 0
    for one in read_decisions()[::every]:
        made = decide(one.position, book())
        roles = roles_of(made)
        assert roles.keys() == firing_ids(made)
        for name, role in roles.items():
            assert (role == DECIDES) == (played_without(one.position, book(), (name,)) != made.move), name
            decided += role == DECIDES
        if DECIDES not in roles.values():
            assert {name for name, role in roles.items() if role == SUPPORTS} == set(contrast(made).named)
    assert decided > 12


@pytest.mark.slow
def test_all_recorded_decisions_and_others():
    """Compare with brute force in all recorded decisions and 2,000 real and 2,000 labelled positions."""
    recorded = [one.position for one in read_decisions()]
    real = random.Random(1).sample(recorded_positions(), 2000)
    codes = np.random.default_rng(1).choice(load(PARTS[0], 0, LABELS).codes, 2000, replace=False)
    assert wrong_reasons([*recorded, *real, *map(unpack, codes.tolist())], book()) == []
