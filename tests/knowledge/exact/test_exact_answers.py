"""Tests that exact answers agree with brute force: the player's code, run in every 3x3 position.

No known positions are given, so every answer comes from the search.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from unittest import mock

import pytest
from small_universe import (
    applications,
    boards_with_kos,
    different_boards,
    known,
    legal_boards,
    random_pattern,
    relaxed,
    sees_the_clock,
)

from littlego.knowledge.exact import bounds
from littlego.knowledge.exact.questions import NO, YES, Answer, Exact
from littlego.knowledge.exact.samples import firings
from littlego.knowledge.model import KnownPattern
from littlego.knowledge.textfile import book_for
from littlego.rules.geometry import image_of, symmetry_tables
from littlego.rules.position import PASS, Position
from littlego.rules.ruleset import Ruleset, little_go
from littlego.rules.turn import least_moves_made

SEED = 20240611
LONG_GAME = Ruleset("little-go-3", 3, komi2=3, length=17)  # long enough for every legal board to occur
BUDGET = 10_000  # partial boards per question; large, since some conditions of random patterns hold on very few boards


class Truth:
    """The brute-force results for some patterns, and the exact answers about these patterns."""

    def __init__(self, patterns: list[KnownPattern], ruleset: Ruleset):
        self.patterns = patterns
        self.ruleset = ruleset
        self.exact = Exact(patterns, ruleset, BUDGET, positions=[])
        self.applies = applications(patterns, ruleset)
        self.fires = [{(number, move) for number, move, is_legal in found if is_legal} for found in self.applies]

    def check(self, question: str, answer: Answer, expected: bool) -> None:
        """Assert that an answer equals the true result."""
        assert answer.verdict == (YES if expected else NO), question


def is_a_position(position: Position) -> bool:
    """Return whether the position is among the positions that brute force enumerates."""
    images = []
    for table in symmetry_tables(position.ruleset.size):
        images.append(tuple(image_of(mask, table) for mask in (position.own, position.theirs, position.ko)))
    made = least_moves_made(position.black, position.white, position.colour)
    in_time = 1 <= position.left <= position.ruleset.length - made
    return in_time and any(image in boards_with_kos(3) for image in images) and not (position.ko and position.passed)


def fires(pattern: KnownPattern, answer: Answer) -> bool:
    """Return whether the pattern fires for the witness's move according to the player's code."""
    return answer.move in firings(book_for([pattern], answer.witness.ruleset), answer.witness)


def family(seed: Random, number: int, clock: bool) -> list[KnownPattern]:
    """Return random patterns, each followed by a slightly weaker variant. clock: whether the patterns use the clock."""
    found: list[KnownPattern] = []
    while len(found) < 2 * number:
        pair = [random_pattern(seed)]
        pair.append(relaxed(pair[0], seed))
        if any(map(sees_the_clock, pair)) == clock:
            found += pair
    return found


def number_of(clock: bool, number: int, *marks: pytest.MarkDecorator):
    """Return a test parameter: (whether the patterns depend on the clock, half the number of patterns)."""
    return pytest.param((clock, number), marks=marks, id=f"{'any clock' if clock else 'any board'}-{number}")


@pytest.fixture(
    scope="module",
    params=[
        number_of(False, 22),
        number_of(True, 10),
        number_of(False, 120, pytest.mark.slow),
        number_of(True, 50, pytest.mark.slow),
    ],
)
def truth(request) -> Truth:
    clock, number = request.param
    return Truth(family(Random(SEED), number, clock), little_go(3) if clock else LONG_GAME)


def test_there_are_as_many_small_boards_as_others_counted():
    assert len(legal_boards(2)) == 57 and len(legal_boards(3)) == 12675
    assert len(different_boards(3)) < 12675 / 6


def test_whether_a_pattern_can_match_and_be_legal(truth):
    for k, pattern in enumerate(truth.patterns):
        can_match, can_be_legal = truth.exact.can_match(k), truth.exact.can_be_legal(k)
        truth.check(f"can_match {pattern}", can_match, bool(truth.applies[k]))
        truth.check(f"can_be_legal {pattern}", can_be_legal, bool(truth.fires[k]))
        if can_be_legal.witness:
            assert is_a_position(can_be_legal.witness) and fires(pattern, can_be_legal)


def pairs(truth: Truth) -> list[tuple[int, int]]:
    """Return pairs: every pattern with its weaker variant in both orders, and with a random other pattern."""
    seed, found = Random(SEED), []
    for k in range(0, len(truth.patterns), 2):
        found += [(k, k + 1), (k + 1, k), (k, seed.randrange(len(truth.patterns)))]
    return found


def test_whether_one_pattern_follows_from_another(truth):
    for p, q in pairs(truth):
        answer = truth.exact.implies(p, q)
        truth.check(f"{truth.patterns[p]} implies {truth.patterns[q]}", answer, truth.fires[p] <= truth.fires[q])
        if answer.witness:
            assert is_a_position(answer.witness)
            assert fires(truth.patterns[p], answer) and not fires(truth.patterns[q], answer)


def test_whether_two_patterns_can_fire_for_the_same_move(truth):
    for p, q in pairs(truth):
        answer = truth.exact.cofire(p, q)
        truth.check(f"{truth.patterns[p]} with {truth.patterns[q]}", answer, bool(truth.fires[p] & truth.fires[q]))
        if answer.witness:
            assert is_a_position(answer.witness)
            assert fires(truth.patterns[p], answer) and fires(truth.patterns[q], answer)


def test_what_conditions_and_points_can_be(truth):
    some = range(0, len(truth.patterns), 2)  # the patterns at odd numbers are their weaker variants
    asked = [(k, condition) for k in some for condition in truth.patterns[k].when]
    variants = [
        replace(truth.patterns[k], when=[text]) for k, condition in asked for text in (condition, condition + " not")
    ]
    variants += [replace(truth.patterns[k], when=[*truth.patterns[k].when, truth.patterns[k].points]) for k in some]
    expected = [any(is_legal for _, _, is_legal in found) for found in applications(variants, truth.ruleset)]
    for number, (k, condition) in enumerate(asked):
        can_be_true, can_be_false = truth.exact.condition(k, condition)
        truth.check(f"{condition} of {truth.patterns[k]}", can_be_true, expected[2 * number])
        truth.check(f"not {condition} of {truth.patterns[k]}", can_be_false, expected[2 * number + 1])
    for k, ever_other in zip(some, expected[2 * len(asked) :], strict=True):
        truth.check(f"points of {truth.patterns[k]}", truth.exact.points_always_zero(k), not ever_other)


def test_enough_of_the_pairs_follow_and_enough_do_not(truth):
    follows = sum(truth.fires[p] <= truth.fires[q] and bool(truth.fires[p]) for p, q in pairs(truth))
    assert follows > len(truth.patterns) / 4 and len(pairs(truth)) - follows > len(truth.patterns) / 4


@pytest.mark.parametrize(
    ("when", "can_match", "can_be_legal"),
    [
        (["@* their_near 4 ==", "@* captures 0 ==", "@* own_liberties 1 >="], NO, NO),
        (["@* their_near 4 ==", "@* captures 0 =="], YES, NO),
        (["ko_ban", "passed"], NO, NO),
        (["@* legal not"], YES, NO),
        (["@* captures 2 >=", "@* ko"], NO, NO),
        (["@* line 4 =="], NO, NO),
        (["ko_ban", "@* eye"], YES, YES),
        (["moves_left 22 >", "@* own_near 2 >="], NO, NO),
    ],
)
def test_what_positions_of_the_whole_board_can_show(when, can_match, can_be_legal):
    exact = Exact([known(["*"], when=when)], little_go(5), positions=[])
    assert exact.can_match(0).verdict == can_match
    assert exact.can_be_legal(0).verdict == can_be_legal


def test_a_pass_answers_only_for_passes():
    passing, anywhere = known([], when=["passed"], passes=True), known(["*"])
    exact = Exact([passing, anywhere], little_go(5), positions=[])
    assert exact.implies(0, 0).verdict == YES
    answer = exact.implies(0, 1)
    assert answer.verdict == NO and answer.move == PASS and answer.witness.passed
    assert exact.cofire(0, 1).verdict == NO


def test_points_that_the_conditions_make_0():
    exact = Exact([known(["O*"], ["A."], ["~A in_atari"], "100 ~A liberties * 100 -")], little_go(5), positions=[])
    assert exact.points_always_zero(0).verdict == YES
    assert [answer.verdict for answer in exact.condition(0, "margin2 0 ==")] == [NO, YES]  # komi decides every tie


@pytest.mark.parametrize("clock", [False, True])
def test_facts_without_bounds_are_answered_right(clock):
    """Answers are right even if no fact has a bound function. A 2x2 board is small enough to search without bounds."""
    seed, patterns = Random(SEED), []
    while len(patterns) < 40:
        pattern = random_pattern(seed, largest=2)
        if pattern.when and sees_the_clock(pattern) == clock:
            patterns.append(pattern)
    with mock.patch.dict(bounds.BOUNDS, clear=True):
        small = Truth(patterns, Ruleset("little-go-2", 2, komi2=3, length=6 if clock else 12))
        for k, pattern in enumerate(patterns):
            small.check(f"can_match {pattern}", small.exact.can_match(k), bool(small.applies[k]))
            small.check(f"can_be_legal {pattern}", small.exact.can_be_legal(k), bool(small.fires[k]))
            other = (k + 1) % len(patterns)
            follows = small.fires[k] <= small.fires[other]
            small.check(f"{pattern} implies {patterns[other]}", small.exact.implies(k, other), follows)
    assert 5 <= sum(map(bool, small.fires)) < len(patterns)
