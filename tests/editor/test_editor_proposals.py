"""Tests that each proposed example passes, and that it detects the fault for which it is proposed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_knowledge import CUTTING
from studio_server import SMALL

from littlego.editor.answers import editing, proposing
from littlego.editor.answers.checking import add_example
from littlego.editor.changes import Change, applied
from littlego.editor.deciders import decider_for
from littlego.editor.placements import Placements
from littlego.editor.positions import read_position
from littlego.editor.proposals import NearMisses, held_clauses, recorded_positions
from littlego.editor.session import Session, Snapshot
from littlego.judging.mutation.mutants import mutants_of, read_draft, with_cell
from littlego.knowledge.compiler import compile_text
from littlego.knowledge.examples import outcome_of

CUT = "...../..OX./.OXX./..O../....."


def session_of(text):
    session = Session()
    session.take(Snapshot(1, text, "patterns.yaml"))
    return session


def change_text(text, changes):
    return applied(text, [Change(one["from"], one["to"], one["insert"]) for one in changes])


def without(pattern, clause):
    kind, number = clause
    if kind == "condition":
        return replace(pattern, when=[*pattern.when[:number], *pattern.when[number + 1 :]])
    cell = Placements(pattern, read_position(CUT)).cells[number]
    return replace(pattern, rows=with_cell(pattern.rows, cell.row, cell.column, "?"))


@pytest.fixture(scope="module")
def patterns():
    return compile_text(CUTTING, "patterns.yaml", with_examples=False)[2].patterns


def test_a_near_miss_holds_today_and_fails_without_the_clause_that_it_is_about(patterns):
    for pattern in patterns[:2]:
        looking = NearMisses(pattern, pattern.examples)
        for position in recorded_positions("little-go")[::4]:
            looking.look(position)
        assert looking.found
        for proposal in looking.proposals():
            assert outcome_of(pattern, proposal.example).passed
            if proposal.clause:
                assert not outcome_of(without(pattern, proposal.clause), proposal.example).passed


def test_a_clause_that_an_example_holds_is_not_asked_about_again(patterns):
    pattern = patterns[0]
    looking = NearMisses(pattern, pattern.examples)
    for position in recorded_positions("little-go")[::4]:
        looking.look(position)
    for proposal in looking.proposals():
        if proposal.clause:
            assert proposal.clause not in held_clauses(pattern, pattern.examples)
            assert proposal.clause in held_clauses(pattern, [proposal.example])


@pytest.mark.parametrize("mutants", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_job_proposes_and_ends_with_a_count(patterns, mutants):
    work, events = proposing.propose(session_of(CUTTING), pattern="cut-across", mutants=mutants), []
    done = None
    try:
        while True:
            events.append(next(work))
    except StopIteration as end:
        done = end.value
    results = [event["result"] for event in events if "result" in event]
    assert done is not None and done["count"] == len(results) > 0 and events[0]["progress"][0] == 0
    assert done["command"] == "littlego mutate cut-across --survivors -f patterns.yaml"
    assert any(result["mutant"] for result in results) == mutants
    drafts = {one.name: read_draft(one.draft) for one in mutants_of(patterns[0], [500])}
    for result in results:
        session = session_of(CUTTING)
        changes = add_example(
            session, pattern="cut-across", kind=result["kind"], position=result["position"], move=result["move"]
        )["changes"]
        after = change_text(CUTTING, changes)
        base = compile_text(after, "patterns.yaml")
        assert not base[1]
        added = next(one for one in base[2].patterns[0].examples if one not in patterns[0].examples)
        if result["mutant"]:
            assert not outcome_of(drafts[result["mutant"]], added).passed


def test_a_pattern_is_made_from_a_position_and_taken_out_again():
    found = proposing.new_pattern(session_of(CUTTING), position=CUT, move="1,1", kind="cut")
    after = change_text(CUTTING, found["changes"])
    _, problems, base = compile_text(after, "patterns.yaml")
    assert not problems and found["pattern"] == "new-pattern"
    # the new pattern follows the last pattern of its class
    assert [one.id for one in base.patterns][:2] == ["cut-across", "new-pattern"]
    again = editing.remove_pattern(session_of(after), pattern="new-pattern")["changes"]
    assert change_text(after, again) == CUTTING


def test_a_new_pattern_gets_enough_points_to_be_played():
    session = session_of(SMALL.read_text(encoding="utf-8"))
    board = "..O../...O./XXX../...O./....."
    position = read_position(board)
    assert decider_for(session, position).decide(position).move != 13
    found = proposing.new_pattern(session, position=board, move="2,3", name="keep-apart", enough=True)
    edited = session_of(change_text(session.text, found["changes"]))
    assert decider_for(edited, position).decide(position).move == 13
    plain = proposing.new_pattern(session, position=board, move="2,3", name="keep-apart")
    assert "    points: 10\n" in plain["changes"][0]["insert"]
