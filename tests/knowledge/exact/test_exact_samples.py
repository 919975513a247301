"""Tests of witnesses near known positions, of questions without budget, and of the shipped patterns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from boards import position
from hypothesis import given
from hypothesis import strategies as st
from knowledge_files import compiled
from small_universe import known

from littlego.knowledge.exact import samples
from littlego.knowledge.exact.questions import NO, UNDECIDED, YES, Exact
from littlego.knowledge.exact.samples import FiringsCache, firings
from littlego.knowledge.textfile import book_for
from littlego.rules.ruleset import LITTLE_GO, little_go

CONTACT = """
    . . . . .
    . O . . .
    . X . . .
    . . . . .
    . . . . .
"""
BESIDE_OWN = known(["X*"], ["A."])
BESIDE_TWO = known(["X*"], ["A."], when=["~A size 2 >="])
READS_LIFE = known(["X*"], ["A."], when=["~A alive"])


def different_patterns():
    """Return shipped patterns that differ in their drawings or conditions, and positions of their examples."""
    patterns = list({str(samples._says(one)): one for one in compiled().base.patterns if one.examples}.values())[:14]
    return patterns, [example.position() for one in patterns for example in one.examples][:30]


@given(st.lists(st.lists(st.integers(0, 13), unique=True, max_size=14), min_size=1, max_size=4), st.data())
def test_firings_found_for_other_patterns_serve_the_next_patterns(subsets, data):
    patterns, positions = different_patterns()
    cache = FiringsCache()
    for subset in subsets:
        some = [patterns[index] for index in subset]
        here = data.draw(st.lists(st.sampled_from(positions), unique_by=id, max_size=6))
        book = book_for(some, LITTLE_GO)
        expected = [(one, move, fired) for one in here for move, fired in sorted(firings(book, one).items())]
        assert list(cache.rows(some, LITTLE_GO, here)) == expected


def test_after_an_edit_only_the_edited_pattern_is_matched(monkeypatch):
    patterns, positions = different_patterns()
    cache, matched = FiringsCache(), []
    list(cache.rows(patterns, LITTLE_GO, positions))
    monkeypatch.setattr(samples, "firings", lambda book, one: matched.append(len(book.patterns)) or firings(book, one))
    edited = [*patterns[:-1], replace(patterns[-1], when=["moves_left 3 >="])]
    list(cache.rows(edited, LITTLE_GO, positions))
    assert set(matched) == {1} and len(matched) == len({str(samples._all_of(one)) for one in positions})


@pytest.mark.parametrize("most", ["MOST_NUMBERS", "MOST_POSITIONS"])
def test_a_full_cache_of_firings_starts_again(most, monkeypatch):
    patterns, positions = different_patterns()
    monkeypatch.setattr(samples, most, 3)
    cache = FiringsCache()
    first = list(cache.rows(patterns, LITTLE_GO, positions))
    assert list(cache.rows(patterns[::-1], LITTLE_GO, positions[:2])) and len(cache._matched) <= len(positions[:2])
    assert list(cache.rows(patterns, LITTLE_GO, positions)) == first


def test_a_position_at_hand_is_the_witness():
    board = position(CONTACT)
    answer = Exact([BESIDE_OWN, BESIDE_TWO], little_go(5), positions=[board]).implies(0, 1)
    assert answer.verdict == NO and answer.witness is board and not answer.nodes


def test_a_spent_budget_leaves_a_question_undecided():
    exact = Exact([BESIDE_OWN, READS_LIFE], little_go(5), budget=1, positions=[])
    answer = exact.implies(0, 1)
    assert answer.verdict in (NO, UNDECIDED) and answer.nodes == 1
    assert exact.can_be_legal(1).verdict == UNDECIDED and exact.can_be_legal(1).witness is None


def test_a_witness_is_found_by_walking_from_a_position_at_hand():
    exact = Exact([BESIDE_OWN, BESIDE_TWO], little_go(5), budget=0, positions=[position(CONTACT)])
    answer = exact.cofire(0, 1)
    assert answer.verdict == YES and not answer.nodes
    assert firings(book_for(exact.patterns, LITTLE_GO), answer.witness)[answer.move] == 3


def test_the_same_question_gets_the_same_answer():
    first, second = (Exact([BESIDE_OWN, BESIDE_TWO], little_go(5), positions=[]).cofire(0, 1) for _ in range(2))
    assert (first.verdict, first.move, first.nodes) == (second.verdict, second.move, second.nodes)
    assert (first.witness.black, first.witness.white) == (second.witness.black, second.witness.white)


def test_a_key_names_what_an_answer_depends_on():
    exact = Exact([BESIDE_OWN, BESIDE_TWO, replace(BESIDE_TWO, id="other", summary="Other words.")], little_go(5))
    keys = {exact.key("implies", 0, 1), exact.key("implies", 1, 0), exact.key("cofire", 0, 1), exact.key("implies", 0)}
    assert len(keys) == 4
    assert exact.key("implies", 0, 1) == exact.key("implies", 0, 2)
    assert exact.key("implies", 0) != Exact([BESIDE_OWN], little_go(5), budget=1).key("implies", 0)


def test_of_the_shipped_patterns_no_question_about_one_alone_is_left_undecided():
    base = compiled().base
    exact = Exact(base.patterns, base.ruleset)
    for p, pattern in enumerate(base.patterns):
        answer = exact.can_be_legal(p)
        assert answer.verdict == YES and exact.can_match(p).verdict == YES, pattern.id
        assert answer.move in firings(book_for([pattern], base.ruleset), answer.witness)
        assert exact.points_always_zero(p).verdict == (YES if pattern.points == "0" else NO), pattern.id
        for condition in pattern.when:
            can_be_true, can_be_false = exact.condition(p, condition)
            assert can_be_true.verdict == YES and can_be_false.verdict != UNDECIDED, (pattern.id, condition)
