"""Tests of witnesses near known positions, of questions without budget, and of the shipped patterns."""

from __future__ import annotations

from dataclasses import replace

from boards import position
from knowledge_files import compiled
from small_universe import known

from littlego.knowledge.exact.questions import NO, UNDECIDED, YES, Exact
from littlego.knowledge.exact.samples import firings
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
