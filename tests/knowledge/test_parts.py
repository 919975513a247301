"""Tests of books combined from other books: they decide like books compiled from the same patterns."""

from __future__ import annotations

from knowledge_files import book

from littlego.judging.recorded import read_decisions
from littlego.knowledge.parts import book_of_entries, firing_ids, firings_of, indices_by_id, part_of
from littlego.rules.engine import canonical, decide
from littlego.rules.geometry import image_of, inverse
from littlego.rules.patternfile import book_of
from littlego.rules.position import PASS
from littlego.rules.programs import Reading

POSITIONS = [one.position for one in read_decisions()[3::130]]


def test_a_part_decides_as_the_book_of_its_patterns():
    count = len(book().patterns)
    for indices in (range(0, count, 2), range(count * 2 // 3), [5, count // 2, count - 6]):
        part, whole = part_of(book(), indices), book_of("little-go", 5, [book().patterns[k] for k in indices])
        for position in POSITIONS[::6]:
            assert decide(position, part).move == decide(position, whole).move


def test_only_the_patterns_that_speak_matter():
    index_of = indices_by_id(book())
    for position in POSITIONS:
        decision = decide(position, book())
        part = part_of(book(), (index_of[name] for name in firing_ids(decision)))
        assert len(part.patterns) < len(book().patterns) / 2
        assert decide(position, part).move == decision.move


def test_a_mix_stands_in_the_order_of_the_file():
    count = len(book().patterns)
    halves = part_of(book(), range(1, count, 2)), part_of(book(), range(0, count, 2))
    entries = [(half, index) for half in halves for index in range(len(half.patterns))]
    made = book_of_entries(entries, book())
    assert [pattern.id for pattern in made.patterns] == [pattern.id for pattern in book().patterns]
    for name in ("starts", "cares", "values", "cells"):
        assert list(getattr(made, name)) == list(getattr(book(), name)), name
    assert decide(POSITIONS[0], made).move == decide(POSITIONS[0], book()).move


def test_firings_are_those_that_the_engine_finds():
    for position in POSITIONS:
        table, state = canonical(position)
        undo = inverse(table)
        found = firings_of(book(), Reading(state, book().bits), image_of(position.legal(), table))
        if position.left <= 2:
            continue  # here the engine examines only moves with the best result
        expected = {
            (firing.pattern.id, candidate.move, firing.points)
            for candidate in decide(position, book()).candidates
            for firing in candidate.all_firings
        }
        assert {(name, undo[move] if move != PASS else PASS, points) for name, move, points in found} == expected
