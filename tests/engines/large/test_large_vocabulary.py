"""Tests of the facts available at each board size. Small-board patterns use only the facts of rules/facts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from large_states import LARGE_FACTS, large_state

from littlego.editor.authoring import suggest
from littlego.engines.compiled import facts as compiled_facts
from littlego.engines.compiled import programs as compiled_programs
from littlego.engines.large.vocabulary import LargeFact, large_fact, once_a_position, serves, small_facts
from littlego.knowledge.exact import bounds, placed, questions
from littlego.learning.mining import rules as mined
from littlego.rules import facts
from littlego.rules.facts import FACTS, Fact
from littlego.rules.geometry import make_grid

SMALL = [name for name, one in vars(facts).items() if name in FACTS and one is FACTS[name].function]


def test_small_facts_are_those_of_rules_in_their_order():
    assert list(small_facts()) == SMALL == list(FACTS)[: len(SMALL)]
    assert not set(SMALL) & set(LARGE_FACTS)
    assert set(SMALL) | set(LARGE_FACTS) == set(FACTS)


def test_the_compiled_engine_holds_the_small_facts():
    assert list(compiled_facts.FACTS) == SMALL
    assert list(compiled_programs.FACTS) == SMALL
    assert len(compiled_programs._NUMBER) == len(compiled_programs._FACT) == len(SMALL)


def test_proofs_about_patterns_hold_the_small_facts():
    assert list(bounds.FACTS) == SMALL
    assert set(bounds.MIRRORS) | bounds.ABOUT_CHAINS | set(bounds.BOUNDS) <= set(SMALL)
    assert set(placed._NAMES.values()) == set(SMALL)
    assert set(questions.READS_KO_AT_ITS_POINT) <= set(SMALL)


def test_mined_rules_hold_the_small_facts():
    assert list(mined._NUMBERS) == SMALL
    assert set(mined.MOVE_FACTS) <= set(SMALL)
    assert not set(LARGE_FACTS) & set(vars(suggest))


@pytest.mark.parametrize(("size", "answer"), [(5, False), (6, False), (7, True), (19, True)])
def test_a_large_fact_serves_its_sizes(size, answer):
    assert serves("own_influence", size) == answer
    assert serves("liberties", size)


def test_a_declared_fact_is_known_until_taken_back():
    try:

        @large_fact("point", cost=1, sizes=(9, 13))
        def somewhere(state, move, point):
            """Points at P."""
            return int(point != 0)

        declared = FACTS["somewhere"]
        assert isinstance(declared, LargeFact)
        assert isinstance(declared, Fact)
        assert [serves("somewhere", size) for size in (8, 9, 13, 14)] == [False, True, True, False]
        assert "somewhere" not in small_facts()
    finally:
        FACTS.pop("somewhere", None)


def test_what_is_found_once_a_position_is_kept_in_it():
    asked = []

    @once_a_position
    def number(state):
        asked.append(state)
        return len(asked)

    grid = make_grid(7)
    one, other = large_state(1, 2, grid), large_state(1, 2, grid)
    assert [number(one), number(one), number(other), number(one)] == [1, 1, 2, 1]
    assert asked == [one, other]


@pytest.mark.parametrize("name", LARGE_FACTS)
def test_a_large_fact_is_asked_about_drawn_boards(name):
    here = Path(__file__).parent
    drawn = (here / "test_large_facts_points.py").read_text() + (here / "test_large_facts_chains.py").read_text()
    assert re.search(rf'\b(ask_large|asked|asked_of_it)\(\s*"{name}"', drawn), f"test {name} on drawn boards"
