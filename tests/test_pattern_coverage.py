"""Tests of the corpora on which patterns are judged, and of the verdict on a test run."""

from __future__ import annotations

import pytest
from coverage_books import SMALL_BOOK, first_moves
from knowledge_files import book, compiled
from pattern_coverage import EXAMPLES, REAL, RECORDED, ROLES, Collected, Part, faults, report

from littlego.engines.compiled.engine import codes_of, compile_book
from littlego.engines.compiled.reasons import reasons_many
from littlego.games.boards import move_text
from littlego.judging.coverage import Survey, survey_positions, survey_reasons
from littlego.judging.recorded import read_decisions
from littlego.judging.role_games import positions_against
from littlego.knowledge.model import MATCHES
from littlego.players.roles.table import corpus_roles
from littlego.records.positions import position_text
from littlego.records.recorded_games import recorded_positions
from littlego.rules.engine import decide
from littlego.rules.positionkey import unpack_move

PARTS = 4
ROLE_GAMES = 10


@pytest.fixture(scope="module")
def real_positions():
    return {position_text(position) for position in recorded_positions()}


@pytest.mark.parametrize("part", range(PARTS))
def test_decisions_are_those_on_record(part, pattern_coverage, real_positions):
    """The compiled engine decides each recorded position once, for both the snapshot and the coverage."""
    recorded = read_decisions()[part::PARTS]
    is_real = [position_text(one.position) in real_positions for one in recorded]
    moves = {}
    for corpus, wanted in ((REAL, True), (RECORDED, False)):
        met = [one.position for one, real in zip(recorded, is_real, strict=True) if real == wanted]
        assert len(met) > 600
        reasons = reasons_many(codes_of(met), compile_book(book()))
        decided = map(unpack_move, reasons.moves.tolist())
        moves.update(zip(map(position_text, met), decided, strict=True))
        pattern_coverage.record(corpus, part, PARTS, survey_reasons(reasons, book()))
    assert_on_record(recorded, [moves[position_text(one.position)] for one in recorded])


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_the_players_own_engine_decides_as_on_record(every):
    """The test decides some recorded positions as in play; `-m slow` decides all of them."""
    recorded = read_decisions()[::every]
    assert_on_record(recorded, [decide(one.position, book()).move for one in recorded])


def assert_on_record(recorded, moves):
    changed = [
        f"{position_text(one.position)}: {move_text(one.move, 5)} on record, now {move_text(move, 5)}"
        for one, move in zip(recorded, moves, strict=True)
        if one.move != move
    ]
    assert not changed, (
        f"{len(changed)} of {len(recorded)} decisions differ from the record; `littlego diff` shows them and the "
        f"responsible patterns, `littlego diff --accept` accepts them. The first: {changed[0]}"
    )


def test_all_real_positions_are_on_record(real_positions):
    on_record = [position_text(one.position) for one in read_decisions()]
    assert len(on_record) == len(set(on_record)) > 6000
    assert real_positions <= set(on_record)


@pytest.mark.parametrize("number, role", list(enumerate(corpus_roles())), ids=lambda one: getattr(one, "name", ""))
def test_games_against(number, role, pattern_coverage):
    found = survey_positions(positions_against(role.name, book(), ROLE_GAMES, seed=role.seed), book())
    assert found.positions > 6 * ROLE_GAMES
    pattern_coverage.record(ROLES, number, len(corpus_roles()), found)


def test_examples(pattern_coverage):
    positions = [
        example.position()
        for pattern in compiled().base.patterns
        for example in pattern.examples
        if example.kind == MATCHES
    ]
    pattern_coverage.record(EXAMPLES, 0, 1, survey_positions(positions, book()))


# -- the verdict ----------------------------------------------------------------------------------------------


def test_the_run_fails_for_an_inert_pattern_and_for_a_silent_class_alone():
    games = survey_positions(first_moves(), SMALL_BOOK)
    columns = {EXAMPLES: games, REAL: games, RECORDED: Survey(), ROLES: Survey()}
    found = [fault.split(" ")[0] for fault in faults(SMALL_BOOK, columns)]
    assert found == ["never:", "never", "the"]
    assert "class ko" in faults(SMALL_BOOK, columns)[-1]
    assert faults(SMALL_BOOK, {**columns, EXAMPLES: Survey()})[0] == "centre: none of its examples matches"
    everywhere = {**columns, RECORDED: games, REAL: Survey(), ROLES: Survey()}
    assert "beside" not in "".join(faults(SMALL_BOOK, everywhere)), "what changes a decision on record is not inert"
    assert "beside" in "".join(faults(SMALL_BOOK, {**everywhere, RECORDED: Survey()}))
    assert rows_about("never", report(SMALL_BOOK, columns, everything=False))
    assert not rows_about("beside", report(SMALL_BOOK, columns, everything=False))
    assert rows_about("beside", report(SMALL_BOOK, columns, everything=True))


def rows_about(pattern_id, lines):
    return [row for row in lines if row.startswith(pattern_id + " ")]


def test_a_verdict_needs_every_part_of_every_corpus():
    collected, other = Collected(), Collected()
    collected.record(Part(EXAMPLES, 0, 1), Survey())
    collected.record(Part(REAL, 1, 2), Survey())
    other.record(Part(REAL, 0, 2), Survey(positions=3))
    assert not collected.is_complete()
    collected.add_text(other.as_text())
    assert not collected.is_complete()
    collected.record(Part(RECORDED, 0, 1), Survey())
    assert not collected.is_complete()
    collected.record(Part(ROLES, 0, 1), Survey())
    assert collected.is_complete() and collected.columns()[REAL].positions == 3


def test_what_each_test_met_is_kept_apart():
    collected, other = Collected(), Collected()
    collected.record(Part(EXAMPLES, 0, 1), Survey(positions=2), "test_a.py::test_one")
    other.record(Part(REAL, 0, 2), Survey(positions=3), "test_a.py::test_two")
    other.record(Part(REAL, 1, 2), Survey(positions=4), "test_a.py::test_two")
    collected.add_text(other.as_text())
    met = {name: found["positions"] for name, found in collected.by_test().items()}
    assert met == {"test_a.py::test_one": 2, "test_a.py::test_two": 7}
