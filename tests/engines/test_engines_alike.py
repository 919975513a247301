"""Tests that both engines answer batches like single calls, with firings that match the decisions."""

from __future__ import annotations

from knowledge_files import book
from random_matches import random_match

from littlego.cache import digest
from littlego.engines.choosing import engine_for, load_book
from littlego.engines.large import shapes
from littlego.games.game import little_go_of
from littlego.judging.recorded import read_decisions
from littlego.meaning import meaning_of
from littlego.paths import MATCH_TXT
from littlego.rules.position import opening
from littlego.rules.ruleset import LITTLE_GO


def positions():
    """Return recorded positions of the course's game and positions of matches, each with a book."""
    match = load_book(MATCH_TXT.read_bytes(), "patterns.match.txt")
    course = [recorded.position for recorded in read_decisions()[::400]]
    board = opening(little_go_of(6)).play(14).play(15)
    return [
        *((position, book()) for position in [*course, board]),
        *((position, match) for size in (5, 9) for position in random_match(3, size, plies=30)[5::8]),
    ]


def test_many_decisions_are_the_single_ones():
    course = [(position, patterns) for position, patterns in positions() if position.ruleset is LITTLE_GO]
    rest = [(position, patterns) for position, patterns in positions() if position.ruleset is not LITTLE_GO]
    for group in (course, rest[:1], rest[1:]):
        boards, patterns = [position for position, _ in group], group[0][1]
        engine = engine_for(boards[0].ruleset)
        assert engine.decide_many(boards, patterns) == [engine.decide(one, patterns).move for one in boards]


def test_firings_are_those_of_the_complete_decision():
    for position, patterns in positions():
        engine = engine_for(position.ruleset)
        decision = engine.decide(position, patterns, complete=True)
        wanted = {
            (candidate.move, one.pattern.id, one.points, one.symmetry, one.place)
            for candidate in decision.candidates
            for one in candidate.all_firings
        }
        found = engine.firings(position, patterns, locate=True)
        assert {
            (move, one.pattern.id, one.points, one.symmetry, one.place) for move, ones in found.items() for one in ones
        } == wanted


def test_placements_of_a_firing_are_there_and_match():
    for position, patterns in positions():
        engine = engine_for(position.ruleset)
        state = engine.view(position).reading.state
        word = state.own | state.theirs << position.ruleset.size**2
        for move, firings in engine.firings(position, patterns).items():
            placed = engine.placements(position, patterns, move)
            matching = {cells for care, value, cells in placed if word & care == value}
            assert {one.cells for one in firings} <= matching


def test_a_judge_says_what_the_decision_says():
    for position, patterns in positions():
        engine = engine_for(position.ruleset)
        decision = engine.decide(position, patterns, complete=True)
        judge = engine.judge(decision)
        for candidate in decision.candidates[:6]:
            if candidate.result2 is None:
                verdict = judge.vet(candidate.move)
                assert (verdict.loss, verdict.reply) == (candidate.verdict.loss, candidate.verdict.reply)


def test_the_form_of_a_pattern_is_its_own_and_that_of_its_mirror_image():
    for position, patterns in positions()[::9]:
        engine = engine_for(position.ruleset)
        forms = [engine.form(pattern) for pattern in patterns.patterns[:40]]
        assert forms == [engine.form(pattern) for pattern in patterns.patterns[:40]]
        assert len(set(forms)) > 35


def test_a_signature_is_the_meaning_of_the_code_that_decides():
    engine = engine_for(little_go_of(5))
    assert engine.signature() == meaning_of(*engine.modules)
    engine = engine_for(little_go_of(9))
    assert engine.signature() == digest(meaning_of(*engine.modules), shapes.signature())


def test_nobody_resigns_the_course_s_game():
    position, engine = opening(LITTLE_GO).play(12), engine_for(LITTLE_GO)
    assert engine.why_resign(engine.decide(position, book())) == ""
